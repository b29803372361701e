"""The card of a match in a list: board, players, and whose turn it is since when."""

from _native import format_moment

from frontend.app.api import game_catalogue
from frontend.app.components.board_thumbnail import match_thumbnail
from frontend.app.contract import provenance
from frontend.app.core.dom import el
from frontend.app.core.durations import format_time_left
from frontend.app.core.i18n import join_and, join_list, t
from frontend.app.core.types import Data, Node


def card(item: Data, mine: bool) -> Node:
    """Return the card of a match.

    It links to the match if ``mine``, otherwise to joining it, and then has the time control.
    """
    names = join_list([seat["name"] or t("player.open_seat") for seat in item["seats"]])
    pips = [
        el("span", {"class": "pip", "style": f"background:var(--seat-{seat['seat']})"})
        for seat in item["seats"]
    ]
    where = f"/m/{item['id']}" if mine else f"/join/{item['id']}"
    pace = None if mine else _pace(item)
    return el(
        "a",
        {"class": "table-card", "href": where, "data-game": item["game"], "data-pace": pace},
        match_thumbnail(item),
        el(
            "div",
            {"class": "body"},
            el("strong", {}, game_catalogue.get(item["game"])["title"]),
            el("div", {"class": "muted"}, names),
            el("div", {"class": "muted"}, _pace_text(item["pace"])) if pace else None,
            el("div", {"class": "muted"}, provenance.file_line(item)) if "signed" in item else None,
            el("div", {"class": "pips"}, pips),
            _unread(item),
            el("div", {"class": "state"}, _tag(item), el("span", {}, state_text(item))),
        ),
    )


def _pace(item: Data) -> str | None:
    """Return the kind of time control of a match: "none", "live" or "days"; None if unknown."""
    if "pace" not in item:
        return None
    return item["pace"]["kind"] if item["pace"] else "none"


def _pace_text(pace: Data | None) -> str:
    if not pace:
        return t("time.none")
    if pace["kind"] == "live":
        return join_list([t("time.live"), t("time.minutes_per_player_value", n=pace["bank"] // 60)])
    return join_list([t("time.correspondence"), t("time.days_per_turn_value", n=pace["days"])])


def _unread(item: Data) -> Node | None:
    count = item.get("unread")
    if not count:
        return None
    return el("div", {"class": "unread"}, t("home.unread_messages", n=count))


def _tag(item: Data) -> Node | None:
    """Return the tag for the state of the match; None if it is just another player's turn."""
    if item["status"] == "finished":
        return el("span", {"class": "tag"}, t("home.finished"))
    if item["status"] == "open":
        return el("span", {"class": "tag"}, t("home.seats_open"))
    if "lost" in item:
        return el("span", {"class": "tag now"}, t("seat.bot_has_seat"))
    return el("span", {"class": "tag now"}, t("home.your_turn_tag")) if item["your_turn"] else None


def state_text(item: Data) -> str:
    """Return a card's state line: the time left, whose turn it is, or the last update."""
    when = format_moment(item["updated"])
    if item["status"] == "finished":
        return when
    if item["status"] == "playing" and "deadline" in item:
        return format_time_left(item["deadline"])
    if item["status"] == "open" or item["your_turn"]:
        return t("home.since", when=when)
    acting = [item["seats"][seat]["name"] for seat in item["to_act"][:2]]
    if len(item["to_act"]) > 2 or not all(acting) or not acting:
        return t("home.last_move", when=when)
    return t("home.waiting_since", names=join_and(acting), when=when)
