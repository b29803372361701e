"""The colour tokens of pictures, read from the app's style sheet."""

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Literal

import frontend

TOKENS_FILE = Path(frontend.__file__).parent / "static" / "style" / "tokens.css"
_FONT_FAMILIES = {"sans": "Noto Sans", "serif": "Noto Serif"}
"""The shipped fonts that replace the app's font families."""
_TOKEN_PATTERN = re.compile(r"--([\w-]+):\s*([^;]+);")
_TOKEN_USE_PATTERN = re.compile(r"var\(--([\w-]+)\)")


@cache
def light_tokens() -> dict[str, str]:
    """Return the tokens of the light theme, from the first rule of the style sheet."""
    style = TOKENS_FILE.read_text()
    return dict(_TOKEN_PATTERN.findall(style[: style.index("}")])) | _FONT_FAMILIES


Theme = Literal["light", "dark"]


@cache
def dark_tokens() -> dict[str, str]:
    """Return the tokens of the dark theme: the light tokens, overridden by the dark theme's own."""
    style = TOKENS_FILE.read_text()
    begin = style.index('[data-theme="dark"]')
    return light_tokens() | dict(_TOKEN_PATTERN.findall(style[begin : style.index("}", begin)]))


def _resolve(tokens: Callable[[], dict[str, str]], value: str) -> str:
    if "var(" not in value:
        return value
    return _TOKEN_USE_PATTERN.sub(lambda found: tokens()[found[1]], value)


def token_resolver(theme: Theme) -> Callable[[str], str]:
    """Return the function that replaces each ``var(--token)`` in an attribute with its value.

    The values are those of the theme. The function raises KeyError for an unknown token.
    """
    return partial(_resolve, light_tokens if theme == "light" else dark_tokens)


resolve_light = token_resolver("light")
