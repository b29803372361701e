"""What of the home page is always the same: the service writes it into the page, so that it is read
before any script runs, and the app takes it over, or makes it again in another language.

Here it is a tree, a tuple ``(tag, attributes, children)``; the service makes markup of it, the app
nodes. The app fills what has a ``data-slot``. Imports nothing of the page: it runs in the service.
"""

from collections.abc import Callable
from typing import Any

Told = Callable[[str], str]


def hero_told(t: Told) -> str:
    """The picture, for those who do not see it."""
    return t("A caravan comes to a caravanserai in the evening")


def front(t: Told, hero: Any) -> list[Any]:
    """The children of the page's ``main``; ``hero`` is the picture."""
    welcome = t(
        "Caravan board games for one table or many miles. "
        "No account, no app store: open a table and hand round the link."
    )
    words = [
        ("h1", {}, ["Caravanserai"]),
        ("p", {}, [welcome]),
        ("a", {"class": "button primary", "href": "/new"}, [t("Open a table")]),
    ]
    return [
        ("section", {"class": "hero"}, [hero, ("div", {"class": "words"}, words)]),
        ("div", {"data-slot": "calls"}, []),
        _list(t("Your tables"), "mine"),
        _list(t("Public tables"), "public"),
        ("footer", {"class": "row", "data-slot": "footer"}, []),
    ]


def _list(title: str, slot: str) -> tuple[str, dict[str, str], list[Any]]:
    """A list of tables that is still to come."""
    home = {"class": "tables", "data-slot": slot, "aria-busy": "true"}
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    return ("section", {"class": "stack"}, [("h2", {}, [title]), ("div", home, bones)])
