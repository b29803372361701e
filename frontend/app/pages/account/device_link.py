"""The sheet for playing on another device: a one-time link, also as a QR code."""

from typing import Any

from _native import fill, minutes_until

from frontend.app.api import client
from frontend.app.api.reachable_address import loopback_warning
from frontend.app.components.share import copy_link_button, share
from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import after, button, cancel, el, link_box, muted_text, row, stack
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Data

UPDATE_INTERVAL_MS = 5_000  # interval between updates of the remaining time


class DeviceLinkSheet:
    """The sheet with the device link, which is in the DOM only while the sheet is open."""

    def __init__(self) -> None:
        self.body = stack()
        self.sheet = Sheet(t("account.use_other_device"), self.body)
        self.remaining = el("p", {"class": "muted", "role": "status"})
        self.timer: Any = None
        self.flight = SingleFlight()
        self.sheet.on_close(self._on_close)

    def open(self) -> None:
        """Request a new link, then open the sheet with it."""
        args = ("POST", "/api/players/link", None)
        self.flight.run(client.call, args, self._show_link, show_problem)

    def _on_close(self) -> None:
        fill(self.body)
        cancel(self.timer)

    def _show_link(self, link: Data) -> None:
        url = link["url"]
        code = el("img", {"src": link["qr"], "alt": t("account.link_qr_alt")})
        fill(
            self.body,
            el("p", {}, t("account.link_scan")),
            el("div", {"class": "qr"}, code),
            self.remaining,
            link_box(url),
            loopback_warning(url),
            row(
                button(t("share.share"), lambda _e: share(url), "primary grow"),
                copy_link_button(url),
            ),
            muted_text(t("account.link_warning")),
        )
        self.sheet.open()
        self._tick(link["expires"])

    def _tick(self, expires: Any) -> None:
        left = minutes_until(expires)
        if left > 0:
            fill(self.remaining, t("account.link_expires_in", n=left))
            self.timer = after(UPDATE_INTERVAL_MS, lambda: self._tick(expires))
        else:
            again = button(t("account.link_new"), lambda _e: self.open(), "primary")
            fill(self.body, el("p", {"role": "status"}, t("account.link_expired")), again)
