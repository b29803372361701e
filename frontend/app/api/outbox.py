"""The outbox: write requests stored on this device until the service has responded.

The record of an entry is a dict: ``key`` (its Idempotency-Key), ``made`` (creation time in
milliseconds, which orders the entries), ``player`` (id of the player who made it, or None),
``lane`` (the queue whose entries are sent in order; for moves, the match id), ``after`` (key of the
entry whose response supplies this entry's expected version, or None), ``path``, ``body``, and
``lost`` (the name of what was attempted, for the message if the service refuses it; see
`REFUSAL_TEXTS`). The states of entries and queues are in `frontend.app.api.outbox_queue`.

Every attempt to send an entry uses the same key and body. This prevents duplicates if a tab is
killed after sending, or if two tabs send the same entry.
"""

from collections.abc import Callable
from typing import Any

from _native import (
    add_listener,
    dumps,
    is_page_hidden,
    loads,
    now_ms,
    outbox_all,
    outbox_delete,
    outbox_put,
    persist_storage,
    random_key,
    with_lock,
)

from domain.text.i18n import N_
from frontend.app.api.outbox_queue import (
    IDLE,
    REMOVED,
    STORED,
    STORING,
    UNSTORED,
    OutboxEntry,
    SendQueue,
)
from frontend.app.core.device_storage import read_with_retries
from frontend.app.core.dom import toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, Callback, Data

WAKE_EVENTS = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
REFUSAL_TOAST_S = 15  # seconds for which the toast about a refusal is shown
REFUSAL_TEXTS = {
    "choice": N_("error.choice_discarded"),
    "undo": N_("error.undo_discarded"),
    "redo": N_("error.redo_discarded"),
    "answer": N_("error.answer_discarded"),
}


class Outbox:
    """The queues of write requests without a response.

    ``call``: `client.call`; ``on_change()`` is called when entries are stored, removed or retried;
    ``recovered()``: emitted when an entry without callbacks, such as one that an earlier page left,
    was sent. ``entries``: all entries that are not removed, oldest first.
    """

    def __init__(self, call: Any, on_change: Action) -> None:
        self.call = call
        self.on_change = on_change
        self.recovered = Signal()
        self.player: str | None = None
        self.is_identity_confirmed = False
        self.entries: list[OutboxEntry] = []
        self.removed_keys: set[str] = set()
        self.queues: dict[str, SendQueue] = {}
        self.identification = SendQueue("me")
        self.is_loaded = False
        self.ready_callbacks: list[Action] = []

    # -- interface -----------------------------------------------------------------------------

    def set_player(self, player: str) -> None:
        """Set the id of this device's player, as confirmed by the service, and send the entries.

        Entries made without a player are assigned to this player.
        """
        self.player = player
        self.is_identity_confirmed = True
        for entry in self.entries:
            if entry.record["player"] is None:
                entry.record["player"] = player
        self._send_all()

    def clear_player(self) -> None:
        """Record that this device has no player; entries wait until their player signs in again."""
        self.player = None
        self.is_identity_confirmed = False

    def start_as(self, player: str) -> None:
        """Start the outbox for the last known player (an id), before the service confirms it."""
        self.player = player
        self.start()

    def start(self) -> None:
        """Load the entries that earlier pages left, and send them; retry on wake events."""
        for target, name in WAKE_EVENTS:
            add_listener(target, name, lambda _event: self.retry_now())
        read_with_retries(outbox_all, self._on_entries)

    def when_ready(self, then: Action) -> None:
        """Call ``then()`` once the entries that earlier pages left are loaded."""
        if self.is_loaded:
            then()
        else:
            self.ready_callbacks.append(then)

    def waiting_entries(self, queue_key: str) -> list[Data]:
        """Return the records of the current player's entries of a queue, in order."""
        return [entry.record for entry in self._own_entries() if entry.record["lane"] == queue_key]

    def unsent_state(self) -> str | None:
        """Return whether the current player's entries would survive closing the page.

        "kept": all are stored on the device; "lost": some are not stored; None: there are none.
        """
        found = self._own_entries()
        if not found:
            return None
        return "kept" if all(entry.state == STORED for entry in found) else "lost"

    def is_retrying(self) -> bool:
        """Return whether an attempt to send has failed since the last response or wake event."""
        queues = [self.identification, *self.queues.values()]
        return any(queue.attempts for queue in queues)

    def send(
        self,
        path: str,
        body: Data,
        done: Callback,
        failed: Callback,
        queue_key: str | None = None,
        after: str | None = None,
        attempted: str | None = None,
    ) -> str:
        """Add an entry and send it with retries; return its key.

        ``done(data)`` is called with the response, or ``failed(problem)`` if the service refuses
        the request. ``queue_key``: the queue in which entries are sent in order, by default
        ``path``. ``after``: the key of an entry that must be answered first; its response supplies
        the body's ``expected_version``. ``attempted``: the name of what is attempted (see
        `REFUSAL_TEXTS`); if set, the outbox shows a toast about a refusal itself.
        """
        last = self.entries[-1].record["made"] if self.entries else 0
        record = {
            "key": random_key(),
            "made": max(now_ms(), last + 1),
            "player": self.player,
            "lane": queue_key or path,
            "after": after,
            "path": path,
            "body": loads(dumps(body)),
            "lost": attempted,
        }
        entry = OutboxEntry(record, STORING, True, (done, failed))
        self.entries.append(entry)
        if self.player is None:
            self._on_stored(entry, False)
        else:
            outbox_put(record, lambda safe, _key: self._on_stored(entry, safe))
        return entry.key

    def _on_stored(self, entry: OutboxEntry, safe: bool) -> None:
        """Send an entry after the attempt to store it; ``safe``: whether it was stored."""
        if entry.change_state(STORED if safe else UNSTORED):
            self.on_change()
            self._send_next(entry.record["lane"])

    def adopt(self, key: str, done: Callback, failed: Callback) -> None:
        """Set the callbacks of an entry that an earlier page left; see `send`."""
        for entry in self.entries:
            if entry.key == key:
                entry.callbacks = (done, failed)

    def drop_entry(self, key: str) -> None:
        """Drop an entry and the entries that depend on it, without sending them again.

        A request in progress is not cancelled.
        """
        for entry in [entry for entry in self.entries if entry.key == key]:
            self._delete_entry(entry, None, _ignore)

    def retry_now(self) -> None:
        """Retry immediately, because an event suggests that the service is reachable again."""
        for queue in [self.identification, *self.queues.values()]:
            queue.attempts = 0
        if not is_page_hidden():
            outbox_all(self._on_entries)
        self._send_all()

    def _own_entries(self) -> list[OutboxEntry]:
        """Return the current player's entries, in order."""
        return [entry for entry in self.entries if entry.record["player"] == self.player]

    # -- synchronising with the stored entries ---------------------------------------------------

    def _on_entries(self, safe: bool, found: Any) -> None:
        if safe:
            self._merge(found[0])
        if not self.is_loaded:
            self.is_loaded = True
            for each in self.ready_callbacks:
                each()
        self.on_change()
        if not self.is_identity_confirmed and len(self._own_entries()) < len(self.entries):
            self._identify()
        self._send_all()

    def _merge(self, found: Any) -> None:
        """Merge the stored records into the entries, as other tabs add and send entries.

        Of an entry that another tab has sent, and of all entries that depend on it, the ``failed``
        callbacks are called with `SentByOtherTab`: the page must load the result from the service.
        Dependent entries with a stored record have their expected version in it and are still sent.
        """
        stored = {record["key"]: record for record in found}
        here = {entry.key for entry in self.entries}
        sent = [e for e in self.entries if e.state == STORED and e.key not in stored]
        affected = [*sent]
        for entry in affected:
            affected.extend([e for e in self.entries if e.record["after"] == entry.key])
        for entry in self.entries:
            record = stored.get(entry.key)
            if record and record["after"] is None:
                # Never the other way round: the records may have been read before the answer.
                entry.record["after"] = None
                entry.record["body"] = record["body"]
        for entry in sent:
            for removed in self._remove_entry(entry, None):
                # A dependent entry that was being stored meanwhile has no expected version.
                outbox_delete(removed.key, None, _ignore)
        for key, record in stored.items():
            if key not in here and key not in self.removed_keys:
                self.entries.append(OutboxEntry(record, STORED, False))
        self.entries.sort(key=lambda entry: entry.record["made"])
        for entry in affected:
            callbacks, entry.callbacks = entry.callbacks, None
            if callbacks:
                callbacks[1](SentByOtherTab())

    def _remove_entry(self, entry: OutboxEntry, version: int | None) -> list[OutboxEntry]:
        """Remove an entry from this page and return the removed entries.

        If ``version`` is None, the entries that depend on it are removed too. Otherwise ``version``
        becomes their ``expected_version``.
        """
        out = [entry] if entry.change_state(REMOVED) else []
        for removed in out:
            self.removed_keys.add(removed.key)
            for each in self.entries:
                if each.record["after"] == removed.key:
                    if version is not None:
                        each.record["after"] = None
                        each.record["body"]["expected_version"] = version
                    elif each.change_state(REMOVED):
                        out.append(each)
        self.entries = [each for each in self.entries if each.state != REMOVED]
        return out

    def _delete_entry(
        self, entry: OutboxEntry, version: int | None, then: Callable[[bool, Any], object]
    ) -> list[OutboxEntry]:
        """Remove an entry from this page and from the device; see `_remove_entry`.

        ``then(is_deleted, _)`` is called once it is deleted from the device, or that has failed.
        """
        out = self._remove_entry(entry, version)
        outbox_delete(entry.key, version, then)
        self.on_change()
        return out

    # -- sending -------------------------------------------------------------------------------

    def _next_entry(self, queue_key: str) -> OutboxEntry | None:
        """Return the next entry of a queue to send, or None if there is none.

        A hidden page sends only its own entries. An entry that is still being stored is not sent
        yet, and neither are those after it.
        """
        for entry in self._own_entries():
            if entry.record["lane"] == queue_key and (entry.is_own or not is_page_hidden()):
                return entry if entry.state != STORING else None
        return None

    def _send_all(self) -> None:
        for queue_key in {entry.record["lane"] for entry in self.entries}:
            self._send_next(queue_key)

    def _send_next(self, queue_key: str) -> None:
        queue = self.queues.setdefault(queue_key, SendQueue(queue_key))
        if self._next_entry(queue_key) is None or not queue.start():
            return

        def send_locked(release: Action) -> None:
            outbox_all(lambda safe, found: self._attempt(queue, safe, found, release))

        with_lock("outbox " + queue_key, send_locked)

    def _attempt(self, queue: SendQueue, safe: bool, found: Any, release: Action) -> None:
        """Send the next entry of a queue, whose lock is held until ``release()`` is called."""
        if safe:
            self._merge(found[0])
        entry = self._next_entry(queue.key)
        if entry is not None and entry.record["after"] is not None:
            entry = None  # the entry that it depends on is not answered
        is_fresh = entry is not None and entry.is_own and not queue.attempts
        if entry is not None and (is_fresh or self.is_identity_confirmed):
            self._post(queue, entry, release)
            return
        release()
        queue.change_state(IDLE)
        if entry is not None:
            self._identify()

    def _post(self, queue: SendQueue, entry: OutboxEntry, release: Action) -> None:
        """Send an entry of a queue.

        The lock is released only after an answered entry is deleted from the device; otherwise
        another tab might still read and send it.
        """

        def send_next(_is_deleted: bool, _found: Any) -> None:
            release()
            queue.change_state(IDLE)
            self._send_next(queue.key)

        def done(data: Data) -> None:
            queue.attempts = 0
            self._delete_entry(entry, data.get("version"), send_next)
            if entry.callbacks:
                entry.callbacks[0](data)
            else:
                self.recovered.emit()

        def on_error(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self.is_identity_confirmed = False
                release()
                self._retry_later(queue, lambda: self._send_next(queue.key))
            else:
                queue.attempts = 0
                out = self._delete_entry(entry, None, send_next)
                self._report_refusal(out, problem)

        self.call("POST", entry.record["path"], entry.record["body"], done, on_error, entry.key)

    def _identify(self) -> None:
        """Ask the service for this device's player, so that no entry is sent as another player."""
        if not self.identification.start():
            return

        def done(player: Data) -> None:
            self.identification.change_state(IDLE)
            self.identification.attempts = 0
            self.set_player(player["player_id"])

        def on_error(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self._retry_later(self.identification, self._identify)
            else:
                self.identification.change_state(IDLE)
                self.player = None
                self.on_change()

        self.call("GET", "/api/players/me", None, done, on_error)

    def _retry_later(self, queue: SendQueue, retry: Action) -> None:
        """Call ``retry()`` after a delay, and request persistent storage."""
        persist_storage()
        queue.retry_later(retry)
        self.on_change()

    def _report_refusal(self, out: list[OutboxEntry], problem: Problem) -> None:
        """Show a toast about a refused entry and its dependent entries, and call its callback.

        ``out``: the refused entry and the entries removed with it. The toast is not shown if the
        entry has a callback but no name of what was attempted.
        """
        if not out:
            return  # another tab has already reported it
        callbacks = out[0].callbacks
        lost = out[0].record["lost"]
        if lost or not callbacks:
            moved_on = problem.code == "version_conflict"
            why = t("error.moved_on") if moved_on else problem.detail
            sentences = [why, _refusal_sentence(lost)]
            if len(out) > 1:
                sentences.append(t("error.later_moves_discarded"))
            toast(join_sentences(sentences), REFUSAL_TOAST_S)
        if callbacks:
            callbacks[1](problem)


def _ignore(_is_stored: bool, _found: Any) -> None:
    """Ignore the result of a change of the stored entries."""


def _refusal_sentence(what: str | None) -> str:
    """Return the sentence that says what does not count.

    ``what``: a key of `REFUSAL_TEXTS`, a quoted move, or None for a generic sentence.
    """
    if not what:
        return t("error.action_rejected")
    if what in REFUSAL_TEXTS:
        return t(REFUSAL_TEXTS[what])
    return t("error.discarded", what=what)


class SentByOtherTab:
    """The problem reported for an entry that another tab has sent."""

    status = 0
    code = "sent_elsewhere"
    detail = t("error.sent_by_other_tab")
