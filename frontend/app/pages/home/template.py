"""The static part of the home page, as a tree of tuples ``(tag, attributes, children)``.

The service renders it into the page so that it can be read before any script runs. The app adopts
that markup, or builds the nodes anew if it does not fit, and fills the elements with a
``data-slot``. This module imports nothing that needs a browser, because the service runs it too.
"""

from collections.abc import Callable
from typing import Any

from domain.text.i18n import N_, Language

Translate = Callable[..., str]
"""Type of ``t`` for the text domain "page"; see `frontend.app.core.i18n`."""
Game = dict[str, Any]
"""A game as listed by the API: slug, title, about, seats, ..."""

WEIGHTS = {
    "light": N_("home.weight_light"),
    "medium": N_("home.weight_medium"),
    "heavy": N_("home.weight_heavy"),
}


def hero_alt_text(language: Language) -> str:
    """Return the text alternative of the hero picture."""
    t = _translator(language)
    return t("home.picture_alt")


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
    t = _translator(language)
    cards = games_section(language, games, lessons)
    offered = ("section", {"class": "games", "data-slot": "games"}, cards)
    mine, public = list_section(t("home.your_games"), "mine"), public_section(t)
    opening = ("a", {"class": "button primary", "href": "/new"}, [t("setup.new_game")])
    content: list[Any] = [("h1", {}, ["Caravanserai"])]
    if is_known_visitor:
        content.append(("div", {"class": "row ways"}, [opening]))
        below = [mine, offered, public]
    else:
        welcome = t("home.welcome")
        links = ("div", {"class": "row ways"}, [opening, *_quick(t, next(iter(lessons)))])
        content += [("p", {}, [welcome]), links]
        below = [offered, mine, public]
    shape = "hero low" if is_known_visitor else "hero"
    return [
        ("section", {"class": shape}, [hero, ("div", {"class": "words"}, content)]),
        ("div", {"data-slot": "calls"}, []),
        *below,
        ("footer", {"class": "row", "data-slot": "footer"}, []),
    ]


def tables_tree(language: Language) -> list[Any]:
    """Build the children of ``main`` of the page of tables, below its title."""
    t = _translator(language)
    return [
        ("div", {"data-slot": "calls"}, []),
        list_section(t("home.your_games"), "mine"),
        public_section(t),
        ("footer", {"class": "row", "data-slot": "footer"}, []),
    ]


def games_section(language: Language, games: list[Game], lessons: dict[str, str]) -> list[Any]:
    """Build the games section: a card for each game, or a placeholder if there are none yet."""
    t = _translator(language)
    cards: list[Any] = [_card(language, game, game["slug"] in lessons) for game in games]
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    return [("h2", {}, [t("home.games")]), ("div", {"class": "offer"}, cards or bones)]


def facts_line(language: Language, game: Game) -> str:
    """Return a game's number of players, duration and complexity in one line."""
    t = _translator(language)
    few, many = game["seats"][0], game["seats"][-1]
    count = t("format.players", n=few)
    if len(game["seats"]) == 2:
        count = t("format.players_or", few=few, many=many)
    elif few != many:
        count = t("format.players_range", few=few, many=many)
    parts = [count]
    if game.get("minutes"):
        parts.append(t("format.about_minutes", n=game["minutes"]))
    weight = WEIGHTS.get(game.get("weight", ""))
    if weight:
        parts.append(t(weight))
    return language.join_list(parts)


def _translator(language: Language) -> Translate:
    def translate(message_id: str, /, **args: Any) -> str:
        return language.format_message("page", message_id, args)

    return translate


def _quick(t: Translate, game: str) -> list[Any]:
    """Build the quick-start links: a match against the bot, and one played alone."""
    return [
        ("a", {"class": "button", "href": f"/play/{game}"}, [t("lesson.play_bot")]),
        ("a", {"class": "button", "href": f"/play/{game}/alone"}, [t("home.try_solo")]),
    ]


def _card(language: Language, game: Game, taught: bool) -> tuple[str, dict[str, str], list[Any]]:
    """Build the card of a game; its title and picture link to the page for opening a table."""
    t = _translator(language)
    slug, named = game["slug"], f"game-{game['slug']}"
    about = [
        ("h3", {"id": named}, [game["title"]]),
        ("p", {"class": "facts"}, [facts_line(language, game)]),
    ]
    top = [_picture(slug), ("div", {"class": "body"}, about)]
    play = t("home.play_bot") if 2 in game["seats"] else t("home.play_bots")
    ways = [(play, f"/play/{slug}")]
    if 1 in game["seats"]:
        ways.append((t("home.play_solo"), f"/play/{slug}/alone"))
    if taught:
        ways.append((t("lesson.link"), f"/learn/{slug}"))
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


def public_section(t: Translate) -> tuple[str, dict[str, str], list[Any]]:
    """Build the section of the public tables; its filters are shown once there are tables."""
    tag, given, (heading, tables) = list_section(t("home.public_tables"), "public")
    filters: Any = ("div", {"class": "stack", "data-slot": "filters", "hidden": ""}, [])
    return (tag, given, [heading, filters, tables])


def list_section(title: str, slot: str) -> tuple[str, dict[str, str], list[Any]]:
    """Build the section of a list of tables, with a placeholder until the list is loaded."""
    home = {"class": "tables", "data-slot": slot, "aria-busy": "true"}
    bones: list[Any] = [("div", {"class": "skeleton"}, [])]
    heading: Any = ("h2", {}, [title])
    if slot == "mine":  # the list has headings of its own: what waits for the player comes first
        return ("section", {"class": "stack"}, [("div", home, [heading, *bones])])
    return ("section", {"class": "stack"}, [heading, ("div", home, bones)])
