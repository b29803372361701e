"""Serialisation of `domain.drawing.scene` elements as SVG text.

Text content and attribute values are escaped.
"""

import re
from collections.abc import Callable

from domain.drawing.scene import Node, Symbol

SVG_NAMESPACE = "http://www.w3.org/2000/svg"
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_SPECIAL = re.compile('[&<>"]')
_NOT_XML = re.compile("[^\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters not allowed in XML 1.0, and the allowed control characters, such as line breaks."""


def escape(text: str) -> str:
    """Escape a string for element content and quoted attributes.

    Characters that XML does not allow, and line breaks and tabs, become U+FFFD.
    """
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], _NOT_XML.sub("\ufffd", text))


def keep_value(value: str) -> str:
    """Return the value unchanged, for pages, which resolve ``var(--token)`` themselves."""
    return value


def node_markup(node: Node, resolve: Callable[[str], str] = keep_value) -> str:
    """Return an element as SVG text; ``resolve`` converts each string attribute value."""
    parts = [f"<{node.tag}"]
    for name, value in node.attributes.items():
        shown = escape(resolve(value)) if isinstance(value, str) else f"{value:g}"
        parts.append(f' {name}="{shown}"')
    if not node.children and not node.text:
        return "".join(parts) + "/>"
    inner = escape(node.text) + "".join([node_markup(child, resolve) for child in node.children])
    return f"{''.join(parts)}>{inner}</{node.tag}>"


def symbol_markup(symbol: Symbol, resolve: Callable[[str], str] = keep_value) -> str:
    """Return a symbol as SVG text; ``resolve`` as in `node_markup`."""
    box = " ".join(f"{number:g}" for number in symbol.box)
    inner = "".join([node_markup(part, resolve) for part in symbol.parts])
    return f'<symbol id="{escape(symbol.name)}" viewBox="{box}">{inner}</symbol>'
