"""Every game the product knows: one line each."""

from importlib import import_module
from typing import cast

from domain.caravane import TITLE as CARAVANE
from domain.caravanserai import TITLE as CARAVANSERAI
from domain.caravanserail import TITLE as CARAVANSERAIL
from domain.game import Rules, Title

TITLES: dict[str, Title] = {title.slug: title for title in (CARAVANSERAI, CARAVANSERAIL, CARAVANE)}


def rules_of(slug: str) -> Rules:
    """The rules of a game; KeyError for an unknown slug."""
    return cast(Rules, import_module(TITLES[slug].module))
