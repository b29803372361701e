"""Another version of the app has come while this page was open: it may be begun anew.

The page itself goes on with all parts of its own version; the service worker keeps them. Where it
did not, a part that is fetched later may be gone, and only a reload helps.
"""

from collections.abc import Callable

from _native import each_of, newer, reload

from frontend.app.dom import after, button, by_id, el, fill
from frontend.app.typed import Does
from frontend.app.words import t

AGAIN_MS = 2000
"""Milliseconds until what the network lost is asked for again."""
_words = el("span", {})
_said: list[bool] = []


def begin() -> None:
    """Says so once, when it happens."""
    newer(lambda: _say(t("A new version is here."), False))


def retry_unless_gone(again: Does) -> Callable[[bool], None]:
    """What to do when a part of the app did not come: ``failed(gone)`` calls ``again()`` a while
    later, or says that only a reload helps."""

    def failed(gone: bool) -> None:
        if gone:
            _say(t("A new version is available. Reload the page to go on."), True)
            each_of(".page.waits .skeleton", lambda node: node.remove())
        else:
            after(AGAIN_MS, again)

    return failed


def _say(words: str, urgent: bool) -> None:
    if urgent or not _said:
        fill(_words, words)
    if not _said:
        _said.append(True)
        reloading = button(t("Reload"), lambda _event: reload())
        notice = {"class": "offline newer", "role": "status"}
        by_id("app").before(el("div", notice, _words, reloading))
