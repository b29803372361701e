"""The colours of pictures: those of the app by day, read from its style sheet."""

import re
from functools import cache
from pathlib import Path

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


def resolved(value: str) -> str:
    """An attribute without ``var(--token)``; KeyError for a token that the app does not have."""
    if "var(" not in value:
        return value
    return _USED.sub(lambda found: tokens()[found[1]], value)
