"""Another version of the app has come while this page was open: it may be begun anew.

The page itself goes on with all parts of its own version until then; the service worker keeps them.
"""

from _native import newer, reload

from frontend.app.dom import button, by_id, el
from frontend.app.words import t


def begin() -> None:
    """Says so once, when it happens."""
    said: list[bool] = []

    def come() -> None:
        if not said:
            said.append(True)
            by_id("app").before(_notice())

    newer(come)


def _notice() -> object:
    words = el("span", {}, t("A new version is here."))
    return el(
        "div",
        {"class": "offline newer", "role": "status"},
        words,
        button(t("Reload"), lambda _event: reload()),
    )
