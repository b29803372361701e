"""The action panel below the map: the selected tile, and the choices."""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.conquest import commands as c
from domain.games.conquest.board import FINISH, RIVER, ground_of
from domain.games.conquest.cards import deck_of, name_of
from domain.games.conquest.move_preview import StopPreview, ends_at, preview_stop
from domain.games.conquest.state import EXTRA, MOVE
from frontend.app.components.primary_button import action_button
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import button, el, fill, patch, picture, scroll_dock_to_top
from frontend.app.core.types import Node
from frontend.app.games.conquest import phrases, trading
from frontend.app.games.conquest.amounts import AmountForm
from frontend.app.games.conquest.encounters import card_face, has_acted_since, last_drawn_card
from frontend.app.games.conquest.i18n import t
from frontend.app.games.conquest.stable_offers import StableOffers


class ActionPanel:
    """The action panel.

    ``label(command, now)`` returns the label of a command.
    """

    def __init__(self, host: ScreenHost, label: Callable[..., str]) -> None:
        self.host = host
        self.label = label
        self.now: Any = None
        self.chosen: Any = None
        self.shown: Any = None
        self.throwing = False
        self.amounts = AmountForm(self.play)
        self.stable = StableOffers(self.play)
        self.node = el("div", {"class": "desk"})

    def play(self, *commands: Any) -> None:
        """Play commands, unless earlier ones await a card drawn by the service."""
        self._carry_out(self.host.play, commands)

    def commit(self, *commands: Any) -> None:
        """Play commands that the user has confirmed, without asking again.

        Like `play`, do nothing while earlier commands await a card drawn by the service.
        """
        self._carry_out(self.host.commit, commands)

    def _carry_out(self, send: Callable[..., object], commands: Sequence[Any]) -> None:
        if self.host.root.getAttribute("data-sending") and self.host.match.optimistic is None:
            return
        self.throwing = False
        send(*commands)

    # -- drawing a moment ----------------------------------------------------------------------

    def draw(self, now: ViewModel, chosen: Any) -> None:
        """Draw the actions; on other players' turns, only the selected tile or the last card drawn.

        ``chosen`` is the tile selected on the map, or None.
        """
        shown = (now.version, chosen and chosen.cell)
        if shown != self.shown:
            self.shown = shown
            scroll_dock_to_top(self.node)
        self.now = now
        self.chosen = chosen
        if chosen is not None:
            self.throwing = False  # a tap on a tile asks about the tile
        mine = now.seat is not None and now.live
        patch(self.node, {"class": "desk mine" if mine else "desk"})
        if not mine:
            self.throwing = False
            spot = self._spot(chosen.cell, []) if chosen is not None else None
            fill(self.node, spot or self._new_card(None))
            return
        fill(self.node, self._step())

    def _step(self) -> list[Node | None]:
        """Return the controls for the current step of the turn."""
        step = self.now.state.step
        if step == MOVE and self.throwing:
            return self._jettison()
        if step in (MOVE, EXTRA):
            return self._journey()
        if step == "oasis":
            return [self._heading("O", t("panel.oasis")), self._buttons()]
        if step in ("card", "fortune"):
            card = self.now.state.drawn
            return [card_face(deck_of(card), name_of(card)), self._buttons()]
        if step == "camp":
            return self._camp()
        if step == "city":
            return [self.stable.draw(self.now, self._go_on_button())]
        return []

    def _buttons(self) -> Node:
        buttons = [self._button(self.label(each, self.now), each) for each in self.now.choices]
        return el("div", {"class": "answers"}, buttons)

    def _button(self, text: str, command: Any, **more: Any) -> Node:
        """Return the button that plays a command."""
        return action_button(text, lambda _e: self.play(command), type(command).__name__, **more)

    def _heading(self, letter: str, text: str) -> Node:
        return el("div", {"class": "spot"}, picture("cq-" + letter, 40), el("b", {}, text))

    # -- movement ------------------------------------------------------------------------------

    def _journey(self) -> list[Node | None]:
        """Return the controls of the selected tile or, without one, of the caravan's own tile."""
        now = self.now
        stop = [each for each in now.choices if type(each) is c.Stop]
        if self.chosen is not None:
            return [self._spot(self.chosen.cell, self._move_buttons())]
        here = now.state.players[now.seat].at
        if now.state.step == EXTRA:
            card = last_drawn_card(self.host, now.version, now.seat)
            text = t("panel.extra_step")
            if card is not None:
                text = t("panel.extra_step_card", card=phrases.card_name(card["data"]["card"]))
            head = self._heading(now.state.tiles[here], text)
            return [head, self._row([self._stop_button(stop[0])])]
        if stop:
            return [self._spot(here, [self._stop_button(stop[0])])]
        stay = [each for each in now.choices if type(each) is c.Stay]
        buttons = [self._button(t("panel.stay"), each, is_best=True) for each in stay]
        row = self._row([*buttons, self._throw_button()])
        return [self._new_card(now.seat), self._hint(), row]

    def _hint(self) -> Node:
        """Return a hint about what to do next, and how the speed is calculated."""
        now = self.now
        state = now.state
        player = now.view["players"][now.seat]
        if not state.speed:
            text = t("panel.too_heavy")
        elif state.walked:
            text = t("panel.go_on")
        else:
            text = t("panel.tap_tile")
        why = phrases.speed_of(player, state.tiles[state.began], state.bonus)
        speed_line = t("panel.speed_why", speed=state.speed, why=why)
        return el("div", {"class": "hint"}, el("span", {}, text), el("small", {}, speed_line))

    def _new_card(self, seat: int | None) -> Node | None:
        """Return the card just drawn by a seat (None for any) and its player, or None.

        A card is new until the next action of the player who drew it.
        """
        event = last_drawn_card(self.host, self.now.version, seat)
        if event is None or has_acted_since(self.host, event, self.now.version):
            return None
        who, data = event["seat"], event["data"]
        tone = f"--tone:var(--seat-{who})"
        return card_face(data["deck"], data["card"], self.host.match.short_name(who), tone)

    def _throw_button(self) -> Node | None:
        if not [each for each in self.now.choices if type(each) is c.Jettison]:
            return None
        player = self.now.view["players"][self.now.seat]
        is_overloaded = player["load"] > player["capacity"]
        return button(t("group-Jettison"), self._throw, "" if is_overloaded else "quiet")

    def _throw(self, _event: Any) -> None:
        self.throwing = not self.throwing
        self.amounts.where = None
        self.draw(self.now, self.chosen)

    def _row(self, parts: Sequence[Node | None]) -> Node | None:
        return el("div", {"class": "answers"}, *parts) if any(parts) else None

    def _stop_button(self, command: Any) -> Node:
        if self.now.state.step == EXTRA:
            return self._button(t("no-extra-step"), command)
        return self._button(t("stop"), command, is_best=True)

    def _move_buttons(self) -> list[Node]:
        """Return the buttons to go to the selected tile, and to go and stop there.

        Going there is the only button if the move ends there anyway or the turn may not end there;
        there are no buttons for a tile out of reach.
        """
        state, chosen = self.now.state, self.chosen
        moves = chosen.moves
        if not moves:
            return []
        left = self.now.view["steps_left"] - len(moves)
        last = state.step == EXTRA or not left or state.tiles[chosen.cell] == FINISH
        may_stop = not last and ends_at(state, chosen.cell)
        text = t("panel.move_on") if may_stop else t("panel.move")
        go = action_button(text, lambda _e: self.commit(*moves), "Move", is_best=last)
        if not may_stop:
            return [go]
        text, steps = t("panel.move_and_stop"), (*moves, c.Stop())
        stop = action_button(text, lambda _e: self.commit(*steps), "Move+Stop", is_best=True)
        return [go, stop]

    def _spot(self, cell: int, buttons: Sequence[Node]) -> Node:
        """Return a tile's description (distance, effect of stopping, next turn) and its buttons."""
        state = self.now.state
        letter = state.tiles[cell]
        if letter == RIVER:
            lines = [t("panel.river")]
        else:
            stop = preview_stop(state, cell)
            lines = [self._distance(stop), phrases.describe_stop(stop), self._next_turn_text(stop)]
        place = phrases.place_name(*ground_of(state.land).places[cell])
        title = el("b", {}, phrases.tile_name(letter), el("small", {}, place))
        told = el("div", {"class": "told"}, title, [el("span", {}, line) for line in lines if line])
        body = el("div", {"class": "spot"}, picture("cq-" + letter, 40), told)
        row = el("div", {"class": "answers"}, *buttons) if buttons else None
        return el("div", {"class": "spot-and-ways"}, body, row)

    def _distance(self, stop: StopPreview) -> str:
        if self.chosen is None or self.now.seat is None:
            return ""
        steps = len(self.chosen.moves)
        left = self.now.view["steps_left"] - steps
        if not steps:
            return "" if self.chosen.here else t("panel.out_of_reach")
        if stop.letter == FINISH or not left:
            return t("panel.steps_last", n=steps)
        return t("panel.steps_then_left", n=steps, left=left)

    def _next_turn_text(self, stop: StopPreview) -> str:
        """Return how the seat's next turn would begin there, or "" if that cannot be said."""
        if self.now.seat is None or stop.camp or stop.city:
            return ""
        return phrases.describe_next_turn(stop, self.now.view["players"][self.now.seat]["capacity"])

    # -- amounts -------------------------------------------------------------------------------

    def _jettison(self) -> list[Node | None]:
        keep = button(t("amount.keep"), self._throw, "tab", **{"aria-label": t("amount.keep_all")})
        self.amounts.offer("jettison", trading.jettison_kinds(self.now.state), keep)
        return [self.amounts.node]

    def _camp(self) -> list[Node | None]:
        state = self.now.state
        leave = self._go_on_button("tab")
        self.amounts.offer((state.round, state.seat), trading.trade_kinds(state), leave)
        return [self.amounts.node]

    def _go_on_button(self, kind: str = "") -> Node:
        return self._button(t("done"), c.Done(), kind=kind)
