"""The unconfirmed moves of a match page: optimistic updates, sending, and undo."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from _native import build

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import toast
from frontend.app.core.i18n import t
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, Callback, Command, Data

COMMANDS_PATH = "/commands"
# Omits the constant parts of the view, which the page already has.
CHANGING_VIEW = "?view=changing"

# The states of the queue.
IDLE = "idle"
SENDING_MOVES = "sending moves"
SENDING_REQUEST = "sending request"  # an undo or redo request, or an answer; moves may follow it
AWAITING_SYNC = "awaiting sync"  # such a request was answered, but its events are not loaded yet

# What changes the state.
MOVES_QUEUED = "moves queued"
QUEUE_EMPTIED = "queue emptied"
REQUEST_SENT = "request sent"
REQUEST_ANSWERED = "request answered"
REFUSED = "refused"
SYNCED = "synced"

TRANSITIONS = {
    (IDLE, MOVES_QUEUED): SENDING_MOVES,
    (IDLE, REQUEST_SENT): SENDING_REQUEST,
    (IDLE, REQUEST_ANSWERED): AWAITING_SYNC,
    (SENDING_MOVES, QUEUE_EMPTIED): IDLE,
    (SENDING_MOVES, REQUEST_SENT): SENDING_REQUEST,
    (SENDING_MOVES, REQUEST_ANSWERED): AWAITING_SYNC,
    (SENDING_MOVES, REFUSED): IDLE,
    (SENDING_REQUEST, REQUEST_ANSWERED): AWAITING_SYNC,
    (SENDING_REQUEST, REFUSED): IDLE,
    (AWAITING_SYNC, MOVES_QUEUED): SENDING_MOVES,
    (AWAITING_SYNC, SYNCED): IDLE,
}
"""The next state by state and event; other events leave the state as it is."""


class Synchronisation(Protocol):
    """The synchronisation with the service, as the queue uses it."""

    announced_version: int
    """The newest version announced by the service."""

    def sync(self) -> None:
        """Request the events after the local version from the service."""

    def store_answer(self, data: Data) -> None:
        """Store the service's response about the match."""

    def ask_choices(self, then: Action) -> None:
        """Request the legal commands if the rules are not loaded; then call ``then()``."""


class MoveQueue:
    """The unconfirmed moves of one match page, and its undo and redo requests.

    ``queue``: the unconfirmed moves, oldest first; ``state``: see `TRANSITIONS`;
    ``moves_confirmed(events)``: emitted with the events of a confirmed move.
    """

    match_sync: Synchronisation
    """Set when the synchronisation exists, which needs the queue."""

    def __init__(self, context: MatchContext) -> None:
        self.context = context
        self.match = context.match
        self.queue: list[Any] = []
        self.state = IDLE
        self.moves_confirmed = Signal()

    @property
    def is_sending(self) -> bool:
        """Whether moves or a request are on their way to the service."""
        return self.state in (SENDING_MOVES, SENDING_REQUEST)

    def _handle(self, event: str) -> None:
        self.state = TRANSITIONS.get((self.state, event), self.state)

    def _handle_queue_change(self) -> None:
        self._handle(MOVES_QUEUED if self.queue else QUEUE_EMPTIED)

    def on_synced(self) -> None:
        """Handle a sync that loaded the events of answered requests, or will not be repeated."""
        self._handle(SYNCED)

    def commit(self, commands: Sequence[Command], refusal_name: str) -> None:
        """Show moves immediately and send them in one request; revert them if they are refused.

        Does nothing if no seat of this device is to act, if the moves are illegal, or if the rules
        are not loaded and an earlier move is still unconfirmed. ``refusal_name``: the name of the
        moves for the refusal message (see `outbox.REFUSAL_TEXTS`).
        """
        seat = self.match.seat_to_act()
        if seat is None or (self.match.rules is None and self.queue):
            return
        self.queue.append({"seat": seat, "commands": commands, "key": None})
        if not self._predict():
            self.queue.pop()  # a double tap: the move is no longer legal
            self._predict()
            return
        try:
            self._send(refusal_name)
        except Exception:
            # A move that cannot be sent must not block the moves after it.
            self.queue.pop()
            self._handle_queue_change()
            self._predict()
            raise
        self.context.queue_changed.emit()

    def _predict(self) -> bool:
        """Predict the position after the queued moves; return False if any of them is illegal."""
        return self.match.predict([(move["seat"], move["commands"]) for move in self.queue])

    def _send(self, attempted: Any) -> None:
        """Hand the newest move to the outbox.

        Its expected version is the confirmed one, or the one that results from the preceding
        queued move. ``attempted``: the name of the move for the refusal message.
        """
        follows = self.queue[-2]["key"] if len(self.queue) > 1 else None
        newest = self.queue[-1]
        body = {
            "seat": newest["seat"],
            "expected_version": None if follows else self.match.version,
            "commands": newest["commands"],
        }
        self._handle_queue_change()
        newest["key"] = client.send(
            self.context.path + COMMANDS_PATH + CHANGING_VIEW,
            body,
            lambda answer: self._on_answer(newest, answer),
            lambda _problem: self._on_refusal(newest),
            self.context.id,
            follows,
            attempted,
        )

    def restore(self) -> None:
        """Restore the moves that an earlier page left in the outbox, if they are still legal.

        Also follows an undo or redo request that is still in the outbox.
        """
        for entry in client.outbox.waiting_entries(self.context.id):
            body = entry["body"]
            if entry["path"].split("?")[0] != self.context.path + COMMANDS_PATH:
                if "expected_version" in body:
                    self._handle(REQUEST_SENT)
                    client.outbox.adopt(
                        entry["key"], self._on_posted, lambda _problem: self._on_refusal()
                    )
                continue
            if not self.queue and body["expected_version"] != self.match.version:
                return
            commands = body["commands"]
            if self.match.rules:
                kinds = {each.__name__: each for each in self.match.rules.COMMANDS}
                commands = [build(kinds[each["type"]], each) for each in commands]
            move = {"seat": body["seat"], "commands": commands, "key": entry["key"]}
            self.queue.append(move)
            if not self._predict():
                self.queue.pop()
                self._predict()
                return
            self._handle_queue_change()
            self._adopt(move)

    def _adopt(self, move: Data) -> None:
        """Attach this page's callbacks to a move that an earlier page left in the outbox."""
        client.outbox.adopt(
            move["key"],
            lambda answer: self._on_answer(move, answer),
            lambda _problem: self._on_refusal(move),
        )

    def _drop(self) -> None:
        """Drop all queued moves, including their entries in the outbox."""
        if self.queue:
            client.outbox.drop_entry(self.queue[0]["key"])
        self.queue = []
        self._handle_queue_change()
        self._predict()

    def _on_answer(self, move: Data, answer: Data) -> None:
        """Handle the response to a move, even if the user undid the move in the meantime."""
        recalled = move not in self.queue
        if not recalled:
            self.queue.remove(move)
        self._handle_queue_change()
        self.match_sync.store_answer(answer["match"])
        texts = self._add_events(answer)
        if not self.context.is_closed:
            if recalled:
                self._undo_arrived(move["seat"])
            changed = self.context.match_changed
            self.match_sync.ask_choices(lambda: changed.emit(texts[-3:]))

    def _undo_arrived(self, seat: int) -> None:
        """Undo a move that was sent although the user undid it, if no consent is needed."""
        undo = self.match.data["undo"]
        if undo["kind"] in ("free", "open") and undo["seat"] == seat and not self.queue:
            self.undo_to(seat, None)

    def _add_events(self, answer: Data) -> list[str]:
        """Add the events of a confirmed move and return the texts of the new events.

        Moves still in the queue are kept if all of them are still legal and the match goes on;
        otherwise they are dropped.
        """
        before = self.match.version
        first = answer["events"][0]["version"] if answer["events"] else before + 1
        if first > before + 1:
            self.match_sync.sync()
        self.match.add_events(answer["events"])
        self.moves_confirmed.emit(answer["events"])
        if self.match.has_secrets and len(self.match.own_seats()) > 1:
            # The response shows the view of the seat that moved, not of the seat to act next.
            self.match_sync.sync()
        if self.match.data["status"] != "playing":
            self._drop()
        if not self._predict():
            self._drop()
            toast(t("error.next_move_illegal"))
        if self.match_sync.announced_version > self.match.version:
            self.match_sync.sync()
        return [e["text"] for e in self.match.events[before:] if e["text"]]

    def _on_refusal(self, move: Data | None = None) -> None:
        """Drop the queue and show the confirmed position.

        The outbox has already reported the reason and dropped the dependent entries.
        """
        if move is not None and move not in self.queue:
            return  # the user undid the move while its request was in progress
        self.queue = []
        self._handle(REFUSED)
        self.match.optimistic = None
        if not self.context.is_closed:
            self.context.queue_changed.emit()
            self.match_sync.sync()

    def _on_posted(self, data: Data) -> None:
        self._handle(REQUEST_ANSWERED)
        self.match_sync.store_answer(data)
        self.match_sync.sync()

    def take_back(self, to_version: Any = None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Unconfirmed moves are dropped without an undo request.
        """
        unsent = self.queue[-1:] if to_version is None else [*reversed(self.queue)]
        for move in unsent:
            self.queue.remove(move)
            client.outbox.drop_entry(move["key"])
        if unsent:
            self._handle_queue_change()
            self._predict()
            self.context.queue_changed.emit()
        if not unsent or (to_version is not None and to_version < self.match.version):
            self.undo_to(self.match.data["undo"]["seat"], to_version)

    def undo_to(self, seat: int, to_version: Any, then: Callback | None = None) -> None:
        """Undo to a version, or propose it to the other players if their consent is needed.

        ``to_version`` None: undo the latest step of ``seat``; ``then(match)`` is called with the
        response.
        """
        body = {"seat": seat, "expected_version": self.match.version}
        if to_version is not None:
            body["to_version"] = to_version
        self._post("/undo", body, "undo", then)

    def redo(self) -> None:
        seat = self.match.data["undo"]["seat"]
        body = {"seat": seat, "expected_version": self.match.version}
        self._post("/redo", body, "redo")

    def answer_proposal(self, seat: int, accept: bool) -> None:
        """Accept or decline an undo proposal."""
        self._post("/undo/answer", {"seat": seat, "accept": accept}, "answer")

    def _post(
        self, rest: str, body: Data, attempted: Any, then: Callable[..., object] | None = None
    ) -> None:
        """Send an undo, redo or answer request.

        Does nothing while a request is in progress or its result is not yet synced: a double tap
        would otherwise send a second request based on the same position.
        """
        if self.state != IDLE:
            return
        self._handle(REQUEST_SENT)

        def done(data: Data) -> None:
            self._on_posted(data)
            if then:
                then(data)

        path = self.context.path + rest + CHANGING_VIEW
        client.send(
            path, body, done, lambda _problem: self._on_refusal(), self.context.id, None, attempted
        )
