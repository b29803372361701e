"""Match files: a whole match as one self-contained JSON document, and the proof that it is honest.

Shape (``format_version`` 1)::

    {"format": "caravanserai-match", "format_version": 1, "id": "...", "game": "...",
     "rules_version": 1, "status": "...", "hidden": 0, "withheld": 0,
     "fairness": {"commitment": "64 hex", "seed": "64 hex, once finished"},
     "decisions": [{"version", "seat", "command", "events", "draws", "at"}, ...],
     "digest": "SHA-256 of the document without this field, keys sorted, no white space"}

Player ids are replaced by "player-1", "player-2", ... . In the file of a running match each
decision that holds something hidden from the asker is ``{"version", "at", "events": [redacted],
"hidden": true}``; such a file can be read but not verified or imported before the match ends.

By itself a file proves that the moves follow the rules and the draws the seed. That it was played
at a service, by these names at these times, is proved by that service's signature alone::

     "signature": {"algorithm": "Ed25519", "key": "16 hex: the key's name",
                   "public": "64 hex", "value": "128 hex"}

``value`` signs the document without ``digest`` and ``signature``, as JSON with keys sorted and no
white space; ``public`` is the key that checks it, and whose it is must be known from elsewhere: the
service lists its keys at ``/.well-known/caravanserai-keys.json``. The whole content is signed, as
the asker sees it at that time, so nothing can be changed, cut off or added. A file without one
says so wherever it is shown; so does a match that came in such a file, or began from one.

Talk is no part of what the rules prove. A private word that the asker neither said nor heard is in
the file as a word without speaker and text, so that everything around it still proves; ``withheld``
says how many there are.

In a match that keeps its secrets after the end, draws that decided something hidden came from a
second seed, whose hash is the ``deal_commitment`` of the first event and which nobody ever gets
to see. Its file has hidden decisions for ever, so the rules cannot be replayed from it; ``seed``
proves the draws of the decisions that hide nothing, and the signature the rest.

Files are written in `domain.exporting`; what may stand in one at all is in `domain.filed`. By
itself a file proves that its moves follow the rules and, once it is finished, its draws the seed;
of an unfinished one nobody can know by whom its draws were chosen.
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from domain.codec import Codec
from domain.draws import Replay, WrongDraw, commitment, number
from domain.exporting import Sign, digest, export, signed_content
from domain.filed import BadFile, File, Reader, Wrong, opened
from domain.game import IllegalMove, Title, as_of
from domain.match import (
    WITHHELD,
    Decision,
    MatchStarted,
    Open,
    Refused,
    ReturnRequested,
    Say,
    SeatLeft,
    SeatReclaimed,
    SeatTaken,
    SeedRevealed,
    Start,
    Timeline,
    is_kernel,
    secrets_kept,
)
from domain.register import rules_of
from domain.words import N_

__all__ = ["Proof", "Sign", "export", "prove", "read_aloud", "signed_content", "verify"]


OptionsCheck = Callable[[Title, dict[str, Any]], None]
"""Raises ValueError when the options do not fit the title's schema."""


class Proof(msgspec.Struct, frozen=True):
    """A match whose every decision follows from the rules, and what is known of its draws.

    ``drawn`` numbers were drawn in all: ``proved`` of them follow from the seed, ``inherited``
    came along with a fork from another match and prove nothing by themselves. The rest are of a
    match that is not finished: its seed is not known yet.
    """

    timeline: Timeline
    drawn: int
    proved: int
    inherited: int


def verify(document: Any, check_options: OptionsCheck, now: int | None = None) -> Timeline:
    """Replays the file by the rules and gives its timeline, or raises `BadFile`; see `prove`."""
    return prove(document, check_options, now).timeline


def prove(document: Any, check_options: OptionsCheck, now: int | None = None) -> Proof:
    """Replays the file by the rules, or raises `BadFile`.

    Every decision is made again from its command and recorded draws, and its events must come
    out byte for byte; the draws must follow from the seed, and the seed from the commitment.
    ``now``: the present in milliseconds, if the file may not reach beyond it.
    """
    file, codec = opened(document)
    if digest({key: value for key, value in document.items() if key != "digest"}) != file.digest:
        raise BadFile("the digest does not fit: the file was changed or damaged")
    if file.hidden:
        raise BadFile("parts of this match are hidden; export it again when it is finished")
    reader = Reader(file, codec, now)
    timeline = Timeline(codec.rules)
    draws = _Draws(file.fairness.seed)
    for index, plain in enumerate(file.decisions):
        try:
            decision = reader.decision(plain)
            _check_opening(decision, file, codec.title, check_options)
            made = _made_again(timeline, decision, codec)
            draws.check(timeline, decision)
            timeline.append(made)
        except _FAULTS as error:
            raise BadFile(error, index) from None
    _check_end(timeline, file, draws)
    return Proof(timeline, timeline.now.drawn, draws.proved, draws.inherited)


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
    RecursionError,
)


def read_aloud(document: Any) -> Iterator[Decision]:
    """The decisions of a file as they stand in it, also of one with hidden parts; not proved.

    Nothing in them is out of proportion or unprintable. Raises `BadFile`.
    """
    file, codec = opened(document)
    reader = Reader(file, codec)
    for index, plain in enumerate(file.decisions):
        try:
            yield reader.hidden(plain) if "hidden" in plain else reader.decision(plain)
        except (ValueError, RecursionError) as error:
            raise BadFile(error, index) from None


def _check_opening(decision: Decision, file: File, title: Title, check: OptionsCheck) -> None:
    command = decision.command
    if not isinstance(command, Open):
        return
    if (command.game, command.rules_version) != (file.game, file.rules_version):
        raise Wrong("the game is not the one the file names")
    if command.commitment != file.fairness.commitment:
        raise Wrong("the commitment is not the one the file names")
    if command.seed != file.fairness.seed:
        raise Wrong("the seed is not the one the file names")
    if command.seed and commitment(bytes.fromhex(command.seed)) != command.commitment:
        raise Wrong("the seed does not fit the commitment")
    if len(command.seats) not in title.seats:
        raise Wrong("the game is not played by so many")
    check(as_of(title, file.rules_version), command.options)
    if command.deal_commitment and not secrets_kept(rules_of(title.slug), command):
        raise Wrong("only a match that keeps its secrets is dealt from a secret seed")


def _made_again(timeline: Timeline, decision: Decision, codec: Codec) -> Decision:
    """The next decision as the rules make it, which must be what the file says."""
    before = timeline.now if timeline.moments else None
    if decision.version != timeline.version + 1:
        raise Wrong("version {version} was expected", version=timeline.version + 1)
    if decision.seat is None:
        if not isinstance(decision.command, Open | Start) and decision.command != Say(""):
            raise Wrong("there is no such seat")
    else:
        seats = before.seats if before else ()
        if decision.seat >= len(seats):
            raise Wrong("there is no such seat")
        if seats[decision.seat].kind != "human" and any(map(_is_a_persons, decision.events)):
            raise Wrong("only a person does this")
    draw = Replay(decision.draws)
    made = timeline.remake(decision, draw)
    draw.finish()
    if codec.encode(made) != codec.encode(decision):
        raise Wrong("the rules give other events")
    return made


def _is_a_persons(event: Any) -> bool:
    """A seat that is open is taken, or declined by whom it is held for; one that a bot has is taken
    back, or asked for, by who lost it."""
    others = SeatTaken | SeatLeft | SeatReclaimed | ReturnRequested | SeedRevealed
    return is_kernel(event) and not isinstance(event, others)


class _Draws:
    """Checks draws against the seed, but for those that came along with a fork.

    These belong to the moves right after the opening; who says that more came along than such
    moves can hold is not believed.
    """

    def __init__(self, seed: str) -> None:
        self._seed = bytes.fromhex(seed)
        self._room = 0
        self.expected = 0
        self.inherited = 0
        self.proved = 0

    def check(self, timeline: Timeline, decision: Decision) -> None:
        """Raises ValueError when a draw of the next decision is not what it has to be."""
        if not timeline.moments:
            self._begin(decision)
        elif self.inherited < self.expected:
            self._inherit(decision)
        elif self._seed:
            if (
                timeline.now.opened.deal_commitment
                and decision.draws
                and timeline.hides(decision.events)
            ):
                raise Wrong("these draws came from a seed that stays secret")
            first = timeline.now.drawn
            for index, (n, value) in enumerate(decision.draws, start=first):
                if number(self._seed, index, n) != value:
                    raise Wrong("draw {number} does not follow from the seed", number=index)
            self.proved += len(decision.draws)

    def _begin(self, decision: Decision) -> None:
        origin = getattr(decision.command, "forked_from", None)
        if origin is not None:
            self.expected = origin.draws
            # The first event of the origin was its opening, which did not come along.
            self._room = origin.version - 1

    def _inherit(self, decision: Decision) -> None:
        self._room -= len(decision.events)
        self.inherited += len(decision.draws)
        moves = all(isinstance(e, MatchStarted) or not is_kernel(e) for e in decision.events)
        if not moves or self._room < 0 or self.inherited > self.expected:
            raise Wrong(_TOO_MANY, n=self.expected)


_TOO_MANY = N_("{n} draws cannot have come along with the fork")


def _check_end(timeline: Timeline, file: File, draws: _Draws) -> None:
    status = timeline.now.status
    if status != file.status and file.status == "finished":
        raise BadFile("the end is missing: this is the file of a finished match, cut short")
    if status != file.status:
        raise BadFile("the match is {status}, not {said}", status=status, said=file.status)
    if sum(decision.events == (WITHHELD,) for decision in timeline.decisions) != file.withheld:
        raise BadFile("withheld is not the number of words without a speaker")
    if status == "finished" and not file.fairness.seed:
        raise BadFile("a finished match names its seed")
    if draws.inherited < draws.expected:
        raise BadFile(_TOO_MANY, n=draws.expected)
