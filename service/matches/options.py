"""Validation of the options of a new match against the option struct of its game."""

from collections.abc import Mapping
from typing import Any

import msgspec

from domain.contract.game import GameInfo
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.text.i18n import N_, TranslatableError
from domain.text.msgspec_errors import translate_error
from domain.text.text_rules import is_name
from service.http.problems import ApiProblem

_MAX_MESSAGE_CHARS = 200
"""Maximum characters of an error message, which may quote the input."""


class InvalidOption(TranslatableError, ValueError):
    """Error about an invalid option; ``field``: the name of the option.

    ``detail``: the message of the text domain ``room`` that says what is wrong.
    """

    text_domain = "service"

    def __init__(
        self, field: str, detail: str, args: Mapping[str, Any] | None = None, room: str = "service"
    ) -> None:
        what = {"key": detail, "args": args or {}, "room": room}
        super().__init__(_FIELD_ERROR, field=field, detail=what)
        self.field = field


_FIELD_ERROR = N_("option.error")


def fill_options(title: GameInfo, options: dict[str, Any]) -> dict[str, Any]:
    """Return all options of a game, with defaults for those not given, as plain JSON values.

    Raises `InvalidOption` for an unknown or invalid option.
    """
    schema = schema_of(title)
    known = schema["properties"]
    for name, value in options.items():
        if name not in known:
            raise InvalidOption(name, N_("option.unknown"))
        _check_size(name, value, known[name])
    try:
        made = msgspec.convert(options, title.options)
    except msgspec.ValidationError as error:
        detail, _, path = str(error).partition(" - at `$.")
        sentence, args = translate_error(detail[:_MAX_MESSAGE_CHARS])
        raise InvalidOption(path.rstrip("`"), sentence, args, "kernel") from None
    complete = msgspec.json.decode(
        msgspec.json.encode(made)
    )  # Lists instead of tuples, as in match files.
    for name in known:
        _check_names(name, complete[name], known[name], schema.get("$defs", {}))
    return {name: complete[name] for name in known}


def find_game(slug: str, seats: int) -> GameInfo:
    """Return the title of a game, checking that it allows a number of seats.

    Raises `ApiProblem` 404 ``no_such_game`` or 422 ``wrong_seats``.
    """
    title = TITLES.get(slug)
    if title is None:
        raise ApiProblem(404, "no_such_game", "error.no_such_game", field="game")
    if seats not in title.seats:
        raise ApiProblem(
            422, "wrong_seats", "error.wrong_seats", args={"seats": title.seats}, field="seats"
        )
    return title


def options_from_request(title: GameInfo, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a request with defaults filled in, as `fill_options` does.

    Raises `ApiProblem` 422 ``bad_option``.
    """
    try:
        return fill_options(title, options)
    except InvalidOption as error:
        raise ApiProblem(
            422, "bad_option", error.message_id, args=error.message_args, field=error.field
        ) from None


def _check_size(name: str, value: Any, schema: dict[str, Any]) -> None:
    """Raise `InvalidOption` if an attachment exceeds the maximum size of its option.

    See `domain.contract.options`.
    """
    most = schema.get("attachment", {}).get("bytes")
    if most is not None and len(msgspec.json.encode(value)) > most:
        raise InvalidOption(name, N_("option.too_large"), {"most": most})


def _check_names(name: str, value: Any, schema: dict[str, Any], parts: dict[str, Any]) -> None:
    """Raise `InvalidOption` if a name in an attachment has invisible letters.

    See `domain.contract.options`.
    """
    part = parts.get(schema.get("$ref", "").rpartition("/")[2], {})
    for field, each in part.get("properties", {}).items():
        if each.get("format") == "name" and not is_name(value[field]):
            raise InvalidOption(f"{name}.{field}", N_("option.invisible"))


def check_options(title: GameInfo, options: dict[str, Any]) -> None:
    """Raise `InvalidOption` if the options are incomplete or invalid."""
    if fill_options(title, options) != options:
        raise InvalidOption("options", N_("option.missing"))
