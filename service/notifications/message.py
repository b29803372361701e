"""The message that a channel delivers."""

from msgspec import Struct

COMBINED_TAG = "tables"
"""Tag of the messages about several matches; the service worker knows it."""
_KINDS_WITH_TAG = ("word", "time", "recovery", "recovered")
"""Kinds with a tag of their own, so that they do not replace messages of other kinds."""


def message_tag(kind: str, match: str) -> str:
    """Return the tag of the messages of a kind about one match."""
    return f"{match}-{kind}" if kind in _KINDS_WITH_TAG else match


class Message(Struct, frozen=True):
    """A notification as it is delivered.

    - ``kind``: the kind of the notification, or "test" or "paused";
    - ``path``: the path on this service that the message opens;
    - ``tag``: a later message with the same tag replaces this one;
    - ``key``: an id of the message that stays the same if it is sent again;
    - ``match``, ``version``: the id and version of the match that the message is about, "" and 0 if
      it is about none or several;
    - ``lines``: the latest moves; in a message about several matches, one line per match;
    - ``paths``: in a message about several matches, the path of the match of each line;
    - ``waiting``: the number of matches that wait for the player.
    """

    kind: str
    title: str
    body: str
    path: str
    tag: str
    key: str
    match: str = ""
    version: int = 0
    lines: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    waiting: int = 0
