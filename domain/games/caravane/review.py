"""Review of a match of Caravane. Not shipped to the browser.

It uses only public information: revealed bids, moves and bales.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.caravane.board import STAGE_LENGTHS
from domain.games.caravane.events import (
    BaleDamaged,
    BaleFound,
    BidsRevealed,
    PalaceRewarded,
    RaceEnded,
    RoundBegun,
)
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step
from domain.text.i18n import Plural, Sentence

TEXT: dict[str, Sentence] = {
    "bales": "Bales of silk",
    "road": "Squares along the road",
    "found": "a bale found on the way",
    "damaged": "a bale damaged",
    "palace": "from the palace of stage {stage}",
    "thirst": Plural(
        "Highest bid: {who:seat}, {gourds} gourd in round {round}",
        "Highest bid: {who:seat}, {gourds} gourds in round {round}",
        "gourds",
    ),
    "leap": Plural(
        "Longest move: {who:seat}, {steps} square in round {round}",
        "Longest move: {who:seat}, {steps} squares in round {round}",
        "steps",
    ),
}


class _Review:
    def __init__(self) -> None:
        self.bales: list[Point] = []
        self.road: list[Point] = []
        self.gains: list[Gain] = []
        self._bids: list[tuple[int, Highlight]] = []
        self._moves: list[tuple[int, Highlight]] = []
        self._before: Step | None = None

    def take(self, step: Step) -> None:
        """Process one event."""
        match step.event:
            case RoundBegun() | RaceEnded():
                self._round_over()
            case BaleFound(seat=seat):
                self._gain(step, seat, 1, Message("found"))
            case BaleDamaged(seat=seat, bales=bales):
                self._gain(step, seat, -bales, Message("damaged"))
            case PalaceRewarded(stage=stage, bales=bales):
                for seat, won in enumerate(bales):
                    self._gain(step, seat, won, Message("palace", {"stage": stage}))
            case BidsRevealed(gourds=gourds, bags=bags, steps=steps):
                self._revealed(step, gourds, bags, steps)
        self._before = step

    def _gain(self, step: Step, seat: int, gain: int, words: Message) -> None:
        if gain:
            self.gains.append(Gain(seat, step.version, step.turn, gain, words))

    def _revealed(
        self,
        step: Step,
        gourds: tuple[int | None, ...],
        bags: tuple[int, ...],
        steps: tuple[int, ...],
    ) -> None:
        for seat, bid in enumerate(gourds):
            if bid is not None:
                self._note(self._bids, step, seat, bid + bags[seat], "thirst", "gourds")
                self._note(self._moves, step, seat, steps[seat], "leap", "steps")

    @staticmethod
    def _note(
        kept: list[tuple[int, Highlight]], step: Step, seat: int, size: int, key: str, name: str
    ) -> None:
        words = Message(key, {"who": seat, name: size, "round": step.turn})
        kept.append((size, Highlight(step.version, words)))

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
        best = [max(kept, key=_size) for kept in (self._bids, self._moves) if kept]
        return Findings(
            charts=(
                Chart(Message("bales"), tuple(_ends(self.bales)), scores=True),
                Chart(Message("road"), tuple(_ends(self.road))),
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
    """Return bales and squares by round, gains of bales, the highest bid and the longest move."""
    made = _Review()
    for step in steps:
        made.take(step)
    return made.findings()
