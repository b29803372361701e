"""The page for joining a table, by invitation or from the list of public tables."""

from typing import Any

from _native import go

from domain.text.default_names import default_person_name
from frontend.app.api import client, game_catalogue, session
from frontend.app.components import page_frame
from frontend.app.components.seat_pin import PinField, set_pin
from frontend.app.core.dom import button, el, muted_text, show
from frontend.app.core.i18n import join_list, t
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent, Navigate
from frontend.app.pages.form_fields import name_field
from frontend.app.pages.game_summary import about_game, rules_button


class JoinPage(page_frame.Page):
    """The page ``/join/<id>``; redirects to the match if there is nothing to join."""

    def __init__(self, match_id: Any, query: dict[str, str], navigate: Navigate) -> None:
        self.id = match_id
        self.invite_code = query.get("invite")
        self.navigate = navigate
        self.flight = SingleFlight()
        bones = el("div", {"class": "skeleton", "style": "min-height:30vh"})
        show(page_frame.page(t("seat.join"), bones))
        game_catalogue.load(lambda _games: session.load(self._load))

    def _invite_query(self) -> str:
        return f"?invite={self.invite_code}" if self.invite_code else ""

    def _load(self) -> None:
        client.get(
            f"/api/matches/{self.id}{self._invite_query()}",
            self.while_open(self._on_match),
            self.while_open(self._on_missing),
        )

    def _on_missing(self, problem: Problem) -> None:
        text = t("error.invitation_invalid") if problem.status == 404 else problem.detail
        show(page_frame.message_page(t("error.table_not_found"), text))

    def _on_match(self, match: Data) -> None:
        opened = [seat for seat in match["seats"] if seat["kind"] == "open"]
        free = [seat["seat"] for seat in opened if seat.get("held_for") != "other"]
        if any(seat["you"] for seat in match["seats"]) or not free or match["status"] == "finished":
            go(f"/m/{self.id}{self._invite_query()}", True)
            self.navigate(None)
            return
        self.seat = free[0]
        self._show_form(match)

    def _show_form(self, match: Data) -> None:
        game = game_catalogue.get(match["game"])
        host = join_list([s["name"] for s in match["seats"] if s["kind"] != "open" and s["name"]])
        hint = t("setup.your_name")
        self.field = name_field(session.current["name"], id="name", placeholder=hint)
        self.pin = PinField()
        self.submit = button(t("seat.join"), self._join, "primary", style="width:100%")
        card = el(
            "div",
            {"class": "card joining"},
            el("h2", {}, game["title"]),
            muted_text(t("seat.with_host", host=host) if host else ""),
            about_game(game, rules_button(match["game"])) if game["seats"] else None,
            el("label", {"for": "name"}, t("seat.your_name")),
            self.field,
            self.pin.nodes(),
            self.submit,
        )
        show(page_frame.page(t("seat.join"), card))

    def _join(self, _event: DomEvent) -> None:
        if self.pin.validate():
            self.flight.run(
                self._send, (), self.while_open(self._on_seated), show_problem, self.submit
            )

    def _send(self, done: Callback, failed: Callback) -> None:
        """Take the seat and set its PIN, then call ``done(match)`` or ``failed(problem)``."""
        name = str(self.field.value).strip()

        def sit() -> None:
            body = {"name": name or default_person_name(self.seat + 1)}
            if self.invite_code:
                body["invite"] = self.invite_code
            client.send(f"/api/matches/{self.id}/join", body, on_joined, failed)

        def on_joined(match: Data) -> None:
            seats = [seat["seat"] for seat in match["seats"] if seat["you"]]
            set_pin(self.id, seats, self.pin.value(), lambda: done(match))

        session.ensure_player(name, sit, failed)

    def _on_seated(self, _match: Data) -> None:
        go(f"/m/{self.id}", True)
        self.navigate(None)
