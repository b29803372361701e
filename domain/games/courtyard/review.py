"""Review of a match of the courtyard game. Not shipped to the browser.

It uses only public information.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.courtyard import events
from domain.games.courtyard.board import parse_wares, worth
from domain.games.courtyard.state import Score
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step

LEAST_TRADE = 3
"""Least number of repetitions of a trade that is a highlight."""


class _Review:
    def __init__(self) -> None:
        self.wealth: list[Point] = []
        self.means: list[Point] = []
        self.gains: list[Gain] = []
        self.goal: list[Highlight] = []
        self._orders: list[tuple[int, Highlight]] = []
        self._trades: list[tuple[int, Highlight]] = []
        self._order = Message("review.major", {"value": 0})
        self._before: Step | None = None

    def take(self, step: Step) -> None:
        """Process one event."""
        match step.event:
            case events.TurnBegan() if self._before:
                self._point(self._before, _wealth(self._before.view))
            case events.MajorCompleted(seat=seat, income=income):
                self._completed("major", step, seat, income)
            case events.MinorCompleted(seat=seat, income=income):
                self._completed("minor", step, seat, income)
            case events.IncomeShared(seat=seat, gained=gained):
                self._gain(step, seat, gained, self._order)
            case events.GoodsTraded(seat=seat, times=times) if times >= LEAST_TRADE:
                words = Message("review.longest", {"who": seat, "times": times})
                self._trades.append((times, Highlight(step.version, words)))
            case events.LastTurnsBegan(seat=seat):
                self.goal.append(Highlight(step.version, Message("review.goal", {"who": seat})))
            case events.GameScored(scores=scores):
                self._counted(step, scores)
        self._before = step

    def _completed(self, key: str, step: Step, seat: int, income: int) -> None:
        player = step.view["players"][seat]
        value = player["majors" if key == "major" else "minors"][-1]["value"]
        self._order = Message(f"review.{key}", {"value": value})
        words = Message("review.dearest", {"who": seat, "income": income})
        self._orders.append((income, Highlight(step.version, words)))

    def _gain(self, step: Step, seat: int, gain: int, words: Message) -> None:
        if gain:
            self.gains.append(Gain(seat, step.version, step.turn, gain, words))

    def _counted(self, step: Step, scores: tuple[Score, ...]) -> None:
        for seat, score in enumerate(scores):
            self._gain(step, seat, score.coins - score.debt, Message("review.purse"))
            self._gain(step, seat, score.sets, Message("review.sets"))
            for name, points in score.abilities:
                self._gain(step, seat, points, Message("review.card", {"ability": name}))
        self._point(step, tuple([score.total for score in scores]))

    def _point(self, step: Step, values: tuple[int, ...]) -> None:
        self.wealth.append(Point(step.turn, step.version, values))
        self.means.append(Point(step.turn, step.version, _means(step.view)))

    def found(self) -> Findings:
        """Return the findings from all processed events."""
        best = [max(kept, key=_size)[1] for kept in (self._orders, self._trades) if kept]
        return Findings(
            charts=(
                Chart(Message("review.points"), tuple(self.wealth), scores=True),
                Chart(Message("review.means"), tuple(self.means)),
            ),
            gains=tuple(self.gains),
            highlights=(*best, *self.goal),
        )


def _size(kept: tuple[int, Any]) -> int:
    """Return the size of an entry, as the key for `max`; of equal entries the first wins."""
    return kept[0]


def _wealth(view: dict[str, Any]) -> tuple[int, ...]:
    return tuple([player["wealth"] for player in view["players"]])


def _means(view: dict[str, Any]) -> tuple[int, ...]:
    return tuple(
        [
            player["coins"] - player["debt"] + worth(parse_wares(player["goods"]))
            for player in view["players"]
        ]
    )


def review(steps: Iterable[Step]) -> Findings:
    """Return wealth and means by turn, the sources of points, and highlights.

    The highlights are the order with the highest income, the trade with the most repetitions if
    there are at least `LEAST_TRADE`, and the start of the last turns. The chart of points shows
    wealth, and the final points at its end.
    """
    made = _Review()
    for step in steps:
        made.take(step)
    return made.found()
