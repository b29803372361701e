"""Actions on a match other than moves: mute notifications, recover a seat, follow the feed.

They are in the "This table" section of the match page; muting and the feed are also in the menu of
a match in the list.
"""

from collections.abc import Callable
from typing import Any

from _native import add_listener, fill, go, origin

from frontend.app.api import client, local_gateway
from frontend.app.components.menu_button import button_text, menu_button
from frontend.app.components.share import copy_button
from frontend.app.contract.context import MatchContext
from frontend.app.core import match_ids
from frontend.app.core.dom import el, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Action, Data, DomEvent, Node
from frontend.app.games.loader import load_bundle


class MatchMenu:
    """The "This table" section of a match page; its content is built when it is opened.

    A local match has no such section; ``local_actions`` has its menu items instead. ``sync()``
    requests the match from the service.
    """

    def __init__(self, context: MatchContext, sync: Action) -> None:
        self.context = context
        self.sync = sync
        self.flight = SingleFlight()
        self.body = el("div", {"class": "stack"})
        self.node = el(
            "details", {"class": "table-ways"}, el("summary", {}, t("This table")), self.body
        )
        self.local_actions = el("div", {"class": "stack", "hidden": True})
        if match_ids.is_local_match(context.id):
            self._load_local_actions()
        add_listener(self.node, "toggle", self._on_toggle)

    def _load_local_actions(self) -> None:
        """Hide the section, and load the menu items of a local match.

        Lessons and trials have no menu items.
        """
        self.node.hidden = True
        match_id = self.context.id
        if not match_ids.is_lesson(match_id) and not match_ids.is_trial(match_id):
            local_gateway.load_server(self._show_local_actions)

    def _show_local_actions(self, server: Any) -> None:
        context = self.context
        table = server.matches.get(context.id)
        practice = table is not None and "practice" in table.head
        # The match page may still be under construction at this point.
        fill(self.local_actions, local_gateway.menu_items(context, practice))
        self.local_actions.hidden = False

    def _on_toggle(self, _event: DomEvent) -> None:
        if self.node.open:
            self._fill()

    def _fill(self) -> None:
        context = self.context
        code = context.match.data.get("share") or context.share_code
        items = [mute_button(context.id, self._post_mute)] if context.match.own_seats() else []
        if context.match.own_seats() and context.match.data["status"] != "finished":
            items += self._recovery()
        follow = menu_button(
            t("Follow it in a feed reader"),
            t("An address that tells every move in words, as those see it who watch."),
            lambda _e: show_atom_link(self.body, context.id, code, []),
        )
        fill(self.body, items, follow)

    def _recovery(self) -> list[Node]:
        """Return the buttons for seat recovery, or why there are none if nobody else plays."""
        if self.context.match.is_alone:
            text = t("Nobody else plays here. A recovery code on the page “You” brings you back.")
            return [el("p", {"class": "muted"}, text)]
        return [
            menu_button(
                t("Seat PIN"),
                t("Brings you back at once if you lose this device."),
                lambda _e: self.show_recovery_form(False),
            ),
            menu_button(
                t("Let a player back in"),
                t("Somebody lost their device and has a new one."),
                lambda _e: self.show_recovery_form(True),
            ),
        ]

    def show_recovery_form(self, others: bool, code: str = "") -> None:
        """Show the form to let another player back in (``others``), or to set the own seat's PIN.

        Does nothing for spectators. ``code``: a recovery code to prefill the first form with.
        """
        context = self.context
        held = context.match.own_seats()
        if not held:
            return

        def asked() -> None:
            go(context.address_at(), True)  # remove the used code from the address
            self.sync()

        def show_form() -> None:
            from frontend.app.components.seat_recovery import SeatPinForm, SeatRecoveryForm

            if context.is_closed:
                return
            if others:
                SeatRecoveryForm(context.path, held[0], context.match.names, self.body, asked, code)
            else:
                SeatPinForm(context.path, context.match.seat_to_act() or held[0], self.body)

        self.node.open = True
        load_bundle("back", show_form)

    def _post_mute(self, body: Data, text: str) -> None:
        def done(_answer: Any) -> None:
            toast(text)
            if not self.context.is_closed:
                self._fill()

        def on_error(problem: Problem) -> None:
            toast(problem.detail)

        self.flight.run(client.send, (self.context.path + "/mute", body), done, on_error)


def mute_button(match_id: str, send: Callable[[Data, str], None]) -> Node:
    """Return the button that mutes or unmutes the notifications of a match.

    ``send(body, text)`` is called on a tap; it must send the body and then show the text as a
    toast. The button is disabled until the current setting is loaded.
    """
    node = el("button", {"type": "button", "class": "way", "disabled": True})

    def tell(muted: bool) -> None:
        title, text = t("Tell me nothing of it"), t("Your other tables are told as before.")
        if muted:
            title, text = t("Tell me of it again"), t("Now you are told nothing of this table.")
        fill(node, button_text(title, text))

    def known(data: Data) -> None:
        muted = match_id in data["muted"]
        outcome = t("You are told of it again.") if muted else t("You are told nothing of it.")
        tell(muted)
        add_listener(node, "click", lambda _e: send({"muted": not muted}, outcome))
        node.disabled = False

    tell(False)
    client.get("/api/notices", known, lambda _problem: None)
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
        field = el("div", {"class": "link", "tabindex": "0"}, url)
        fill(
            body,
            before,
            field,
            el("p", {"class": "muted"}, t("Who knows it sees what those see who watch.")),
            el("div", {"class": "row"}, copy_button(url, "primary grow")),
        )
        field.focus()

    client.get(
        f"/api/matches/{match_id}/feed",
        lambda feed: show(feed["reader"]),
        lambda _problem: show(None),
    )
