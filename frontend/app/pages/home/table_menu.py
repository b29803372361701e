"""The menu of each of the player's tables, the hidden tables, and the invitations.

The menu offers to hide, leave or mute a table, and to follow it in a feed reader.
"""

from typing import Any

from _native import dumps, fill

from frontend.app.api import client, game_catalogue
from frontend.app.components.match_file import export_link
from frontend.app.components.menu_button import menu_button
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, toast
from frontend.app.core.i18n import join_list, t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Data, DomEvent, Navigate, Node
from frontend.app.match.table_menu import mute_button, show_atom_link


class TableMenu:
    """The menu sheet, the sheet of hidden tables, and the list of invitations.

    ``on_change()`` is called when the lists are out of date; ``navigate(address)`` opens a page.
    """

    def __init__(self, on_change: Action, navigate: Navigate) -> None:
        self.on_change = on_change
        self.navigate = navigate
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet(t("This table"), self.body)
        self.hidden_list = el("div", {"class": "stack"})
        self.hidden_sheet = Sheet(t("Hidden tables"), self.hidden_list)
        self.invitations = el("section", {"class": "stack", "hidden": True})
        self.shown_invitations = ""  # the invitations shown, as JSON
        self.flight = SingleFlight()

    def build_row(self, item: Data, card: Any) -> Node:
        """Build the row of one of the player's tables: its card and its menu button."""
        more = button(
            t("More about this table"), lambda _e: self._open(item), "round quiet", "i-list"
        )
        return el("div", {"class": "table-line"}, card, more)

    def _open(self, item: Data) -> None:
        items = [
            menu_button(
                t("Hide it from my tables"),
                t("Only your list changes. The game goes on, and you can show it again."),
                lambda _e: self._hide(item, True),
            )
        ]
        held = [seat for seat in item["seats"] if seat["you"]]
        others = [seat for seat in item["seats"] if seat["kind"] == "human" and not seat["you"]]
        if held and item["status"] == "open":
            items.append(
                menu_button(
                    t("Leave the table"),
                    t("Your seat is open again, for you too as long as you have the invitation."),
                    lambda _e: self._leave(item),
                )
            )
        elif held and others and item["status"] == "playing":
            items.append(
                self._leave_button(
                    item,
                    t("Leave the game"),
                    t("A bot plays on in your place. You cannot come back."),
                    "bot",
                )
            )
            if "secret" not in game_catalogue.get(item["game"])["traits"]:
                items.append(
                    self._leave_button(
                        item,
                        t("Leave and keep the seat free"),
                        t("The others choose: somebody else sits down, or a bot."),
                        "nobody",
                    )
                )
        if held:
            items.append(mute_button(item["id"], lambda *sent: self._post(item, "/mute", *sent)))
        if item["status"] != "open":
            items.append(
                menu_button(
                    t("Follow it in a feed reader"),
                    t("An address that tells every move in words, as those see it who watch."),
                    lambda _e: self._show_feed(item),
                )
            )
        fill(self.body, el("p", {}, self._about(item)), items)
        self.sheet.open()

    def _show_feed(self, item: Data) -> None:
        def on_found(match: Data) -> None:
            show_atom_link(
                self.body, item["id"], match.get("share"), el("p", {}, self._about(item))
            )

        client.get("/api/matches/" + item["id"], on_found, _show_error)

    def _about(self, item: Data) -> str:
        names = join_list([seat["name"] or t("open") for seat in item["seats"]])
        return t("{title}: {names}.", title=game_catalogue.get(item["game"])["title"], names=names)

    def _post(self, item: Data, rest: str, body: Data, text: str) -> None:
        def on_done(_answer: Any) -> None:
            for sheet in (self.sheet, self.hidden_sheet):
                sheet.close()
            toast(text)
            self.on_change()

        args = (f"/api/matches/{item['id']}{rest}", body)
        self.flight.run(client.send, args, on_done, _show_error)

    def _hide(self, item: Data, away: Any) -> None:
        text = t("Hidden.") if away else t("It is among your tables again.")
        self._post(item, "/hide", {"hidden": away}, text)

    def _leave_button(self, item: Data, name: str, text: str, stand_in: str) -> Node:
        """Build the menu item for leaving a running match, which asks for confirmation first."""

        def ask(_event: DomEvent) -> None:
            stay = button(t("Stay at the table"), lambda _e: self._open(item), "grow")
            leave = button(name, lambda _e: self._leave(item, stand_in), "primary grow")
            about = [el("p", {}, self._about(item)), el("p", {}, text)]
            if item["visibility"] == "private":
                warning = t(
                    "You won't be able to open this game again. Download it first if you want to"
                    " keep it."
                )
                about.append(el("p", {}, warning))
            about.append(
                el("div", {"class": "row"}, export_link(item["id"], t("Download match file")))
            )
            fill(self.body, about, el("div", {"class": "row"}, stay, leave))
            stay.focus()

        return menu_button(name, text, ask)

    def _leave(self, item: Data, stand_in: str = "bot") -> None:
        self._post(item, "/leave", {"stand_in": stand_in}, t("You have left the table."))

    # -- hidden tables -------------------------------------------------------------------------

    def open_hidden(self, _event: DomEvent | None = None) -> None:
        """Load the hidden tables, then open the sheet that lists them."""

        def done(page: Data) -> None:
            rows = [
                menu_button(
                    t("Show it again"),
                    self._about(item),
                    lambda _e, item=item: self._hide(item, False),
                )
                for item in page["items"]
            ]
            fill(
                self.hidden_list,
                rows or el("p", {"class": "muted"}, t("You have hidden no table.")),
            )
            self.hidden_sheet.open()

        client.get("/api/matches?scope=hidden", done, _show_error)

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
            el("h2", {}, t("Invitations")),
            [self._invitation_card(item) for item in items],
        )
        self.invitations.hidden = not items

    def _invitation_card(self, item: Data) -> Node:
        def on_joined(_match: Any) -> None:
            self.navigate(f"/m/{item['id']}")

        def on_accept(_event: DomEvent) -> None:
            path = f"/api/matches/{item['id']}/join"
            self.flight.run(client.send, (path, {}), on_joined, _show_error)

        def declined(_event: DomEvent) -> None:
            self._post(item, "/leave", {}, t("Declined."))

        return el(
            "div",
            {"class": "card"},
            el("strong", {}, game_catalogue.get(item["game"])["title"]),
            el("p", {}, t("A seat is kept for you: {about}", about=self._about(item))),
            el(
                "div",
                {"class": "row"},
                button(t("Accept"), on_accept, "primary grow"),
                button(t("Decline"), declined, "grow"),
            ),
        )


def _show_error(problem: Problem) -> None:
    toast(problem.detail)
