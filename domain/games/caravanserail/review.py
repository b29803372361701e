"""Review of a match of Caravansérail. Not shipped to the browser.

Viewers who may see all treasures (everybody once the game is over, unless secrets are kept) see how
the wares of each card were collected; others see only public information: journeys and raids.
"""

from collections.abc import Iterable
from typing import Any

from domain.games.caravanserail import events
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step

CAUSES: dict[Any, str] = {
    events.CaravanUnloaded: "review.home",
    events.WaresLooted: "review.loot",
    events.TaxPaid: "review.tax",
    events.WaresExchanged: "review.trade",
}


class _Review:
    def __init__(self) -> None:
        self._scores: list[tuple[int, ...] | None] = [None]
        self._wares: list[Point] = []
        self._travelled: list[Point] = []
        self._raided: list[Point] = []
        self._gains: list[Gain] = []
        self._raids: list[Highlight] = []
        self._journeys: list[int] = []
        self._counts: list[int] = []
        self._where: list[list[str]] = []
        self._before: Step | None = None

    def take(self, step: Step) -> None:
        """Process one event."""
        players = step.view["players"]
        if not self._counts:
            self._journeys, self._counts = [0] * len(players), [0] * len(players)
            self._where = [[] for _ in players]
        if isinstance(step.event, events.TurnBegun | events.GameEnded):
            self._turn_over()
        self._score(step, players)
        match step.event:
            case events.CaravansMoved():
                self._moved(players)
            case events.RaidBegun(seat=seat, trail=trail):
                self._counts[seat] += 1
                args = {"turn": step.turn, "who": seat, "trail": trail}
                self._raids.append(Highlight(step.version, Message("review.raid", args)))
        self._before = step

    def _score(self, step: Step, players: list[dict[str, Any]]) -> None:
        """Record each seat's tokens of its card in its treasure, if all treasures are visible."""
        now = scores(players)
        before = self._scores[-1]
        self._scores = [now]
        if now is None or before is None:
            return
        words = Message(CAUSES.get(type(step.event), "review.other"))
        for seat, (old, new) in enumerate(zip(before, now, strict=True)):
            if new != old:
                self._gains.append(Gain(seat, step.version, step.turn, new - old, words))

    def _moved(self, players: list[dict[str, Any]]) -> None:
        for seat, player in enumerate(players):
            now = [caravan["at"] for caravan in player["caravans"]]
            before = self._where[seat] or [player["home"]] * len(now)
            self._journeys[seat] += sum(a != b for a, b in zip(before, now, strict=True))
            self._where[seat] = now

    def _turn_over(self) -> None:
        """Record the totals of all seats as they were before the current event."""
        before, scored = self._before, self._scores[-1]
        if before is None:
            return
        at = before.turn, before.version
        if scored is not None:
            self._wares.append(Point(*at, scored))
        self._travelled.append(Point(*at, tuple(self._journeys)))
        self._raided.append(Point(*at, tuple(self._counts)))

    def found(self) -> Findings:
        """Return the findings from all processed events."""
        charts = [
            Chart(Message("review.journeys"), tuple(self._travelled)),
            Chart(Message("review.raids"), tuple(self._raided)),
        ]
        whole = len(self._wares) == len(self._travelled) and self._wares
        if whole:
            charts.insert(0, Chart(Message("review.wares"), tuple(self._wares), scores=True))
        return Findings(
            charts=tuple(charts),
            gains=tuple(self._gains) if whole else (),
            highlights=tuple(self._raids),
        )


def scores(players: list[dict[str, Any]]) -> tuple[int, ...] | None:
    """Return each seat's number of tokens of its card in its treasure.

    Return None if a treasure or a card is hidden.
    """
    found = []
    for player in players:
        treasure, goal = player["treasure"], player["goal"]
        if treasure is None or goal is None:
            return None
        found.append(sum(min(n, treasure.get(ware, 0)) for ware, n in goal.items()))
    return tuple(found)


def review(steps: Iterable[Step]) -> Findings:
    """Return collected wares, journeys and raids by turn, gains of wares, and all raids."""
    made = _Review()
    for step in steps:
        made.take(step)
    return made.found()
