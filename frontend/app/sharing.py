"""Showing a moment to others."""

from _native import offer, origin

from frontend.app.dom import toast


def share_link(match, version, code=None):
    """The address that shows others a moment, private match or not; ``code``: the share code
    one came with oneself."""
    code = match.get("share") or code
    return f"{origin()}/m/{match['id']}?v={version}" + (f"&share={code}" if code else "")


def share(link):
    """Hands a link to the phone's share sheet, or copies it."""
    offer("share", link, "Caravanserai", _shared)


def _shared(done):
    toast("The link is shared or copied." if done else "Mark the link and copy it.")
