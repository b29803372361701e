"""The interface texts in the page's language; see `domain.text.i18n`.

``boot.js`` fetches the catalogue of the app shell before this module is imported; there is none for
English. A game's catalogue is loaded with its style sheet, before its screen is imported
(`frontend.app.games.loader`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import catalogue

from domain.text.i18n import ENGLISH, Language, MessageTable, Plural
from frontend.app.core.types import Node

_shell = catalogue("shell")
LANGUAGE = ENGLISH if _shell is None else Language(_shell["tag"], _shell)
"""The language of this page, which changes only when the page is reloaded."""


def translators_for(
    domain: str, text: MessageTable | None = None
) -> tuple[Callable[..., str], Callable[..., str]]:
    """Return the translation functions ``t`` and ``tn`` of a gettext domain.

    ``tn`` selects the plural form by the argument ``n``. ``text``: the message table that defines
    typed placeholders.
    """
    known = catalogue(domain)
    if known is not None:
        LANGUAGE.add_catalogues(known["rooms"])

    def translate(sentence: str, /, **args: Any) -> str:
        return LANGUAGE.format_message(domain, sentence, args, text)

    def translate_plural(one: str, other: str, /, **args: Any) -> str:
        return LANGUAGE.format_message(domain, Plural(one, other), args, text)

    return translate, translate_plural


t, tn = translators_for("page")


NODE_PLACEHOLDER = "\0"
"""A placeholder value for a sentence, which `insert_nodes` replaces with nodes."""


def insert_nodes(sentence: str, *nodes: Node) -> list[Node | str]:
    """Return the parts of a sentence with nodes in place of the first `NODE_PLACEHOLDER`."""
    before, _, after = sentence.partition(NODE_PLACEHOLDER)
    return [before, *nodes, after]


def format_score(game: str, detail: dict[str, Any]) -> str:
    """Return the components of a score in words, such as "length 21, reserve 9".

    ``detail``: the values by name; None values are skipped.
    """
    parts = []
    for name, value in detail.items():
        if value is not None:
            text = LANGUAGE.format_message(game, value, {}) if isinstance(value, str) else value
            sentence = name.replace("_", " ") + " {value}"
            parts.append(LANGUAGE.format_message(game, sentence, {"value": text}))
    return join_list(parts)


def join_and(parts: Sequence[str]) -> str:
    """Join parts with a conjunction, as in "a, b and c"."""
    return LANGUAGE.join_list(parts, "and")


def join_sentences(parts: Sequence[str]) -> str:
    """Join whole sentences into one text, skipping empty ones."""
    joined = ""
    for part in parts:
        joined = (
            t("{before} {after}", before=joined, after=part) if joined and part else joined or part
        )
    return joined


def join_list(parts: Sequence[str]) -> str:
    """Join parts with separators only, as in "a, b, c"."""
    return LANGUAGE.join_list(parts)
