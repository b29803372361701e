"""The bar at the top of the match page."""

from collections.abc import Callable

from _native import guides

from frontend.app.contract.game_screen import ViewModel
from frontend.app.core.dom import el, picture
from frontend.app.core.i18n import t
from frontend.app.core.types import Node
from frontend.app.match.presence import Presence
from frontend.app.match.rules_sheet import RulesSheet
from frontend.app.match.turn_line import TurnLine


class GameBar:
    """The bar (``node``): the link back, the turn line, who is watching, and the rules.

    ``get_view_model()`` returns the view model of the moment shown.
    """

    def __init__(
        self,
        turn_line: TurnLine,
        presence: Presence,
        rules_sheet: RulesSheet,
        get_view_model: Callable[[], ViewModel],
    ) -> None:
        self.rules_sheet = rules_sheet
        self.get_view_model = get_view_model
        label = {"aria-label": t("All tables"), "title": t("All tables")}
        given = {"class": "button round quiet", "href": "/", **label}
        self.back_link = el("a", given, picture("i-back", 22))
        self.node = el(
            "header",
            {"class": "game-bar"},
            self.back_link,
            turn_line.node,
            presence.node,
            self._rules_button(),
        )

    def _rules_button(self) -> Node | None:
        """Build the button that opens the rules at the current topic, or None without a guide."""
        if self.rules_sheet.slug not in guides():
            return None
        label = {"aria-label": t("The rules"), "title": t("The rules")}
        sign = el("span", {"aria-hidden": "true"}, "?")
        kind = {"type": "button", "class": "button round quiet help", **label}
        return el("button", {**kind, "onclick": lambda _e: self._open_rules()}, sign)

    def _open_rules(self) -> None:
        now = self.get_view_model()
        self.rules_sheet.open(lambda guide: guide.topic(now.view, now.seat))
