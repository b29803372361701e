"""The sheet with the rules of a game, which any page can open."""

from collections.abc import Callable
from typing import Any

from _native import fill

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import el
from frontend.app.core.i18n import t
from frontend.app.core.types import Node
from frontend.app.games import loader


class RulesSheet:
    """The sheet with the rules of a game; ``above``: nodes shown above the rules."""

    def __init__(self, slug: str, *above: Node) -> None:
        self.slug = slug
        self.guide: Any = None
        self.content = el("div", {})
        self.sheet = Sheet(t("rules.title"), [*above, self.content])

    def open(self, topic: Callable[[Any], str]) -> None:
        """Open the sheet and scroll to the section whose name ``topic(guide)`` returns.

        ``topic`` is called with the guide module once it is loaded, if the sheet is still open.
        """
        self.sheet.open()
        if self.guide is None:
            fill(self.content, el("div", {"class": "skeleton", "style": "min-height:40vh"}))
        loader.load_guide(self.slug, lambda: self._show(topic))

    def _show(self, topic: Callable[[Any], str]) -> None:
        if self.guide is None:
            from frontend.app.match.rules_text import RulesView

            self.guide = RulesView(self.slug, "h3")
            fill(self.content, self.guide.node)
        if self.sheet.is_open:
            self.guide.show(topic(loader.guide_of(self.slug)))
