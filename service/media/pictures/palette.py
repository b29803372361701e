"""The colours of pictures: those of the app, read from its style sheet."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import frontend

STYLE = Path(frontend.__file__).parent / "static" / "style" / "tokens.css"
_FONTS = {"sans": "Noto Sans", "serif": "Noto Serif"}
"""What the app's families of fonts are on a picture: those that are shipped."""
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
_USED = re.compile(r"var\(--([\w-]+)\)")


@cache
def tokens() -> dict[str, str]:
    """The values of the style sheet's tokens by day: what its first rule says."""
    style = STYLE.read_text()
    return dict(_TOKEN.findall(style[: style.index("}")])) | _FONTS


Theme = Literal["light", "dark"]


@cache
def night() -> dict[str, str]:
    """The same by night, which says only what differs."""
    style = STYLE.read_text()
    begin = style.index('[data-theme="dark"]')
    return tokens() | dict(_TOKEN.findall(style[begin : style.index("}", begin)]))


def resolver(theme: Theme) -> Callable[[str], str]:
    """What gives an attribute its colours by day or by night."""
    return resolved if theme == "light" else _resolved_by_night


def _resolved_by_night(value: str) -> str:
    return _USED.sub(lambda found: night()[found[1]], value) if "var(" in value else value


def resolved(value: str) -> str:
    """An attribute without ``var(--token)``; KeyError for a token that the app does not have."""
    if "var(" not in value:
        return value
    return _USED.sub(lambda found: tokens()[found[1]], value)
