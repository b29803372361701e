"""Review of a match of Caravanserai. Not shipped to the browser.

A caravan starts with length 1 and grows only by the goods that the count omits (4.2), so the
placements with omitted goods explain a seat's score.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.caravanserai import events
from domain.games.caravanserai.pieces import COLOURS
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step


class _Seat:
    """The statistics of one seat so far."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.length = 0
        self.skipped = 0
        self.lying_camels = 0
        self.laid = dict.fromkeys(COLOURS, 0)
        self.taken = {"market": 0, "standing": 0, "opponent": 0}
        self.placements: list[dict[str, Any]] = []


class _Review:
    def __init__(self, seats: int) -> None:
        self.seats = [_Seat(seat) for seat in range(seats)]
        self.lengths: list[dict[str, Any]] = []
        self._turn: tuple[int, int] | None = None
        self._blocks: list[dict[str, Any]] = []
        self._whole = 0

    def take(self, step: Step) -> None:
        """Process one event."""
        match step.event:
            case events.CaravanStarted(seat=seat):
                self.seats[seat].length = 1
            case events.TurnBegan(seat=seat, turn=turn):
                self._turn_over(step.version)
                self._turn, self._blocks = (turn, seat), []
            case events.TurnSkipped(seat=seat, turn=turn):
                self._turn_over(step.version)
                self.seats[seat].skipped += 1
                self._turn = turn, seat
            case events.GameEnded():
                self._turn_over(step.version)
            case events.BlockLaid(seat=seat, colour=colour, path=path, omitted=omitted, why=why):
                self.seats[seat].laid[colour] += len(path)
                self._blocks.append(
                    {"kind": colour, "size": len(path), "omitted": omitted, "why": why}
                )
            case events.CamelLaidDown(seat=seat):
                self.seats[seat].lying_camels += 1
                self._blocks.append({"kind": "lying", "size": 1, "omitted": False, "why": ""})
            case events.CamelPlaced():
                self._whole = step.version
            case events.GoodsTaken(seat=seat, source=source):
                self.seats[seat].taken[source] += 1
            case events.TailReturned():
                self._placed(step, step.event)

    def _placed(self, step: Step, event: events.TailReturned) -> None:
        seat = self.seats[event.seat]
        seat.length += event.omitted
        seat.placements.append(
            {
                "version": self._whole,
                "turn": step.turn,
                "pieces": event.pieces,
                "omitted": event.omitted,
                "blocks": self._blocks,
                "length": seat.length,
            }
        )

    def _turn_over(self, version: int) -> None:
        """Record the lengths after the current turn, which the event at ``version`` ends."""
        if self._turn is None:
            turn, seat = 0, None
        else:
            turn, seat = self._turn
        self.lengths.append(
            {
                "turn": turn,
                "seat": seat,
                "version": version - 1,
                "lengths": [each.length for each in self.seats],
            }
        )


def review(steps: Iterable[Step]) -> Findings:
    """Return the lengths by turn, gains, the longest placement and game-specific data.

    The game-specific data are ``lengths``: ``{turn, seat, version, lengths}`` after each completed
    turn, turn 0 being the start of the caravans; ``seats``: for each seat its ``length``, its
    ``gained`` length (1 less), the single ``gains`` ``{version, turn, gain}``, its ``longest``
    placement, the number of ``placements`` and of ``skipped`` turns, goods ``laid`` by colour and
    ``taken`` by source, and ``lying_camels``; ``longest``: the longest placement of all, with its
    ``seat``. A placement is ``{version, turn, pieces, omitted, blocks, length}``: at ``version``
    all of it is on the board; ``length`` is the length of the caravan after the turn.
    """
    made: _Review | None = None
    for step in steps:
        if made is None:
            made = _Review(len(step.view["players"]))
        made.take(step)
    if made is None:
        return Findings()
    seats = [_seat_data(seat) for seat in made.seats]
    longest = [{**seat["longest"], "seat": seat["seat"]} for seat in seats if seat["longest"]]
    most = max(longest, key=_size, default=None)
    points = [Point(row["turn"], row["version"], tuple(row["lengths"])) for row in made.lengths]
    return Findings(
        charts=(Chart(Message("review.lengths"), tuple(points), scores=True),),
        gains=tuple([gain for seat in seats for gain in _gains(seat)]),
        highlights=_longest(most),
        own={"lengths": made.lengths, "seats": seats, "longest": most},
    )


def _gains(seat_data: dict[str, Any]) -> list[Gain]:
    return [
        Gain(
            seat_data["seat"],
            gain["version"],
            gain["turn"],
            gain["gain"],
            Message("review.left_out", {"goods": gain["gain"]}),
        )
        for gain in seat_data["gains"]
    ]


def _longest(placement: dict[str, Any] | None) -> tuple[Highlight, ...]:
    if placement is None:
        return ()
    args = {"who": placement["seat"], "pieces": placement["pieces"]}
    return (Highlight(placement["version"], Message("review.longest", args)),)


def _seat_data(seat: _Seat) -> dict[str, Any]:
    gains = [
        {"version": p["version"], "turn": p["turn"], "gain": p["omitted"]}
        for p in seat.placements
        if p["omitted"]
    ]
    return {
        "seat": seat.seat,
        "length": seat.length,
        "gained": sum(gain["gain"] for gain in gains),
        "gains": gains,
        "longest": max(seat.placements, key=_size, default=None),
        "placements": len(seat.placements),
        "skipped": seat.skipped,
        "laid": seat.laid,
        "taken": seat.taken,
        "lying_camels": seat.lying_camels,
    }


def _size(placement: dict[str, Any]) -> tuple[int, int]:
    """Return the key for `max`: pieces, then goods omitted; of equal entries the first wins."""
    return placement["pieces"], placement["omitted"]
