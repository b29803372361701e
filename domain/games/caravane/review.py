"""Review of a match of Caravane. Not shipped to the browser.

It uses only public information: revealed bids, moves and bales.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.caravane import events
from domain.games.caravane.board import STAGE_LENGTHS
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step


class _Review:
    def __init__(self) -> None:
        self.bales: list[Point] = []
        self.road: list[Point] = []
        self.gains: list[Gain] = []
        self._bids: list[tuple[int, Highlight]] = []
        self._before: Step | None = None

    def take(self, step: Step) -> None:
        """Process one event."""
        match step.event:
            case events.RoundBegun() | events.RaceEnded():
                self._round_over()
            case events.BaleFound(seat=seat):
                self._gain(step, seat, 1, Message("review.found"))
            case events.BaleDamaged(seat=seat, bales=bales):
                self._gain(step, seat, -bales, Message("review.damaged"))
            case events.PalaceRewarded(stage=stage, bales=bales):
                for seat, won in enumerate(bales):
                    self._gain(step, seat, won, Message("review.palace", {"stage": stage}))
            case events.BidsRevealed(gourds=gourds, bags=bags):
                self._revealed(step, gourds, bags)
        self._before = step

    def _gain(self, step: Step, seat: int, gain: int, words: Message) -> None:
        if gain:
            self.gains.append(Gain(seat, step.version, step.turn, gain, words))

    def _revealed(self, step: Step, gourds: tuple[int | None, ...], bags: tuple[int, ...]) -> None:
        for seat, bid in enumerate(gourds):
            if bid is not None:
                size = bid + bags[seat]
                args = {"who": seat, "gourds": size, "round": step.turn}
                words = Message("review.thirst", args)
                self._bids.append((size, Highlight(step.version, words)))

    def _round_over(self) -> None:
        """Record the bales and squares of all camels as they were before the current event."""
        before = self._before
        if before is None:
            return
        racers = before.view["racers"]
        gone = sum(STAGE_LENGTHS[: max(1, before.view["stage"]) - 1])
        bales = tuple([racer["bales"] for racer in racers])
        squares = tuple([gone + racer["square"] for racer in racers])
        self.bales.append(Point(before.turn, before.version, bales))
        self.road.append(Point(before.turn, before.version, squares))

    def findings(self) -> Findings:
        """Return the findings from all processed events."""
        best = [max(self._bids, key=_size)] if self._bids else []
        return Findings(
            charts=(
                Chart(Message("review.bales"), tuple(_ends(self.bales)), scores=True),
                Chart(Message("review.road"), tuple(_ends(self.road))),
            ),
            gains=tuple(self.gains),
            highlights=tuple([highlight for _, highlight in best]),
        )


def _size(kept: tuple[int, Any]) -> int:
    """Return the size of an entry, as the key for `max`; of equal entries the first wins."""
    return kept[0]


def _ends(points: list[Point]) -> list[Point]:
    """Return only the last point of each turn."""
    return list({point.turn: point for point in points}.values())


def review(steps: Iterable[Step]) -> Findings:
    """Return bales and squares by round, gains of bales, and the highest bid."""
    made = _Review()
    for step in steps:
        made.take(step)
    return made.findings()
