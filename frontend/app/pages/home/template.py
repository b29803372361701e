"""The static part of the home page, as a tree of tuples ``(tag, attributes, children)``.

The service renders it into the page so that it can be read before any script runs. The app adopts
that markup, or builds the nodes anew if it does not fit, and fills the elements with a
``data-slot``. This module imports nothing that needs a browser, because the service runs it too.
"""

from collections.abc import Callable
from typing import Any

from domain.text.i18n import N_, Language, Plural

Translate = Callable[..., str]
"""Type of ``t`` and ``tn`` for the gettext domain "page"; see `frontend.app.core.i18n`."""
Game = dict[str, Any]
"""A game as listed by the API: slug, title, about, seats, ..."""

WEIGHTS = {
    "light": N_("easy to learn"),
    "medium": N_("some thought"),
    "heavy": N_("much to think about"),
}


def hero_alt_text(language: Language) -> str:
    """Return the text alternative of the hero picture."""
    t, _ = _translators(language)
    return t("A caravan comes to a caravanserai in the evening")


def page_tree(
    language: Language,
    hero: Any,
    games: list[Game],
    lessons: dict[str, str],
    is_known_visitor: bool,
) -> list[Any]:
    """Build the children of the page's ``main``.

    ``hero``: the hero picture. ``games``: the available games, empty if not loaded yet.
    ``lessons``: the titles of the games with a lesson, by slug; the quick-start links use the first
    of these games, so the dict must not be empty for unknown visitors.

    If ``is_known_visitor``, the visitor's tables come before the games, and the welcome text and
    quick-start links are omitted.
    """
    t, _ = _translators(language)
    cards = games_section(language, games, lessons)
    offered = ("section", {"class": "games", "data-slot": "games"}, cards)
    lists = [_list(t("Your tables"), "mine"), _list(t("Public tables"), "public")]
    opening = ("a", {"class": "button primary", "href": "/new"}, [t("Open a table")])
    content: list[Any] = [("h1", {}, ["Caravanserai"])]
    if is_known_visitor:
        content.append(("div", {"class": "row ways"}, [opening]))
        below = [*lists, offered]
    else:
        welcome = t(
            "Caravan board games for one table or many miles. "
            "No account, no app store: open a table and hand round the link."
        )
        links = ("div", {"class": "row ways"}, [opening, *_quick(t, next(iter(lessons)))])
        content += [("p", {}, [welcome]), links]
        below = [offered, *lists]
    shape = "hero low" if is_known_visitor else "hero"
    return [
        ("section", {"class": shape}, [hero, ("div", {"class": "words"}, content)]),
        ("div", {"data-slot": "calls"}, []),
        *below,
        ("footer", {"class": "row", "data-slot": "footer"}, []),
    ]


def games_section(language: Language, games: list[Game], lessons: dict[str, str]) -> list[Any]:
    """Build the games section: a card for each game, or a placeholder if there are none yet."""
    t, _ = _translators(language)
    cards: list[Any] = [_card(language, game, game["slug"] in lessons) for game in games]
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    return [("h2", {}, [t("The games")]), ("div", {"class": "offer"}, cards or bones)]


def facts_line(language: Language, game: Game) -> str:
    """Return a game's number of players, duration and complexity in one line."""
    t, tn = _translators(language)
    few, many = game["seats"][0], game["seats"][-1]
    count = tn("{n} player", "{n} players", n=few)
    if len(game["seats"]) == 2:
        count = t("{few} or {many} players", few=few, many=many)
    elif few != many:
        count = t("{few} to {many} players", few=few, many=many)
    parts = [count]
    if game.get("minutes"):
        parts.append(tn("about {n} minute", "about {n} minutes", n=game["minutes"]))
    weight = WEIGHTS.get(game.get("weight", ""))
    if weight:
        parts.append(t(weight))
    return language.join_list(parts)


def _translators(language: Language) -> tuple[Translate, Translate]:
    def translate(sentence: str, /, **args: Any) -> str:
        return language.format_message("page", sentence, args)

    def translate_plural(one: str, other: str, /, **args: Any) -> str:
        return language.format_message("page", Plural(one, other), args)

    return translate, translate_plural


def _quick(t: Translate, game: str) -> list[Any]:
    """Build the quick-start links: a match against the bot, and one played alone."""
    return [
        ("a", {"class": "button", "href": f"/play/{game}"}, [t("Play against the bot")]),
        ("a", {"class": "button", "href": f"/play/{game}/alone"}, [t("Try it alone")]),
    ]


def _card(language: Language, game: Game, taught: bool) -> tuple[str, dict[str, str], list[Any]]:
    """Build the card of a game; its title and picture link to the page for opening a table."""
    t, _ = _translators(language)
    slug, named = game["slug"], f"game-{game['slug']}"
    about = [
        ("h3", {"id": named}, [game["title"]]),
        ("p", {"class": "facts"}, [facts_line(language, game)]),
    ]
    top = [_picture(slug), ("div", {"class": "body"}, about)]
    one_bot = 2 in game["seats"]
    play = t("Against the bot") if one_bot else t("Against bots")
    ways = [(play, f"/play/{slug}")]
    if 1 in game["seats"]:
        ways.append((t("Alone"), f"/play/{slug}/alone"))
    if taught:
        ways.append((t("Learn"), f"/learn/{slug}"))
    links = [
        ("a", {"class": "button", "href": href, "aria-describedby": named}, [text])
        for text, href in ways
    ]
    parts: list[Any] = [
        ("a", {"class": "game-told", "href": f"/new?game={slug}"}, top),
        ("p", {}, [game["about"]]),
        ("div", {"class": "row"}, links),
    ]
    return ("article", {"class": "card game-card"}, parts)


def _picture(slug: str) -> tuple[str, dict[str, str], list[Any]]:
    """Build the picture of a game's board.

    `frontend.app.components.board_thumbnail` redraws it when the theme is changed.
    """
    address = f"/api/games/{slug}/board.svg?"
    by_night = {"srcset": address + "theme=dark", "media": "(prefers-color-scheme: dark)"}
    shown = {"loading": "lazy", "decoding": "async", "alt": "", "src": address + "theme=light"}
    picture: Any = ("picture", {}, [("source", by_night, []), ("img", shown, [])])
    return (
        "span",
        {"class": "small-board", "aria-hidden": "true", "data-board": address},
        [picture],
    )


def _list(title: str, slot: str) -> tuple[str, dict[str, str], list[Any]]:
    """Build the section of a list of tables, with a placeholder until the list is loaded."""
    home = {"class": "tables", "data-slot": slot, "aria-busy": "true"}
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    return ("section", {"class": "stack"}, [("h2", {}, [title]), ("div", home, bones)])
