"""Whether the service can be reached, and the banner that says so."""

from typing import Any

from _native import fill, listen

from frontend.app.api.outbox import Outbox
from frontend.app.core.dom import by_id, el
from frontend.app.core.i18n import sentences, t
from frontend.app.core.types import DomEvent

_banner = el("div", {"class": "offline", "role": "status", "hidden": True})
by_id("app").before(_banner)
_known: dict[str, Any] = {"there": True, "words": None, "seen": None, "outbox": None}
WAITS = {
    None: "",
    "kept": t("What you did is kept on this device and sent later."),
    "lost": t("What you did is sent when it is back, but it is lost if you close this page."),
}


def reached(there: bool) -> None:
    """Record whether the service is reachable, and update the banner.

    The outbox is woken when the service becomes reachable again.
    """
    there = bool(there)
    back = there and not _known["there"]
    _known["there"] = there
    update_banner()
    if back:
        _known["outbox"].wake()


def there() -> bool:
    """Whether the service answered the last request."""
    return bool(_known["there"])


def last_known(moment: str | None) -> None:
    """Set the time of the match in view, shown while the service is unreachable; None: now."""
    _known["seen"] = moment
    update_banner()


def watch(outbox: Outbox) -> None:
    """Set the outbox: the banner shows what waits in it; it is woken when the service is back."""
    _known["outbox"] = outbox


def update_banner() -> None:
    """Show the banner, or hide it."""
    words, outbox = None, _known["outbox"]
    if not _known["there"]:
        seen = _known["seen"]
        kept = t("Last known: {seen}.", seen=seen) if seen else ""
        words = sentences([t("No connection."), kept, WAITS[outbox.stuck()]])
    elif outbox.tries and outbox.stuck():
        words = sentences([t("The service is busy."), WAITS[outbox.stuck()]])
    if words != _known["words"]:
        _known["words"] = words
        fill(_banner, words)
        _banner.hidden = words is None


def _offline(_event: DomEvent) -> None:
    reached(False)


listen("window", "offline", _offline)
