"""The bar at the top of the match page."""

from frontend.app.core.dom import el, picture, plain_button
from frontend.app.core.i18n import t
from frontend.app.core.types import Action, Node
from frontend.app.match.presence import Presence
from frontend.app.match.turn_line import TurnLine


class GameBar:
    """The bar (``node``): the link back, the turn line, who is watching, the rules and the menu.

    On phones the rules are only in the menu. ``open_rules()`` opens the rules at the current topic,
    or is None for a game without a guide.
    """

    def __init__(
        self, turn_line: TurnLine, presence: Presence, open_rules: Action | None, menu_button: Node
    ) -> None:
        label = {"aria-label": t("common.home"), "title": t("common.home")}
        given = {"class": "button round quiet", "href": "/", **label}
        self.back_link = el("a", given, picture("i-back", 22))
        self.node = el(
            "header",
            {"class": "game-bar"},
            self.back_link,
            turn_line.node,
            presence.node,
            _rules_button(open_rules) if open_rules is not None else None,
            menu_button,
        )


def _rules_button(open_rules: Action) -> Node:
    label = {"aria-label": t("rules.title"), "title": t("rules.title")}
    sign = el("span", {"aria-hidden": "true"}, "?")
    return plain_button("button round quiet help", lambda _e: open_rules(), sign, **label)
