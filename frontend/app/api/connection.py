"""Whether the service is reachable, and the banner that says so if it is not."""

from typing import Any

from _native import add_listener, fill

from frontend.app.api.outbox import Outbox
from frontend.app.core.dom import by_id, el
from frontend.app.core.i18n import join_sentences, t

_banner = el("div", {"class": "offline", "role": "status", "hidden": True})
by_id("app").before(_banner)
_state: dict[str, Any] = {"there": True, "words": None, "seen": None, "outbox": None}
UNSENT_TEXTS = {None: "", "kept": t("offline.sent_later"), "lost": t("offline.lost_if_closed")}


def set_reachable(reachable: bool) -> None:
    """Record whether the service is reachable, and update the banner.

    When the service becomes reachable again, the outbox retries immediately.
    """
    reachable = bool(reachable)
    back = reachable and not _state["there"]
    _state["there"] = reachable
    update_banner()
    if back:
        _state["outbox"].retry_now()


def is_reachable() -> bool:
    """Return whether the service was reachable when `set_reachable` was last called."""
    return bool(_state["there"])


def set_last_known(moment: str | None) -> None:
    """Set the time at which the match shown was stored, for the banner; None: it is current."""
    _state["seen"] = moment
    update_banner()


def watch(outbox: Outbox) -> None:
    """Set the outbox whose unsent entries the banner mentions, and which `set_reachable` wakes."""
    _state["outbox"] = outbox


def update_banner() -> None:
    """Show the banner if the service is unreachable or requests are being retried, or hide it."""
    text, outbox = None, _state["outbox"]
    if not _state["there"]:
        seen = _state["seen"]
        kept = t("offline.last_updated", seen=seen) if seen else ""
        text = join_sentences([t("error.no_connection"), kept, UNSENT_TEXTS[outbox.unsent_state()]])
    elif outbox.is_retrying() and outbox.unsent_state():
        text = join_sentences([t("error.server_busy"), UNSENT_TEXTS[outbox.unsent_state()]])
    if text != _state["words"]:
        _state["words"] = text
        fill(_banner, text)
        _banner.hidden = text is None


add_listener("window", "offline", lambda _event: set_reachable(False))
