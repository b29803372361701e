"""The notice that a newer version of the app was deployed while this page was open.

The page keeps using the parts of its own version, which the service worker caches. Without that
cache, a part that is loaded later may no longer exist, so the page must be reloaded.
"""

from collections.abc import Callable

from _native import for_each_node, on_update, reload

from frontend.app.core.dom import after, button, by_id, el, fill
from frontend.app.core.i18n import t
from frontend.app.core.problem import RETRY_DELAY_MS
from frontend.app.core.types import Action

_text_node = el("span", {})
_shown: list[bool] = []


def watch_for_updates() -> None:
    """Show the notice as soon as a new version is deployed, but only once."""
    on_update(lambda: _show_notice(t("home.update_available"), False))


def retry_unless_removed(retry: Action) -> Callable[[bool], None]:
    """Return an error handler ``on_error(gone)`` for loading a part of the app.

    If the part no longer exists (``gone``), the handler asks the user to reload the page; otherwise
    it calls ``retry()`` after `RETRY_DELAY_MS`.
    """

    def on_error(gone: bool) -> None:
        if gone:
            _show_notice(t("home.update_reload"), True)
            for_each_node(".page.waits .skeleton", lambda node: node.remove())
        else:
            after(RETRY_DELAY_MS, retry)

    return on_error


def _show_notice(text: str, urgent: bool) -> None:
    if urgent or not _shown:
        fill(_text_node, text)
    if not _shown:
        _shown.append(True)
        reloading = button(t("common.reload"), lambda _event: reload())
        notice = {"class": "offline newer", "role": "status"}
        by_id("app").before(el("div", notice, _text_node, reloading))
