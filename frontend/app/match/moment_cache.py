"""Moments computed by the service: views if the rules are not loaded, and undo options."""

from collections.abc import Sequence
from typing import Any

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import after
from frontend.app.core.problem import RETRY_DELAY_MS, RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Action, Data, View

REQUEST_DELAY_MS = 120  # milliseconds that the replay rests at a moment before a request is sent
MAX_ANSWERS = 400  # maximum number of cached responses


class MomentCache:
    """A cache of match responses at earlier versions (``?at=V``), which can be prefetched."""

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.answers: dict[Any, Any] = {}
        self.pending: dict[Any, Any] = {}
        self.stamp: Any = None

    def _drop_outdated(self) -> None:
        """Clear the cache if the viewing seat or the match status has changed, or if it is full."""
        match = self.context.match
        seat = match.active_seat if match.has_secrets else match.seat_to_act()
        stamp = (seat, match.data["status"])
        if stamp != self.stamp or len(self.answers) > MAX_ANSWERS:
            self.stamp = stamp
            self.answers = {}

    def view_at(self, at: int) -> View | None:
        """Return the view at a version, or None if it is not loaded."""
        self._drop_outdated()
        known = self.answers.get(at)
        return known[1]["view"] if known else None

    def undo_at(self, at: int) -> Data | None:
        """Return the options for undoing to a version, or None if they are not loaded.

        They are outdated, and therefore not returned, once the match has a new version.
        """
        self._drop_outdated()
        known = self.answers.get(at)
        return known[1]["undo"] if known and known[0] == self.context.match.version else None

    def request(self, at: int, then: Action) -> None:
        """Load the response for a version, then call ``then()`` if the replay still shows it.

        If the rules are loaded, the request is sent only if the replay still shows the version
        after `REQUEST_DELAY_MS`. Otherwise it is sent immediately, because nothing can be shown
        without it. Retries after `RETRYABLE_STATUSES`; ``then`` is not called after other errors.
        """
        if self.context.match.rules is not None:
            self._when_resting(at, lambda: self._ask(at, then))
        else:
            self._ask(at, then)

    def _when_resting(self, at: int, action: Action) -> None:
        """Call ``action()`` if the replay still shows a version after `REQUEST_DELAY_MS`."""

        def on_rest() -> None:
            if self.context.at == at and not self.context.is_closed:
                action()

        after(REQUEST_DELAY_MS, on_rest)

    def prefetch(self, at: int) -> None:
        """Load the moments next to a version, so that a step shows them immediately.

        Only if the replay still shows the version after `REQUEST_DELAY_MS`.
        """

        def load() -> None:
            for version in (at + 1, at - 1, at + 2):
                if self.context.match.first_version() <= version <= self.context.match.version:
                    self._ask(version)

        self._when_resting(at, load)

    def _ask(self, at: int, *listeners: Action) -> None:
        self._drop_outdated()
        version = self.context.match.version
        known = self.answers.get(at)
        if known and (known[0] == version or not listeners):
            self._call(at, listeners)
            return
        if at in self.pending:
            self.pending[at].extend(listeners)
            return
        self.pending[at] = [*listeners]

        def done(data: Data) -> None:
            waiting = self.pending.pop(at)
            if self.context.is_closed:
                return
            self._drop_outdated()
            self.answers[at] = (data["latest_version"], data)
            self._call(at, waiting)

        def on_error(problem: Problem) -> None:
            waiting = self.pending.pop(at)
            if waiting and problem.status in RETRYABLE_STATUSES and not self.context.is_closed:
                after(RETRY_DELAY_MS, lambda: self._ask(at, *waiting))

        client.get(self.context.address("", at=at), done, on_error)

    def _call(self, at: int, listeners: Sequence[Action]) -> None:
        for each in listeners:
            if self.context.at == at:
                each()
