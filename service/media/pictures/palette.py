"""The colours of pictures, read from the app's style sheet."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import frontend

STYLE = Path(frontend.__file__).parent / "static" / "style" / "tokens.css"
_FONTS = {"sans": "Noto Sans", "serif": "Noto Serif"}
"""The shipped fonts that replace the app's font families."""
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
_USED = re.compile(r"var\(--([\w-]+)\)")


@cache
def tokens() -> dict[str, str]:
    """Return the tokens of the light theme, from the first rule of the style sheet."""
    style = STYLE.read_text()
    return dict(_TOKEN.findall(style[: style.index("}")])) | _FONTS


Theme = Literal["light", "dark"]


@cache
def night() -> dict[str, str]:
    """Return the tokens of the dark theme: those of the light one with its own values over them."""
    style = STYLE.read_text()
    begin = style.index('[data-theme="dark"]')
    return tokens() | dict(_TOKEN.findall(style[begin : style.index("}", begin)]))


def resolver(theme: Theme) -> Callable[[str], str]:
    """Return the function that replaces tokens by colours of a theme in an attribute."""
    return resolved if theme == "light" else _resolved_by_night


def _resolved_by_night(value: str) -> str:
    return _USED.sub(lambda found: night()[found[1]], value) if "var(" in value else value


def resolved(value: str) -> str:
    """Replace each ``var(--token)`` of an attribute by the light theme's value.

    Raises KeyError for an unknown token.
    """
    if "var(" not in value:
        return value
    return _USED.sub(lambda found: tokens()[found[1]], value)
