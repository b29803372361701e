"""The interface texts in the page's language; see `domain.text.i18n`.

``boot.js`` fetches the catalogue of the app shell before this module is imported. A game's
catalogue is loaded with its style sheet, before its screen is imported
(`frontend.app.games.loader`). The messages that only later parts of the code need are loaded with
the first of those parts.
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import catalogue, on_late_catalogue

from domain.text.i18n import Language
from frontend.app.core.types import Node

_shell = catalogue("shell")
LANGUAGE = Language(_shell["tag"], _shell)
"""The language of this page, which changes only when the page is reloaded."""
on_late_catalogue(lambda late: LANGUAGE.add_catalogues(late["rooms"]))


def translator_for(text_domain: str) -> Callable[..., str]:
    """Return the translation function ``t`` of a text domain, after adding its loaded catalogue."""
    known = catalogue(text_domain)
    if known is not None:
        LANGUAGE.add_catalogues(known["rooms"])

    def translate(message_id: str, /, **args: Any) -> str:
        return LANGUAGE.format_message(text_domain, message_id, args)

    return translate


t = translator_for("page")


NODE_PLACEHOLDER = "\0"
"""A placeholder value for a sentence, which `insert_nodes` replaces with nodes."""


def insert_nodes(sentence: str, *nodes: Node) -> list[Node | str]:
    """Return the parts of a sentence with nodes in place of the first `NODE_PLACEHOLDER`."""
    before, _, after = sentence.partition(NODE_PLACEHOLDER)
    return [before, *nodes, after]


def format_score(game: str, detail: dict[str, Any]) -> str:
    """Return the components of a score, such as "length 21, reserve 9".

    For games without a screen of their own; the names of the components are not translated.
    ``detail``: the values by name; None values are skipped.
    """
    parts = []
    for name, value in detail.items():
        if value is not None:
            text = LANGUAGE.format_message(game, value, {}) if isinstance(value, str) else value
            parts.append(f"{name.replace('_', ' ')} {text}")
    return join_list(parts)


def join_and(parts: Sequence[str]) -> str:
    """Join parts with a conjunction, as in "a, b and c"."""
    return LANGUAGE.join_list(parts, "and")


def join_sentences(parts: Sequence[str]) -> str:
    """Join whole sentences into one text, skipping empty ones."""
    joined = ""
    for part in parts:
        joined = (
            t("format.sentences", before=joined, after=part) if joined and part else joined or part
        )
    return joined


def join_list(parts: Sequence[str]) -> str:
    """Join parts with separators only, as in "a, b, c"."""
    return LANGUAGE.join_list(parts)
