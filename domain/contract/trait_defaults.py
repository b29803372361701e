"""Default functions for games without a trait (see `domain.contract.game.GameInfo`).

A game without a trait imports that trait's functions into its ``rules`` or ``bots``; a game with
the trait defines its own. Ships to the browser.
"""

from typing import Any

# --- without "secret" -----------------------------------------------------------------------


def reveals(event: Any) -> bool:
    """Return False: no event reveals anything, as nothing is hidden."""
    return False


def redact(event: Any, viewer: int | None) -> Any:
    """Return the event unchanged, as nothing is hidden."""
    return event


def keeps_secrets(options: Any) -> bool:
    """Return False, as there are no secrets."""
    return False


def observe(state: Any, seat: int) -> Any:
    """Return the state as the information state: every seat knows all of it."""
    return state


def determinise(seen: Any, seat: int, draw: Any) -> Any:
    """Return the information state, which is the state itself."""
    return seen


# --- without "simultaneous" -----------------------------------------------------------------


def take_back(state: Any, seat: int) -> list[Any]:
    """Return no events: seats act in turn, so no secret choice is pending."""
    return []


# --- without "timed" ------------------------------------------------------------------------


def time_limit(state: Any) -> tuple[int, list[tuple[int, Any]]] | None:
    """Return None: no phase has a time limit."""
    return None


RULES_DEFAULTS_BY_TRAIT = {
    "secret": {"reveals": reveals, "redact": redact, "keeps_secrets": keeps_secrets},
    "simultaneous": {"take_back": take_back},
    "timed": {"time_limit": time_limit},
}
"""The default functions for ``rules``, by the trait that replaces them."""
BOTS_DEFAULTS_BY_TRAIT = {"secret": {"observe": observe, "determinise": determinise}}
"""The default functions for ``bots``, by the trait that replaces them."""
