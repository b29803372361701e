"""The outbox: requests kept on this device until the service has answered.

An entry is a dict: ``key`` (its Idempotency-Key), ``made`` (creation time in milliseconds, which
orders the entries), ``player`` (id of the player who made it), ``lane`` (entries of one lane are
sent in order; for moves the match), ``after`` (key of the entry whose answer supplies the version
that this one expects, or None), ``path``, ``body``, and ``lost`` (what to say if the service
refuses it).

Every attempt of an entry sends the same key and the same body, so a tab that was killed after
sending, or two tabs that both send, cause no duplicates.
"""

from typing import Any

from _native import (
    dumps,
    hidden,
    in_turn,
    instant,
    keep,
    kept,
    let_go,
    listen,
    loads,
    persist,
    random_key,
)

from domain.text.i18n import N_
from frontend.app.core.dom import after as later
from frontend.app.core.dom import cancel, toast
from frontend.app.core.i18n import sentences, t
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Data, Does, Told

WAKING = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
LONG = 15  # seconds that the toast about a refusal is shown
LOST = {
    "choice": N_("What you chose does not count."),
    "undo": N_("Your request to take back does not count."),
    "redo": N_("Your request to redo does not count."),
    "answer": N_("Your answer does not count."),
}


class Outbox:
    """The queue of unanswered requests.

    ``call`` is `client.call`; ``changed()`` is called when the entries, or whether they are stored
    or being retried, change; ``on_recovered()`` when an entry that an earlier page left is sent.
    """

    def __init__(self, call: Any, changed: Does, on_recovered: Does) -> None:
        self.call = call
        self.changed = changed
        self.on_recovered = on_recovered
        self.player: Any = None
        self.sure = False
        self.entries: list[Any] = []
        self.kept: dict[Any, Any] = {}
        self.mine: set[Any] = set()
        self.replies: dict[Any, Any] = {}
        self.gone: set[Any] = set()
        self.busy: set[Any] = set()
        self.tries: dict[Any, Any] = {}
        self.timers: dict[Any, Any] = {}
        self.read = False
        self.eager: list[Any] = []

    # -- interface -----------------------------------------------------------------------------

    def i_am(self, player: Data) -> None:
        """Set the player of this device, as the service has confirmed it."""
        self.player = player
        self.sure = True
        for entry in self.entries:
            if entry["player"] is None:
                entry["player"] = player
        self._pump_all()

    def nobody(self) -> None:
        """Note that this device is signed out; entries wait until their player is back."""
        self.player = None
        self.sure = False

    def start_as(self, player: str) -> None:
        """Start with the entries of the last known player of this device."""
        self.player = player
        self.start()

    def start(self) -> None:
        """Read the entries that an earlier page left, and send them."""
        for target, name in WAKING:
            listen(target, name, lambda _event: self.wake())
        kept(self._read)

    def ready(self, then: Does) -> None:
        """Call ``then()`` once the entries that an earlier page left have been read."""
        if self.read:
            then()
        else:
            self.eager.append(then)

    def waiting(self, lane: Any) -> list[Any]:
        """Return this player's entries of a lane, in order."""
        return [e for e in self.entries if e["lane"] == lane and e["player"] == self.player]

    def stuck(self) -> str | None:
        """Whether this player's waiting entries survive closing the page.

        "kept": all are stored on the device; "lost": some would be lost with the page; None:
        nothing waits.
        """
        found = [e for e in self.entries if e["player"] == self.player]
        if not found:
            return None
        return "kept" if all(self.kept.get(e["key"]) for e in found) else "lost"

    def send(
        self,
        path: str,
        body: Data,
        done: Told,
        failed: Told,
        lane: Any = None,
        after: Any = None,
        lost: Any = None,
    ) -> str:
        """Write something once and return its key; ``done(data)`` or ``failed(problem)`` follows.

        With ``after``, the key of an entry that waits, the body's ``expected_version`` is filled in
        when that one is answered. ``lost`` is what was attempted (see `LOST`): with it the outbox
        shows the refusal itself, and ``failed`` need not.
        """
        last = self.entries[-1]["made"] if self.entries else 0
        key = random_key()
        entry = {
            "key": key,
            "made": max(instant(), last + 1),
            "player": self.player,
            "lane": lane or path,
            "after": after,
            "path": path,
            "body": loads(dumps(body)),
            "lost": lost,
        }
        self.entries.append(entry)
        self.mine.add(key)
        self.replies[key] = (done, failed)
        if self.player is None:
            self._written(entry, False)
        else:
            keep(entry, lambda safe, _key: self._written(entry, safe))
        return key

    def _written(self, entry: Data, safe: Any) -> None:
        """Send an entry once it is stored on the device, or could not be (``safe`` is false)."""
        if entry["key"] in self.gone:
            return
        self.kept[entry["key"]] = safe
        self.changed()
        self._pump(entry["lane"])

    def claim(self, key: str, done: Told, failed: Told) -> None:
        """Set the callbacks of an entry that an earlier page left."""
        self.replies[key] = (done, failed)

    def forget(self, key: str) -> None:
        """Drop an entry without sending it, together with the entries that depend on it."""
        self._remove(key, None)

    def wake(self) -> None:
        """Retry now: an event suggests that the service is reachable again."""
        self.tries = {}
        if not hidden():
            kept(self._read)
        self._pump_all()

    # -- synchronising with the stored entries ---------------------------------------------------

    def _read(self, safe: Any, found: Any) -> None:
        if safe:
            self._merge(found)
        if not self.read:
            self.read = True
            for each in self.eager:
                each()
        self.changed()
        if not self.sure and any(e["player"] != self.player for e in self.entries):
            self._identify()
        self._pump_all()

    def _merge(self, found: Any) -> None:
        """Merge the stored entries into this page's: other tabs write and send too."""
        stored = {e["key"]: e for e in found}
        here = {e["key"] for e in self.entries}
        for entry in [*self.entries]:
            key = entry["key"]
            if key in stored:
                entry["after"] = stored[key]["after"]
                entry["body"] = stored[key]["body"]
            elif self.kept.get(key):
                self._elsewhere(key)
        for key, entry in stored.items():
            if key not in here and key not in self.gone:
                self.kept[key] = True
                self.entries.append(entry)
        self.entries.sort(key=lambda e: e["made"])

    def _elsewhere(self, key: str) -> None:
        """Drop an entry that another tab sent and got the answer to.

        Its callback gets `SentElsewhere`; the result is seen in the match itself.
        """
        for entry in self._take_out(key, None):
            reply = self.replies.pop(entry["key"], None)
            if reply:
                reply[1](SentElsewhere())

    def _take_out(self, key: str, version: int | None) -> Any:
        """Remove an entry and return what was removed.

        Without a version, the entries that depend on it are removed too; with one, they get it as
        their ``expected_version``.
        """
        out = [e for e in self.entries if e["key"] == key]
        for entry in out:
            self.gone.add(entry["key"])
            for each in self.entries:
                if each["after"] == entry["key"]:
                    if version is None:
                        out.append(each)
                    else:
                        each["after"] = None
                        each["body"]["expected_version"] = version
        self.entries = [e for e in self.entries if e["key"] not in self.gone]
        return out

    def _remove(self, key: str, version: int | None) -> Any:
        out = self._take_out(key, version)
        let_go(key, version, lambda _safe, _all: None)
        self.changed()
        return out

    # -- sending -------------------------------------------------------------------------------

    def _next(self, lane: Any) -> Any:
        """Return the entry to be sent next, or None; a hidden page sends only its own entries."""
        for entry in self.waiting(lane):
            if entry["key"] in self.mine or not hidden():
                return entry if entry["after"] is None and entry["key"] in self.kept else None
        return None

    def _pump_all(self) -> None:
        for lane in {e["lane"] for e in self.entries}:
            self._pump(lane)

    def _pump(self, lane: Any) -> None:
        if lane in self.busy or self._next(lane) is None:
            return
        if lane in self.timers:
            cancel(self.timers.pop(lane))
        self.busy.add(lane)

        def begun(release: Any) -> None:
            def free(again: Any) -> None:
                release()
                self.busy.discard(lane)
                if again:
                    self._pump(lane)

            kept(lambda safe, found: self._attempt(lane, safe, found, free))

        in_turn("outbox " + lane, begun)

    def _attempt(self, lane: Any, safe: Any, found: Any, free: Any) -> None:
        if safe:
            self._merge(found)
        entry = self._next(lane)
        if entry is None:
            free(False)
            return
        key = entry["key"]
        fresh = key in self.mine and lane not in self.tries
        if not (fresh or self.sure):
            free(False)
            self._identify()
            return

        def done(data: Data) -> None:
            self.tries.pop(lane, None)
            self._remove(key, data.get("version"))
            free(True)
            reply = self.replies.pop(key, None)
            if reply:
                reply[0](data)
            else:
                self.on_recovered()

        def failed(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self.sure = False
                free(False)
                self._wait(lane, lambda: self._pump(lane))
            else:
                out = self._remove(key, None)
                free(True)
                self._refused(out, problem)

        self.call("POST", entry["path"], entry["body"], done, failed, key)

    def _identify(self) -> None:
        """Ask the service who this device is, so that nothing is sent as somebody else."""

        def done(player: Data) -> None:
            self.i_am(player["player_id"])

        def failed(problem: Problem) -> None:
            if problem.status in RETRYABLE_STATUSES:
                self._wait("me", self._identify)
            else:
                self.player = None
                self.changed()

        self.call("GET", "/api/players/me", None, done, failed)

    def _wait(self, what: str, then: Does) -> None:
        """Retry later, doubling the delay up to 8 seconds; request persistent storage."""
        persist()
        self.tries[what] = self.tries.get(what, 0) + 1
        self.changed()

        def now() -> None:
            self.timers.pop(what, None)
            then()

        self.timers[what] = later(min(8000, 500 * 2 ** self.tries[what]), now)

    def _refused(self, out: Any, problem: Problem) -> None:
        """Report a refused entry with its reason, and that entries depending on it are void."""
        if not out:
            return  # another tab reported it first
        reply = self.replies.pop(out[0]["key"], None)
        lost = out[0]["lost"]
        if lost or not reply:
            moved_on = problem.code == "version_conflict"
            why = t("The table has moved on.") if moved_on else problem.detail
            said = [why, _lost(lost)]
            if len(out) > 1:
                said.append(t("Nor does what you did after it."))
            toast(sentences(said), LONG)
        for each in out[1:]:
            self.replies.pop(each["key"], None)
        if reply:
            reply[1](problem)


def _lost(what: str | None) -> str:
    """Return the sentence that something is void; ``what`` is a key of `LOST` or a quoted move."""
    if not what:
        return t("Something you did offline does not count.")
    if what in LOST:
        return t(LOST[what])
    return t("{what} does not count.", what=what)


class SentElsewhere:
    """The problem for an entry that another window of the app sent and got the answer to."""

    status = 0
    code = "sent_elsewhere"
    detail = t("Another window of the app has sent this.")
