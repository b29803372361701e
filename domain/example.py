"""What a game shows of itself in the examples of the API document."""

from typing import Any

from msgspec import Struct, field


class Example(Struct, frozen=True):
    """JSON values; a module ``example`` of a game may hold one as ``EXAMPLE``.

    ``view`` and ``layout`` are pieces of a view. ``command`` with its ``label``, ``key`` and
    ``args`` is a choice; ``event`` with ``data``, ``text`` and its key ``told`` is what it
    leads to. ``refused`` is
    the code and detail of an illegal move, ``bad_option`` an option and what is wrong with it.
    ``detail`` is that of a standing, ``review`` what a review holds of the game's own.
    """

    slug: str
    options: dict[str, Any] = {}
    view: dict[str, Any] = {}
    layout: dict[str, Any] = {}
    command: dict[str, Any] = field(default_factory=lambda: {"type": "Move"})
    label: str = "Move"
    key: str = "move"
    args: dict[str, Any] = {}
    event: str = "Moved"
    data: dict[str, Any] = field(default_factory=lambda: {"seat": 0})
    text: str = "Ann moves"
    told: str = "moved"
    refused: tuple[str, str] = ("not_allowed", "The rules do not allow this now.")
    bad_option: tuple[str, str] = ("speed", "speed: this game has no such option")
    detail: dict[str, Any] = {}
    review: dict[str, Any] = {}
