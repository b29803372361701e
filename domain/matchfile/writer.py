"""Export of match files; their format is described in `domain.matchfile.verification`.

Ships to the browser, so that a match played on a phone can be exported there.
"""

import hashlib
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins
from msgspec.json import Encoder
from msgspec.structs import replace

from domain.contract.game import ALL_SEEING
from domain.match.commands import Open, Say
from domain.match.events import WITHHELD
from domain.match.history import Decision
from domain.match.losses import Loss
from domain.match.seats import HERE
from domain.match.timeline import Timeline

if TYPE_CHECKING:
    from domain.matchfile.schema import Signature

FORMAT = "caravanserai-match"
FORMAT_VERSION = 1
_CANONICAL_ENCODER = Encoder(order="sorted")

Signer = Callable[[bytes], "Signature"]


def export_match(
    match_id: str,
    timeline: Timeline,
    seat: int | None,
    private_seats: Collection[int] = (),
    sign: Signer | None = None,
    loss: Loss | None = None,
) -> dict[str, Any]:
    """Return the match file, redacted for the holder of ``seat`` (None: a spectator).

    ``private_seats``: further seats of the same holder, whose private messages they may read.
    ``sign``: signs the content; used only if the match was played `HERE`. ``loss``: the loss of a
    seat, through which the holder sees decisions up to the loss.
    """
    now = timeline.latest
    anonymous = _Anonymizer()
    shown = [
        _redact_decision(timeline, decision, seat, private_seats, index, loss)
        for index, decision in enumerate(timeline.decisions)
    ]
    decisions = [anonymous(decision) for decision in shown]
    fairness = {"commitment": now.opened.commitment}
    if now.status == "finished":
        fairness["seed"] = timeline.public_seed
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "id": match_id,
        "game": now.opened.game,
        "rules_version": now.opened.rules_version,
        "status": now.status,
        "hidden": sum("hidden" in decision for decision in decisions),
        "withheld": sum(decision["events"] == _WITHHELD_EVENTS for decision in decisions),
        "fairness": fairness,
        "decisions": decisions,
    }
    if sign is not None and now.opened.source == HERE:
        document["signature"] = to_builtins(sign(content_to_sign(document)))
    return {**document, "digest": compute_digest(document)}


def plain_decision(decision: Decision) -> dict[str, Any]:
    """Return the decision as plain dicts and lists."""
    return {name: to_builtins(getattr(decision, name)) for name in decision.__struct_fields__}


def content_to_sign(document: dict[str, Any]) -> bytes:
    """Return the bytes covered by a file's signature: JSON without digest and signature."""
    unsigned = ("digest", "signature")
    return _CANONICAL_ENCODER.encode(
        {key: part for key, part in document.items() if key not in unsigned}
    )


_WITHHELD_EVENTS = to_builtins((WITHHELD,))


def compute_digest(document: dict[str, Any]) -> str:
    """Return the SHA-256 of a document without ``digest``, as 64 hex digits."""
    return hashlib.sha256(_CANONICAL_ENCODER.encode(document)).hexdigest()


def _redact_decision(
    timeline: Timeline,
    decision: Decision,
    seat: int | None,
    private_seats: Collection[int],
    index: int,
    loss: Loss | None,
) -> dict[str, Any]:
    """Return a decision for the file; if it is hidden, only its version, instant and redacted
    events.

    A decision whose draws deal something hidden from spectators is hidden from its own seat too: a
    draw together with the resulting card would reveal the order of cards that the seat cannot see.
    """
    holder = None
    if loss is not None and decision.last_version <= loss.version:
        seat, holder = loss.seat, loss.player
    events = tuple(
        timeline.redacted_for(event, seat, private_seats, index, holder)
        for event in decision.events
    )
    if isinstance(decision.command, Open):
        command = replace(decision.command, seed=timeline.public_seed, deal_seed="")
        return plain_decision(replace(decision, command=command, events=events))
    if events == (WITHHELD,):
        return plain_decision(Decision(decision.version, None, Say(""), events, (), decision.at))
    dealt = decision.draws and timeline.hides(decision.events)
    if events != decision.events or (dealt and timeline.viewer(seat) != ALL_SEEING):
        plain = to_builtins(events)
        return {"version": decision.version, "at": decision.at, "events": plain, "hidden": True}
    return plain_decision(decision)


class _Anonymizer:
    """Replacer of player ids in plain decisions by "player-1", "player-2", ..., in place."""

    def __init__(self) -> None:
        self._anonymous_ids: dict[str, str] = {}

    def __call__(self, plain: dict[str, Any]) -> dict[str, Any]:
        for part in (plain.get("command"), *plain["events"]):
            if isinstance(part, dict) and part.get("type") in _TYPES_WITH_PLAYERS:
                self._anonymize(part)
        return plain

    def _anonymize(self, part: dict[str, Any]) -> None:
        for field in ("owner", "player"):
            if part.get(field):
                part[field] = self._anonymous_id(part[field])
        for seat in part.get("seats", ()):
            if seat["player"]:
                seat["player"] = self._anonymous_id(seat["player"])

    def _anonymous_id(self, player: str) -> str:
        return self._anonymous_ids.setdefault(player, f"player-{len(self._anonymous_ids) + 1}")


_TYPES_WITH_PLAYERS = (
    *("Open", "MatchOpened", "Join", "SeatTaken"),
    *("Reclaim", "SeatReclaimed"),
    *("RecoverSeat", "SeatRecovered", "AskRecovery", "RecoveryAsked"),
)
