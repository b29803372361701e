"""Share links and copy buttons."""

from _native import origin, share_or_copy

from frontend.app.core.dom import button, toast
from frontend.app.core.i18n import t
from frontend.app.core.types import Data, Node


def share_link(match: Data, version: int, code: str | None = None) -> str:
    """Return the link to a version of a match, with a share code if there is one.

    ``code`` is the share code of the visitor's own link, used if the match has none to give. With a
    code others can open a private match too.
    """
    code = match.get("share") or code
    return f"{origin()}/m/{match['id']}?v={version}" + (f"&share={code}" if code else "")


def share(link: str) -> None:
    """Pass a link to the phone's share sheet, or copy it."""
    share_or_copy("share", link, "Caravanserai", show_share_outcome)


def show_share_outcome(outcome: str) -> None:
    """Report the outcome of sharing: "shared", "copied", "failed"; nothing for "" (cancelled)."""
    if outcome == "shared":
        toast(t("Link shared."))
    elif outcome == "copied":
        toast(t("The link is copied."))
    elif outcome == "failed":
        toast(t("Mark the link and copy it."))


def copy_link_button(link: str) -> Node:
    """Return a button that copies a link."""
    return button(
        t("Copy the link"), lambda _e: share_or_copy("copy", link, "", show_share_outcome), "grow"
    )


def copy_button(text: str, kind: str = "grow") -> Node:
    """Return a button that copies a text."""

    def on_copied(outcome: str) -> None:
        toast(t("Copied.") if outcome == "copied" else t("Mark it and copy it."))

    return button(t("Copy"), lambda _e: share_or_copy("copy", text, "", on_copied), kind)
