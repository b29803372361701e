"""At a table where another is to move: an offer to be told on this device when the turn comes."""

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

from frontend.app import net
from frontend.app.dom import button, el, fill, toast
from frontend.app.net import Problem
from frontend.app.phone import door
from frontend.app.typed import Data, Does
from frontend.app.words import t

ASKED = "notices"
"""Under which name this device keeps that it was asked: "on" or "no"."""


def tell_here(then: Does, failed: Does) -> None:
    """Asks the browser and the service to tell this device; to be called right after a tap."""

    def subscribed(found: str | None) -> None:
        if found is None:
            failed()
            return
        data = loads(found)
        body = {"endpoint": data["endpoint"], "keys": data["keys"]}
        net.call("POST", "/api/notices/push", body, done, lost)

    def done(_way: Data) -> None:
        stored(ASKED, "on")
        then()

    def lost(problem: Problem) -> None:
        toast(problem.detail)
        failed()

    subscribe_push(subscribed)


class Bell:
    """The offer, hidden where it is not to be made."""

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.waits = False
        self.node = el("div", {"class": "bell row", "hidden": True})
        take = button(t("Tell me when it is my turn"), lambda _e: self._take(), "grow", "i-bell")
        no = button(t("Not now"), lambda _e: self._away("no"))
        fill(self.node, take, no)

    def note(self, waits: bool) -> None:
        """``waits``: another person is to move. What this page shows need not be shown as news."""
        if door.is_here("/api/matches/" + self.id):
            return
        seen(self.id)
        self.waits = waits
        if waits:
            soon(self._offer)  # browsers take their time to say what is allowed
        else:
            self.node.hidden = True

    def _offer(self) -> None:
        """Where it is not known that this device was asked, the browser knows what came of it."""
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
