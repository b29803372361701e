"""Entry: which page the address asks for."""

from _native import go, intercept_links, listen, place

from frontend.app import net, people, room
from frontend.app.dom import show, toast
from frontend.app.home import Home
from frontend.app.opening import Join, New
from frontend.app.review import Review
from frontend.app.table import Table

current = [None]


def visit(address):
    """Goes to a page of the app; None: the one the address bar says already."""
    if address is not None:
        go(address, False)
    page()


def page(_event=None):
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
        current[0] = Home(visit)
    elif parts == ["new"]:
        current[0] = New(visit, query.get("game"))
    elif len(parts) == 2 and parts[0] == "join":
        current[0] = Join(parts[1], query, visit)
    elif len(parts) == 2 and parts[0] == "m":
        current[0] = Table(parts[1], query, visit)
    elif len(parts) == 3 and parts[0] == "m" and parts[2] == "review":
        current[0] = Review(parts[1], query, visit)
    else:
        show(room.message("Nothing here", "This address leads nowhere."))


def _claim(code):
    """Becomes the player of a device link."""

    def done(player):
        people.note(player)
        toast(f"This device now plays as {player['name']}.")
        go("/", True)
        page()

    def failed(problem):
        toast(problem.detail)
        go("/", True)
        page()

    net.call("POST", "/api/players/link/claim", {"code": code}, done, failed)


intercept_links(visit)
listen("window", "popstate", page)
page()
