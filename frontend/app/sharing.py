"""Showing a moment to others."""

from _native import offer, origin

from frontend.app.dom import button, toast
from frontend.app.typed import Data, Node
from frontend.app.words import t


def share_link(match: Data, version: int, code: str | None = None) -> str:
    """The address that shows others a moment, private match or not; ``code``: the share code
    one came with oneself."""
    code = match.get("share") or code
    return f"{origin()}/m/{match['id']}?v={version}" + (f"&share={code}" if code else "")


def share(link: str) -> None:
    """Handover a link to the phone's share sheet, or copies it."""
    offer("share", link, "Caravanserai", tell_link)


def tell_link(outcome: str) -> None:
    """Says what became of a link that was offered: "shared", "copied" or "failed"; nothing for "",
    when the share sheet was put away."""
    if outcome == "shared":
        toast(t("Link shared."))
    elif outcome == "copied":
        toast(t("The link is copied."))
    elif outcome == "failed":
        toast(t("Mark the link and copy it."))


def copy_link_button(link: str) -> Node:
    """A button that copies a link."""
    return button(t("Copy the link"), lambda _e: offer("copy", link, "", tell_link), "grow")


def copy_button(text: str, kind: str = "grow") -> Node:
    """A button that copies."""

    def copied(outcome: str) -> None:
        toast(t("Copied.") if outcome == "copied" else t("Mark it and copy it."))

    return button(t("Copy"), lambda _e: offer("copy", text, "", copied), kind)
