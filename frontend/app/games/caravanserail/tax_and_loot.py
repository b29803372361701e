"""The controls for what changes hands during journeys: the lodging tax and loot."""

from typing import Any

from frontend.app.components.primary_button import action_button
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el, fill, patch
from frontend.app.core.types import Callback, Choice, Data, DomEvent, Node
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.wares import WaresPicker, ware_icon


class TaxAndLoot:
    """The controls to pay lodging tax and to take loot.

    ``send(commands)`` plays a choice, ``commit(commands)`` plays commands composed in this panel.
    """

    def __init__(self, host: ScreenHost, send: Callback, commit: Callback) -> None:
        self.host = host
        self.send = send
        self.commit = commit
        self.loot: dict[Any, Any] = {}

    def reset(self) -> None:
        """Discard the loot picked so far."""
        self.loot = {}

    def taxes(self, now: ViewModel) -> list[Node]:
        """Return the token buttons for each caravan that has to pay for lodging."""
        by_caravan: dict[int, list[Choice]] = {}
        for choice in now.choices:
            if choice["command"]["type"] == "PayTax":
                by_caravan.setdefault(choice["command"]["caravan"], []).append(choice)
        parts = []
        for caravan, choices in by_caravan.items():
            owner = self.host.match.names[choices[0]["args"]["owner"]]
            tokens = [self._token(choice) for choice in choices]
            text = el("p", {}, t("tax.pay_one", caravan=caravan + 1, owner=owner))
            shown = el("div", {"class": "tokens"}, tokens)
            parts.append(el("section", {"class": "offer"}, text, shown))
        return parts

    def _token(self, choice: Choice) -> Node:
        ware = choice["command"]["ware"]
        node = button(t(f"ware-{ware}"), lambda _e: self.send([choice["command"]]), "token")
        node.prepend(ware_icon(ware, 24))
        patch(node, {"aria-label": choice["label"], "data-ware": ware})
        return node

    def raid(self, now: ViewModel, seat: int) -> list[Node]:
        """Return the raids in which a seat is attacker or victim; the attacker can pick loot."""
        parts = []
        for raid in now.view["raids"]:
            if raid["load"] is None or seat not in (raid["attacker"], raid["victim"]):
                continue
            victim = self.host.match.names[raid["victim"]]
            if raid["attacker"] != seat:
                text = t("raid.victim", caravan=raid["caravan"] + 1)
                parts.append(el("p", {}, text))
            elif now.live:
                for loot in now.ranges("Loot"):
                    parts.extend(self._looting(now, loot, victim))
        return parts

    def _looting(self, now: ViewModel, loot: Data, victim: Any) -> tuple[Any, ...]:
        def on_change(wares: dict[str, int]) -> None:
            self.loot = wares
            fill(go.lastChild, t("raid.take") if wares else t("raid.take_nothing"))
            go.classList.toggle("primary", bool(wares))

        def take(_event: DomEvent) -> None:
            send = self.commit if self.loot else self.send
            send([{"type": "Loot", "wares": self.loot}])

        go = action_button(t("raid.take_nothing"), take, "Loot", kind="confirm")
        title = t("raid.loot_heading", most=loot["most"], victim=victim)
        wares = now.view["board"]["wares"]
        picker = WaresPicker(title, wares, loot["of"], loot["most"], self.loot, on_change)
        on_change(picker.value())
        return (picker.node, go)
