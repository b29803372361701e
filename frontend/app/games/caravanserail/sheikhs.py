"""The list of players (sheikhs), with the state of each."""

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, fill, patch, picture, tone
from frontend.app.core.types import Data, Node, View
from frontend.app.games.caravanserail.i18n import t


def name_of(view: View, letter: str) -> str:
    """Return the name of the place with this letter."""
    names: dict[str, str] = {place["letter"]: place["name"] for place in view["board"]["places"]}
    return names[letter]


class PlayerCards:
    """The list of players, one row each."""

    def __init__(self, host: ScreenHost) -> None:
        self.host = host
        self.node = el("ul", {"class": "sheikhs"})

    def draw(self, view: View) -> None:
        """Draw the players at a moment."""
        players = view["players"]
        fill(self.node, [self._sheikh(view, player) for player in players])
        patch(self.node, {"class": "sheikhs" if len(players) < 7 else "sheikhs many"})

    def _sheikh(self, view: View, player: Data) -> Node:
        seat = player["seat"]
        look = "sheikh mine" if self.host.match.active_seat == seat else "sheikh"
        state = [el("span", {}, self.state(view, player))]
        rests = player["looters"] == "down"
        if rests:
            state.append(el("span", {"class": "hush"}, t("state.raiders_resting")))
        # The emblem tells the seat apart without its colour.
        emblem = el(
            "span", {"class": "pill-tag", "aria-hidden": "true"}, picture(f"emblem-{seat}", 22)
        )
        who = {"class": "who", "title": self.host.match.names[seat]}
        return el(
            "li",
            {"class": look, "style": tone(seat)},
            emblem,
            el("span", who, self.host.match.short_name(seat)),
            el("span", {"class": "state"}, state),
            picture("raiders-rest", 18) if rests else None,
        )

    def state(self, view: View, player: Data) -> str:
        """Return a word for a player's state in the current phase.

        At the end it is "" for players who have not won.
        """
        phase, seat = view["phase"], player["seat"]
        if phase == "over":
            return t("state.wins") if seat in view["winners"] else ""
        if phase == "homes":
            return name_of(view, player["home"]) if player["home"] else t("state.no_home")
        if phase == "movement":
            owes = any(debt["visitor"] == seat for debt in view["debts"])
            return t("state.pays") if owes else t("state.waits")
        if phase == "raid":
            raids = any(raid["attacker"] == seat for raid in view["raids"])
            return t("state.raids") if raids else t("state.waits")
        if phase == "programme":
            return t("state.ready") if player["ready"] else t("state.plans")
        if player["ready"]:
            return t("state.done")
        if phase == "business":
            return t("state.listens") if player["listening"] else t("state.trades")
        return t("state.talks")
