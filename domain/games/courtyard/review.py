"""Review of a match of the courtyard game. Not shipped to the browser.

It uses only public information.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.courtyard.board import parse_wares, worth
from domain.games.courtyard.events import (
    GameScored,
    GoodsTraded,
    IncomeShared,
    LastTurnsBegan,
    MajorCompleted,
    MinorCompleted,
    TurnBegan,
)
from domain.games.courtyard.messages import TEXT as SENTENCES
from domain.games.courtyard.state import Score
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step
from domain.text.i18n import Plural, Sentence

TEXT: dict[str, Sentence] = {
    **{key: SENTENCES[key] for key in SENTENCES if key.startswith("ability-")},
    "wealth": "Wealth",
    "means": "Coins less debt, and goods at their price",
    "major": "a major order of {value}",
    "minor": "a minor order of {value}",
    "purse": "coins left, less debt",
    "sets": "sets of major orders",
    "card": "“{ability:ability}”",
    "dearest": "Dearest order: {who:seat} earned {income}",
    "longest": Plural(
        "Longest trade: {who:seat}, {times} time over",
        "Longest trade: {who:seat}, {times} times over",
        "times",
    ),
    "goal": "{who:seat} was wealthy enough and brought on the last turns",
}


class _Review:
    def __init__(self) -> None:
        self.wealth: list[Point] = []
        self.means: list[Point] = []
        self.gains: list[Gain] = []
        self.goal: list[Highlight] = []
        self._orders: list[tuple[int, Highlight]] = []
        self._trades: list[tuple[int, Highlight]] = []
        self._order = Message("major", {"value": 0})
        self._before: Step | None = None

    def take(self, step: Step) -> None:
        """Process one event."""
        match step.event:
            case TurnBegan() if self._before:
                self._point(self._before, _wealth(self._before.view))
            case MajorCompleted(seat=seat, income=income):
                self._completed("major", step, seat, income)
            case MinorCompleted(seat=seat, income=income):
                self._completed("minor", step, seat, income)
            case IncomeShared(seat=seat, gained=gained):
                self._gain(step, seat, gained, self._order)
            case GoodsTraded(seat=seat, times=times):
                words = Message("longest", {"who": seat, "times": times})
                self._trades.append((times, Highlight(step.version, words)))
            case LastTurnsBegan(seat=seat):
                self.goal.append(Highlight(step.version, Message("goal", {"who": seat})))
            case GameScored(scores=scores):
                self._counted(step, scores)
        self._before = step

    def _completed(self, key: str, step: Step, seat: int, income: int) -> None:
        player = step.view["players"][seat]
        value = player["majors" if key == "major" else "minors"][-1]["value"]
        self._order = Message(key, {"value": value})
        words = Message("dearest", {"who": seat, "income": income})
        self._orders.append((income, Highlight(step.version, words)))

    def _gain(self, step: Step, seat: int, gain: int, words: Message) -> None:
        if gain:
            self.gains.append(Gain(seat, step.version, step.turn, gain, words))

    def _counted(self, step: Step, scores: tuple[Score, ...]) -> None:
        for seat, score in enumerate(scores):
            self._gain(step, seat, score.coins - score.debt, Message("purse"))
            self._gain(step, seat, score.sets, Message("sets"))
            for name, points in score.abilities:
                self._gain(step, seat, points, Message("card", {"ability": name}))
        self._point(step, tuple([score.total for score in scores]))

    def _point(self, step: Step, values: tuple[int, ...]) -> None:
        self.wealth.append(Point(step.turn, step.version, values))
        self.means.append(Point(step.turn, step.version, _means(step.view)))

    def found(self) -> Findings:
        """Return the findings from all processed events."""
        best = [max(kept, key=_size)[1] for kept in (self._orders, self._trades) if kept]
        return Findings(
            charts=(
                Chart(Message("wealth"), tuple(self.wealth), scores=True),
                Chart(Message("means"), tuple(self.means)),
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

    The highlights are the order with the highest income, the trade with the most repetitions, and
    the start of the last turns.
    """
    made = _Review()
    for step in steps:
        made.take(step)
    return made.found()
