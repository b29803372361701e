"""The message that a channel delivers."""

from msgspec import Struct


class Message(Struct, frozen=True):
    """The text of a notification.

    - ``path``: the target of a tap, from the root of the service;
    - ``tag``: a later message with the same tag replaces this one;
    - ``key``: identifies the message when it is sent again;
    - ``match``, ``version``: the match it is about, "" and 0 if there is not exactly one;
    - ``lines``: the latest moves; in a message about several matches one line for each, with their
      targets in ``paths``;
    - ``waiting``: how many matches wait for the player.
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
