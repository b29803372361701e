"""The unconfirmed moves of a match page: optimistic updates, sending, and undo."""

from collections.abc import Callable, Sequence
from typing import Any

from _native import build

from domain.contract.game import IllegalMove
from frontend.app.api import client
from frontend.app.contract.context import QueueHost
from frontend.app.core.dom import toast
from frontend.app.core.i18n import t
from frontend.app.core.types import Callback, Command, Data

COMMANDS_PATH = "/commands"
# Omits the constant parts of the view, which the page already has.
CHANGING_VIEW = "?view=changing"


class MoveQueue:
    """The unconfirmed moves of one match page, and its undo and redo requests.

    ``queue``: the unconfirmed moves, oldest first; ``busy``: whether a request is in progress;
    ``awaiting_sync``: whether an undo or redo request was answered but its result is not yet
    synced.
    """

    def __init__(self, page: QueueHost) -> None:
        self.page = page
        self.match = page.match
        self.queue: list[Any] = []
        self.busy = False
        self.awaiting_sync = False

    def play(self, *commands: Command, final: bool = False) -> None:
        """Play moves, asking for confirmation first if undoing them would need consent.

        ``final``: the screen knows that these moves cannot be undone freely; ignored if this device
        holds all human seats.
        """
        if (final and not self.match.is_alone) or self._is_final(commands):
            self.page.confirm_move.ask(commands, self._question(commands[-1]))
        else:
            self.commit(*commands)

    def _is_final(self, commands: Sequence[Command]) -> bool:
        seat = self.match.seat_to_act()
        if seat is None or (self.match.rules is None and self.queue):
            return False
        if self.match.rules is None:
            return any(self._is_marked_final(command) for command in commands)
        try:
            return self.match.is_final(seat, commands)
        except IllegalMove:
            return False  # a double tap: the move is no longer legal

    def _is_marked_final(self, command: Command) -> bool:
        """Return whether the service marked a command as final."""
        for choice in self.page.context.server_choices:
            if choice["command"] == command:
                return bool(choice["final"])
        for group in self.page.context.server_groups:
            for each in group["ranges"]:
                if {**each["command"], each["field"]: command.get(each["field"])} == command:
                    return bool(each["final"])
        return False

    def _question(self, command: Command) -> str:
        """Return the label of the confirm button; generic if the command is secret or unlisted."""
        label = "" if self.page.screen.is_secret_command(command) else self._label(command)
        return label or t("Yes, do it")

    def commit(self, *commands: Command) -> None:
        """Show moves immediately and send them in one request; revert them if they are refused.

        Does nothing if no seat of this device is to act, if the moves are illegal, or if the rules
        are not loaded and an earlier move is still unconfirmed.
        """
        seat = self.match.seat_to_act()
        if seat is None:
            return
        if self.match.rules is None and self.queue:
            return
        lost = self._refusal_name(commands[-1])
        self.queue.append({"seat": seat, "commands": commands, "key": None})
        if not self._predict():
            self.queue.pop()  # a double tap: the move is no longer legal
            self._predict()
            return
        self._send(lost)
        self.page.show()

    def _refusal_name(self, command: Command) -> str:
        """Return the name of a move for the refusal message (see `outbox.REFUSAL_TEXTS`).

        The name is generic in games with secrets and for moves without a label.
        """
        label = "" if self.match.has_secrets else self._label(command)
        return t("“{label}”", label=label) if label else "choice"

    def _label(self, command: Command) -> str:
        """Return the label of a command, or "" if it is not among the listed choices."""
        shown = self.page.shown
        for choice in shown.choices:
            if self.page.screen.command(choice) == command:
                return self.page.screen.label(choice, shown).rstrip(".")
        return ""

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
        self.busy = True
        newest["key"] = client.send(
            self.page.path + COMMANDS_PATH + CHANGING_VIEW,
            body,
            lambda answer: self._on_answer(newest, answer),
            lambda _problem: self._on_refusal(newest),
            self.page.id,
            follows,
            attempted,
        )

    def restore(self) -> None:
        """Restore the moves that an earlier page left in the outbox, if they are still legal.

        Also follows an undo or redo request that is still in the outbox.
        """
        for entry in client.outbox.waiting_entries(self.page.id):
            body = entry["body"]
            if entry["path"].split("?")[0] != self.page.path + COMMANDS_PATH:
                if "expected_version" in body:
                    self.busy = True
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
            self.busy = True
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
        self.busy = False
        self._predict()

    def _on_answer(self, move: Data, answer: Data) -> None:
        """Handle the response to a move, even if the user undid the move in the meantime."""
        recalled = move not in self.queue
        if not recalled:
            self.queue.remove(move)
        self.busy = bool(self.queue)
        self.page.match_sync.store_answer(answer["match"])
        texts = self._add_events(answer)
        if not self.page.closed:
            if recalled:
                self._undo_arrived(move["seat"])
            self.page.match_sync.ask_choices(lambda: self.page.show(texts[-3:]))

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
            self.page.sync()
        self.match.add_events(answer["events"])
        if self.page.is_mounting:
            self.page.playback.record_own_moves(answer["events"])
        if self.match.has_secrets and len(self.match.own_seats()) > 1:
            # The response shows the view of the seat that moved, not of the seat to act next.
            self.page.sync()
        if self.match.data["status"] != "playing":
            self._drop()
        if not self._predict():
            self._drop()
            toast(t("What you played next is no longer possible."))
        if self.page.match_sync.announced_version > self.match.version:
            self.page.sync()
        return [e["text"] for e in self.match.events[before:] if e["text"]]

    def _on_refusal(self, move: Data | None = None) -> None:
        """Drop the queue and show the confirmed position.

        The outbox has already reported the reason and dropped the dependent entries.
        """
        if move is not None and move not in self.queue:
            return  # the user undid the move while its request was in progress
        self.queue = []
        self.busy = False
        self.match.optimistic = None
        if not self.page.closed:
            self.page.show()
            self.page.sync()

    def _on_posted(self, data: Data) -> None:
        self.busy = False
        self.awaiting_sync = True
        self.page.match_sync.store_answer(data)
        self.page.sync()

    def take_back(self, to_version: Any = None) -> None:
        """Undo this device's latest step, or all moves after ``to_version``.

        Unconfirmed moves are dropped without an undo request.
        """
        unsent = self.queue[-1:] if to_version is None else [*reversed(self.queue)]
        for move in unsent:
            self.queue.remove(move)
            client.outbox.drop_entry(move["key"])
        if unsent:
            self.busy = bool(self.queue)
            self._predict()
            self.page.show()
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
        if self.busy or self.awaiting_sync:
            return
        self.busy = True

        def done(data: Data) -> None:
            self._on_posted(data)
            if then:
                then(data)

        path = self.page.path + rest + CHANGING_VIEW
        client.send(
            path, body, done, lambda _problem: self._on_refusal(), self.page.id, None, attempted
        )
