"""The events of one decision and the state after them.

A game's ``decide`` folds each event as it emits it and also returns the resulting state, so that
callers do not fold the same events again.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

State = TypeVar("State")
Event = TypeVar("Event")


class EventRecorder(Generic[State, Event]):
    """The events added so far and the state after them; ``evolve(state, event)`` is the fold."""

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: State, evolve: Callable[[Any, Any], State]) -> None:
        self.state = state
        self.events: list[Event] = []
        self._evolve = evolve

    @staticmethod
    def begin(first: Event, evolve: Callable[[Any, Any], State]) -> "EventRecorder[State, Event]":
        """Return a recorder that holds a game's first event, before which there is no state."""
        recorder: EventRecorder[State, Event] = EventRecorder(evolve(None, first), evolve)
        recorder.events.append(first)
        return recorder

    def emit(self, event: Event) -> None:
        """Append an event and fold it into the state."""
        self.events.append(event)
        self.state = self._evolve(self.state, event)
