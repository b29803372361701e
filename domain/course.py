"""What a decision brings about, event by event. For games whose events follow from one another."""

from collections.abc import Callable
from typing import Any


class Course:
    """Events that follow from one another, and the state they have led to so far.

    ``evolve(state, event)`` is the game's fold.
    """

    def __init__(self, state: Any, evolve: Callable[[Any, Any], Any]) -> None:
        self.state = state
        self.events: list[Any] = []
        self._evolve = evolve

    def happen(self, event: Any) -> None:
        """The next thing happens."""
        self.events.append(event)
        self.state = self._evolve(self.state, event)
