"""The menu of each of the player's tables, the hidden tables, and the invitations.

The menu offers to hide, leave or mute a table, and to follow it in a feed reader.
"""

from typing import Any

from _native import dumps, fill

from frontend.app.api import client, game_catalogue
from frontend.app.components.menu_button import menu_button
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, muted_text, row, stack, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Data, DomEvent, Navigate, Node
from frontend.app.match.leave_table import describe_table, leave_items
from frontend.app.match.table_items import mute_button, show_atom_link


class TableMenu:
    """The menu sheet, the sheet of hidden tables, and the list of invitations.

    ``on_change()`` is called when the lists are out of date; ``navigate(address)`` opens a page.
    """

    def __init__(self, on_change: Action, navigate: Navigate) -> None:
        self.on_change = on_change
        self.navigate = navigate
        self.body = stack()
        self.sheet = Sheet(t("table.this_table"), self.body)
        self.hidden_list = stack()
        self.hidden_sheet = Sheet(t("home.hidden_games"), self.hidden_list)
        self.invitations = el("section", {"class": "stack", "hidden": True})
        self.shown_invitations = ""  # the invitations shown, as JSON
        self.flight = SingleFlight()

    def build_row(self, item: Data, card: Any) -> Node:
        """Build the row of one of the player's tables: its card and its menu button."""
        more = button(t("table.menu"), lambda _e: self._open(item), "round quiet", "i-menu")
        return el("div", {"class": "table-line"}, card, more)

    def _open(self, item: Data) -> None:
        items = [
            menu_button(t("table.hide"), t("table.hide_hint"), lambda _e: self._hide(item, True))
        ]
        items += leave_items(
            item, self.body, lambda stand_in: self._leave(item, stand_in), lambda: self._open(item)
        )
        if any(seat["you"] for seat in item["seats"]):
            items.append(mute_button(item["id"], lambda *sent: self._post(item, "/mute", *sent)))
        if item["status"] != "open":
            items.append(
                menu_button(t("table.feed"), t("table.feed_hint"), lambda _e: self._show_feed(item))
            )
        fill(self.body, el("p", {}, describe_table(item)), items)
        self.sheet.open()

    def _show_feed(self, item: Data) -> None:
        def on_found(match: Data) -> None:
            show_atom_link(
                self.body, item["id"], match.get("share"), el("p", {}, describe_table(item))
            )

        client.get("/api/matches/" + item["id"], on_found, show_problem)

    def _post(self, item: Data, rest: str, body: Data, text: str) -> None:
        def on_done(_answer: Any) -> None:
            for sheet in (self.sheet, self.hidden_sheet):
                sheet.close()
            toast(text)
            self.on_change()

        args = (f"/api/matches/{item['id']}{rest}", body)
        self.flight.run(client.send, args, on_done, show_problem)

    def _hide(self, item: Data, away: Any) -> None:
        text = t("home.hidden") if away else t("home.shown_again")
        self._post(item, "/hide", {"hidden": away}, text)

    def _leave(self, item: Data, stand_in: str) -> None:
        self._post(item, "/leave", {"stand_in": stand_in}, t("table.left"))

    # -- hidden tables -------------------------------------------------------------------------

    def open_hidden(self, _event: DomEvent | None = None) -> None:
        """Load the hidden tables, then open the sheet that lists them."""

        def done(page: Data) -> None:
            rows = [
                menu_button(
                    t("home.show_again"),
                    describe_table(item),
                    lambda _e, item=item: self._hide(item, False),
                )
                for item in page["items"]
            ]
            fill(self.hidden_list, rows or muted_text(t("home.no_hidden")))
            self.hidden_sheet.open()

        client.get("/api/matches?scope=hidden", done, show_problem)

    # -- invitations ---------------------------------------------------------------------------

    def load_invitations(self) -> None:
        """Load and show the invitations: tables with a seat reserved for this player."""
        client.get("/api/matches?scope=invited", lambda page: self._show_invitations(page["items"]))

    def _show_invitations(self, items: list[Data]) -> None:
        if dumps(items) == self.shown_invitations:
            return
        self.shown_invitations = dumps(items)
        fill(
            self.invitations,
            el("h2", {}, t("home.invitations")),
            [self._invitation_card(item) for item in items],
        )
        self.invitations.hidden = not items

    def _invitation_card(self, item: Data) -> Node:
        def on_joined(_match: Any) -> None:
            self.navigate(f"/m/{item['id']}")

        def on_accept(_event: DomEvent) -> None:
            path = f"/api/matches/{item['id']}/join"
            self.flight.run(client.send, (path, {}), on_joined, show_problem)

        def declined(_event: DomEvent) -> None:
            self._post(item, "/leave", {}, t("home.invitation_declined"))

        return el(
            "div",
            {"class": "card"},
            el("strong", {}, game_catalogue.get(item["game"])["title"]),
            el("p", {}, t("home.invitation", about=describe_table(item))),
            row(
                button(t("common.accept"), on_accept, "primary grow"),
                button(t("common.decline"), declined, "grow"),
            ),
        )
