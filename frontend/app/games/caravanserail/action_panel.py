"""The action panel of a seat: public actions, and secret plans and trades under a cover."""

from collections.abc import Callable, Sequence
from typing import Any

from frontend.app.components.private_messages import PrivateMessages, is_private_message
from frontend.app.components.secret_panel import SecretPanel
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import announce, button, el, scroll_dock_to_top, set_blocked_reason, tone
from frontend.app.core.types import Action, Command, DomEvent, Node, View
from frontend.app.games.caravanserail.i18n import t
from frontend.app.games.caravanserail.own_goods import goods_node, programme_node
from frontend.app.games.caravanserail.route_planner import RoutePlanner
from frontend.app.games.caravanserail.sheikhs import name_of
from frontend.app.games.caravanserail.tax_and_loot import TaxAndLoot
from frontend.app.games.caravanserail.trade_forms import confirm_button
from frontend.app.games.caravanserail.trade_panel import TradePanel

OFFER_EVENTS = ("OfferMade", "OfferDeclined", "OfferWithdrawn", "WaresExchanged")
# Commands that reveal no secret and are therefore shown outside the cover.
OPEN_COMMANDS = ("ChooseHome", "Done", "Listen", "ChooseCaravan")
PHASE_HINTS = {
    "programme": t("cover.tap_plan"),
    "movement": t("cover.tap_pay"),
    "raid": t("cover.tap_choose"),
    "business": t("cover.tap_trade"),
}


class ActionPanel(SecretPanel):
    """The action panel of a seat.

    ``redraw()`` is called when the plan or the chosen home has changed, ``on_focus()`` when the map
    should scroll to another position, ``on_cover(is_open)`` when the cover is opened or closed.
    """

    def __init__(
        self, host: ScreenHost, redraw: Action, on_focus: Action, on_cover: Callable[[bool], object]
    ) -> None:
        super().__init__(host, on_cover)
        self.redraw = redraw
        self.stage: Any = None
        self.seen = host.match.version
        self.home: Any = None
        self.planner = RoutePlanner(redraw, on_focus, self._seal)
        self.trade_panel = TradePanel(host, self._send, self._commit, self.cover.draw)
        self.tax_and_loot = TaxAndLoot(host, self._send, self._commit)
        self.private_messages = PrivateMessages(host)

    def arrive(self, now: ViewModel) -> None:
        """Set the moment to show; in a new phase, discard unfinished input and close the cover."""
        self.now = now
        view = now.view
        if now.live:
            stage = (view["turn"], view["phase"])
            if stage != self.stage:
                self.stage = stage
                self.tax_and_loot.reset()
                self.trade_panel.reset()
                self.cover.hide()
        if now.choices and self.home not in self._homes(now):
            self.home = None

    def rebuild(self, due: int | None, known: bool) -> None:
        seat = self.host.match.active_seat
        if known and seat is not None and self.is_planning(self.now):
            self.planner.begin(self.now.view, seat)
        super().rebuild(due, known)

    def is_known(self, now: ViewModel, seat: int) -> bool:
        return now.view["players"][seat]["treasure"] is not None

    def build_open(self, now: ViewModel) -> Any:
        return self._former_possessions(now.view) if all_open(now.view) else None

    def _former_possessions(self, view: View) -> list[Any]:
        """Return what each player had at this moment, for viewers who may see everything."""
        parts = []
        for player in view["players"]:
            if player["home"]:
                heading = t("goods.had_heading", name=self.host.match.names[player["seat"]])
                content = [el("summary", {}, heading), goods_node(view, player)]
                if view["phase"] == "programme":
                    content.append(programme_node(player))
                given = {"class": "opened", "style": tone(player["seat"])}
                parts.append(el("details", given, content))
        return parts

    def content_key(self, now: ViewModel, seat: int | None) -> tuple[Any, ...]:
        view = now.view
        own = view["players"][seat] if seat is not None else ""
        shown = [view[name] for name in ("phase", "turn", "offers", "raids", "debts")]
        commands = [choice["command"] for choice in now.choices[:200]]
        # A declined offer leaves the view as it was, but its answer must be shown.
        deal = self.trade_panel.latest_deal_event() if view["phase"] == "business" else None
        version = deal["version"] if deal is not None else 0
        count = len(self.private_messages.messages())
        content = str((own, shown, now.groups, commands))
        return (self._is_sealed(now), content, version, count, self.home)

    def build(self, known: bool) -> list[Any]:
        now = self.now
        cover = self.cover.node if known else None
        if self._is_sealed(now) or now.view["phase"] in ("homes", "raid"):
            return [*self._public_actions(now), cover]
        return [cover, *self._public_actions(now)]

    def _public_actions(self, now: ViewModel) -> Sequence[Node]:
        """Return the actions outside the cover."""
        phase = now.view["phase"]
        if self._is_sealed(now):
            change = button(t("panel.change"), lambda _e: self.host.take_back(), sign="i-undo")
            text = t("panel.sealed") if phase == "programme" else t("panel.waiting")
            return (el("div", {"class": "sealed"}, el("p", {}, text), change),)
        homes = self._homes(now)
        if homes:
            return self._settle_controls(homes)
        commands = [(choice["command"], choice["label"]) for choice in now.choices if now.live]
        buttons = [
            button(label, lambda _e, c=command: self._send([c]), name="do-" + command["type"])
            for command, label in commands
            if command["type"] in OPEN_COMMANDS
        ]
        if not buttons:
            return ()
        if phase == "business" and len(buttons) > 1:
            buttons.append(el("p", {"class": "hint"}, t("trade.done_or_pass")))
        return (el("div", {"class": "open-ways"}, buttons),)

    def _settle_controls(self, homes: Any) -> tuple[Any, ...]:
        chosen = homes.get(self.home)
        text = chosen["label"] if chosen else t("home.choose")

        def send() -> None:
            self._commit([chosen["command"]])

        settle = confirm_button(text, "ChooseHome", send, name="settle")
        set_blocked_reason(settle, None if chosen else t("home.tap_first"))
        places = [self._home_button(place) for place in homes]
        return settle, el("div", {"class": "open-ways homes", "role": "group"}, places)

    def _home_button(self, place: str) -> Node:
        name = name_of(self.now.view, place)
        pressed = {"aria-pressed": "true" if place == self.home else "false"}
        return button(name, self._settle_action(place), name="home-" + place, **pressed)

    def _is_sealed(self, now: ViewModel) -> bool:
        """Return whether the seat is waiting for others and can still undo its choice freely."""
        seat = self.host.match.active_seat
        undo = self.host.match.data["undo"]
        if seat is None or not now.live or undo["kind"] != "free" or undo["seat"] != seat:
            return False
        player = now.view["players"][seat]
        waits = player["ready"] or player["listening"]
        return waits and now.view["phase"] in ("programme", "business", "diplomacy")

    def refusal_at(self, now: ViewModel, position: str) -> str:
        """Return why a position cannot be chosen, or "" if the seat is not choosing positions."""
        if not now.live or now.seat is None:
            return ""
        if now.view["phase"] == "homes":
            return t("refusal.no_home")
        planning = self.cover.open and self.is_planning(now)
        return self.planner.refusal_at(position) if planning else ""

    # -- secrets under the cover -----------------------------------------------------------------

    def cover_label(self) -> str:
        """Return the label of the closed cover.

        It announces offers and private messages on every device, because their recipients are
        secret.
        """
        now = self.now
        if now is None:
            return t("cover.hold")
        if now.live and self._has_news():
            return t("cover.news")
        if [group for group in now.groups if group["type"] not in OPEN_COMMANDS]:
            return t("cover.does_hold", does=PHASE_HINTS[now.view["phase"]])
        return t("cover.hold")

    def _has_news(self) -> bool:
        """Return whether offers, answers or private messages arrived since the cover was open."""
        events = self.host.match.events[self.seen :]
        return any(event["type"] in OFFER_EVENTS or is_private_message(event) for event in events)

    def build_secrets(self) -> list[Node]:
        now, seat = self.now, self.host.match.active_seat
        if now is None or seat is None:
            return []
        self.seen = self.host.match.version
        player = now.view["players"][seat]
        parts: list[Node] = []
        phase = now.view["phase"]
        if self.is_planning(now):
            parts.append(self.planner.draw())
        elif phase == "programme" and player["programme"]:
            parts.append(programme_node(player))
        elif now.live and phase == "movement":
            parts.extend(self.tax_and_loot.taxes(now))
        elif phase == "raid":
            parts.extend(self.tax_and_loot.raid(now, seat))
        elif phase == "business":
            parts.extend(self.trade_panel.build(now, seat))
        parts.append(goods_node(now.view, player))
        if now.live:
            parts.extend(self.private_messages.build(seat))
        return parts

    def _send(self, commands: Sequence[Command]) -> None:
        self._hide_cover()
        self.host.play(*commands)

    def _commit(self, commands: Sequence[Command]) -> None:
        """Play commands that the user has composed and confirmed, without asking again."""
        self._hide_cover()
        self.host.commit(*commands)

    def _seal(self, commands: Sequence[Command]) -> None:
        """Play a plan, which needs confirmation if it is the last one.

        The last seat's plan reveals all plans and cannot be undone freely.
        """
        players = self.now.view["players"]
        last = all(each["ready"] for each in players if each["seat"] != self.now.seat)
        self._hide_cover()
        self.host.play(*commands, final=last)

    def _hide_cover(self) -> None:
        self.home = None
        self.cover.hide()

    # -- map targets -------------------------------------------------------------------------------

    def targets(self, now: ViewModel) -> list[tuple[str, str, Callable[..., object]]]:
        """Return the tap targets of the map: ``(position, text, action)``."""
        if self.is_planning(now) and self.cover.open:
            return self.planner.targets()
        view = self.now.view
        return [(home, name_of(view, home), self._settle_action(home)) for home in self._homes(now)]

    def _homes(self, now: ViewModel) -> dict[Any, Any]:
        """Return the choices of a home, by place; empty except at the current moment."""
        return {
            choice["command"]["place"]: choice
            for choice in now.choices
            if now.live and choice["command"]["type"] == "ChooseHome"
        }

    def _settle_action(self, place: str) -> Callable[..., object]:
        """Return the click handler that selects a home, which a button then confirms.

        A home is chosen for the whole match, and tapping a map is imprecise, so a tap alone must
        not choose it.
        """

        def on_choose(_event: DomEvent) -> None:
            self.home = place
            self.draw(self.now)
            self.redraw()
            scroll_dock_to_top(self.node)  # to the button that confirms it
            announce(t("home.chosen", place=name_of(self.now.view, place)))

        return on_choose

    def is_planning(self, now: ViewModel) -> bool:
        return now.live and now.has_choices and now.view["phase"] == "programme"


def all_open(view: View) -> bool:
    """Return whether the viewer sees all treasures, as after the end unless secrets are kept."""
    return all(player["treasure"] is not None for player in view["players"])
