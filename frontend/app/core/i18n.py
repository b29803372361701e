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

    ``text``: the table that typed placeholders take their words from.
    """
    known = catalogue(domain)
    if known is not None:
        LANGUAGE.add_catalogues(known["rooms"])

    def told(sentence: str, /, **args: Any) -> str:
        return LANGUAGE.format_message(domain, sentence, args, text)

    def bent(one: str, other: str, /, **args: Any) -> str:
        return LANGUAGE.format_message(domain, Plural(one, other), args, text)

    return told, bent


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
            said = LANGUAGE.format_message(game, value, {}) if isinstance(value, str) else value
            sentence = name.replace("_", " ") + " {value}"
            parts.append(LANGUAGE.format_message(game, sentence, {"value": said}))
    return join_list(parts)


def join_and(parts: Sequence[str]) -> str:
    """Join parts with a conjunction: "a, b and c"."""
    return LANGUAGE.join_list(parts, "and")


def join_sentences(parts: Sequence[str]) -> str:
    """Join whole sentences, skipping empty ones."""
    said = ""
    for part in parts:
        said = t("{before} {after}", before=said, after=part) if said and part else said or part
    return said


def join_list(parts: Sequence[str]) -> str:
    """Join parts with separators only: "a, b, c"."""
    return LANGUAGE.join_list(parts)
