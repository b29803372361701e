"""The summary of a game on the pages for opening and joining a table."""

from _native import guides

from frontend.app.components.board_thumbnail import game_thumbnail
from frontend.app.core.dom import button, el
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.types import Data, DomEvent, Node
from frontend.app.match.rules_sheet import RulesSheet
from frontend.app.pages.home.template import facts_line


def about_game(game: Data, rules: Node | None = None) -> list[Node]:
    """Return a game's description: board, facts (players, duration, complexity), summary.

    ``rules``: a control that opens the rules, below the facts.
    """
    facts = el("div", {"class": "body"}, el("p", {}, facts_line(LANGUAGE, game)), rules)
    return [
        el("div", {"class": "game-told"}, game_thumbnail(game["slug"]), facts),
        el("p", {"class": "muted about"}, game["about"]),
    ]


def rules_button(slug: str) -> Node | None:
    """Return a button that opens the rules in a sheet; None if the game has no rules text.

    A sheet, unlike a link, keeps the input of the page's form.
    """

    def on_open(_event: DomEvent) -> None:
        guide = RulesSheet(slug)
        guide.sheet.open_once()
        guide.open(lambda guide_module: guide_module.GUIDE[0].name)

    return button(t("rules.how_to_play"), on_open, "quiet", "i-eye") if slug in guides() else None
