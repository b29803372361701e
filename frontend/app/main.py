"""Entry: which page the address asks for."""

from typing import Any

from _native import follow_history, go, guard_focus, intercept_links, place

from frontend.app import net, people, room, you
from frontend.app.dom import show, toast
from frontend.app.home import HomePage
from frontend.app.opening import JoinPage, NewTablePage
from frontend.app.words import t

current: list[Any] = [None]


def visit(address: str | None) -> None:
    """Goes to a page of the app; None: the one the address bar says already."""
    if address is not None:
        go(address, False)
    page()


def page() -> None:
    """Shows the page of the address."""
    if current[0] is not None:
        current[0].close()
        current[0] = None
    path, query, anchor = place()
    parts = [part for part in path.split("/") if part]
    if not parts:
        if anchor.startswith("#link="):
            _claim(anchor[6:])
            return
        current[0] = HomePage(visit)
    elif parts == ["you"]:
        current[0] = you.YouPage(visit)
    elif parts == ["new"]:
        current[0] = NewTablePage(visit, query.get("game"), query.get("again"))
    elif len(parts) == 2 and parts[0] == "join":
        current[0] = JoinPage(parts[1], query, visit)
    elif len(parts) == 2 and parts[0] == "m":
        # The kernel and all round a board are read when the first match is opened.
        from frontend.app.match_page import MatchPage

        current[0] = MatchPage(parts[1], query, visit)
    elif len(parts) == 3 and parts[0] == "m" and parts[2] == "review":
        from frontend.app.review import ReviewPage

        current[0] = ReviewPage(parts[1], query, visit)
    else:
        show(room.message(t("Nothing here"), t("This address leads nowhere.")))


def _claim(code: str) -> None:
    """Becomes the player of a device link, shown over the home page."""
    go("/", True)
    current[0] = HomePage(visit)
    path = "/api/players/link/claim"
    people.find(lambda: you.become(path, code, page, lambda problem: toast(problem.detail)))


def _sent() -> None:
    """What an earlier page left is sent now: the lists tell of it."""
    if isinstance(current[0], HomePage):
        current[0].refresh()


net.outbox.sent_old = _sent
guard_focus()
intercept_links(visit)
follow_history(page)
people.begin()
page()
