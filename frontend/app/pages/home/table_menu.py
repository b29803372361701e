"""The menu of a table in the list, and the invitations.

The menu: leave the table, hide it or show it again, mute it, follow it in a feed reader.
"""

from typing import Any

from _native import dumps, fill

from frontend.app.api import client, game_catalogue
from frontend.app.components.match_file import keeper
from frontend.app.components.menu_button import way
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, toast
from frontend.app.core.i18n import row, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Does, DomEvent, Node, Went
from frontend.app.match.table_menu import feed, hushing


class Keeping:
    """The menu of the own tables, and the invitations.

    ``changed()`` is called when the lists are out of date; ``went(address)`` opens a page.
    """

    def __init__(self, changed: Does, went: Went) -> None:
        self.changed = changed
        self.went = went
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet(t("This table"), self.body)
        self.shelf = el("div", {"class": "stack"})
        self.hidden = Sheet(t("Hidden tables"), self.shelf)
        self.calls = el("section", {"class": "stack", "hidden": True})
        self.called = ""  # the invitations shown, as JSON
        self.sending = False

    def line(self, item: Data, card: Any) -> Node:
        """Build the line of an own table: its card and the button of its menu."""
        more = button(
            t("More about this table"), lambda _e: self._open(item), "round quiet", "i-list"
        )
        return el("div", {"class": "table-line"}, card, more)

    def _open(self, item: Data) -> None:
        ways = [
            way(
                t("Hide it from my tables"),
                t("Only your list changes. The game goes on, and you can show it again."),
                lambda _e: self._hide(item, True),
            )
        ]
        held = [seat for seat in item["seats"] if seat["you"]]
        others = [seat for seat in item["seats"] if seat["kind"] == "human" and not seat["you"]]
        if held and item["status"] == "open":
            ways.append(
                way(
                    t("Leave the table"),
                    t("Your seat is open again, for you too as long as you have the invitation."),
                    lambda _e: self._leave(item),
                )
            )
        elif held and others and item["status"] == "playing":
            ways.append(
                self._way_out(
                    item,
                    t("Leave the game"),
                    t("A bot plays on in your place. You cannot come back."),
                    "bot",
                )
            )
            if "secret" not in game_catalogue.of(item["game"])["traits"]:
                ways.append(
                    self._way_out(
                        item,
                        t("Leave and keep the seat free"),
                        t("The others choose: somebody else sits down, or a bot."),
                        "nobody",
                    )
                )
        if held:
            ways.append(hushing(item["id"], lambda *sent: self._post(item, "/mute", *sent)))
        if item["status"] != "open":
            ways.append(
                way(
                    t("Follow it in a feed reader"),
                    t("An address that tells every move in words, as those see it who watch."),
                    lambda _e: self._feed(item),
                )
            )
        fill(self.body, el("p", {}, self._about(item)), ways)
        self.sheet.open()

    def _feed(self, item: Data) -> None:
        def found(match: Data) -> None:
            feed(self.body, item["id"], match.get("share"), el("p", {}, self._about(item)))

        client.get("/api/matches/" + item["id"], found, lambda problem: toast(problem.detail))

    def _about(self, item: Data) -> str:
        names = row([seat["name"] or t("open") for seat in item["seats"]])
        return t("{title}: {names}.", title=game_catalogue.of(item["game"])["title"], names=names)

    def _post(self, item: Data, rest: str, body: Data, words: str) -> None:
        if self.sending:
            return
        self.sending = True

        def done(_answer: Any) -> None:
            self.sending = False
            for sheet in (self.sheet, self.hidden):
                sheet.close()
            toast(words)
            self.changed()

        def failed(problem: Problem) -> None:
            self.sending = False
            toast(problem.detail)

        client.send(f"/api/matches/{item['id']}{rest}", body, done, failed)

    def _hide(self, item: Data, away: Any) -> None:
        words = t("Hidden.") if away else t("It is among your tables again.")
        self._post(item, "/hide", {"hidden": away}, words)

    def _way_out(self, item: Data, name: str, words: str, stand_in: str) -> Node:
        """Build the menu item to leave a running game, which asks first because it is final."""

        def ask(_event: DomEvent) -> None:
            stay = button(t("Stay at the table"), lambda _e: self._open(item), "grow")
            leave = button(name, lambda _e: self._leave(item, stand_in), "primary grow")
            about = [el("p", {}, self._about(item)), el("p", {}, words)]
            if item["visibility"] == "private":
                gone = t(
                    "You won't be able to open this game again. Download it first if you want to"
                    " keep it."
                )
                about.append(el("p", {}, gone))
            about.append(el("div", {"class": "row"}, keeper(item["id"], t("Download match file"))))
            fill(self.body, about, el("div", {"class": "row"}, stay, leave))
            stay.focus()

        return way(name, words, ask)

    def _leave(self, item: Data, stand_in: str = "bot") -> None:
        self._post(item, "/leave", {"stand_in": stand_in}, t("You have left the table."))

    # -- hidden tables -------------------------------------------------------------------------

    def shown_again(self, _event: DomEvent | None = None) -> None:
        """Open the list of hidden tables."""

        def done(page: Data) -> None:
            ways = [
                way(
                    t("Show it again"),
                    self._about(item),
                    lambda _e, item=item: self._hide(item, False),
                )
                for item in page["items"]
            ]
            fill(self.shelf, ways or el("p", {"class": "muted"}, t("You have hidden no table.")))
            self.hidden.open()

        client.get("/api/matches?scope=hidden", done, lambda problem: toast(problem.detail))

    # -- invitations ---------------------------------------------------------------------------

    def ask(self) -> None:
        """Load the invitations: tables that keep a seat for this player."""
        client.get("/api/matches?scope=invited", lambda page: self._calls(page["items"]))

    def _calls(self, items: list[Data]) -> None:
        if dumps(items) == self.called:
            return
        self.called = dumps(items)
        fill(self.calls, el("h2", {}, t("Invitations")), [self._call(item) for item in items])
        self.calls.hidden = not items

    def _call(self, item: Data) -> Node:
        def joined(_match: Any) -> None:
            self.went(f"/m/{item['id']}")

        def accepted(_event: DomEvent) -> None:
            path = f"/api/matches/{item['id']}/join"
            client.send(path, {}, joined, lambda problem: toast(problem.detail))

        def declined(_event: DomEvent) -> None:
            self._post(item, "/leave", {}, t("Declined."))

        return el(
            "div",
            {"class": "card"},
            el("strong", {}, game_catalogue.of(item["game"])["title"]),
            el("p", {}, t("A seat is kept for you: {about}", about=self._about(item))),
            el(
                "div",
                {"class": "row"},
                button(t("Accept"), accepted, "primary grow"),
                button(t("Decline"), declined, "grow"),
            ),
        )
