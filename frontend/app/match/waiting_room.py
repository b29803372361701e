"""The waiting room: seats of an open match, invitation link and QR code."""

from typing import Any

from _native import fill, is_secure_context

from frontend.app.api import game_catalogue
from frontend.app.api.reachable_address import find_reachable_address, loopback_warning
from frontend.app.components import page_frame
from frontend.app.components.share import copy_link_button, share
from frontend.app.contract import provenance
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import button, el, link_box, muted_text, row, show
from frontend.app.core.i18n import t
from frontend.app.core.types import Node
from frontend.app.match.presence import Presence


def show_waiting_room(context: MatchContext, presence: Presence) -> None:
    """Show the page of a match that still has open seats."""
    data = context.match.data
    open_seats = [seat for seat in data["seats"] if seat["kind"] == "open"]
    lines = [_seat(seat, presence) for seat in data["seats"]]
    about = el(
        "section",
        {"class": "card"},
        _name(data["game"]),
        el("p", {"role": "status"}, t("table.open_seats", n=len(open_seats))),
        el("div", {}, lines),
        page_frame.rules_link(data["game"]),
        provenance.origin_paragraph(data),
    )
    shown = page_frame.page(t("table.waiting_title"), about)
    if "invite" in data:
        about.before(_invitation(context.id, data["invite"]))
    elif not context.match.own_seats():
        link = {"class": "button primary", "href": context.join_address()}
        shown.append(el("a", link, t("seat.join")))
    show(shown)


def _name(slug: str) -> Node:
    """Return a heading that shows the game's title once the catalogue is loaded."""
    name = el("h2", {}, "\xa0")
    game_catalogue.load(lambda _games: fill(name, game_catalogue.get(slug)["title"]))
    return name


def _seat(seat: Any, presence: Presence) -> Node:
    bot = t("player.easy_bot") if seat.get("level") == "easy" else t("player.bot")
    state = {"open": t("player.open_seat"), "bot": bot}.get(
        seat["kind"], t("player.you_tag") if seat["you"] else t("player.is_here")
    )
    name = seat["name"] or t("player.seat_number", seat=seat["seat"] + 1)
    return el(
        "div",
        {"class": "seat-line"},
        page_frame.medal(seat["seat"]),
        el("span", {"class": "name"}, name),
        presence.dot(seat["seat"]) if seat["kind"] == "human" and not seat["you"] else None,
        el("span", {"class": "tag" + (" now" if seat["kind"] == "open" else "")}, state),
    )


def _invitation(match_id: str, invite: str) -> Node:
    card = el("section", {"class": "card"})
    find_reachable_address(lambda address: fill(card, invitation_nodes(match_id, invite, address)))
    return card


def invitation_nodes(match_id: str, invite: str, address: str) -> list[Node | None]:
    """Return the nodes of the invitation: heading, QR code, link, share buttons and warnings.

    ``invite``: the invite code; ``address``: the origin at which other devices reach the service.
    """
    link = f"{address}/join/{match_id}?invite={invite}"

    code = el(
        "img", {"src": f"/api/matches/{match_id}/invite.svg", "alt": t("table.invite_qr_alt")}
    )
    parts = [
        el("h2", {}, t("table.invite_players")),
        row(
            button(t("share.share"), lambda _e: share(link), "primary grow"), copy_link_button(link)
        ),
        el("p", {}, t("table.invite_how")),
        el("div", {"class": "qr"}, code),
        link_box(link),
        loopback_warning(address),
    ]
    if not is_secure_context():
        parts.append(muted_text(t("error.http_address")))
    return parts
