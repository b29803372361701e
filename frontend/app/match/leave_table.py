"""Leaving a table: which menu items there are, and the question before a running game is left."""

from collections.abc import Callable

from _native import fill

from frontend.app.api import game_catalogue
from frontend.app.components.match_file import export_link
from frontend.app.components.menu_button import menu_button
from frontend.app.core.dom import button, el, row
from frontend.app.core.i18n import join_list, t
from frontend.app.core.types import Action, Data, Node

Leave = Callable[[str], None]
"""Leaves the table; the argument is what takes the seat: "bot" or "nobody"."""


def describe_table(match: Data) -> str:
    """Return the game and the names of the players in one sentence."""
    names = join_list([seat["name"] or t("player.open_seat") for seat in match["seats"]])
    return t("home.table_summary", title=game_catalogue.get(match["game"])["title"], names=names)


def leave_items(match: Data, body: Node, leave: Leave, stay: Action) -> list[Node]:
    """Return the menu items with which a player leaves a match.

    Empty for spectators, in finished matches and where no other person plays. ``match``: the match
    or its entry in a list; ``body``: the body of the menu, which shows the question before a
    running game is left; ``stay()`` shows the menu again.
    """
    held = [seat for seat in match["seats"] if seat["you"]]
    others = [seat for seat in match["seats"] if seat["kind"] == "human" and not seat["you"]]
    if held and match["status"] == "open":
        return [menu_button(t("table.leave"), t("table.leave_hint"), lambda _e: leave("bot"))]
    if not (held and others and match["status"] == "playing"):
        return []

    def build(name: str, text: str, stand_in: str) -> Node:
        return menu_button(
            name, text, lambda _e: _ask(match, body, name, text, lambda: leave(stand_in), stay)
        )

    items = [build(t("table.leave_game"), t("table.leave_game_hint"), "bot")]
    if "secret" not in game_catalogue.get(match["game"])["traits"]:
        items.append(build(t("table.leave_open"), t("table.leave_open_hint"), "nobody"))
    return items


def _ask(match: Data, body: Node, name: str, text: str, leave: Action, stay: Action) -> None:
    """Ask in the body of the menu whether to leave a running game, with a link to its file."""
    stay_button = button(t("table.stay"), lambda _e: stay(), "grow")
    about = [el("p", {}, describe_table(match)), el("p", {}, text)]
    if match["visibility"] == "private":
        about.append(el("p", {}, t("table.leave_warning")))
    about.append(row(export_link(match["id"], t("file.download"))))
    answers = row(stay_button, button(name, lambda _e: leave(), "primary grow"))
    fill(body, about, answers)
    stay_button.focus()
