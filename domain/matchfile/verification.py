"""Match files: a whole match as one self-contained JSON document, and its verification.

Shape (``format_version`` 1)::

    {"format": "caravanserai-match", "format_version": 1, "id": "...", "game": "...",
     "rules_version": 1, "status": "...", "hidden": 0, "withheld": 0,
     "fairness": {"commitment": "64 hex", "seed": "64 hex, once finished"},
     "decisions": [{"version", "seat", "command", "events", "draws", "at"}, ...],
     "digest": "SHA-256 of the document without this field, keys sorted, no white space"}

Player ids are replaced by "player-1", "player-2", ... . In the file of a running match each
decision that holds something hidden from the requester is ``{"version", "at", "events":
[redacted], "hidden": true}``; such a file can be read but not verified or imported before the
match ends.

A file alone proves that its moves follow the rules and, once the match is finished, that its draws
follow from the seed; in the file of an unfinished match nothing proves how the draws were chosen.
Only the signature of a service proves that the match was played there, under these names and at
these times::

     "signature": {"algorithm": "Ed25519", "key": "16 hex: the key's name",
                   "public": "64 hex", "value": "128 hex"}

``value`` signs the document without ``digest`` and ``signature``, as JSON with keys sorted and no
white space. ``public`` is the verification key; its owner must be known from elsewhere: the service
lists its keys at ``/.well-known/caravanserai-keys.json``. The signature covers the whole content as
the requester sees it at that time, so nothing can be changed, cut off or added. A file without a
signature is always displayed as unsigned, and so is a match imported from such a file and a fork of
that match.

The rules prove nothing about chat. A private message that the requester neither wrote nor
received appears in the file as a message without seat and text, so that all other decisions can
still be verified; ``withheld`` is the number of such messages.

In a match that keeps its secrets after the end, draws that decided something hidden come from a
second seed, whose hash is the ``deal_commitment`` of the first event and which is never published.
Its file still contains hidden decisions, so it cannot be verified by replaying; the signature
vouches for it, and ``seed`` determines the draws of the decisions that hide nothing.

`domain.matchfile.writer` writes files; `domain.matchfile.schema` validates their contents.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from domain.contract.game import GameInfo, IllegalMove, at_version
from domain.contract.registry import rules_of
from domain.match.commands import Open, Say, Start
from domain.match.events import (
    WITHHELD,
    MatchStarted,
    ReturnRequested,
    SeatLeft,
    SeatReclaimed,
    SeatTaken,
    SeedRevealed,
    is_kernel,
)
from domain.match.history import Decision
from domain.match.seats import Refused
from domain.match.secrecy import match_keeps_secrets
from domain.match.timeline import Timeline
from domain.matchfile.codec import Codec
from domain.matchfile.schema import BadFile, DecisionReader, File, InvalidDecision, parse_header
from domain.matchfile.writer import compute_digest
from domain.text.i18n import N_
from domain.toolkit.randomness import DrawMismatch, RecordedDraws, compute_commitment, draw_number

OptionsCheck = Callable[[GameInfo, dict[str, Any]], None]
"""``check(title, options)`` raises ValueError if the options do not match the title's schema."""


class Proof(msgspec.Struct, frozen=True):
    """A match in which every decision was replayed with the rules, and counts of its draws.

    ``drawn``: all draws; ``proved``: draws shown to follow from the seed; ``inherited``: draws
    copied from the origin of a fork, which this file cannot prove. Any others belong to an
    unfinished match, whose seed is not published yet.
    """

    timeline: Timeline
    drawn: int
    proved: int
    inherited: int


def verify(document: Any, check_options: OptionsCheck, now: int | None = None) -> Timeline:
    """Verify the file like `prove` and return its timeline. Raises `BadFile`."""
    return prove(document, check_options, now).timeline


def prove(document: Any, check_options: OptionsCheck, now: int | None = None) -> Proof:
    """Verify the file by replaying it with the rules.

    Every decision is made again from its command and recorded draws and must encode to the same
    bytes; the draws must follow from the seed, and the seed must match the commitment.
    ``check_options``: validates the options; ``now``: the current instant in milliseconds since
    1970 UTC, None to accept instants in the future. Raises `BadFile`.
    """
    file, codec = parse_header(document)
    if (
        compute_digest({key: value for key, value in document.items() if key != "digest"})
        != file.digest
    ):
        raise BadFile("file.digest_mismatch")
    if file.hidden:
        raise BadFile("file.hidden_parts")
    reader = DecisionReader(file, codec, now)
    timeline = Timeline(codec.rules)
    draws = _DrawChecker(file.fairness.seed)
    for index, plain in enumerate(file.decisions):
        try:
            decision = reader.read_decision(plain)
            _check_opening(decision, file, codec.title, check_options)
            recomputed = _recompute(timeline, decision, codec)
            draws.check(timeline, decision)
            timeline.append(recomputed)
        except _DECISION_ERRORS as error:
            raise BadFile(error, index) from None
    _check_end(timeline, file, draws)
    return Proof(timeline, timeline.latest.drawn, draws.proved, draws.inherited)


_DECISION_ERRORS = (
    IllegalMove,
    Refused,
    DrawMismatch,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)


def transcript_entries(document: Any) -> Iterator[Decision]:
    """Yield the decisions of a file, which may have hidden parts, validated but not verified.

    Raises `BadFile`.
    """
    file, codec = parse_header(document)
    reader = DecisionReader(file, codec)
    for index, plain in enumerate(file.decisions):
        try:
            yield reader.read_hidden(plain) if "hidden" in plain else reader.read_decision(plain)
        except (ValueError, RecursionError) as error:
            raise BadFile(error, index) from None


def impossible_events(index: int) -> BadFile:
    """Return the error for a decision whose events name a seat or piece that does not exist."""
    return BadFile("file.events_differ", index)


def _check_opening(decision: Decision, file: File, title: GameInfo, check: OptionsCheck) -> None:
    command = decision.command
    if not isinstance(command, Open):
        return
    if (command.game, command.rules_version) != (file.game, file.rules_version):
        raise InvalidDecision("file.game_differs")
    if command.commitment != file.fairness.commitment:
        raise InvalidDecision("file.commitment_differs")
    if command.seed != file.fairness.seed:
        raise InvalidDecision("file.seed_differs")
    if command.seed and compute_commitment(bytes.fromhex(command.seed)) != command.commitment:
        raise InvalidDecision("file.seed_mismatch")
    if len(command.seats) not in title.seats:
        raise InvalidDecision("file.player_count")
    check(at_version(title, file.rules_version), command.options)
    if command.deal_commitment and not match_keeps_secrets(rules_of(title.slug), command):
        raise InvalidDecision("file.secret_seed_not_allowed")


def _recompute(timeline: Timeline, decision: Decision, codec: Codec) -> Decision:
    """Return the next decision as recomputed by the rules.

    Raises `InvalidDecision` if it differs from the file.
    """
    before = timeline.latest if timeline.moments else None
    if decision.version != timeline.version + 1:
        raise InvalidDecision("file.bad_version", version=timeline.version + 1)
    if decision.seat is None:
        if not isinstance(decision.command, Open | Start) and decision.command != Say(""):
            raise InvalidDecision("file.no_such_seat")
    else:
        seats = before.seats if before else ()
        if decision.seat >= len(seats):
            raise InvalidDecision("file.no_such_seat")
        if seats[decision.seat].kind != "human" and any(map(_requires_person, decision.events)):
            raise InvalidDecision("file.person_required")
    draw = RecordedDraws(decision.draws)
    recomputed = timeline.recompute(decision, draw)
    draw.check_exhausted()
    if codec.encode(recomputed) != codec.encode(decision):
        raise InvalidDecision("file.events_differ")
    return recomputed


def _requires_person(event: Any) -> bool:
    """Return whether the event can occur only on a seat that a person holds.

    An open seat can be taken or given up, and a bot's seat reclaimed or requested back.
    """
    others = SeatTaken | SeatLeft | SeatReclaimed | ReturnRequested | SeedRevealed
    return is_kernel(event) and not isinstance(event, others)


class _DrawChecker:
    """Checker of draws against the seed, except for draws copied by a fork.

    Copied draws belong to the game decisions directly after the opening, whose number of events
    must not exceed the origin's version; a file that claims more copied draws is rejected.
    """

    def __init__(self, seed: str) -> None:
        self._seed = bytes.fromhex(seed)
        self._remaining_events = 0
        self.expected = 0
        self.inherited = 0
        self.proved = 0

    def check(self, timeline: Timeline, decision: Decision) -> None:
        """Check the draws of the next decision. Raises ValueError for a wrong one."""
        if not timeline.moments:
            self._begin(decision)
        elif self.inherited < self.expected:
            self._inherit(decision)
        elif self._seed:
            if (
                timeline.latest.opened.deal_commitment
                and decision.draws
                and timeline.hides(decision.events)
            ):
                raise InvalidDecision("file.draws_of_secret_seed")
            first = timeline.latest.drawn
            for index, (n, value) in enumerate(decision.draws, start=first):
                if draw_number(self._seed, index, n) != value:
                    raise InvalidDecision("file.bad_draw", number=index)
            self.proved += len(decision.draws)

    def _begin(self, decision: Decision) -> None:
        origin = getattr(decision.command, "forked_from", None)
        if origin is not None:
            self.expected = origin.draws
            # The origin's first event, its opening, is not copied.
            self._remaining_events = origin.version - 1

    def _inherit(self, decision: Decision) -> None:
        self._remaining_events -= len(decision.events)
        self.inherited += len(decision.draws)
        moves = all(isinstance(e, MatchStarted) or not is_kernel(e) for e in decision.events)
        if not moves or self._remaining_events < 0 or self.inherited > self.expected:
            raise InvalidDecision(_TOO_MANY_DRAWS, n=self.expected)


_TOO_MANY_DRAWS = N_("file.fork_draws")


def _check_end(timeline: Timeline, file: File, draws: _DrawChecker) -> None:
    status = timeline.latest.status
    if status != file.status and file.status == "finished":
        raise BadFile("file.truncated")
    if status != file.status:
        raise BadFile("file.status_differs", status=status, said=file.status)
    if sum(decision.events == (WITHHELD,) for decision in timeline.decisions) != file.withheld:
        raise BadFile("file.withheld_differs")
    if status == "finished" and not file.fairness.seed:
        raise BadFile("file.seed_missing")
    if draws.inherited < draws.expected:
        raise BadFile(_TOO_MANY_DRAWS, n=draws.expected)
