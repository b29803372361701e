"""Texts about the results of a round: bids, steps, effects of squares, and silk."""

from typing import Any

from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core import i18n
from frontend.app.core.dom import announce, el, fill, patch, picture, tone
from frontend.app.core.types import Data, Event, Node, View
from frontend.app.games.caravane.i18n import t

PLACES = (t("place.1"), t("place.2"), t("place.3"), t("place.4"), t("place.5"))


class Rounds:
    """The summary of the latest round."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.node = el("div", {"class": "told"})

    def draw(self, now: ViewModel, revealed: bool) -> None:
        """Draw the summary of a moment; ``revealed``: bids have just been revealed."""
        view = now.view
        lines = []
        if view["phase"] == "revise":
            lines = self._announced(view)
        elif view["last"]:
            lines = self._round(now, view["last"])
        fill(self.node, lines)
        patch(self.node, {"class": "told fresh" if revealed else "told"})
        if revealed and view["phase"] == "revise":
            announce(i18n.join_sentences([line.textContent for line in lines]))

    def _announced(self, view: View) -> list[Any]:
        names = self.host.match.names
        with_bag = [names[r["seat"]] for r in view["racers"] if r["bid"] and r["bid"]["bag"]]
        who = i18n.join_and(with_bag)
        text = t("round.bag_added", who=who, n=len(with_bag))
        return [el("p", {"class": "headline"}, text), el("p", {}, t("round.may_change"))]

    def _round(self, now: ViewModel, last: Any) -> list[Node]:
        """Return the heading, a line for each camel in the round, and the palace reward if any."""
        effects, rewards = self._effects(now, last)
        lines = [el("p", {"class": "headline"}, t("round.title", round=last["round"]))]
        for seat, gourds in enumerate(last["gourds"]):
            if gourds is not None:
                lines.append(self._round_line(seat, last, effects.get(seat, ())))
        if rewards is not None:
            lines.append(self._silk(rewards))
        return lines

    def _round_line(self, seat: int, last: int, effects: Any) -> Node:
        text = _line(i18n.NODE_PLACEHOLDER, seat, last, effects)
        body = el("span", {}, i18n.insert_nodes(text, el("b", {}, self.host.match.names[seat])))
        given = {"class": "told-line", "style": tone(seat)}
        return el("p", given, el("span", {"class": "dot"}), body)

    def _silk(self, event: Event) -> Node:
        names = self.host.match.names
        silk = enumerate(event["bales"])
        parts = [t("round.silk_of", name=names[seat], n=bales) for seat, bales in silk]
        text = t("round.silk_line", head=i18n.NODE_PLACEHOLDER, list=i18n.join_list(parts))
        head = el("b", {}, t("round.silk", stage=event["stage"]))
        body = el("span", {}, i18n.insert_nodes(text, head))
        return el("p", {"class": "told-line silk-line"}, picture("sign-bale", 22), body)

    def _effects(self, now: ViewModel, last: Any) -> tuple[Any, ...]:
        """Return the effect texts of the round ``last`` by seat, and its palace reward or None."""
        found: list[Event] = []
        for event in reversed(self.host.match.events[: now.version]):
            if event["type"] == "BidsRevealed" and event["data"]["steps"] == last["steps"]:
                break
            is_later = event["type"] in ("RoundBegun", "RaceEnded", "BidMade")
            found = [] if is_later else [event, *found]
        else:
            found = []
        rewards = [event["data"] for event in found if event["type"] == "PalaceRewarded"]
        return _effects_by_seat(found), rewards[-1] if rewards else None

    def describe_events(self, events: list[Event]) -> str:
        """Describe the result of a round in sentences."""
        effects = _effects_by_seat(events)
        silk = [event["text"] for event in events if event["type"] == "PalaceRewarded"]
        parts: list[str] = []
        for event in events:
            if event["type"] == "BidsRevealed":
                for seat, name in enumerate(self.host.match.names):
                    if event["data"]["gourds"][seat] is not None:
                        parts.append(_line(name, seat, event["data"], effects.get(seat, ())))
        return i18n.join_sentences([*parts, *silk[-1:]])

    def summarise_events(self, events: list[Event]) -> str:
        """Return the bids in a few words, or the silk of a palace."""
        parts: list[str] = []
        for event in events:
            if event["type"] == "PalaceRewarded":
                return str(event["text"])
            if event["type"] == "BidsRevealed":
                parts = [
                    t("round.short_bid", name=self.host.match.short_name(seat), bid=bid)
                    for seat, bid in enumerate(event["data"]["gourds"])
                    if bid is not None
                ]
        return (
            t("round.short", list=i18n.join_list(parts)) if parts else self.describe_events(events)
        )


def _line(name: str, seat: int, last: Any, effects: Any) -> str:
    """Return sentences about a camel's round: its bid, its steps and the effects."""
    gourds, bag, steps = last["gourds"][seat], last["bags"][seat], last["steps"][seat]
    bid = t("round.bid_with_bag", gourds=gourds, bag=bag) if bag else str(gourds)
    text = t("round.bid", name=name, bid=bid, n=steps)
    return i18n.join_sentences([text, *effects])


def _effects_by_seat(events: list[Event]) -> dict[int, list[str]]:
    """Return sentences about the effects of palaces and squares, by seat."""
    effects: dict[int, list[str]] = {}
    for event in events:
        text = _effect(event["type"], event["data"])
        if text:
            effects.setdefault(event["data"]["seat"], []).append(text)
    return effects


EFFECTS = {
    "WaterFound": t("round.water_found"),
    "WaterLeaked": t("round.water_leaked"),
    "BaleFound": t("round.bale_found"),
}


def _effect(kind: str, data: Data) -> str | None:
    """Return a sentence about the effect of a palace or square on a camel, or None."""
    if kind == "BaleDamaged":
        return t("round.bale_damaged") if data["bales"] else t("round.bale_unharmed")
    if kind == "CamelArrived":
        return t("round.arrived", place=PLACES[data["place"] - 1])
    return EFFECTS.get(kind)


def sees_everything(view: View) -> bool:
    """Return whether the viewer sees all racers' stocks, as after the end of the match."""
    return all(racer["stock"] is not None for racer in view["racers"])
