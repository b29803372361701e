"""What a game answers where it lacks a trait (see `domain.game.Title`): one place for all games.

A game without a trait takes these functions into its rules as they are; a game that declares the
trait has its own. Ships to the browser.
"""

from typing import Any

# --- without "secret" -----------------------------------------------------------------------


def reveals(event: Any) -> bool:
    """Never: all is open."""
    return False


def redact(event: Any, viewer: int | None) -> Any:
    """The event itself: all is open."""
    return event


def keeps_secrets(options: Any) -> bool:
    """No: there are none."""
    return False


def observe(state: Any, seat: int) -> Any:
    """The state itself: every seat knows all of it."""
    return state


def determinise(seen: Any, seat: int, draw: Any) -> Any:
    """The one state that it can be."""
    return seen


# --- without "simultaneous" -----------------------------------------------------------------


def take_back(state: Any, seat: int) -> list[Any]:
    """Nothing: seats act one after the other, so that no choice waits in secret."""
    return []


# --- without "timed" ------------------------------------------------------------------------


def time_limit(state: Any) -> tuple[int, list[tuple[int, Any]]] | None:
    """None: nothing has to be done by a certain time."""
    return None


BY_TRAIT = {
    "secret": {"reveals": reveals, "redact": redact, "keeps_secrets": keeps_secrets},
    "simultaneous": {"take_back": take_back},
    "timed": {"time_limit": time_limit},
}
"""The functions of the rules above, by the trait whose games have their own."""
BOTS_BY_TRAIT = {"secret": {"observe": observe, "determinise": determinise}}
"""The same for those of the bots."""
