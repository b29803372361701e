"""Share links and copy buttons."""

from _native import origin, share_or_copy

from frontend.app.components.sheet import Sheet
from frontend.app.core.dom import button, el, toast
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node


def share_link(match: Data, version: int, code: str | None = None) -> str:
    """Return the link to a version of a match, with a share code if there is one.

    ``code``: the share code with which the visitor opened the page, used if the match data has
    none. A share code lets others open a private match.
    """
    code = match.get("share") or code
    return f"{origin()}/m/{match['id']}?v={version}" + (f"&share={code}" if code else "")


def share(link: str) -> None:
    """Open the device's share sheet for a link, or copy the link if there is none.

    Where neither is possible, as on plain HTTP over a local network, show the link.
    """

    def on_done(outcome: str) -> None:
        if outcome == "failed":
            _show_link(link)
        else:
            show_share_outcome(outcome)

    share_or_copy("share", link, "Caravanserai", on_done)


def _show_link(link: str) -> None:
    """Show a sheet with a link to select and copy by hand."""
    text = el("p", {}, t("share.select_link"))
    sheet = Sheet(t("share.share"), [text, el("div", {"class": "link", "tabindex": "0"}, link)])
    sheet.open_once()


def show_share_outcome(outcome: str) -> None:
    """Show a toast for "shared", "copied" or "failed"; do nothing for "" (cancelled)."""
    if outcome == "shared":
        toast(t("share.shared"))
    elif outcome == "copied":
        toast(t("share.link_copied"))
    elif outcome == "failed":
        toast(t("share.select_link"))


def copy_link_button(link: str) -> Node:
    """Return a button that copies a link."""
    return button(
        t("share.copy_link"), lambda _e: share_or_copy("copy", link, "", show_share_outcome), "grow"
    )


def copy_button(text: str, kind: str = "grow") -> Node:
    """Return a button that copies ``text``."""

    def on_copied(outcome: str) -> None:
        toast(t("share.copied") if outcome == "copied" else t("share.select_text"))

    return button(t("share.copy"), lambda _e: share_or_copy("copy", text, "", on_copied), kind)
