"""The summary of a game on the pages for opening and joining a table."""

from _native import by_id, guides

from frontend.app.components.board_thumbnail import game_thumbnail
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.match.rules_sheet import RulesSheet
from frontend.app.pages.home.template import facts_line


def about_game(game: Data) -> list[Node]:
    """Return a game's description: board, facts (players, duration, complexity), summary."""
    return [
        el(
            "div",
            {"class": "game-told"},
            game_thumbnail(game["slug"]),
            el("p", {}, facts_line(LANGUAGE, game)),
        ),
        el("p", {"class": "muted"}, game["about"]),
    ]


def rules_button(slug: str) -> Node | None:
    """Return a button that opens the rules in a sheet; None if the game has no rules text.

    A sheet, unlike a link, keeps the input of the page's form.
    """

    def on_open(_event: DomEvent) -> None:
        guide = RulesSheet(slug)
        by_id("app").append(guide.sheet.node)
        guide.sheet.on_close(lambda: guide.sheet.node.remove())
        guide.open(lambda guide_module: guide_module.GUIDE[0].name)

    return button(t("How it is played"), on_open, "quiet", "i-eye") if slug in guides() else None
