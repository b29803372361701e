"""Signals: what one part of a page calls so that others can update themselves."""

from collections.abc import Callable, Iterator
from typing import Any

Subscriber = Callable[..., Iterator[None] | None]
"""A function that handles a signal; a generator function if that takes several steps."""


class Signal:
    """A list of functions to call, in the order in which they subscribed."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._is_held = False
        self._held_arguments: tuple[Any, ...] | None = None

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call ``subscriber`` with the arguments of each emission."""
        self._subscribers.append(subscriber)

    def emit(self, *arguments: Any) -> None:
        """Call all subscribers, or, while the signal is held, on its release."""
        if self._is_held:
            self._held_arguments = arguments
            return
        for _ in self.emit_steps(*arguments):
            pass

    def emit_steps(self, *arguments: Any) -> Iterator[None]:
        """Call all subscribers, even while the signal is held, yielding after each of their steps.

        Stops if one of them closes the signal.
        """
        subscribers = self._subscribers
        for subscriber in [*subscribers]:
            if self._subscribers is not subscribers:
                return
            yield from subscriber(*arguments) or ()
            yield

    def hold(self) -> None:
        """Defer emissions until `release`."""
        self._is_held = True

    def release(self) -> None:
        """Emit the latest deferred emission, if any, and stop deferring."""
        self._is_held = False
        arguments, self._held_arguments = self._held_arguments, None
        if arguments is not None:
            self.emit(*arguments)

    def close(self) -> None:
        """Remove all subscribers."""
        self._subscribers = []
