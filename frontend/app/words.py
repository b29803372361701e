"""The words of the page in the language it is shown in; see `domain.words`.

``boot.js`` has fetched the shell's catalogue before anything here is read; English has none. A
game's words come with its look, before its screen is read (`frontend.app.houses`).
"""

from collections.abc import Callable, Sequence
from typing import Any

from _native import catalogue

from domain.words import ENGLISH, Language, Plural, Text
from frontend.app.typed import Node

_shell = catalogue("shell")
LANGUAGE = ENGLISH if _shell is None else Language(_shell["tag"], _shell)
"""The language of this page until it is loaded anew."""


def words_of(room: str, text: Text | None = None) -> tuple[Callable[..., str], Callable[..., str]]:
    """The functions ``t`` and ``tn`` of a room: a sentence, and one that bends with ``n``.

    ``text``: the table from which typed holes take their words.
    """
    known = catalogue(room)
    if known is not None:
        LANGUAGE.learn(known["rooms"])

    def told(sentence: str, /, **args: Any) -> str:
        return LANGUAGE.say(room, sentence, args, text)

    def bent(one: str, other: str, /, **args: Any) -> str:
        return LANGUAGE.say(room, Plural(one, other), args, text)

    return told, bent


t, tn = words_of("page")


HOLE = "\0"
"""Stands in a sentence where a node of the page is to be."""


def around(sentence: str, *nodes: Node) -> list[Node | str]:
    """A sentence round its hole, which the nodes fill."""
    before, _, after = sentence.partition(HOLE)
    return [before, *nodes, after]


def of_score(game: str, detail: dict[str, Any]) -> str:
    """What a score is made of, in the game's words: "length 21, reserve 9"."""
    parts = []
    for name, value in detail.items():
        if value is not None:
            said = LANGUAGE.say(game, value, {}) if isinstance(value, str) else value
            sentence = name.replace("_", " ") + " {value}"
            parts.append(LANGUAGE.say(game, sentence, {"value": said}))
    return row(parts)


def both(parts: Sequence[str]) -> str:
    """The parts as a list with a word before the last: "a, b and c"."""
    return LANGUAGE.listed(parts, "and")


def sentences(parts: Sequence[str]) -> str:
    """Whole sentences one after the other; those that are not there are left out."""
    said = ""
    for part in parts:
        said = t("{before} {after}", before=said, after=part) if said and part else said or part
    return said


def row(parts: Sequence[str]) -> str:
    """The parts as a list with marks only: "a, b, c"."""
    return LANGUAGE.listed(parts)
