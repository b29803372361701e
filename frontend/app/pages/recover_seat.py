"""The page for recovering a seat on another device.

The player enters the table code, seat number and PIN, or shows a code for another player to scan.
The player who has scanned such a code chooses the match on this page.
"""

from typing import Any

from _native import fill

from frontend.app.api import client, game_catalogue, session
from frontend.app.components import page_frame
from frontend.app.components.seat_recovery import code_field
from frontend.app.core.dom import after, button, el, muted_text, pin_field, problem_line, show
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem, show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Callback, Data, DomEvent, Navigate, Node
from frontend.app.pages.form_fields import select_field
from frontend.app.pages.home.table_card import card
from frontend.app.pages.home.table_list import has_other_people

POLL_INTERVAL_MS = 3_000


class RecoverSeatPage(page_frame.Page):
    """The page ``/back``.

    ``code``: the code shown by another player's new device, or "" to recover one's own seat.
    """

    def __init__(self, code: str, navigate: Navigate) -> None:
        self.navigate = navigate
        self.flight = SingleFlight()
        self.is_polling = False
        self.code_card = el("section", {"class": "card"})
        if code:
            self._show_match_choice(code)
        else:
            self._show_own_form()

    # -- with a PIN ----------------------------------------------------------------------------

    def _show_own_form(self) -> None:
        fill(
            self.code_card,
            el("h2", {}, t("seat.without_pin")),
            el("p", {}, t("seat.recovery_intro")),
            button(t("seat.show_code"), self._ask_code, "grow"),
        )
        show(
            page_frame.page(
                t("account.lost_device_link"),
                self._build_pin_form(),
                self.code_card,
                muted_text(t("account.recovery_on_settings")),
            )
        )

    def _build_pin_form(self) -> Node:
        table, pin = code_field("table-code"), pin_field("back-pin")
        numbers = [(str(n), str(n + 1)) for n in range(16)]
        seat = select_field("0", numbers, id="back-seat", name="back-seat")
        error_line = problem_line()

        def refuse(problem: Problem) -> None:
            fill(error_line, problem.detail)
            pin.focus()

        def send(done: Callback, failed: Callback) -> None:
            def recover() -> None:
                body = {
                    "table": str(table.value).strip() or "-",
                    "seat": int(seat.value),
                    "pin": str(pin.value).strip().ljust(6)[:6],
                }
                client.call("POST", "/api/matches/recover", body, done, failed)

            fill(error_line)
            session.ensure_player("", recover, failed)

        def on_submit(event: DomEvent) -> None:
            event.preventDefault()
            self.flight.run(send, (), self.while_open(self._open_match), refuse)

        return el(
            "form",
            {"class": "card", "onsubmit": on_submit},
            el("h2", {}, t("seat.with_pin")),
            muted_text(t("seat.table_code_hint")),
            el("label", {"for": "table-code"}, t("seat.table_code")),
            table,
            el("label", {"for": "back-seat"}, t("seat.your_number")),
            seat,
            el("label", {"for": "back-pin"}, t("seat.pin_field")),
            error_line,  # above the focused field, where no on-screen keyboard hides it
            pin,
            el("button", {"type": "submit", "class": "button primary"}, t("seat.get_back")),
        )

    def _open_match(self, match: Data) -> None:
        self.navigate(f"/m/{match['id']}")

    # -- without a PIN -------------------------------------------------------------------------

    def _ask_code(self, _event: DomEvent) -> None:
        def ask(done: Callback, failed: Callback) -> None:
            session.ensure_player(
                "",
                lambda: client.call("POST", "/api/players/me/seat-code", None, done, failed),
                failed,
            )

        self.flight.run(ask, (), self.while_open(self._show_code), show_problem)

    def _show_code(self, answer: Data) -> None:
        fill(
            self.code_card,
            el("h2", {}, t("seat.your_code")),
            el("p", {}, t("seat.show_code_to")),
            el("div", {"class": "qr"}, el("img", {"src": answer["qr"], "alt": t("seat.qr_alt")})),
            el("p", {"class": "link", "tabindex": "0"}, answer["code"]),
            el("p", {"class": "muted", "role": "status"}, t("seat.waiting")),
            button(t("seat.new_code"), self._ask_code, "quiet"),
        )
        if not self.is_polling:
            self.is_polling = True
            self._poll()

    def _poll(self) -> None:
        """Poll until another player has used the code, then open the match."""

        def ask_again(_problem: Problem | None = None) -> None:
            after(POLL_INTERVAL_MS, self.while_open(self._poll))

        def on_answer(use: Data) -> None:
            if use["match"]:
                self.navigate(f"/m/{use['match']}")
            else:
                ask_again()

        client.get("/api/players/me/seat-code", self.while_open(on_answer), ask_again)

    # -- for another player --------------------------------------------------------------------

    def _show_match_choice(self, code: str) -> None:
        body = el("section", {"class": "stack"}, el("p", {}, t("seat.which_table")))
        show(page_frame.page(t("seat.let_player_back"), body))

        def line(item: Data) -> Node:
            node = card(item, True)
            node.setAttribute("href", f"/m/{item['id']}?back={code}")
            return node

        def on_list(page: Data) -> None:
            lines = [
                line(item)
                for item in page["items"]
                if item["status"] != "finished" and has_other_people(item)
            ]
            none = el("p", {}, t("seat.no_tables"))
            fill(body, el("p", {}, t("seat.which_table")), lines or none)

        def ask(_games: Any) -> None:
            client.get("/api/matches?scope=mine&sort=turn", self.while_open(on_list), show_problem)

        game_catalogue.load(ask)
