"""Signals: what one part of a page calls so that others can update themselves."""

from collections.abc import Callable, Iterator
from typing import Any

Subscriber = Callable[..., Iterator[None] | None]
"""A function that handles a signal; a generator function if that takes several steps."""


class Signal:
    """A list of functions to call, in the order in which they subscribed.

    ``is_held``: whether emissions are deferred until `release`.
    """

    def __init__(self) -> None:
        self.subscribers: list[Subscriber] = []
        self.is_held = False
        self.held: tuple[Any, ...] | None = None

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call ``subscriber`` with the arguments of each emission."""
        self.subscribers.append(subscriber)

    def emit(self, *arguments: Any) -> None:
        """Call all subscribers; while the signal is held, only remember the arguments."""
        if self.is_held:
            self.held = arguments
        else:
            for _ in self.emit_steps(*arguments):
                pass

    def emit_steps(self, *arguments: Any) -> Iterator[None]:
        """Call all subscribers, even while the signal is held, yielding after each of their steps.

        Stops if one of them removes all subscribers.
        """
        for subscriber in [*self.subscribers]:
            if self.subscribers:
                yield from subscriber(*arguments) or ()
                yield

    def release(self) -> None:
        """Stop deferring, and emit with the latest arguments remembered, if any."""
        self.is_held = False
        arguments, self.held = self.held, None
        if arguments is not None:
            self.emit(*arguments)
