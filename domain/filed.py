"""What a match file may hold, checked before anything in it is believed.

A file comes from a stranger, also one that says it is ours. Everything in it has a range, a
length or a shape: the numbers stay far from what databases and calendars can hold, names and
words follow the rule of `domain.letters`, lists and the whole have a size. The rules are asked
afterwards (`domain.matchfile`); a file that is only read aloud is read through here as well.
"""

import json
import re
from typing import Any

import msgspec

from domain.codec import Codec, codec_of
from domain.described import describe
from domain.exporting import FORMAT, FORMAT_VERSION
from domain.game import LEVELS
from domain.letters import TEXT_LENGTH, is_name, is_text
from domain.match import (
    FROM_FILE,
    HERE,
    MOST_DECISIONS,
    MOST_WORDS,
    PHONE,
    SIGNED_FILE,
    WITHHELD,
    AskRecovery,
    Decision,
    Join,
    MatchOpened,
    Open,
    Reclaim,
    RecoverSeat,
    RecoveryAsked,
    Said,
    Seat,
    SeatLeft,
    SeatReclaimed,
    SeatRecovered,
    SeatTaken,
    Start,
)
from domain.misfits import misfit
from domain.pace import fits
from domain.printable import is_printable
from domain.words import N_, Explained

EARLIEST = 1_577_836_800_000
"""The year 2020, in milliseconds since 1970 UTC: nothing was played here before."""
LATEST = 4_102_444_800_000
"""The year 2100: every calendar and database on the way can hold it."""
SKEW = 300_000
"""Milliseconds that the clock of another service may be ahead of ours."""
LARGEST = 2**31 - 1
"""Numbers other than clocks: what both databases and every browser hold exactly."""
MOST_SEATS = 16
MOST_ENTRIES = 1_000
"""Entries of one list: the longest in real matches has 210."""
DEEPEST = 10
"""Lists within lists: real events are half as deep."""
_OPTIONS = 50
"""Fields of one object; keys are as long as options and fields are called."""

_ID = re.compile(r"[0-9A-Za-z-]{1,64}")
_HEX = re.compile(r"[0-9a-f]{64}")
_PLAYER = "player-"
_STATUSES = ("open", "playing", "finished")


class BadFile(Explained):
    """A file that does not hold; ``decision`` is the index of the first bad one, or None."""

    room = "kernel"

    def __init__(
        self, reason: str | Exception, decision: int | None = None, /, **args: Any
    ) -> None:
        sentence, told = (reason, args) if isinstance(reason, str) else _reason(reason)
        if decision is not None:
            told = {"number": decision, "reason": {"key": sentence, "args": told}}
            sentence = _IN_DECISION
        super().__init__(sentence, told)
        self.decision = decision


class Wrong(Explained, ValueError):
    """What a decision of a file holds and cannot be."""

    room = "kernel"

    def __init__(self, reason: str, /, **args: Any) -> None:
        super().__init__(reason, args)


_IN_DECISION = N_("decision {number}: {reason}")


def _reason(error: Exception) -> tuple[str, dict[str, Any]]:
    """Why something was refused, as a sentence with arguments; of a bug what Python says."""
    if isinstance(error, Explained):
        room = error.room or "kernel"
        return "{what}", {
            "what": {"key": error.sentence, "args": dict(error.args_told), "room": room}
        }
    return "{what}", {"what": str(error) or type(error).__name__}


class Fairness(msgspec.Struct, forbid_unknown_fields=True):
    """The hash of the seed; the seed itself is in the file of a finished match only."""

    commitment: str
    seed: str = ""


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who vouches for a file: an Ed25519 signature over all of it (see `domain.matchfile`)."""

    algorithm: str
    key: str
    public: str
    value: str


class File(msgspec.Struct, forbid_unknown_fields=True):
    """The document; its decisions are read one by one by a `Reader`."""

    format: str
    format_version: int
    id: str
    game: str
    rules_version: int
    status: str
    hidden: int
    fairness: Fairness
    decisions: list[dict[str, Any]]
    digest: str
    withheld: int = 0
    signature: Signature | None = None


describe(File, Signature)


def signature_in(document: Any) -> Signature | None:
    """The file's signature, not checked; None of one without. `BadFile` for none of its shape."""
    if not isinstance(document, dict) or "signature" not in document:
        return None
    try:
        return msgspec.convert(document["signature"], Signature)
    except msgspec.ValidationError as error:
        raise BadFile("the signature does not hold: {what}", what=_misfit_in(error)) from None


def parsed(data: bytes) -> Any:
    """The JSON of a file; `BadFile` when a name stands twice in one object.

    Of two such fields some readers take the first and others the last, so that two people would
    read different matches under one signature. Raises `msgspec.DecodeError` for what is no JSON.
    """
    document = msgspec.json.decode(data)
    # Its numbers are no matter here, and some would take long to read.
    json.loads(data, object_pairs_hook=_once, parse_int=str, parse_float=str)
    return document


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise BadFile("a field stands twice in one object")


def opened(document: Any) -> tuple[File, Codec]:
    """The document as far as it can be judged without its decisions, or `BadFile`."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadFile("this is not a match file")
    if document.get("format_version") != FORMAT_VERSION:
        raise BadFile("format_version must be {version}", version=FORMAT_VERSION)
    try:
        file = msgspec.convert(document, File)
    except msgspec.ValidationError as error:
        raise BadFile("{what}", what=_misfit_in(error)) from None
    try:
        codec = codec_of(file.game)
    except KeyError:
        raise BadFile("there is no such game") from None
    if not 1 <= file.rules_version <= codec.title.rules_version:
        raise BadFile("these rules are newer than this program's")
    reason = _misfit(file)
    if reason:
        raise BadFile(reason, most=MOST_DECISIONS)
    return file, codec


def _misfit(file: File) -> str:
    """What does not fit in the document's head, "" when all does."""
    seed = file.fairness.seed
    checks = (
        (_ID.fullmatch(file.id), N_("the id of the match has another shape")),
        (file.status in _STATUSES, N_("there is no such status")),
        (0 <= file.hidden <= len(file.decisions), N_("so much cannot be hidden")),
        (0 <= file.withheld <= len(file.decisions), N_("so many words cannot be withheld")),
        (_HEX.fullmatch(file.fairness.commitment), N_("the commitment is 64 hex digits")),
        (not seed or _HEX.fullmatch(seed), N_("the seed is 64 hex digits")),
        (_HEX.fullmatch(file.digest), N_("the digest is 64 hex digits")),
        (file.decisions, N_("there are no decisions")),
        (len(file.decisions) <= MOST_DECISIONS, N_("more than {most} decisions")),
        (
            not seed or file.status == "finished",
            N_("only a finished match names its seed: this file was cut short or made up"),
        ),
    )
    return next((reason for holds, reason in checks if not holds), "")


def _printable(error: Exception) -> str:
    """An error that may quote the file, without what a terminal would obey."""
    return "".join(c if c.isprintable() else "?" for c in str(error))


def _misfit_in(error: Exception) -> dict[str, Any]:
    """The same as a part of a sentence."""
    sentence, args = misfit(_printable(error))
    return {"key": sentence, "args": _short(args)}


def _short(value: Any) -> Any:
    """What is quoted, at most 200 letters of it."""
    if isinstance(value, dict):
        return {name: _short(part) for name, part in value.items()}
    return value[:200] if isinstance(value, str) else value


class Reader:
    """Reads the decisions of one file in order and remembers clock, players and words.

    ``now``: the reader's own clock in milliseconds; None when nothing can be in its future.
    """

    def __init__(self, file: File, codec: Codec, now: int | None = None) -> None:
        self._codec = codec
        self._rules_version = file.rules_version
        self._clock = EARLIEST
        self._latest = LATEST if now is None else min(LATEST, now + SKEW)
        self._players = 0
        self._words = 0

    def decision(self, plain: dict[str, Any]) -> Decision:
        """The next decision; ValueError says what about it cannot be."""
        try:
            _check_sizes({name: part for name, part in plain.items() if name != "at"})
            decision = self._codec.from_plain(plain, self._rules_version)
        except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
            raise (
                Wrong("{what}", what=_misfit_in(error))
                if str(error)
                else Wrong("this is no decision")
            ) from None
        self._check_clock(decision.at)
        _check_seat(decision)
        _require(decision.version >= 1, "versions are counted from 1")
        _require(len(decision.events) >= 1, "nothing happens in it")
        for n, value in decision.draws:
            _require(0 <= value < n, "{value} is not drawn from {n}", value=value, n=n)
        for part in (decision.command, *decision.events):
            self._check_part(part)
        return decision

    def hidden(self, plain: dict[str, Any]) -> Decision:
        """A decision of which the file holds only what its reader might see; it has no command."""
        known = {"version", "at", "events", "hidden"}
        _require(plain.keys() == known and plain["hidden"] is True, "this is no decision")
        rest = {name: plain[name] for name in ("version", "at", "events")}
        return self.decision({**rest, "seat": None, "command": {"type": "Start"}, "draws": []})

    def _check_clock(self, at: int) -> None:
        _require(at >= EARLIEST, "its clock shows a time before 2020")
        _require(at <= self._latest, "its clock shows a time to come")
        _require(at >= self._clock, "its clock runs backwards")
        self._clock = at

    def _check_part(self, part: Any) -> None:
        match part:
            case Open() | MatchOpened():
                self._check_opening(part)
            case Join(player=player, name=name) | SeatTaken(player=player, name=name):
                self._check_player(player)
                _require(is_name(name), "a name at the table cannot be written so")
            case RecoverSeat(player=player) | SeatRecovered(player=player):
                self._check_player(player)
            case AskRecovery(player=player) | RecoveryAsked(player=player):
                self._check_player(player)
            case Reclaim(player=player):
                self._check_player(player)
            case SeatReclaimed(player=player, name=name):
                self._check_player(player)
                _require(is_name(name), "a name at the table cannot be written so")
            case SeatLeft(name=name):
                _require(is_name(name), "a name at the table cannot be written so")
            case Said(text=text):
                self._words += 1
                _require(
                    self._words <= MOST_WORDS, "more than {most} words are said", most=MOST_WORDS
                )
                _require(part == WITHHELD or is_text(text), "nobody can say this")

    def _check_opening(self, opening: Open | MatchOpened) -> None:
        _require(1 <= len(opening.seats) <= MOST_SEATS, "so many seats there are not")
        _require(opening.visibility in ("private", "public"), "there is no such visibility")
        sources = ("", HERE, FROM_FILE, SIGNED_FILE, PHONE)
        _require(opening.source in sources, "there is no such source")
        _require(bool(_HEX.fullmatch(opening.commitment)), "the commitment is 64 hex digits")
        for number in (opening.seed, opening.deal_commitment):
            _require(number == "" or bool(_HEX.fullmatch(number)), "a seed is 64 hex digits")
        _require(not opening.deal_seed, "the seed of what stays hidden is in no file")
        _require(opening.pace is None or fits(opening.pace), "there is no such pace")
        origin = opening.forked_from
        if origin is not None:
            _require(bool(_ID.fullmatch(origin.match)), "the id of the origin has another shape")
            _require(origin.version >= 1, "versions are counted from 1")
            _require(origin.draws >= 0, "a fork brings no less than no draws")
        self._check_player(opening.owner)
        for seat in opening.seats:
            self._check_holder(seat)

    def _check_holder(self, seat: Seat) -> None:
        _require(is_name(seat.name), "a name at the table cannot be written so")
        _require(seat.kind in ("human", "open", "bot"), "a seat is of no known kind")
        held = seat.player is not None
        # An open seat may be held for a person.
        fits = seat.kind == "open" or held == (seat.kind == "human")
        _require(fits, "a seat is held by a person or by nobody")
        plays = seat.level == "" or (seat.kind == "bot" and seat.level in LEVELS)
        _require(plays, "a seat plays at no known level")
        if seat.player is not None:
            self._check_player(seat.player)

    def _check_player(self, player: str) -> None:
        """Players are "player-1", "player-2", ... in the order in which they come up."""
        text = player.removeprefix(_PLAYER)
        numbered = player.startswith(_PLAYER) and text.isascii() and text.isdecimal()
        number = int(text) if numbered and len(text) < 4 else 0
        _require(1 <= number <= self._players + 1, "players are numbered as they come up")
        _require(player == f"{_PLAYER}{number}", "players are numbered as they come up")
        self._players = max(self._players, number)


def _check_seat(decision: Decision) -> None:
    if isinstance(decision.command, Open | Start) or decision.events == (WITHHELD,):
        _require(decision.seat is None, "nobody sits down for this")
    else:
        _require(
            decision.seat is not None and 0 <= decision.seat < MOST_SEATS, "there is no such seat"
        )


def _check_sizes(value: Any, depth: int = 0) -> None:
    """Whatever the game: no number, text, list or depth that is out of all proportion."""
    if isinstance(value, int):  # first, as most of what a file holds is
        _require(-LARGEST <= value <= LARGEST, "a number is out of range")
    elif isinstance(value, dict):
        _require(len(value) <= _OPTIONS, "an object has too many fields")
        for key, part in value.items():
            _check_sizes(key, depth)
            _check_sizes(part, depth + 1)
    elif isinstance(value, list):
        _require(
            len(value) <= MOST_ENTRIES, "a list has more than {most} entries", most=MOST_ENTRIES
        )
        within = depth < DEEPEST
        for part in value:
            # cells and amounts, the most by far, are not worth a call each
            if not (within and type(part) is int and -LARGEST <= part <= LARGEST):
                _check_sizes(part, depth + 1)
    elif isinstance(value, str):
        _require(len(value) <= TEXT_LENGTH, "a text is too long")
        _require(is_printable(value), "a text holds what cannot be printed")
    else:
        _require(value is None, "there are whole numbers only")
    _require(depth <= DEEPEST, "lists are nested too deep")


def _require(holds: bool, reason: str, /, **args: Any) -> None:
    if not holds:
        raise Wrong(reason, **args)
