"""The states of outbox entries and of the queues that they are sent in.

`TRANSITIONS` lists all state changes; `StateMachine.change_state` makes them.
"""

from typing import Any

from frontend.app.core.dom import after, cancel
from frontend.app.core.types import Action, Data

# The states of an entry.
STORING = "storing"  # being written to the device's storage
STORED = "stored"  # in the device's storage, so it survives closing the page
UNSTORED = "unstored"  # only in this page: lost if the page is closed
REMOVED = "removed"  # answered, refused, dropped, or sent by another tab
# The states of a queue.
IDLE = "idle"  # no request is in progress
SENDING = "sending"  # waiting for the lock or for a response
RETRYING = "retrying"  # waiting, after an error, for a timer or a wake event

TRANSITIONS = {
    STORING: (STORED, UNSTORED, REMOVED),
    STORED: (REMOVED,),
    UNSTORED: (REMOVED,),
    REMOVED: (),
    IDLE: (SENDING,),
    SENDING: (IDLE, RETRYING),
    RETRYING: (SENDING,),
}
"""The possible next states, by state."""
MIN_DELAY_MS = 1000  # the delay of the first retry
MAX_DELAY_MS = 8000


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


class SendQueue(StateMachine):
    """A queue, whose entries are sent one after the other.

    ``attempts``: the number of failed attempts since the last response or wake event.
    """

    def __init__(self, key: str) -> None:
        super().__init__(IDLE)
        self.key = key
        self.attempts = 0
        self.timer: Any = None

    def start(self) -> bool:
        """Begin to send; return False if a request is in progress. Cancels a pending retry."""
        if self.state == RETRYING:
            cancel(self.timer)
        return self.change_state(SENDING)

    def retry_later(self, retry: Action) -> None:
        """Call ``retry()`` after a delay, which doubles with each attempt, from 1 to 8 seconds."""
        self.attempts += 1
        self.change_state(RETRYING)
        self.timer = after(min(MAX_DELAY_MS, MIN_DELAY_MS * 2 ** (self.attempts - 1)), retry)
