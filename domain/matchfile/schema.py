"""Validation of match files as untrusted input, before the rules replay them.

Every value is checked, even in a file that claims to be from this service: numbers are within the
range of databases and calendars, names and chat follow `domain.text.text_rules`, and lists and the
whole file are limited in size. `domain.matchfile.verification` replays the decisions afterwards. A
file that is only displayed is validated here too.
"""

import json
import re
from typing import Any

import msgspec

from domain.contract.game import LEVELS
from domain.match import events
from domain.match.commands import AskRecovery, Join, Open, Reclaim, RecoverSeat, Start
from domain.match.history import Decision
from domain.match.seating import MAX_MESSAGES
from domain.match.seats import FROM_FILE, HERE, PHONE, SIGNED_FILE, Seat
from domain.match.time_control import is_within_bounds
from domain.match.timeline import MAX_DECISIONS
from domain.matchfile.codec import Codec, codec_of
from domain.matchfile.msgspec_warmup import warm_up
from domain.matchfile.writer import FORMAT, FORMAT_VERSION
from domain.text.i18n import N_, TranslatableError
from domain.text.msgspec_errors import translate_error
from domain.text.printable import is_printable
from domain.text.text_rules import MAX_MESSAGE_CHARS, is_message, is_name

EARLIEST_MS = 1_577_836_800_000
"""Earliest instant accepted: the year 2020, in milliseconds since 1970 UTC."""
LATEST_MS = 4_102_444_800_000
"""Latest instant accepted: the year 2100, which every calendar and database involved can hold."""
MAX_CLOCK_SKEW_MS = 300_000
"""Milliseconds by which the clock of another service may be ahead of ours."""
MAX_NUMBER = 2**31 - 1
"""Largest absolute value of a number that is not an instant; every database and browser can
represent it exactly."""
MAX_SEATS = 16
MAX_LIST_ENTRIES = 1_000
"""Maximum number of entries of one list; the longest in real matches has 210."""
MAX_DEPTH = 10
"""Maximum nesting depth; real events are half as deep."""
_MAX_FIELDS = 50
"""Maximum number of fields of one object."""

_ID = re.compile(r"[0-9A-Za-z-]{1,64}")
_HEX = re.compile(r"[0-9a-f]{64}")
_PLAYER = "player-"
_STATUSES = ("open", "playing", "finished")


class BadFile(TranslatableError):
    """Error for an invalid file; ``decision``: index of the first invalid decision, or None."""

    text_domain = "kernel"

    def __init__(
        self, reason: str | Exception, decision: int | None = None, /, **args: Any
    ) -> None:
        sentence, params = (reason, args) if isinstance(reason, str) else _reason_message(reason)
        if decision is not None:
            params = {"number": decision, "reason": {"key": sentence, "args": params}}
            sentence = _IN_DECISION
        super().__init__(sentence, **params)
        self.decision = decision


class InvalidDecision(TranslatableError, ValueError):
    """Error for an impossible value in a decision of a file."""

    text_domain = "kernel"


_IN_DECISION = N_("file.in_decision")


def _reason_message(error: Exception) -> tuple[str, dict[str, Any]]:
    """Return an error's reason as a sentence with arguments.

    For exceptions other than `TranslatableError` the argument is the text or name of the exception.
    """
    if isinstance(error, TranslatableError):
        room = error.text_domain or "kernel"
        return "file.error", {
            "what": {"key": error.message_id, "args": dict(error.message_args), "room": room}
        }
    return "file.error", {"what": str(error) or type(error).__name__}


class Fairness(msgspec.Struct, forbid_unknown_fields=True):
    """The hash of the seed and, in the file of a finished match only, the seed."""

    commitment: str
    seed: str = ""


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Ed25519 signature of a file's content (see `domain.matchfile.verification`)."""

    algorithm: str
    key: str
    public: str
    value: str


class File(msgspec.Struct, forbid_unknown_fields=True):
    """The document of a match file; a `DecisionReader` decodes its decisions one by one."""

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


warm_up(File, Signature)


def parse_signature(document: Any) -> Signature | None:
    """Return the file's signature, unverified; None if it has none.

    Raises `BadFile` if the signature is malformed.
    """
    if not isinstance(document, dict) or "signature" not in document:
        return None
    try:
        return msgspec.convert(document["signature"], Signature)
    except msgspec.ValidationError as error:
        raise BadFile("file.bad_signature", what=_validation_error(error)) from None


def parse_json(data: bytes) -> Any:
    """Decode the JSON of a file.

    Raises `BadFile` for a duplicate key: some parsers take the first value and others the last, so
    that one signature would cover two different matches. Raises `msgspec.DecodeError` for invalid
    JSON.
    """
    document = msgspec.json.decode(data)
    # This pass checks names only; long numbers would be slow to convert.
    json.loads(data, object_pairs_hook=_reject_duplicate_keys, parse_int=str, parse_float=str)
    return document


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise BadFile("file.field_twice")


def parse_header(document: Any) -> tuple[File, Codec]:
    """Return the validated document, without its decisions, and the game's codec.

    Raises `BadFile`.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadFile("file.not_a_game_file")
    if document.get("format_version") != FORMAT_VERSION:
        raise BadFile("file.bad_format_version", version=FORMAT_VERSION)
    try:
        file = msgspec.convert(document, File)
    except msgspec.ValidationError as error:
        raise BadFile("file.error", what=_validation_error(error)) from None
    try:
        codec = codec_of(file.game)
    except KeyError:
        raise BadFile("file.no_such_game") from None
    if not 1 <= file.rules_version <= codec.title.rules_version:
        raise BadFile("file.newer_rules")
    reason = _header_error(file)
    if reason:
        raise BadFile(reason, most=MAX_DECISIONS)
    return file, codec


def _header_error(file: File) -> str:
    """Return the first error in the document's header; "" if it is valid."""
    seed = file.fairness.seed
    checks = (
        (_ID.fullmatch(file.id), N_("file.bad_id")),
        (file.status in _STATUSES, N_("file.bad_status")),
        (0 <= file.hidden <= len(file.decisions), N_("file.bad_hidden_count")),
        (0 <= file.withheld <= len(file.decisions), N_("file.bad_withheld_count")),
        (_HEX.fullmatch(file.fairness.commitment), N_("file.bad_commitment")),
        (not seed or _HEX.fullmatch(seed), N_("file.bad_seed")),
        (_HEX.fullmatch(file.digest), N_("file.bad_digest")),
        (file.decisions, N_("file.no_decisions")),
        (len(file.decisions) <= MAX_DECISIONS, N_("file.too_many_decisions")),
        (not seed or file.status == "finished", N_("file.seed_too_early")),
    )
    return next((reason for holds, reason in checks if not holds), "")


def _replace_unprintable(error: Exception) -> str:
    """Return an error's text with unprintable characters, such as terminal controls, replaced."""
    return "".join(c if c.isprintable() else "?" for c in str(error))


def _validation_error(error: Exception) -> dict[str, Any]:
    """Return a validation error as an argument of another sentence."""
    sentence, args = translate_error(_replace_unprintable(error))
    return {"key": sentence, "args": _truncate_texts(args)}


def _truncate_texts(value: Any) -> Any:
    """Return a sentence's arguments with each string truncated to 200 characters."""
    if isinstance(value, dict):
        return {name: _truncate_texts(part) for name, part in value.items()}
    return value[:200] if isinstance(value, str) else value


class DecisionReader:
    """Decoder of one file's decisions, in order; it keeps track of instants, players and chat.

    ``now``: the current instant in milliseconds since 1970 UTC, which decisions may exceed by at
    most `MAX_CLOCK_SKEW_MS`; None for no such check.
    """

    def __init__(self, file: File, codec: Codec, now: int | None = None) -> None:
        self._codec = codec
        self._rules_version = file.rules_version
        self._last_instant = EARLIEST_MS
        self._latest = LATEST_MS if now is None else min(LATEST_MS, now + MAX_CLOCK_SKEW_MS)
        self._players = 0
        self._messages = 0

    def read_decision(self, plain: dict[str, Any]) -> Decision:
        """Decode and validate the next decision. Raises ValueError with the reason."""
        try:
            _check_sizes({name: part for name, part in plain.items() if name != "at"})
            decision = self._codec.from_plain(plain, self._rules_version)
        except (msgspec.ValidationError, KeyError, TypeError, AttributeError) as error:
            raise (
                InvalidDecision("file.error", what=_validation_error(error))
                if str(error)
                else InvalidDecision("file.not_a_decision")
            ) from None
        self._check_clock(decision.at)
        _check_seat(decision)
        _require(decision.version >= 1, "file.version_too_low")
        _require(len(decision.events) >= 1, "file.no_events")
        for n, value in decision.draws:
            _require(0 <= value < n, "file.draw_range", value=value, n=n)
        for part in (decision.command, *decision.events):
            self._check_part(part)
        return decision

    def read_hidden(self, plain: dict[str, Any]) -> Decision:
        """Decode a decision with hidden parts, of which the file contains only redacted events.

        The result has no seat and no draws, and `Start` as a placeholder for the command. Raises
        ValueError with the reason.
        """
        known = {"version", "at", "events", "hidden"}
        _require(plain.keys() == known and plain["hidden"] is True, "file.not_a_decision")
        rest = {name: plain[name] for name in ("version", "at", "events")}
        return self.read_decision({**rest, "seat": None, "command": {"type": "Start"}, "draws": []})

    def _check_clock(self, at: int) -> None:
        _require(at >= EARLIEST_MS, "file.time_too_early")
        _require(at <= self._latest, "file.time_future")
        _require(at >= self._last_instant, "file.time_backwards")
        self._last_instant = at

    def _check_part(self, part: Any) -> None:
        match part:
            case Open() | events.MatchOpened():
                self._check_opening(part)
            case Join(player=player, name=name) | events.SeatTaken(player=player, name=name):
                self._check_player(player)
                _require(is_name(name), "file.bad_name")
            case RecoverSeat(player=player) | events.SeatRecovered(player=player):
                self._check_player(player)
            case AskRecovery(player=player) | events.RecoveryAsked(player=player):
                self._check_player(player)
            case Reclaim(player=player):
                self._check_player(player)
            case events.SeatReclaimed(player=player, name=name):
                self._check_player(player)
                _require(is_name(name), "file.bad_name")
            case events.SeatLeft(name=name):
                _require(is_name(name), "file.bad_name")
            case events.Said(text=text):
                self._messages += 1
                _require(
                    self._messages <= MAX_MESSAGES, "file.too_many_messages", most=MAX_MESSAGES
                )
                _require(part == events.WITHHELD or is_message(text), "file.bad_message")

    def _check_opening(self, opening: Open | events.MatchOpened) -> None:
        _require(1 <= len(opening.seats) <= MAX_SEATS, "file.bad_seat_count")
        _require(opening.visibility in ("private", "public"), "file.bad_visibility")
        sources = ("", HERE, FROM_FILE, SIGNED_FILE, PHONE)
        _require(opening.source in sources, "file.bad_source")
        _require(bool(_HEX.fullmatch(opening.commitment)), "file.bad_commitment")
        for number in (opening.seed, opening.deal_commitment):
            _require(number == "" or bool(_HEX.fullmatch(number)), "file.bad_open_seed")
        _require(not opening.deal_seed, "file.secret_seed")
        _require(opening.pace is None or is_within_bounds(opening.pace), "file.bad_pace")
        origin = opening.forked_from
        if origin is not None:
            _require(bool(_ID.fullmatch(origin.match)), "file.bad_origin_id")
            _require(origin.version >= 1, "file.version_too_low")
            _require(origin.draws >= 0, "file.fork_draws_negative")
        self._check_player(opening.owner)
        for seat in opening.seats:
            self._check_holder(seat)

    def _check_holder(self, seat: Seat) -> None:
        _require(is_name(seat.name), "file.bad_name")
        _require(seat.kind in ("human", "open", "bot"), "file.bad_seat_kind")
        held = seat.player is not None
        # An open seat may be reserved for a person.
        fits = seat.kind == "open" or held == (seat.kind == "human")
        _require(fits, "file.bad_holder")
        plays = seat.level == "" or (seat.kind == "bot" and seat.level in LEVELS)
        _require(plays, "file.bad_level")
        if seat.player is not None:
            self._check_player(seat.player)

    def _check_player(self, player: str) -> None:
        """Check that player ids are "player-1", "player-2", ... in order of first appearance."""
        text = player.removeprefix(_PLAYER)
        numbered = player.startswith(_PLAYER) and text.isascii() and text.isdecimal()
        number = int(text) if numbered and len(text) < 4 else 0
        _require(1 <= number <= self._players + 1, "file.bad_player_order")
        _require(player == f"{_PLAYER}{number}", "file.bad_player_order")
        self._players = max(self._players, number)


def _check_seat(decision: Decision) -> None:
    if isinstance(decision.command, Open | Start) or decision.events == (events.WITHHELD,):
        _require(decision.seat is None, "file.seat_not_allowed")
    else:
        _require(decision.seat is not None and 0 <= decision.seat < MAX_SEATS, "file.no_such_seat")


def _check_sizes(value: Any, depth: int = 0) -> None:
    """Check that numbers, strings, lists and nesting are within the limits common to all games.

    Raises `InvalidDecision`.
    """
    if isinstance(value, int):  # first, as most values of a file are numbers
        _require(-MAX_NUMBER <= value <= MAX_NUMBER, "file.number_range")
    elif isinstance(value, dict):
        _require(len(value) <= _MAX_FIELDS, "file.too_many_fields")
        for key, part in value.items():
            _check_sizes(key, depth)
            _check_sizes(part, depth + 1)
    elif isinstance(value, list):
        _require(len(value) <= MAX_LIST_ENTRIES, "file.list_too_long", most=MAX_LIST_ENTRIES)
        within = depth < MAX_DEPTH
        for part in value:
            # small integers, by far the most frequent entries, are checked without a call
            if not (within and type(part) is int and -MAX_NUMBER <= part <= MAX_NUMBER):
                _check_sizes(part, depth + 1)
    elif isinstance(value, str):
        _require(len(value) <= MAX_MESSAGE_CHARS, "file.text_too_long")
        _require(is_printable(value), "file.unprintable")
    else:
        _require(value is None, "file.whole_numbers")
    _require(depth <= MAX_DEPTH, "file.nested_too_deep")


def _require(holds: bool, reason: str, /, **args: Any) -> None:
    if not holds:
        raise InvalidDecision(reason, **args)
