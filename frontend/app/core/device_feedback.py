"""Device features used by a match: wake lock, app badge, sound and vibration.

The screen stays on during this device's turn, the app badge counts the matches in which it is this
device's turn, and moves and turns are signalled by sound and vibration if these are on.
"""

from _native import dumps, keep_screen_on, loads_or_none, local_storage, play_feedback, set_badge

WAITING_KEY = "waiting"
"""The localStorage key of the ids of matches in which it is this device's turn."""


def has_sound() -> bool:
    """Return whether sound is on."""
    return local_storage("signals") == "on"


def has_vibration() -> bool:
    """Return whether vibration is on; without a choice of its own, it is on if sound is."""
    chosen = local_storage("vibration")
    return has_sound() if chosen is None else chosen == "on"


def set_sound(on: bool) -> None:
    """Turn sound on or off; play a sample when turned on. Vibration stays as it is."""
    local_storage("vibration", "on" if has_vibration() else "off")
    local_storage("signals", "on" if on else None)
    if on:
        play_feedback("turn", True, False)


def set_vibration(on: bool) -> None:
    """Turn vibration on or off; vibrate when turned on."""
    local_storage("vibration", "on" if on else "off")
    if on:
        play_feedback("turn", False, True)


class DeviceFeedback:
    """The device features of one match.

    ``was_own_turn``: whether it was this device's turn at the last update; None before the first.
    """

    def __init__(self, match_id: str) -> None:
        self.id = match_id
        self.was_own_turn: bool | None = None

    def update(self, is_own_turn: bool, other_moved: bool) -> None:
        """Update the wake lock and the badge, and signal a new turn or move if these are on.

        ``is_own_turn``: whether it is this device's turn; ``other_moved``: whether another player
        has just moved.
        """
        if is_own_turn and self.was_own_turn is False:
            play_feedback("turn", has_sound(), has_vibration())
        elif other_moved:
            play_feedback("move", has_sound(), has_vibration())
        self.was_own_turn = is_own_turn
        keep_screen_on(is_own_turn)
        ids = [each for each in _load_waiting() if each != self.id]
        store_waiting([*ids, self.id] if is_own_turn else ids)

    def close(self) -> None:
        """Release the wake lock when the match page is left."""
        keep_screen_on(False)


def _load_waiting() -> list[str]:
    return list(loads_or_none(local_storage(WAITING_KEY) or "") or ())


def store_waiting(ids: list[str]) -> None:
    """Store the ids of matches in which it is this device's turn; show their number as a badge."""
    local_storage(WAITING_KEY, dumps(ids))
    set_badge(len(ids))
