"""The home page and the page of tables, which show the player's tables and the public tables."""

from collections.abc import Iterator
from typing import Any

from _native import (
    add_listener,
    clone_template,
    current_location,
    dumps,
    fill,
    format_now,
    idle_ms,
    is_page_hidden,
    lessons,
    loads_or_none,
    local_storage,
    remove_listener,
    theme,
)

from frontend.app.api import client, connection, game_catalogue, local_gateway, session
from frontend.app.components import board_thumbnail, install_hint, match_file, page_frame
from frontend.app.core import device_feedback
from frontend.app.core.dom import after, button, by_id, el, muted_text, run_in_slices, show, toast
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Data, DomEvent, Navigate, Node
from frontend.app.pages.home import paste_link
from frontend.app.pages.home.table_card import card
from frontend.app.pages.home.table_filter import TableFilter
from frontend.app.pages.home.table_list import TableList
from frontend.app.pages.home.table_menu import TableMenu
from frontend.app.pages.home.template import games_section, hero_alt_text, page_tree, tables_tree

OWN_MATCHES_PATH = "/api/matches?scope=mine&sort=turn"
RETRY_DELAY_MS = 3000  # until the lists are requested again after a network error
PUBLIC_MATCHES_PATH = "/api/matches?scope=public&status=open"
POLL_INTERVAL_MS = 15_000
"""Interval between updates of the lists while the page is visible."""
IDLE_MS = 1_500
"""Time without input before polling may change the lists, so that nothing moves under a finger."""


class HomePage(page_frame.Page):
    """The page ``/``, or ``/tables`` without the hero picture and the games.

    Both list the player's tables and the public ones.
    """

    def __init__(self, navigate: Navigate, only_tables: bool = False) -> None:
        known = session.maybe_signed_in()
        page = _build_tables() if only_tables else _adopt_page(known) or _build_page(known)
        mine = page.querySelector("[data-slot=mine]")
        self.mine = TableList(mine, (el("h2", {}, t("home.your_turn")), mine.firstElementChild))
        self.public = TableList(page.querySelector("[data-slot=public]"))
        self.filter = TableFilter(page.querySelector("[data-slot=filters]"), self.public.node)
        self.local_section = el("section", {"class": "stack", "hidden": True})
        self.is_retrying = False
        self.opens_next_turn = "turn" in current_location()[1]
        self.navigate = navigate
        self.listeners: list[Any] = []
        self.shown_at: str | None = None  # time of the last loading of a list, formatted
        self.table_menu = TableMenu(self._load_lists, navigate)
        page.querySelector("[data-slot=calls]").replaceWith(self.table_menu.invitations)
        # Local matches come below the player's tables, or at the top for an unknown visitor.
        (mine.parentNode if known or only_tables else self.table_menu.invitations).after(
            self.local_section
        )
        sheets = (self.table_menu.sheet, self.table_menu.hidden_sheet)
        self.dialogs = nodes = [sheet.node for sheet in sheets]
        if page.isConnected:
            page.after(*nodes)
        else:
            show(page, page_frame.navigation("/tables" if only_tables else "/"), *nodes)
        run_in_slices(self._build_steps(page, only_tables), lambda: not self.closed)

    def _build_steps(self, page: Node, only_tables: bool) -> Iterator[None]:
        """Start loading the lists; in a second slice, build the content below them."""
        game_catalogue.load(self.while_open(lambda games: self._begin(page, games)))
        yield
        footer = page.querySelector("[data-slot=footer]")
        footer.before(paste_link.link_form(self.navigate))
        if only_tables:
            hidden = button(t("home.hidden_games"), self.table_menu.open_hidden, "quiet")
            footer.append(el("a", {"class": "button", "href": "/new"}, t("setup.new_game")), hidden)
        else:
            footer.before(install_hint.build_hint())
        footer.append(match_file.import_button(self.navigate))

    def _begin(self, page: Node, games: list[Data]) -> None:
        offered = page.querySelector("[data-slot=games]")
        if offered is not None and offered.querySelector(".skeleton"):
            fill(offered, *_nodes(games_section(LANGUAGE, games, lessons())))
        self.listeners = [
            add_listener("document", "visibilitychange", self._on_visible),
            add_listener("window", "online", self._on_visible),
        ]
        after(POLL_INTERVAL_MS, self.while_open(self._poll))
        local_gateway.show_local_matches(self.local_section, card, self.navigate)
        self.refresh()

    def refresh(self, is_poll: bool = False) -> None:
        """Load the lists again; ``is_poll``: update them once the user is idle."""
        session.load(lambda: self._load_lists(is_poll))

    def close(self) -> None:
        """Close the page and stop updating the lists."""
        super().close()
        for ear in self.listeners:
            remove_listener(ear)
        connection.set_last_known(None)

    def _poll(self) -> None:
        """Update the lists every `POLL_INTERVAL_MS` while the page is visible."""
        after(POLL_INTERVAL_MS, self.while_open(self._poll))
        if not is_page_hidden() and not self.is_retrying:
            self.refresh(True)

    def _when_idle(self, change: Action) -> None:
        """Call ``change`` once there has been no input for a while and no sheet is open."""
        if self.closed:
            return
        if idle_ms() < IDLE_MS or any(node.open for node in self.dialogs):
            after(IDLE_MS, lambda: self._when_idle(change))
        else:
            change()

    def _on_visible(self, _event: DomEvent) -> None:
        """Update the lists when the page becomes visible or the device comes online."""
        if not is_page_hidden():
            self.refresh(True)

    def _load_lists(self, is_poll: bool = False) -> None:
        if self.closed:
            return
        if session.maybe_signed_in() and not (
            connection.is_reachable() and session.current["known"]
        ):
            self._on_error(Problem(0, {}))
        elif session.current["known"]:
            self.table_menu.load_invitations()
            self._load_page(self.mine, is_poll=is_poll)
        else:
            self._show(self.mine, {"items": (), "next": None})
        self._load_page(self.public, is_poll=is_poll)

    def _load_page(self, home: TableList, cursor: Any = None, is_poll: bool = False) -> None:
        """Request and show a page of a list: the first, or the one at ``cursor``.

        ``is_poll``: update the list once the user is idle.
        """
        mine = home is self.mine
        path = OWN_MATCHES_PATH if mine else PUBLIC_MATCHES_PATH
        rest = f"&cursor={cursor}" if cursor else ""

        def on_page(page: Data) -> None:
            if mine and not cursor:
                local_storage("mine", dumps(page))
                self._on_waiting([item["id"] for item in page["items"] if item["your_turn"]])
            self.shown_at = format_now()
            connection.set_last_known(None)
            if is_poll:
                self._when_idle(lambda: self._show(home, page, "update"))
            else:
                self._show(home, page, "add" if cursor else "show")

        client.get(path + rest, on_page, self._on_error)

    def _on_waiting(self, ids: list[str]) -> None:
        """Store the matches waiting for the player; open the first if the URL has ``?turn``."""
        device_feedback.store_waiting(ids)
        if self.opens_next_turn and ids and not self.closed:
            self.navigate(f"/m/{ids[0]}")
        self.opens_next_turn = False

    def _on_error(self, problem: Problem) -> None:
        if self.closed:
            return
        if problem.status == 0:
            connection.set_last_known(self.shown_at)
            self._show_stored()
            if not self.is_retrying:
                self.is_retrying = True
                after(RETRY_DELAY_MS, self.while_open(self._retry))
        else:
            toast(problem.detail)

    def _retry(self) -> None:
        self.is_retrying = False
        self.refresh()

    def _show_stored(self) -> None:
        """Show the stored list of the player's tables while the service is unreachable."""
        known = loads_or_none(local_storage("mine") or "")
        text = t("home.shown_when_online")
        if known:
            self._show(self.mine, known)
        else:  # no list is stored, but there may be tables
            self.mine.show([], self._own_card, [muted_text(text)])
            self.mine.node.setAttribute("aria-busy", "false")
        fill(self.public.node, muted_text(text))

    def _show(self, home: TableList, page: Data, how: str = "show") -> None:
        """Show a page of a list.

        ``how``: the page replaces the list ("show"), is appended to it ("add"), or updates it in
        place ("update").
        """
        if self.closed:
            return
        mine = home is self.mine
        items = [i for i in page["items"] if mine or not any(s["you"] for s in i["seats"])]
        none = t("home.no_games") if mine else t("home.no_public_tables")
        make = self._own_card if mine else _public_card
        rest = [self._more(home, page["next"])] if page["next"] else []
        count = home.node.children.length - 1  # not counting the "Show more" button
        if how != "add" and not items:
            rest = [muted_text(none)]
        home.show(items, make, rest, how)
        if not mine:
            self.filter.update(is_next_page=how == "add")
        if how == "add":
            _focus_first_shown(home.node, count)
        home.node.setAttribute("aria-busy", "false")

    def _own_card(self, item: Data) -> Node:
        return self.table_menu.build_row(item, card(item, True))

    def _more(self, home: TableList, cursor: Any) -> Node:
        def asked(_event: DomEvent) -> None:
            if home.node.getAttribute("aria-busy") == "false":
                home.node.setAttribute("aria-busy", "true")
                self._load_page(home, cursor)

        return button(t("home.show_more"), asked)


def _focus_first_shown(parent: Node, start: int) -> None:
    """Focus the first child from the index ``start`` on that no filter hides, or its link."""
    for number in range(start, parent.children.length):
        child = parent.children[number]
        if not child.hidden:
            (child.querySelector("a") or child).focus()
            return


def _public_card(item: Data) -> Node:
    return card(item, False)


def _build_tables() -> Node:
    """Build the page of tables."""
    heading = page_frame.header_bar(t("page.nav_tables"))
    return el("main", {"class": "page"}, heading, _nodes(tables_tree(LANGUAGE)))


def _build_page(known: bool) -> Node:
    """Build the page; used when the page rendered by the service cannot be adopted."""
    hero = clone_template("hero")
    hero.firstElementChild.setAttribute("aria-label", hero_alt_text(LANGUAGE))
    tree = page_tree(LANGUAGE, hero, game_catalogue.loaded_games(), lessons(), known)
    return el("main", {"class": "page"}, _nodes(tree))


def _adopt_page(known: bool) -> Node | None:
    """Return the page rendered by the service, or None if it cannot be adopted.

    It must be unused, in the current language, and rendered for the same value of ``known``.
    """
    page = by_id("app").firstElementChild
    written = page.getAttribute("data-front"), page.getAttribute("data-known") is not None
    if written != (LANGUAGE.tag, known):
        return None
    page.removeAttribute("data-front")
    page.querySelector("noscript").remove()
    if theme():
        board_thumbnail.refresh_theme()  # the service renders for the system theme only
    return page


def _nodes(trees: list[Any]) -> list[Any]:
    """Convert trees of `frontend.app.pages.home.template` to nodes; keep other values."""
    return [
        el(each[0], each[1], _nodes(each[2])) if isinstance(each, tuple) else each for each in trees
    ]
