"""Elements of `domain.scene` as the text of SVG. Names and words in it are escaped."""

import re
from collections.abc import Callable

from domain.scene import Node, Symbol

SPACE = "http://www.w3.org/2000/svg"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_MARKUP = re.compile('[&<>"]')
_NOT_XML = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no place for, and what would begin another line."""


def escaped(words: str) -> str:
    """Text that is only text, within elements and within quotes. What XML has no place for
    becomes the sign for "cannot be shown"."""
    return _MARKUP.sub(lambda found: _ESCAPES[found[0]], _NOT_XML.sub("\ufffd", words))


def as_is(value: str) -> str:
    """For pages, which resolve ``var(--token)`` themselves."""
    return value


def markup(node: Node, resolve: Callable[[str], str] = as_is) -> str:
    """An element as text; ``resolve`` is asked for the value of each attribute that is text."""
    parts = [f"<{node.tag}"]
    for name, value in node.attributes.items():
        shown = escaped(resolve(value)) if isinstance(value, str) else f"{value:g}"
        parts.append(f' {name}="{shown}"')
    if not node.children and not node.text:
        return "".join(parts) + "/>"
    inner = escaped(node.text) + "".join([markup(child, resolve) for child in node.children])
    return f"{''.join(parts)}>{inner}</{node.tag}>"


def symbol_markup(symbol: Symbol, resolve: Callable[[str], str] = as_is) -> str:
    """A symbol as text."""
    box = " ".join(f"{number:g}" for number in symbol.box)
    inner = "".join([markup(part, resolve) for part in symbol.parts])
    return f'<symbol id="{escaped(symbol.name)}" viewBox="{box}">{inner}</symbol>'
