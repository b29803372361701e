"""Match files: a whole match as one self-contained JSON document, and the proof that it is honest.

Shape (``format_version`` 1)::

    {"format": "caravanserai-match", "format_version": 1, "id": "...", "game": "...",
     "rules_version": 1, "status": "...", "hidden": 0,
     "fairness": {"commitment": "64 hex", "seed": "64 hex, once finished"},
     "decisions": [{"version", "seat", "command", "events", "draws", "at"}, ...],
     "digest": "SHA-256 of the document without this field, keys sorted, no white space"}

Player ids are replaced by "player-1", "player-2", ... . In the file of a running match each
decision that holds something hidden from the asker is ``{"version", "at", "events": [redacted],
"hidden": true}``; such a file can be read but not verified or imported before the match ends.
"""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.codec import Codec, codec_of
from domain.draws import Replay, WrongDraw, commitment, number
from domain.game import IllegalMove, Title
from domain.match import (
    Decision,
    MatchOpened,
    Open,
    Origin,
    Refused,
    Start,
    Timeline,
    redact,
)

FORMAT = "caravanserai-match"
FORMAT_VERSION = 1
_STRICT = msgspec.json.Encoder(order="sorted")


class BadFile(Exception):
    """A file that does not hold; ``decision`` is the index of the first bad one, or None."""

    def __init__(self, reason: str, decision: int | None = None) -> None:
        where = "" if decision is None else f"decision {decision}: "
        super().__init__(where + reason)
        self.decision = decision


# --- writing ----------------------------------------------------------------------------------


def export(match_id: str, timeline: Timeline, seat: int | None) -> dict[str, Any]:
    """The match file as the holder of ``seat`` (None: a spectator) may see it."""
    now = timeline.now
    codec = codec_of(now.opened.game)
    finished = now.status == "finished"
    viewer = timeline.viewer(seat)
    anonymous = _Anonymous()
    decisions = [
        anonymous(_shown(codec, decision, viewer, finished)) for decision in timeline.decisions
    ]
    fairness = {"commitment": now.opened.commitment}
    if finished:
        fairness["seed"] = now.opened.seed
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "id": match_id,
        "game": now.opened.game,
        "rules_version": now.opened.rules_version,
        "status": now.status,
        "hidden": sum("hidden" in decision for decision in decisions),
        "fairness": fairness,
        "decisions": decisions,
    }
    return {**document, "digest": _digest(document)}


def _digest(document: dict[str, Any]) -> str:
    return hashlib.sha256(_STRICT.encode(document)).hexdigest()


def _shown(codec: Codec, decision: Decision, viewer: int | None, finished: bool) -> dict[str, Any]:
    """One decision for the file; nothing of a hidden one but its redacted events."""
    events = tuple(redact(codec.rules, event, viewer, finished) for event in decision.events)
    command = decision.command
    if isinstance(command, Open) and not finished:
        command = replace(command, seed="")
    elif events != decision.events:
        plain = msgspec.to_builtins(events)
        return {"version": decision.version, "at": decision.at, "events": plain, "hidden": True}
    return codec.to_plain(replace(decision, command=command, events=events))


class _Anonymous:
    """Replaces player ids in plain decisions by names that mean nothing elsewhere."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, plain: dict[str, Any]) -> dict[str, Any]:
        for part in (plain.get("command"), *plain["events"]):
            if isinstance(part, dict) and part.get("type") in _WITH_PLAYERS:
                self._rename(part)
        return plain

    def _rename(self, part: dict[str, Any]) -> None:
        for field in ("owner", "player"):
            if part.get(field):
                part[field] = self._name(part[field])
        for seat in part.get("seats", ()):
            if seat["player"]:
                seat["player"] = self._name(seat["player"])

    def _name(self, player: str) -> str:
        return self._known.setdefault(player, f"player-{len(self._known) + 1}")


_WITH_PLAYERS = ("Open", "MatchOpened", "Join", "SeatTaken")


# --- proving ----------------------------------------------------------------------------------


class _File(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    format_version: int
    id: str
    game: str
    rules_version: int
    status: str
    hidden: int
    fairness: dict[str, str]
    decisions: list[dict[str, Any]]
    digest: str


OptionsCheck = Callable[[Title, dict[str, Any]], None]
"""Raises ValueError when the options do not fit the title's schema."""


def verify(document: Any, check_options: OptionsCheck) -> Timeline:
    """Replays the file by the rules and gives its timeline, or raises `BadFile`.

    Every decision is made again from its command and recorded draws, and its events must come
    out byte for byte; the draws must follow from the seed, and the seed from the commitment.
    """
    file, codec = _opened(document)
    timeline = Timeline(codec.rules)
    seed = file.fairness.get("seed", "")
    for index, plain in enumerate(file.decisions):
        try:
            decision = codec.from_plain(plain, file.rules_version)
        except (msgspec.ValidationError, KeyError, TypeError, RecursionError) as error:
            raise BadFile(str(error), index) from None
        try:
            _check_opening(decision, file, codec.title, check_options)
            _check_again(timeline, decision, codec)
            _check_draws(timeline, decision, seed)
            timeline.append(decision)
        except _FAULTS as error:
            raise BadFile(str(error) or type(error).__name__, index) from None
    _check_end(timeline, file, seed)
    return timeline


_FAULTS = (
    IllegalMove,
    Refused,
    WrongDraw,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
)


def _opened(document: Any) -> tuple[_File, Codec]:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadFile("this is not a match file")
    if document.get("format_version") != FORMAT_VERSION:
        raise BadFile(f"format_version must be {FORMAT_VERSION}")
    try:
        file = msgspec.convert(document, _File)
    except msgspec.ValidationError as error:
        raise BadFile(str(error)) from None
    body = {key: value for key, value in document.items() if key != "digest"}
    if _digest(body) != file.digest:
        raise BadFile("the digest does not fit: the file was changed or damaged")
    try:
        codec = codec_of(file.game)
    except KeyError:
        raise BadFile("there is no such game") from None
    if not 1 <= file.rules_version <= codec.title.rules_version:
        raise BadFile("these rules are newer than this program's")
    if file.hidden:
        raise BadFile("parts of this match are hidden; export it again when it is finished")
    if not file.decisions:
        raise BadFile("there are no decisions")
    return file, codec


def _check_opening(decision: Decision, file: _File, title: Title, check: OptionsCheck) -> None:
    command = decision.command
    if not isinstance(command, Open):
        return
    if (command.game, command.rules_version) != (file.game, file.rules_version):
        raise ValueError("the game is not the one the file names")
    if command.commitment != file.fairness.get("commitment"):
        raise ValueError("the commitment is not the one the file names")
    if command.seed != file.fairness.get("seed", ""):
        raise ValueError("the seed is not the one the file names")
    if command.seed and commitment(bytes.fromhex(command.seed)) != command.commitment:
        raise ValueError("the seed does not fit the commitment")
    if len(command.seats) not in title.seats:
        raise ValueError("the game is not played by so many")
    if any(seat.kind not in ("human", "open", "bot") for seat in command.seats):
        raise ValueError("a seat is of no known kind")
    check(title, command.options)


def _check_again(timeline: Timeline, decision: Decision, codec: Codec) -> None:
    before = timeline.now if timeline.moments else None
    if decision.version != timeline.version + 1:
        raise ValueError(f"version {timeline.version + 1} was expected")
    holds = isinstance(decision.command, Open | Start) or decision.seat in range(
        len(before.seats) if before else 0
    )
    if not holds:
        raise ValueError("there is no such seat")
    draw = Replay(decision.draws)
    events = timeline.decide(before, decision.seat, decision.command, draw)
    draw.finish()
    made = replace(decision, events=tuple(events))
    if codec.encode(made) != codec.encode(decision):
        raise ValueError("the rules give other events")


def _check_draws(timeline: Timeline, decision: Decision, seed: str) -> None:
    if not seed or not timeline.moments:
        return
    now = timeline.now
    inherited = now.opened.forked_from.draws if now.opened.forked_from else 0
    for index, (n, value) in enumerate(decision.draws, start=now.drawn):
        if index >= inherited and number(bytes.fromhex(seed), index, n) != value:
            raise ValueError(f"draw {index} does not follow from the seed")


def _check_end(timeline: Timeline, file: _File, seed: str) -> None:
    if timeline.now.status != file.status:
        raise BadFile(f"the match is {timeline.now.status}, not {file.status}")
    if file.status == "finished" and not seed:
        raise BadFile("a finished match names its seed")


# --- branching off ----------------------------------------------------------------------------


def hidden_from(timeline: Timeline, version: int, seats: list[int]) -> bool:
    """Whether something up to the version is hidden from somebody holding just these seats."""
    if timeline.now.status == "finished" and not timeline.now.opened.options.get("keep_secrets"):
        return False
    rules = timeline.rules
    eyes: list[int | None] = [None, *seats]
    return any(
        all(redact(rules, event, viewer, finished=True) != event for viewer in eyes)
        for decision in timeline.decisions
        if decision.version <= version
        for event in decision.events
        if not isinstance(event, MatchOpened)
    )


def fork(timeline: Timeline, version: int, origin: str, opening: Open) -> list[Decision]:
    """The decisions of a new match that begins as this one stood at the version.

    Only what still counted then comes along, so the new log has no holes. ``opening`` gives
    the seats (all filled), the owner and a seed of the new match's own; its ``forked_from`` is
    set here. Raises `Refused` when the game had not begun by then.
    """
    moment = timeline.at(version)
    if moment.head < 0:
        raise Refused("not_started", "The game had not begun by then.")
    if moment.status == "finished":
        raise Refused("match_over", "The match was over by then.")
    complete = timeline.moments[timeline.index(version)]
    kept = [timeline.decisions[i] for i in reversed([*timeline.line(complete)])]
    drawn = sum(len(decision.draws) for decision in kept)
    opening = replace(opening, forked_from=Origin(origin, complete.version, drawn))
    first = Timeline(timeline.rules).act(None, [opening], kept[0].at)
    return [*first, *_renumbered(kept, first[-1].last_version)]


def _renumbered(decisions: list[Decision], version: int) -> Iterator[Decision]:
    for decision in decisions:
        yield replace(decision, version=version + 1)
        version += len(decision.events)
