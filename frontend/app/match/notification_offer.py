"""The offer to notify this device when it is its turn, shown while somebody else is to move."""

from _native import (
    call_soon,
    check_push_subscription,
    close_notifications,
    is_push_ready,
    loads,
    local_storage,
    push_state,
    subscribe_push,
)

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, fill, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Action, Data

ANSWER_KEY = "notices"
"""The localStorage key of this device's answer to the offer: "on" or "no"."""


def enable_push(then: Action, failed: Action) -> None:
    """Subscribe this device to push notifications, then call ``then()`` or ``failed()``.

    Call this directly in a tap handler: browsers ask for permission only in response to a tap.
    """

    def on_subscribed(found: str | None) -> None:
        if found is None:
            failed()
            return
        data = loads(found)
        body = {"endpoint": data["endpoint"], "keys": data["keys"]}
        client.call("POST", "/api/notices/push", body, done, on_error)

    def done(_answer: Data) -> None:
        local_storage(ANSWER_KEY, "on")
        then()

    def on_error(problem: Problem) -> None:
        toast(problem.detail)
        failed()

    subscribe_push(on_subscribed)


class NotificationOffer:
    """The offer and its buttons (``node``); hidden when it does not apply."""

    def __init__(self, context: MatchContext) -> None:
        self.match = context.match
        self.id = context.id
        self.is_waiting = False
        self.node = el("div", {"class": "bell row", "hidden": True})
        take = button(t("notification.offer"), lambda _e: self._accept(), "grow", "i-bell")
        no = button(t("notification.not_now"), lambda _e: self._store_answer("no"))
        fill(self.node, take, no)
        if not match_ids.is_local_path(context.path):
            context.moment_changed.subscribe(self._update)

    def _update(self, view_model: ViewModel) -> None:
        """Show the offer while another person is to move.

        Also closes this device's notifications of the match, because the page shows what they
        report.
        """
        close_notifications(self.id)
        acting = self.match.acting_seats() if view_model.live else ()
        seats = self.match.data["seats"]
        others = [seat for seat in acting if seats[seat]["kind"] == "human"]
        self.is_waiting = bool(others) and view_model.seat is None
        if self.is_waiting:
            call_soon(self._show_offer)  # reading the permission from the browser takes time
        else:
            self.node.hidden = True

    def _show_offer(self) -> None:
        """Show the offer if this device has not answered it, or the browser reset its permission.

        If the permission is already granted, the offer is shown only if there is no push
        subscription.
        """
        asked, state = local_storage(ANSWER_KEY), push_state()
        forgot = asked == "on" and state == "can"
        if not is_push_ready() or not (forgot or asked is None):
            self.node.hidden = True
        elif state == "granted":
            check_push_subscription(self._on_subscription)
        else:
            self.node.hidden = not (self.is_waiting and state == "can")

    def _on_subscription(self, subscribed: bool) -> None:
        if subscribed:
            local_storage(ANSWER_KEY, "on")
        self.node.hidden = not self.is_waiting or subscribed

    def _accept(self) -> None:
        def done() -> None:
            toast(t("notification.on_now"))
            self._store_answer("on")

        enable_push(done, lambda: self._store_answer("no"))

    def _store_answer(self, answer: str) -> None:
        local_storage(ANSWER_KEY, answer)
        self.node.hidden = True
