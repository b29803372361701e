"""Playing on another device: a one-time link as a QR code, to copy or to share."""

from typing import Any

from _native import fill, minutes_until

from frontend.app.api import client
from frontend.app.api.reachable_address import here_only
from frontend.app.components.share import copy_link_button, share
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import after, button, cancel, el, toast
from frontend.app.core.i18n import t, tn
from frontend.app.core.problem import Problem
from frontend.app.core.types import Data

LOOKS = 5_000  # milliseconds between two updates of the remaining time


class Elsewhere:
    """The sheet with the link; the link is in the DOM only while the sheet is open."""

    def __init__(self) -> None:
        self.body = el("div", {"class": "stack"})
        self.sheet = Sheet(t("Play on another device"), self.body)
        self.left = el("p", {"class": "muted", "role": "status"})
        self.timer: Any = None
        self.asking = False
        self.sheet.on_close(self._closed)

    def open(self) -> None:
        """Request a new link and show it."""
        if not self.asking:
            self.asking = True
            client.call("POST", "/api/players/link", None, self._made, self._failed)

    def _closed(self) -> None:
        fill(self.body)
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None

    def _made(self, link: Data) -> None:
        self.asking = False
        url = link["url"]
        fill(
            self.body,
            el("p", {}, t("Scan this with the other device, or open the link there.")),
            el(
                "div",
                {"class": "qr"},
                el("img", {"src": link["qr"], "alt": t("QR code of the link")}),
            ),
            self.left,
            el("div", {"class": "link", "tabindex": "0"}, url),
            here_only(url),
            el(
                "div",
                {"class": "row"},
                button(t("Share"), lambda _e: share(url), "primary grow"),
                copy_link_button(url),
            ),
            el(
                "p",
                {"class": "muted"},
                t("Whoever opens it plays as you, once: give it to nobody else."),
            ),
        )
        self.sheet.open()
        self._tick(link["expires"])

    def _failed(self, problem: Problem) -> None:
        self.asking = False
        toast(problem.detail)

    def _tick(self, expires: Any) -> None:
        left = minutes_until(expires)
        if left > 0:
            fill(self.left, tn("Good for {n} minute.", "Good for {n} minutes.", n=left))
            self.timer = after(LOOKS, lambda: self._tick(expires))
        else:
            again = button(t("Make a new one"), lambda _e: self.open(), "primary")
            fill(self.body, el("p", {"role": "status"}, t("This link has run out.")), again)
