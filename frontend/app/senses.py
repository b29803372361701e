"""What the device does beside showing the page: the screen stays on during one's turn, a badge on
the app counts the tables that wait, and for whom wants it moves and turns are heard and felt."""

from _native import awake, badge, dumps, parsed, sense, stored

from frontend.app.switch import switch
from frontend.app.typed import Node
from frontend.app.words import t

WAITING = "waiting"
"""Under which name this device keeps which tables wait for it."""


def sound_switch() -> Node:
    """Whether moves and turns are heard and felt; off until somebody asks for it."""
    small = t("a wooden click for a move, two notes when it is your turn")
    return switch(t("Sound and vibration"), small, _wanted(), _set)


def _wanted() -> bool:
    return stored("signals") == "on"


def _set(on: bool) -> None:
    stored("signals", "on" if on else None)
    if on:
        sense("turn")


class Senses:
    """Of one table. ``turn``: whether it was one's turn when it was looked at last."""

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.turn: bool | None = None

    def note(self, turn: bool, moved: bool) -> None:
        """``turn``: it is one's turn now; ``moved``: somebody else has just moved."""
        if _wanted() and turn and self.turn is False:
            sense("turn")
        elif _wanted() and moved:
            sense("move")
        self.turn = turn
        awake(turn)
        ids = [each for each in _waiting() if each != self.id]
        wait_for_me([*ids, self.id] if turn else ids)

    def close(self) -> None:
        """The table is left."""
        awake(False)


def _waiting() -> list[str]:
    return list(parsed(stored(WAITING) or "") or ())


def wait_for_me(ids: list[str]) -> None:
    """These tables wait, and no others: the badge says how many."""
    stored(WAITING, dumps(ids))
    badge(len(ids))
