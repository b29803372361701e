"""The outbox: write requests stored on this device until the service has responded.

An entry is a dict: ``key`` (its Idempotency-Key), ``made`` (creation time in milliseconds, which
orders the entries), ``player`` (id of the player who made it, or None), ``lane`` (the queue whose
entries are sent in order; for moves, the match id), ``after`` (key of the entry whose response
supplies this entry's expected version, or None), ``path``, ``body``, and ``lost`` (the name of what
was attempted, for the message if the service refuses it; see `REFUSAL_TEXTS`).

Every attempt to send an entry uses the same key and body. This prevents duplicates if a tab is
killed after sending, or if two tabs send the same entry.
"""

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
from frontend.app.core.dom import after as later
from frontend.app.core.dom import cancel, toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Action, Callback, Data

WAKE_EVENTS = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
REFUSAL_TOAST_S = 15  # seconds for which the toast about a refusal is shown
REFUSAL_TEXTS = {
    "choice": N_("What you chose does not count."),
    "undo": N_("Your request to take back does not count."),
    "redo": N_("Your request to redo does not count."),
    "answer": N_("Your answer does not count."),
}


class Outbox:
    """The queue of write requests without a response.

    ``call``: `client.call`; ``on_change()`` is called when entries are stored, removed or retried;
    ``on_recovered()`` when an entry without callbacks, such as one that an earlier page left, was
    sent.
    """

    def __init__(self, call: Any, on_change: Action, on_recovered: Action) -> None:
        self.call = call
        self.on_change = on_change
        self.on_recovered = on_recovered
        self.player: Any = None
        self.is_identity_confirmed = False
        self.entries: list[Any] = []
        self.is_stored: dict[Any, Any] = {}
        self.own_keys: set[Any] = set()
        self.callbacks: dict[Any, Any] = {}
        self.removed: set[Any] = set()
        self.busy_queues: set[Any] = set()
        self.attempts: dict[Any, Any] = {}
        self.timers: dict[Any, Any] = {}
        self.is_loaded = False
        self.ready_callbacks: list[Any] = []

    # -- interface -----------------------------------------------------------------------------

    def set_player(self, player: Data) -> None:
        """Set the id of this device's player, as confirmed by the service, and send the entries.

        Entries made without a player are assigned to this player.
        """
        self.player = player
        self.is_identity_confirmed = True
        for entry in self.entries:
            if entry["player"] is None:
                entry["player"] = player
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
        outbox_all(self._on_entries)

    def when_ready(self, then: Action) -> None:
        """Call ``then()`` once the entries that earlier pages left are loaded."""
        if self.is_loaded:
            then()
        else:
            self.ready_callbacks.append(then)

    def waiting_entries(self, queue_key: Any) -> list[Any]:
        """Return the current player's entries of a queue, in order."""
        return [e for e in self.entries if e["lane"] == queue_key and e["player"] == self.player]

    def unsent_state(self) -> str | None:
        """Return whether the current player's entries would survive closing the page.

        "kept": all are stored on the device; "lost": some are not stored; None: there are none.
        """
        found = [e for e in self.entries if e["player"] == self.player]
        if not found:
            return None
        return "kept" if all(self.is_stored.get(e["key"]) for e in found) else "lost"

    def send(
        self,
        path: str,
        body: Data,
        done: Callback,
        failed: Callback,
        queue_key: Any = None,
        after: Any = None,
        attempted: Any = None,
    ) -> str:
        """Add an entry and send it with retries; return its key.

        ``done(data)`` is called with the response, or ``failed(problem)`` if the service refuses
        the request. ``queue_key``: the queue in which entries are sent in order, by default
        ``path``. ``after``: the key of an entry that must be answered first; its response supplies
        the body's ``expected_version``. ``attempted``: the name of what is attempted (see
        `REFUSAL_TEXTS`); if set, the outbox shows a toast about a refusal itself.
        """
        last = self.entries[-1]["made"] if self.entries else 0
        key = random_key()
        entry = {
            "key": key,
            "made": max(now_ms(), last + 1),
            "player": self.player,
            "lane": queue_key or path,
            "after": after,
            "path": path,
            "body": loads(dumps(body)),
            "lost": attempted,
        }
        self.entries.append(entry)
        self.own_keys.add(key)
        self.callbacks[key] = (done, failed)
        if self.player is None:
            self._on_stored(entry, False)
        else:
            outbox_put(entry, lambda safe, _key: self._on_stored(entry, safe))
        return key

    def _on_stored(self, entry: Data, safe: Any) -> None:
        """Send an entry after the attempt to store it; ``safe``: whether it was stored."""
        if entry["key"] in self.removed:
            return
        self.is_stored[entry["key"]] = safe
        self.on_change()
        self._send_next(entry["lane"])

    def adopt(self, key: str, done: Callback, failed: Callback) -> None:
        """Set the callbacks of an entry that an earlier page left; see `send`."""
        self.callbacks[key] = (done, failed)

    def drop_entry(self, key: str) -> None:
        """Drop an entry and the entries that depend on it, without sending them again.

        A request in progress is not cancelled.
        """
        self._delete_entry(key, None)

    def retry_now(self) -> None:
        """Retry immediately, because an event suggests that the service is reachable again."""
        self.attempts = {}
        if not is_page_hidden():
            outbox_all(self._on_entries)
        self._send_all()

    # -- synchronising with the stored entries ---------------------------------------------------

    def _on_entries(self, safe: Any, found: Any) -> None:
        if safe:
            self._merge(found)
        if not self.is_loaded:
            self.is_loaded = True
            for each in self.ready_callbacks:
                each()
        self.on_change()
        if not self.is_identity_confirmed and any(e["player"] != self.player for e in self.entries):
            self._identify()
        self._send_all()

    def _merge(self, found: Any) -> None:
        """Merge the stored entries into those of this page, as other tabs add and send entries."""
        stored = {e["key"]: e for e in found}
        here = {e["key"] for e in self.entries}
        for entry in [*self.entries]:
            key = entry["key"]
            if key in stored:
                entry["after"] = stored[key]["after"]
                entry["body"] = stored[key]["body"]
            elif self.is_stored.get(key):
                self._sent_by_other_tab(key)
        for key, entry in stored.items():
            if key not in here and key not in self.removed:
                self.is_stored[key] = True
                self.entries.append(entry)
        self.entries.sort(key=lambda e: e["made"])

    def _sent_by_other_tab(self, key: str) -> None:
        """Drop an entry that another tab has sent, and the entries that depend on it.

        Calls their ``failed`` callbacks with `SentByOtherTab`. The page must load the result from
        the service.
        """
        for entry in self._remove_entries(key, None):
            reply = self.callbacks.pop(entry["key"], None)
            if reply:
                reply[1](SentByOtherTab())

    def _remove_entries(self, key: str, version: int | None) -> Any:
        """Remove an entry from this page and return the removed entries.

        If ``version`` is None, the entries that depend on it are removed too. Otherwise ``version``
        becomes their ``expected_version``.
        """
        out = [e for e in self.entries if e["key"] == key]
        for entry in out:
            self.removed.add(entry["key"])
            for each in self.entries:
                if each["after"] == entry["key"]:
                    if version is None:
                        out.append(each)
                    else:
                        each["after"] = None
                        each["body"]["expected_version"] = version
        self.entries = [e for e in self.entries if e["key"] not in self.removed]
        return out

    def _delete_entry(self, key: str, version: int | None) -> Any:
        out = self._remove_entries(key, version)
        outbox_delete(key, version, lambda _safe, _all: None)
        self.on_change()
        return out

    # -- sending -------------------------------------------------------------------------------

    def _next_entry(self, queue_key: Any) -> Any:
        """Return the next entry of a queue to send, or None if there is none or it has to wait.

        A hidden page sends only its own entries. An entry waits until it was stored (or failed to
        be) and the entry that it depends on was answered.
        """
        for entry in self.waiting_entries(queue_key):
            if entry["key"] in self.own_keys or not is_page_hidden():
                return entry if entry["after"] is None and entry["key"] in self.is_stored else None
        return None

    def _send_all(self) -> None:
        for lane in {e["lane"] for e in self.entries}:
            self._send_next(lane)

    def _send_next(self, queue_key: Any) -> None:
        if queue_key in self.busy_queues or self._next_entry(queue_key) is None:
            return
        if queue_key in self.timers:
            cancel(self.timers.pop(queue_key))
        self.busy_queues.add(queue_key)

        def send_locked(release: Any) -> None:
            def free(again: Any) -> None:
                release()
                self.busy_queues.discard(queue_key)
                if again:
                    self._send_next(queue_key)

            outbox_all(lambda safe, found: self._attempt(queue_key, safe, found, free))

        with_lock("outbox " + queue_key, send_locked)

    def _attempt(self, queue_key: Any, safe: Any, found: Any, free: Any) -> None:
        if safe:
            self._merge(found)
        entry = self._next_entry(queue_key)
        if entry is None:
            free(False)
            return
        key = entry["key"]
        fresh = key in self.own_keys and queue_key not in self.attempts
        if not (fresh or self.is_identity_confirmed):
            free(False)
            self._identify()
            return

        def done(data: Data) -> None:
            self.attempts.pop(queue_key, None)
            self._delete_entry(key, data.get("version"))
            free(True)
            reply = self.callbacks.pop(key, None)
            if reply:
                reply[0](data)
            else:
                self.on_recovered()

        def on_error(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self.is_identity_confirmed = False
                free(False)
                self._retry_later(queue_key, lambda: self._send_next(queue_key))
            else:
                out = self._delete_entry(key, None)
                free(True)
                self._report_refusal(out, problem)

        self.call("POST", entry["path"], entry["body"], done, on_error, key)

    def _identify(self) -> None:
        """Ask the service for this device's player, so that no entry is sent as another player."""

        def done(player: Data) -> None:
            self.set_player(player["player_id"])

        def on_error(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self._retry_later("me", self._identify)
            else:
                self.player = None
                self.on_change()

        self.call("GET", "/api/players/me", None, done, on_error)

    def _retry_later(self, what: str, then: Action) -> None:
        """Call ``then()`` after a delay, and request persistent storage.

        The delay doubles with each attempt, from 1 to 8 seconds. ``what``: the key of a queue, or
        "me" for the request for the player.
        """
        persist_storage()
        self.attempts[what] = self.attempts.get(what, 0) + 1
        self.on_change()

        def now() -> None:
            self.timers.pop(what, None)
            then()

        self.timers[what] = later(min(8000, 500 * 2 ** self.attempts[what]), now)

    def _report_refusal(self, out: Any, problem: Problem) -> None:
        """Show a toast about a refused entry and its dependent entries, and call its callback.

        ``out``: the refused entry and the entries removed with it. The toast is not shown if the
        entry has a callback but no name of what was attempted.
        """
        if not out:
            return  # another tab has already reported it
        reply = self.callbacks.pop(out[0]["key"], None)
        lost = out[0]["lost"]
        if lost or not reply:
            moved_on = problem.code == "version_conflict"
            why = t("The table has moved on.") if moved_on else problem.detail
            sentences = [why, _refusal_sentence(lost)]
            if len(out) > 1:
                sentences.append(t("Nor does what you did after it."))
            toast(join_sentences(sentences), REFUSAL_TOAST_S)
        for each in out[1:]:
            self.callbacks.pop(each["key"], None)
        if reply:
            reply[1](problem)


def _refusal_sentence(what: str | None) -> str:
    """Return the sentence that says what does not count.

    ``what``: a key of `REFUSAL_TEXTS`, a quoted move, or None for a generic sentence.
    """
    if not what:
        return t("Something you did offline does not count.")
    if what in REFUSAL_TEXTS:
        return t(REFUSAL_TEXTS[what])
    return t("{what} does not count.", what=what)


class SentByOtherTab:
    """The problem reported for an entry that another tab has sent."""

    status = 0
    code = "sent_elsewhere"
    detail = t("Another window of the app has sent this.")
