"""The interface texts in the page's language; see `domain.text.i18n`.

``boot.js`` fetches the shell's catalogue before this module is imported; English has none. A game's
catalogue is loaded with its style, before its screen is imported (`frontend.app.games.loader`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import catalogue

from domain.text.i18n import ENGLISH, Language, MessageTable, Plural
from frontend.app.core.types import Node

_shell = catalogue("shell")
LANGUAGE = ENGLISH if _shell is None else Language(_shell["tag"], _shell)
"""The language of this page; fixed until the page is reloaded."""


def translators_for(
    domain: str, text: MessageTable | None = None
) -> tuple[Callable[..., str], Callable[..., str]]:
    """Return the functions ``t`` and ``tn`` (plural by ``n``) of a gettext domain.

    ``text``: the message table of typed placeholders.
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
"""Placeholder in a sentence for a node."""


def insert_nodes(sentence: str, *nodes: Node) -> list[Node | str]:
    """Return the parts of a sentence with the nodes in place of `NODE_PLACEHOLDER`."""
    before, _, after = sentence.partition(NODE_PLACEHOLDER)
    return [before, *nodes, after]


def format_score(game: str, detail: dict[str, Any]) -> str:
    """Return the parts of a score in words: "length 21, reserve 9"."""
    parts = []
    for name, value in detail.items():
        if value is not None:
            text = LANGUAGE.format_message(game, value, {}) if isinstance(value, str) else value
            sentence = name.replace("_", " ") + " {value}"
            parts.append(LANGUAGE.format_message(game, sentence, {"value": text}))
    return join_list(parts)


def join_and(parts: Sequence[str]) -> str:
    """Join parts with a conjunction: "a, b and c"."""
    return LANGUAGE.join_list(parts, "and")


def join_sentences(parts: Sequence[str]) -> str:
    """Join whole sentences, skipping empty ones."""
    joined = ""
    for part in parts:
        joined = (
            t("{before} {after}", before=joined, after=part) if joined and part else joined or part
        )
    return joined


def join_list(parts: Sequence[str]) -> str:
    """Join parts with separators only: "a, b, c"."""
    return LANGUAGE.join_list(parts)
