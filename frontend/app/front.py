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


def front(t: Told, hero: Any, games: dict[str, str], known: bool) -> list[Any]:
    """The children of the page's ``main``; ``hero`` is the picture, ``games`` are those that can
    be learnt: titles by slug. The first of them is what somebody gets who only wants to play.

    Who is ``known`` comes for the own tables: they stand first, and what welcomes strangers below.
    """
    learning = _learning(t, games)
    lists = [_list(t("Your tables"), "mine"), _list(t("Public tables"), "public")]
    opening = ("a", {"class": "button primary", "href": "/new"}, [t("Open a table")])
    quick = _quick(t, next(iter(games)))
    words: list[Any] = [("h1", {}, ["Caravanserai"])]
    if known:
        words.append(("div", {"class": "row ways"}, [opening]))
        below = [*lists, ("div", {"class": "row ways"}, quick), learning]
    else:
        welcome = t(
            "Caravan board games for one table or many miles. "
            "No account, no app store: open a table and hand round the link."
        )
        words += [("p", {}, [welcome]), ("div", {"class": "row ways"}, [opening, *quick])]
        below = [learning, *lists]
    shape = "hero low" if known else "hero"
    return [
        ("section", {"class": shape}, [hero, ("div", {"class": "words"}, words)]),
        ("div", {"data-slot": "calls"}, []),
        *below,
        ("footer", {"class": "row", "data-slot": "footer"}, []),
    ]


def _quick(t: Told, game: str) -> list[Any]:
    """Ways to play at once."""
    return [
        ("a", {"class": "button", "href": f"/play/{game}"}, [t("Play against the bot")]),
        ("a", {"class": "button", "href": f"/play/{game}/alone"}, [t("Try it alone")]),
    ]


def _learning(t: Told, games: dict[str, str]) -> tuple[str, dict[str, str], list[Any]]:
    """A lesson of each game."""
    links: list[Any] = [
        ("a", {"class": "button", "href": f"/learn/{slug}"}, [title])
        for slug, title in games.items()
    ]
    words = t("Two minutes on the real board, one thing at a time.")
    parts: list[Any] = [
        ("h2", {}, [t("Learn by playing")]),
        ("p", {"class": "muted"}, [words]),
        ("div", {"class": "row"}, links),
    ]
    return ("section", {"class": "learning"}, parts)


def _list(title: str, slot: str) -> tuple[str, dict[str, str], list[Any]]:
    """A list of tables that is still to come."""
    home = {"class": "tables", "data-slot": slot, "aria-busy": "true"}
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    return ("section", {"class": "stack"}, [("h2", {}, [title]), ("div", home, bones)])
