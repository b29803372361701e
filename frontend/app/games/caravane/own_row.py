"""The row of one's own camel: bales of silk, position on the stage, and gourds unless covered."""

from typing import Any

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, fill, labelled, patch, picture, tone
from frontend.app.core.types import Node, View
from frontend.app.games.caravane.i18n import t
from frontend.app.games.caravane.rounds import PLACES


class OwnRow:
    """The row (``node``) of the active seat of this device; spectators have none.

    Silk decides the race. The gourds are secret, so they are shown only while ``is_open``.
    """

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.node = el("div", {"class": "own-line"})

    def draw(self, view: View, is_open: bool) -> None:
        """Draw a view."""
        match = self.host.match
        held = match.own_seats()
        seat = held[0] if match.active_seat is None and held else match.active_seat
        self.node.hidden = seat is None
        if seat is None:
            return
        racer = view["racers"][seat]
        bales = _fact("sign-bale", racer["bales"], t("racer.bales", n=racer["bales"]))
        gourds = None
        if is_open and view["stage"] and racer["stock"] is not None:
            gourds = _fact("sign-water", racer["stock"], t("panel.gourds_left", n=racer["stock"]))
        patch(self.node, {"style": tone(seat)})
        name = el("b", {"class": "own-name"}, self.host.match.short_name(seat))
        square = el("span", {"class": "own-square"}, _position(view, racer))
        fill(self.node, el("span", {"class": "dot"}), name, bales, gourds, square)


def _fact(sign: str, number: int, label: str) -> Node:
    return labelled("own-fact", label, picture(sign, 22), el("b", {}, str(number)))


def _position(view: View, racer: Any) -> str:
    """Return the square of the stage, the place at its palace or in the end; "" before the race."""
    if not view["stage"]:
        return ""
    if view["phase"] == "over":
        return t("own.final", place=PLACES[view["ranks"][racer["seat"]] - 1])
    if racer["place"]:
        return t("own.palace", stage=view["stage"], place=PLACES[racer["place"] - 1])
    length = view["track"][view["stage"] - 1]["length"]
    return t("own.square", square=racer["square"], length=length)
