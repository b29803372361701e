"""Values of a game used in the examples of the API document."""

from typing import Any

from msgspec import Struct, field


class Example(Struct, frozen=True):
    """Example values of one game, as JSON; a game's module ``example`` may hold one as ``EXAMPLE``.

    - ``view`` and ``layout``: parts of a view.
    - ``command`` with ``label``, ``key`` and ``args``: a legal command.
    - ``event`` with ``data``, ``text`` and the message key ``event_key``: an event it leads to.
    - ``refusal``: code and message id of an illegal move; ``bad_option``: an option and its type.
    - ``detail``: the details of a standing; ``review``: the game-specific part of a review.
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
    event_key: str = "moved"
    refusal: tuple[str, str] = ("not_your_turn", "error.not_your_turn")
    bad_option: tuple[str, str] = ("speed", "int")
    detail: dict[str, Any] = {}
    review: dict[str, Any] = {}
