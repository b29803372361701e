"""The card of a match in a list: board, players, and whose turn it is since when."""

from _native import format_moment

from frontend.app.api import game_catalogue
from frontend.app.components.board_thumbnail import match_thumbnail
from frontend.app.contract import provenance
from frontend.app.core.dom import el
from frontend.app.core.durations import format_time_left
from frontend.app.core.i18n import join_and, join_list, t, tn
from frontend.app.core.types import Data, Node


def card(item: Data, mine: bool) -> Node:
    """Return the card of a match; it links to the match if ``mine``, otherwise to joining it."""
    names = join_list([seat["name"] or t("open") for seat in item["seats"]])
    pips = [
        el("span", {"class": "pip", "style": f"background:var(--seat-{seat['seat']})"})
        for seat in item["seats"]
    ]
    where = f"/m/{item['id']}" if mine else f"/join/{item['id']}"
    return el(
        "a",
        {"class": "table-card", "href": where},
        match_thumbnail(item),
        el(
            "div",
            {"class": "body"},
            el("strong", {}, game_catalogue.get(item["game"])["title"]),
            el("div", {"class": "muted"}, names),
            el("div", {"class": "muted"}, provenance.file_line(item)) if "signed" in item else None,
            el("div", {"class": "pips"}, pips),
            _unread(item),
            el("div", {"class": "state"}, _tag(item), el("span", {}, state_text(item))),
        ),
    )


def _unread(item: Data) -> Node | None:
    count = item.get("unread")
    if not count:
        return None
    return el("div", {"class": "unread"}, tn("{n} unread word", "{n} unread words", n=count))


def _tag(item: Data) -> Node | None:
    """Return the tag for the state of the match; None if it is just another player's turn."""
    if item["status"] == "finished":
        return el("span", {"class": "tag"}, t("finished"))
    if item["status"] == "open":
        return el("span", {"class": "tag"}, t("seats open"))
    if "lost" in item:
        return el("span", {"class": "tag now"}, t("A bot has your seat"))
    return el("span", {"class": "tag now"}, t("your turn")) if item["your_turn"] else None


def state_text(item: Data) -> str:
    """Return a card's state line: the time left, whose turn it is, or the last update."""
    when = format_moment(item["updated"])
    if item["status"] == "finished":
        return when
    if item["status"] == "playing" and "deadline" in item:
        return format_time_left(item["deadline"])
    if item["status"] == "open" or item["your_turn"]:
        return t("since {when}", when=when)
    acting = [item["seats"][seat]["name"] for seat in item["to_act"][:2]]
    if len(item["to_act"]) > 2 or not all(acting) or not acting:
        return t("Last move {when}", when=when)
    return t("Waiting for {names} since {when}", names=join_and(acting), when=when)
