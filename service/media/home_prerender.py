"""Server-side rendering of the home page, which is shown before any script runs.

The content is defined by `frontend.app.pages.home.template`, which the app uses too.
"""

import re
from html import escape
from typing import Any

from domain.contract.registry import TITLES, game_module
from domain.text.i18n import Language
from frontend.app.components.navigation_bar import navigation_tree
from frontend.app.pages.home.template import hero_alt_text, page_tree

_PLACEHOLDER = re.compile(r'<main class="page" aria-busy="true">.*?(<noscript>.*?</main>)', re.S)
_HERO = re.compile(r'<template id="hero">\s*(.*?)\s*</template>', re.S)
_VOID_ELEMENTS = ("img", "source")
_LABEL = re.compile(r'aria-label="[^"]*"')


class _Markup(str):
    """HTML markup, which must not be escaped."""


def insert_home(body: bytes, language: Language, is_known_player: bool) -> bytes:
    """Return the app's page with the home page rendered into it.

    ``is_known_player``: whether to render the variant for players the service knows. A page without
    the template of the hero picture is returned unchanged.
    """
    page = body.decode()
    found = _HERO.search(page)
    if found is None:
        return body
    label = f'aria-label="{escape(hero_alt_text(language))}"'
    hero = _Markup(_LABEL.sub(lambda _: label, found[1], count=1))
    children = "".join(
        map(
            _to_html,
            page_tree(language, hero, _game_rows(language), _lesson_titles(), is_known_player),
        )
    )
    whose = ' data-known=""' if is_known_player else ""
    begin = f'<main class="page" data-front="{escape(language.tag)}"{whose}>'
    bar = _to_html(navigation_tree(language, "/"))
    return _PLACEHOLDER.sub(lambda found: begin + children + found[1] + bar, page, 1).encode()


def _game_rows(language: Language) -> list[dict[str, Any]]:
    """Return the fields of each available game that the home page shows."""
    return [
        {
            "slug": title.slug,
            "title": title.title,
            "seats": title.seats,
            "minutes": title.minutes,
            "weight": title.weight,
            "about": language.format_message(title.slug, title.about, {}),
        }
        for title in TITLES.values()
    ]


def _lesson_titles() -> dict[str, str]:
    """Return the titles of the games that have a tutorial, by slug."""
    return {slug: title.title for slug, title in TITLES.items() if game_module(slug, "lesson")}


def _to_html(tree: Any) -> str:
    if isinstance(tree, tuple):
        tag, attributes, children = tree
        if tag == "icon":
            used = f'<use href="#{attributes["name"]}"></use>'
            return f'<svg aria-hidden="true" width="22" height="22">{used}</svg>'
        given = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
        ending = "" if tag in _VOID_ELEMENTS else f"</{tag}>"
        return f"<{tag}{given}>{''.join(map(_to_html, children))}{ending}"
    return tree if isinstance(tree, _Markup) else escape(tree)
