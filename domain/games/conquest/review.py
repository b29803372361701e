"""Review of a match of Caravan Conquest. Not shipped to the browser."""

from collections.abc import Iterable
from typing import Any

from domain.games.conquest import events
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step


class _Review:
    def __init__(self) -> None:
        self.wealth: dict[int, Point] = {}
        self.load: dict[int, Point] = {}
        self.gains: list[Gain] = []
        self.highlights: list[Highlight] = []
        self._worth: tuple[int, ...] = ()
        self._turns: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._met: dict[int, list[int]] = {}

    def take(self, step: Step) -> None:
        """Process one event."""
        players = step.view["players"]
        worth = tuple([player["wealth"] for player in players])
        if isinstance(step.event, events.JourneyOver):
            worth = step.event.wealth
        for seat, before in enumerate(self._worth):
            if worth[seat] != before:
                self._change(step, seat, worth[seat] - before)
        self._worth = worth
        load = tuple([player["load"] for player in players])
        self.wealth[step.turn] = Point(step.turn, step.version, worth)
        self.load[step.turn] = Point(step.turn, step.version, load)
        self._highlight(step)

    def _change(self, step: Step, seat: int, gain: int) -> None:
        cause = _cause(step.event)
        words = Message(cause.key, {**cause.args, "round": step.view["round"]})
        self.gains.append(Gain(seat, step.version, step.turn, gain, words))
        if not isinstance(step.event, events.JourneyOver | events.RoundOpened):
            so_far, _, number = self._turns.get((step.turn, seat), (0, 0, step.view["round"]))
            self._turns[step.turn, seat] = (so_far + gain, step.version, number)

    def _highlight(self, step: Step) -> None:
        number = step.view["round"]
        match step.event:
            case events.FinishReached(seat=seat, wealth=wealth):
                if not any(each.message.key == "review.first" for each in self.highlights):
                    words = Message(
                        "review.first", {"who": seat, "round": number, "wealth": wealth}
                    )
                    self.highlights.append(Highlight(step.version, words))
            case events.TreasureTaken(seat=seat):
                words = Message("review.chest", {"who": seat, "round": number})
                self.highlights.append(Highlight(step.version, words))
            case events.EncounterDrawn(seat=seat):
                self._met.setdefault(seat, []).append(step.version)

    def found(self) -> Findings:
        """Return the findings from all processed events."""
        highlights = [*self.highlights, *self._best_turn(), *self._most_encounters()]
        return Findings(
            charts=(
                Chart(Message("review.wealth"), tuple(self.wealth.values()), scores=True),
                Chart(Message("review.load"), tuple(self.load.values())),
            ),
            gains=tuple(self.gains),
            highlights=tuple(sorted(highlights, key=lambda each: each.version)),
        )

    def _best_turn(self) -> list[Highlight]:
        if not self._turns:
            return []
        (_, seat), (gain, version, number) = max(self._turns.items(), key=lambda each: each[1][0])
        words = Message("review.best_turn", {"who": seat, "gain": gain, "round": number})
        return [Highlight(version, words)]

    def _most_encounters(self) -> list[Highlight]:
        if not self._met:
            return []
        seat, versions = max(self._met.items(), key=lambda each: len(each[1]))
        return [Highlight(versions[-1], Message("review.cards", {"who": seat, "n": len(versions)}))]


def _cause(event: Any) -> Message:
    """Return the cause of a change in wealth as a message."""
    match event:
        case events.Gained(what=what, amount=amount, card=card):
            return Message(
                "review.card" if card else "review.tile", {"what": what, "amount": amount}
            )
        case events.Lost(what=what, amount=amount):
            return Message("review.lost", {"what": what, "amount": amount})
        case events.LoadDropped(what=what, amount=amount):
            return Message("review.dropped", {"what": what, "amount": amount})
        case events.Bartered(amount=amount):
            return Message("review.barter" if amount else "review.paid")
        case events.Sold() | events.Bought():
            return Message("review.trade")
        case events.TreasureTaken():
            return Message("review.treasure")
        case events.Refitted(old=old, new=new):
            return Message("review.refitted", {"old": old, "new": new})
        case events.RoundOpened(silk=silk, spice=spice):
            return Message("review.prices", {"silk": silk, "spice": spice})
        case _:
            return Message("review.not_there")


def review(steps: Iterable[Step]) -> Findings:
    """Return wealth and load by turn, the causes of changes in wealth, and highlights."""
    made = _Review()
    for step in steps:
        made.take(step)
    return made.found()
