"""Items that the menu of the match page and the menu of a match in the list have in common."""

from collections.abc import Callable
from typing import Any

from _native import add_listener, fill, origin

from frontend.app.api import client
from frontend.app.components.menu_button import button_text
from frontend.app.components.share import copy_button
from frontend.app.core.dom import el, link_box, muted_text, row
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node


def mute_button(match_id: str, send: Callable[[Data, str], None]) -> Node:
    """Return the button that mutes or unmutes the notifications of a match.

    ``send(body, text)`` is called on a tap; it must send the body and then show the text as a
    toast. The button is disabled until the current setting is loaded.
    """
    node = el("button", {"type": "button", "class": "way", "disabled": True})

    def tell(muted: bool) -> None:
        title, text = t("notification.table_mute"), t("notification.table_mute_hint")
        if muted:
            title, text = t("notification.table_unmute"), t("notification.table_muted_hint")
        fill(node, button_text(title, text))

    def known(data: Data) -> None:
        muted = match_id in data["muted"]
        outcome = t("notification.unmuted") if muted else t("notification.muted")
        tell(muted)
        add_listener(node, "click", lambda _e: send({"muted": not muted}, outcome))
        node.disabled = False

    tell(False)
    client.get("/api/notices", known)
    return node


def show_atom_link(body: Node, match_id: str, code: str | None, before: Any) -> None:
    """Show the address of the match's Atom feed in ``body``, below the nodes ``before``.

    Feed readers send no cookies, so the address contains the share code ``code``, if any, and a
    reader code with which the service omits chat messages of people this player has muted.
    """

    def show(reader: str | None) -> None:
        codes = [("share", code), ("reader", reader)]
        query = "&".join([f"{name}={value}" for name, value in codes if value])
        url = f"{origin()}/api/matches/{match_id}/feed.atom" + (f"?{query}" if query else "")
        field = link_box(url)
        fill(
            body,
            before,
            field,
            muted_text(t("table.feed_who")),
            row(copy_button(url, "primary grow")),
        )
        field.focus()

    client.get(
        f"/api/matches/{match_id}/feed",
        lambda feed: show(feed["reader"]),
        lambda _problem: show(None),
    )
