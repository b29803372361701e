"""The action panel of a seat: its secret choice under a cover, public controls outside it."""

from typing import Any

from frontend.app.components.secret_panel import SecretPanel
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.dom import add_listener, button, el, fill, tone
from frontend.app.core.match_ids import is_lesson
from frontend.app.core.types import Callback, Choice, DomEvent, Node, View
from frontend.app.games.caravane import possessions
from frontend.app.games.caravane.bidding import BidControl
from frontend.app.games.caravane.i18n import t
from frontend.app.games.caravane.rounds import sees_everything


class ActionPanel(SecretPanel):
    """The action panel, with the control for the choices of the moment."""

    def __init__(self, host: ScreenHost, on_cover: Callback) -> None:
        super().__init__(host, on_cover)
        self.bidding = BidControl(self._play, self._suggests)
        add_listener(self.node, "keydown", _own_keys)

    def _suggests(self) -> bool:
        """Return whether bids are suggested: against bots, but not in a lesson."""
        match = self.host.match
        return match.is_against_bots and not is_lesson(match.data["id"])

    def draw(self, now: ViewModel, revealed: bool = False) -> None:
        """Draw the cover and the controls outside it; ``revealed``: bids were just revealed."""
        self.now = self.bidding.now = now
        if revealed:
            self.cover.hide()
        super().draw(now)

    def rebuild(self, due: int | None, known: bool) -> None:
        at_work = self.node.matches(":focus-within")
        self.bidding.reset()
        super().rebuild(due, known)
        first = self.node.querySelector("button")
        if at_work and first:  # keep keyboard focus in the panel
            first.focus()

    def is_known(self, now: ViewModel, seat: int) -> bool:
        return now.view["phase"] != "over" and now.view["racers"][seat]["stock"] is not None

    def build_open(self, now: ViewModel) -> Any:
        return self._former_possessions(now.view) if sees_everything(now.view) else None

    def build(self, known: bool) -> Any:
        if not known or not self._can_undo_choice(self.now, self.host.match.active_seat):
            return super().build(known)
        change = button(t("panel.change"), lambda _e: self.host.take_back(), sign="i-undo")
        text = t("panel.chosen")
        return (el("p", {}, text), el("div", {"class": "made"}, change, self.cover.node))

    def _former_possessions(self, view: View) -> Node | tuple[Any, ...]:
        """Return what each racer held at this moment, for viewers who may see everything.

        Returns an empty tuple after the end of the race.
        """
        if view["phase"] == "over":
            return ()
        draw = possessions.draw_stage_possessions if view["stage"] else possessions.draw_possessions
        names = self.host.match.names
        lines = []
        for racer in view["racers"]:
            given = {"class": "opened", "style": tone(racer["seat"])}
            lines.append(el("li", given, el("b", {}, names[racer["seat"]]), draw(view, racer)))
        return el("ul", {"class": "opened-all", "aria-label": t("panel.secrets")}, lines)

    def content_key(self, now: ViewModel, seat: int | None) -> tuple[Any, ...]:
        view = now.view
        own = view["racers"][seat] if seat is not None else {}
        key = now.choices[0]["key"] if now.choices else None
        store = tuple([own.get(name) for name in ("stock", "bid", "revised", "allotted", "bags")])
        chosen = seat is not None and self._can_undo_choice(now, seat)
        return (chosen, view["phase"], view["stage"], view["round"], key, len(now.choices), *store)

    def _can_undo_choice(self, now: ViewModel, seat: int | None) -> bool:
        """Return whether the seat has made a secret choice that it can still undo freely."""
        racer = now.view["racers"][seat]
        undo = self.host.match.data["undo"]
        if not now.live or undo["kind"] != "free" or undo["seat"] != seat or now.choices:
            return False
        made = {"bid": racer["bid"], "revise": racer["revised"], "prepare": racer["ready"] or None}
        return made.get(now.view["phase"]) is not None

    def build_secrets(self) -> list[Any]:
        now = self.now
        seat = self.host.match.active_seat
        racer = now.view["racers"][seat]
        is_choosing = bool(now.choices) and now.live  # then the control says how many are left
        facts = possessions.draw_possessions(now.view, racer, self.cover.is_bare or is_choosing)
        if not now.choices or not now.live:
            return [facts]
        key = now.choices[0]["key"]
        if key == "pack":
            question = el("p", {}, t("panel.which_bag"))
            if now.view["split"]:
                facts.prepend(question)
            else:
                fill(facts, question)
            return [facts, self.bidding.draw_bag_choice()]
        if key in ("allot", "allot-rest"):
            count = t("panel.gourds_number", n=now.choices[-1]["args"]["gourds"])
            to_split = t("panel.to_set_aside", count=count)
            fill(facts, possessions.symbol_with_text("sign-water", to_split))
        return [facts, self.bidding.draw_gourd_choice()]

    def _play(self, choice: Choice | None, picked: bool) -> None:
        if choice is not None:
            self.cover.hide()
            self.cover.button.focus()  # the pressed button no longer exists
            # Against bots every bid can be undone.
            sure = picked or self.cover.is_bare
            send = self.host.commit if sure else self.host.play
            send(choice["command"])


def _own_keys(event: DomEvent) -> None:
    """Keep the slider's arrow keys from stepping through the history."""
    if event.target.type == "range":
        event.stopPropagation()
