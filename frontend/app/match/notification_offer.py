"""The offer to notify this device of its turn, shown while another player is to move."""

from _native import (
    loads,
    push_state,
    push_subscribed,
    push_works,
    seen,
    soon,
    stored,
    subscribe_push,
)

from frontend.app.api import client
from frontend.app.core import match_ids
from frontend.app.core.dom import button, el, fill, toast
from frontend.app.core.i18n import t
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data, Does

ASKED = "notices"
"""Storage key of the answer to the offer on this device: "on" or "no"."""


def tell_here(then: Does, failed: Does) -> None:
    """Subscribe this device to push notifications; call it right after a tap.

    Browsers may ask for permission only in response to one. Calls ``then()`` or ``failed()``.
    """

    def subscribed(found: str | None) -> None:
        if found is None:
            failed()
            return
        data = loads(found)
        body = {"endpoint": data["endpoint"], "keys": data["keys"]}
        client.call("POST", "/api/notices/push", body, done, lost)

    def done(_way: Data) -> None:
        stored(ASKED, "on")
        then()

    def lost(problem: Problem) -> None:
        toast(problem.detail)
        failed()

    subscribe_push(subscribed)


class Bell:
    """The offer and its buttons; hidden while it must not be made."""

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.waits = False
        self.node = el("div", {"class": "bell row", "hidden": True})
        take = button(t("Tell me when it is my turn"), lambda _e: self._take(), "grow", "i-bell")
        no = button(t("Not now"), lambda _e: self._away("no"))
        fill(self.node, take, no)

    def note(self, waits: bool) -> None:
        """Show or hide the offer; ``waits``: another person is to move.

        Also closes this device's notifications of the match, because the page shows their news.
        """
        if match_ids.is_local_path("/api/matches/" + self.id):
            return
        seen(self.id)
        self.waits = waits
        if waits:
            soon(self._offer)  # reading the permission from the browser takes time
        else:
            self.node.hidden = True

    def _offer(self) -> None:
        """Show the offer if this device was never asked, or has lost its permission since.

        If no answer is stored but the permission is granted, the browser is asked for a
        subscription.
        """
        asked, state = stored(ASKED), push_state()
        forgot = asked == "on" and state == "can"
        if not push_works() or not (forgot or asked is None):
            self.node.hidden = True
        elif state == "granted":
            push_subscribed(self._known)
        else:
            self.node.hidden = not (self.waits and state == "can")

    def _known(self, subscribed: bool) -> None:
        if subscribed:
            stored(ASKED, "on")
        self.node.hidden = not self.waits or subscribed

    def _take(self) -> None:
        def done() -> None:
            toast(t("This device tells you when it is your turn."))
            self._away("on")

        tell_here(done, lambda: self._away("no"))

    def _away(self, answer: str) -> None:
        stored(ASKED, answer)
        self.node.hidden = True
