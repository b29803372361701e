"""The row of racers, each with a bid card (face up or face down) and its bales of silk."""

from typing import Any

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, fill, picture, tone
from frontend.app.core.i18n import join_sentences
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravane.i18n import t
from frontend.app.games.caravane.rounds import PLACES, sees_everything


class Racers:
    """The row of racers; ``stands(view, racer)`` returns a sentence about a racer's position."""

    def __init__(self, host: ScreenHost, stands: Any) -> None:
        self.host = host
        self.stands = stands
        self.node = el("ul", {"class": "racers"})

    def draw(self, view: View, revealed: bool) -> None:
        """Draw the racers; ``revealed``: the bid cards have just been turned over."""
        fill(self.node, [self._racer(view, r, revealed) for r in view["racers"]])

    def _racer(self, view: View, racer: Data, revealed: bool) -> Node:
        seat, n = racer["seat"], racer["bales"]
        tile, word = self._tile(view, racer, revealed)
        look = "racer mine" if self.host.match.active_seat == seat else "racer"
        text = join_sentences([t("racer.bales", n=n), self.stands(view, racer)])
        number = el("span", {"aria-hidden": "true"}, str(n))
        bales = [picture("sign-bale", 22), number, el("span", {"class": "hush"}, text)]
        who = {"class": "who", "title": self.host.match.names[seat]}
        return el(
            "li",
            {"class": look, "style": tone(seat)},
            el("span", who, self.host.match.short_name(seat)),
            tile,
            el("span", {"class": "state"}, word),
            el("span", {"class": "bales"}, bales),
        )

    def _tile(self, view: View, racer: Data, revealed: bool) -> tuple[Any, ...]:
        """Return a racer's card, face down while it is secret, and the text below it."""
        phase, seat = view["phase"], racer["seat"]
        last, bid = view["last"], racer["bid"]
        state = t("racer.ready") if racer["ready"] else t("racer.thinking")
        if phase == "over":
            return _medal(), t("own.final", place=PLACES[view["ranks"][seat] - 1])
        if phase in ("bid", "revise", "prepare") and racer["place"]:
            return _medal(), PLACES[racer["place"] - 1]
        if phase == "prepare":
            return _card("back" if racer["ready"] else "empty"), state
        if phase == "revise":
            return _face(bid["gourds"], "+" if bid["bag"] else 0, revealed), state
        if phase == "bid" and racer["ready"]:
            known = bid and sees_everything(view)
            return _face(bid["gourds"], "+" if bid["bag"] else 0) if known else _card("back"), state
        if last and last["stage"] == view["stage"] and last["gourds"][seat] is not None:
            is_past = phase == "bid"
            face = _face(last["gourds"][seat], last["bags"][seat], revealed, is_past)
            return face, state if is_past else t("racer.steps", n=last["steps"][seat])
        return _card("empty"), t("racer.thinking")


def _medal() -> Node:
    return el("span", {"class": "card medal-card"}, picture("camel", 34))


def _card(look: str) -> Node:
    """Return a card without a number: its ``look`` is "back" or "empty"."""
    return el("span", {"class": "card " + look, "aria-hidden": "true"})


def _face(gourds: int, bag: Any, turning: bool = False, past: bool = False) -> Node:
    """Return a face-up bid card.

    ``bag``: the value of the food bag, "+" while that is secret, 0 for none; ``turning``: animate
    the card; ``past``: the bid is from the previous round.
    """
    more = "+" if bag == "+" else f"+{bag}" if bag else ""
    label = t("racer.bid", gourds=gourds)
    if bag == "+":
        label = t("racer.bid_bag", gourds=gourds)
    elif bag:
        label = t("racer.bid_bag_value", gourds=gourds, bag=bag)
    if past:
        label = t("racer.last_round", said=label)
    given = {"class": "card face" + (" turning" if turning else " past" if past else "")}
    return el("span", {**given, "role": "img", "aria-label": label}, f"{gourds}{more}")
