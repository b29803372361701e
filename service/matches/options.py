"""Options of a new table, as strangers send them, against the struct of the game."""

from typing import Any

import msgspec

from domain.game import Title
from domain.letters import is_name
from domain.misfits import misfit
from domain.options import schema_of
from domain.register import TITLES
from domain.words import N_, Explained
from service.base.problems import Fault

_LONGEST = 200
"""Characters of a message, which may quote what was sent."""


class BadOption(Explained, ValueError):
    """An option that does not fit; ``field`` names it."""

    room = "service"

    def __init__(self, field: str, detail: str, /, **args: Any) -> None:
        super().__init__(_OF_OPTION, {"field": field, "detail": {"key": detail, "args": args}})
        self.field = field


_OF_OPTION = N_("{field}: {detail}")


def filled(title: Title, options: dict[str, Any]) -> dict[str, Any]:
    """The options with every default filled in; `BadOption` when one does not fit."""
    schema = schema_of(title)
    known = schema["properties"]
    for name, value in options.items():
        if name not in known:
            raise BadOption(name, N_("this game has no such option"))
        _check_size(name, value, known[name])
    try:
        made = msgspec.convert(options, title.options)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at `$.")
        sentence, args = misfit(detail[:_LONGEST])
        what = {"key": sentence, "args": args, "room": "kernel"}
        raise BadOption(path.rstrip("`"), "{what}", what=what) from None
    complete = msgspec.json.decode(msgspec.json.encode(made))  # with lists, as files have them
    for name in known:
        _check_names(name, complete[name], known[name], schema.get("$defs", {}))
    return {name: complete[name] for name in known}


def game_of(slug: str, seats: int) -> Title:
    """The title of a game for so many seats; `Fault` when there is none."""
    title = TITLES.get(slug)
    if title is None:
        raise Fault(404, "no_such_game", "There is no such game.", field="game")
    if seats not in title.seats:
        raise Fault(
            422, "wrong_seats", "Seats: one of {seats}.", args={"seats": title.seats}, field="seats"
        )
    return title


def asked_for(title: Title, options: dict[str, Any]) -> dict[str, Any]:
    """As `filled`, for a request: `Fault` 422 when an option does not fit."""
    try:
        return filled(title, options)
    except BadOption as error:
        raise Fault(
            422, "bad_option", error.sentence, args=error.args_told, field=error.field
        ) from None


def _check_size(name: str, value: Any, schema: dict[str, Any]) -> None:
    """An attachment has a size that its option states; see `domain.options`."""
    most = schema.get("attachment", {}).get("bytes")
    if most is not None and len(msgspec.json.encode(value)) > most:
        raise BadOption(name, N_("is larger than {most} bytes"), most=most)


def _check_names(name: str, value: Any, schema: dict[str, Any], parts: dict[str, Any]) -> None:
    """A text of an attachment that is a name is written as names are; see `domain.options`."""
    part = parts.get(schema.get("$ref", "").rpartition("/")[2], {})
    for field, each in part.get("properties", {}).items():
        if each.get("format") == "name" and not is_name(value[field]):
            raise BadOption(f"{name}.{field}", N_("has letters that cannot be seen"))


def check(title: Title, options: dict[str, Any]) -> None:
    """Raises `BadOption` unless the options are complete and fit."""
    if filled(title, options) != options:
        raise BadOption("options", N_("an option is missing"))
