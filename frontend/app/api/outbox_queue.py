"""The states of outbox entries and of the queues that they are sent in.

`TRANSITIONS` lists all state changes; `StateMachine.change_state` makes them.
"""

from typing import Any

from frontend.app.core.dom import after, cancel
from frontend.app.core.types import Action, Callback, Data

# The states of an entry.
STORING = "storing"  # being written to the device's storage
STORED = "stored"  # in the device's storage, so it survives closing the page
UNSTORED = "unstored"  # only in this page: lost if the page is closed
REMOVED = "removed"  # answered, refused, dropped, or sent by another tab
# The states of a queue.
IDLE = "idle"  # no request is in progress
SENDING = "sending"  # waiting for the lock or for a response
RETRYING = "retrying"  # waiting to retry after an error

TRANSITIONS = {
    STORING: (STORED, UNSTORED, REMOVED),
    STORED: (REMOVED,),
    UNSTORED: (REMOVED,),
    REMOVED: (),
    IDLE: (SENDING,),
    SENDING: (IDLE, RETRYING),
    RETRYING: (IDLE, SENDING),
}
"""The possible next states, by state."""
RETRY_DELAY_MS = 500
MAX_RETRY_DELAY_MS = 8000


class StateMachine:
    """An object whose ``state`` changes only along `TRANSITIONS`."""

    def __init__(self, state: str) -> None:
        self.state = state

    def change_state(self, state: str) -> bool:
        """Change the state; return False, without a change, if that is no possible transition."""
        if state not in TRANSITIONS[self.state]:
            return False
        self.state = state
        return True


class OutboxEntry(StateMachine):
    """An entry of the outbox.

    ``record``: the stored dict (see `frontend.app.api.outbox`); ``is_own``: whether this page made
    the entry; ``callbacks``: the functions for the response and for a problem, or None.
    """

    def __init__(self, record: Data, state: str, is_own: bool, callbacks: Any = None) -> None:
        super().__init__(state)
        self.record = record
        self.key = record["key"]
        self.is_own = is_own
        self.callbacks = callbacks

    def take_callback(self, number: int) -> Callback | None:
        """Return the callback for the response (0) or a problem (1), or None; clear both."""
        found, self.callbacks = self.callbacks, None
        return found[number] if found else None


class SendQueue(StateMachine):
    """A queue, whose entries are sent one after the other.

    ``attempts``: the number of failed attempts since the last success or wake event.
    """

    def __init__(self, key: str) -> None:
        super().__init__(IDLE)
        self.key = key
        self.attempts = 0
        self.timer: Any = None

    def change_state(self, state: str) -> bool:
        """Change the state, and cancel the retry timer if the queue no longer waits for it."""
        is_changed = super().change_state(state)
        if is_changed and self.timer is not None:
            cancel(self.timer)
            self.timer = None
        return is_changed

    def retry_later(self, retry: Action) -> None:
        """Call ``retry()`` after a delay, which doubles with each attempt, from 1 to 8 seconds."""

        def on_timeout() -> None:
            self.timer = None
            self.change_state(IDLE)
            retry()

        self.change_state(RETRYING)
        delay = min(MAX_RETRY_DELAY_MS, RETRY_DELAY_MS * 2**self.attempts)
        self.timer = after(delay, on_timeout)
