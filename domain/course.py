"""What a decision brings about, event by event: the events and the state they lead to.

Whoever decides folds each event once, as it happens, and hands the state on; nobody has to fold
the same events again.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

State = TypeVar("State")
Event = TypeVar("Event")


class Course(Generic[State, Event]):
    """Events that follow from one another, and the state they have led to so far.

    ``evolve(state, event)`` is the game's fold.
    """

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: State, evolve: Callable[[Any, Any], State]) -> None:
        self.state = state
        self.events: list[Event] = []
        self._evolve = evolve

    @staticmethod
    def begin(first: Event, evolve: Callable[[Any, Any], State]) -> "Course[State, Event]":
        """A course from the very first event of a game on, before which there is no state."""
        course: Course[State, Event] = Course(evolve(None, first), evolve)
        course.events.append(first)
        return course

    def happen(self, event: Event) -> None:
        """The next thing happens."""
        self.events.append(event)
        self.state = self._evolve(self.state, event)
