"""The list of local matches on the home page, with a menu for each match."""

from collections.abc import Callable
from typing import Any

from _native import fill, local_match_all, local_match_delete, save_file

from frontend.app.api import local_gateway
from frontend.app.components.menu_button import menu_button
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, muted_text, row, stack, toast
from frontend.app.core.i18n import join_list, t
from frontend.app.core.match_ids import is_lesson
from frontend.app.core.problem import show_problem
from frontend.app.core.types import Data, Navigate, Node
from frontend.app.offline.local_match import LocalMatch
from frontend.app.offline.server import SERVER, match_file
from frontend.app.offline.upload import UPLOAD_TEXTS, MatchUpload

BuildCard = Callable[[Data, bool], Node]


class LocalMatchList:
    """The list of local matches in ``home``; ``card(item, mine)`` builds the card of a match."""

    def __init__(self, home: Node, card: BuildCard, navigate: Navigate) -> None:
        self.home = home
        self.card = card
        self.navigate = navigate
        self.body = stack()
        self.sheet = Sheet(t("offline.this_game"), self.body)
        home.after(self.sheet.node)
        self.show()

    def show(self) -> None:
        """Load and show the list; lessons and uploaded matches are left out.

        Matches with several people come first; within each group, the most recently played.
        """
        local_match_all(lambda safe, found: self._list(found[0] if safe else ()))

    def _list(self, heads: Any) -> None:
        heads = [head for head in heads if "to" not in head and not is_lesson(head["id"])]
        heads.sort(key=lambda head: (_has_people(head), head["item"]["updated"]), reverse=True)
        self.home.hidden = not heads
        lines = [self._line(head) for head in heads]
        fill(
            self.home,
            el("h2", {}, t("offline.on_this_phone")),
            muted_text(UPLOAD_TEXTS[1]),
            el("div", {"class": "tables"}, lines),
        )

    def _line(self, head: Data) -> Node:
        more = button(t("offline.game_menu"), lambda _e: self._open(head), "round quiet", "i-menu")
        shown = {**head["item"], "picture": head.get("picture", "")}
        over = button(UPLOAD_TEXTS[0], lambda _e: self._upload(head), "quiet", "i-share")
        return el("div", {"class": "table-line"}, self.card(shown, True), more, over)

    # -- the menu of a match ---------------------------------------------------------------------

    def _open(self, head: Data) -> None:
        names = join_list([seat["name"] for seat in head["item"]["seats"]])
        items = [
            menu_button(
                t("file.export"),
                t("file.export_hint"),
                lambda _e: SERVER.load_match(head["id"], _save, show_problem),
            ),
            menu_button(
                t("offline.delete"), t("offline.delete_hint"), lambda _e: self._confirm_delete(head)
            ),
        ]
        fill(self.body, el("p", {}, names), items)
        self.sheet.open()

    def _upload(self, head: Data) -> None:
        def begin(table: LocalMatch) -> None:
            MatchUpload(table, self._on_uploaded, self._show_message).begin()

        SERVER.load_match(head["id"], begin, show_problem)

    def _on_uploaded(self, address: str) -> None:
        self.sheet.close()
        self.navigate(address)

    def _show_message(self, text: str) -> None:
        toast(text)
        self.show()

    def _confirm_delete(self, head: Data) -> None:
        """Ask for confirmation in the sheet, because deleting cannot be undone."""
        fill(
            self.body,
            el("p", {}, t("offline.delete_question")),
            row(
                button(t("offline.keep"), lambda _e: self.sheet.close(), "primary grow"),
                button(t("offline.delete"), lambda _e: self._delete(head), "grow"),
            ),
        )

    def _delete(self, head: Data) -> None:
        def on_deleted(safe: bool, _results: Any) -> None:
            SERVER.evict(head["id"])
            self.sheet.close()
            self._show_message(t("offline.deleted") if safe else t("error.not_deleted"))

        local_match_delete(head["id"], on_deleted)


def _save(table: LocalMatch) -> None:
    save_file(f"caravanserai-{table.id}.json", match_file(table))


def _has_people(head: Data) -> bool:
    """Return whether more than one human plays in a match."""
    return len([seat for seat in head["item"]["seats"] if seat["kind"] == "human"]) > 1


local_gateway.provide(match_list=LocalMatchList)
