"""The upload of a local match to the service, which imports it exactly once.

The match file and the idempotency keys of the requests are stored before the first request is sent,
and the match accepts no moves from then on. So repeating the upload after a double tap, a lost
response or a closed page leads to the same match on the service. A finished match is stored there
for review. An unfinished one is imported and continues as a fork whose random numbers the service
draws, because a device's draws cannot be verified.
"""

from collections.abc import Callable
from typing import Any

from _native import local_match_put_head, random_key, request, with_lock

from frontend.app.api import client, local_gateway, session
from frontend.app.components.menu_button import menu_button
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import toast
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem, show_problem
from frontend.app.core.types import Action, Data, DomEvent, Node
from frontend.app.offline.local_match import LocalMatch
from frontend.app.offline.server import SERVER, match_file

IMPORT_PATH = "/api/matches/import"
UPLOAD_TEXTS = (t("offline.upload"), t("offline.upload_hint"))
"""The label of the upload button and an explanation of what happens to the match."""


class MatchUpload:
    """One upload; calls ``done(address)`` on success, or ``failed(text)``."""

    def __init__(
        self,
        local_match: LocalMatch,
        done: Callable[[str], object],
        failed: Callable[[str], object],
    ) -> None:
        self.local_match = local_match
        self.done = done
        self.failed = failed
        self.release: Action = lambda: None

    def begin(self) -> None:
        """Begin the upload or resume a failed attempt; a lock admits one window at a time."""

        def mine(release: Any) -> None:
            self.release = release
            if "handing" in self.local_match.head:
                self._ensure_player()
            else:
                self._store_request()

        with_lock("handing " + self.local_match.id, mine)

    def _store_request(self) -> None:
        """Store the match file and the request keys; the match accepts no moves from now on."""
        table = self.local_match
        handing = {"file": match_file(table), "import": random_key(), "fork": random_key()}
        table.head = {**table.head, "handing": handing}

        def on_stored(safe: bool, _results: Any) -> None:
            if safe:
                self._ensure_player()
            else:
                self._abort(t("error.phone_not_saved"))

        local_match_put_head(table.head, False, on_stored)

    def _ensure_player(self) -> None:
        session.ensure_player(session.current["name"], self._send, self._on_error)

    def _send(self) -> None:
        handing = self.local_match.head["handing"]
        request("POST", IMPORT_PATH, handing["file"], handing["import"], self._on_imported)

    def _on_imported(self, status: int, data: Data) -> None:
        if status != 201:
            self._on_error(Problem(status, data))
        elif data["status"] == "finished":
            self._finish(data["id"], "/review")
        else:
            body = {"at": data["version"], "seats": self._seats()}
            path, key = f"/api/matches/{data['id']}/fork", self.local_match.head["handing"]["fork"]

            def on_forked(match: Data) -> None:
                # Hide the imported match from the list: the lineage of the fork links to it.
                client.call("POST", f"/api/matches/{data['id']}/hide", {"hidden": True})
                self._finish(match["id"], "")

            client.call("POST", path, body, on_forked, self._on_error, key)

    def _seats(self) -> list[Data]:
        """Return the seats of the fork: this device holds all human seats, and bots stay bots."""
        found = []
        for seat in self.local_match.timeline.latest.seats:
            person = {"kind": "me", "name": seat.name}
            bot = {"kind": "bot", "level": seat.level or "good"}
            found.append(bot if seat.kind == "bot" else person)
        return found

    def _finish(self, match_id: str, rest: str) -> None:
        """Replace the local match with a record of the new match's id, then call ``done``."""
        table = self.local_match
        table.closed = True
        head = {"id": table.id, "item": table.head["item"], "to": match_id}

        def on_stored(_safe: bool, _results: Any) -> None:
            SERVER.evict(table.id)
            self.release()
            self.done(f"/m/{match_id}{rest}")

        local_match_put_head(head, True, on_stored)

    def _on_error(self, problem: Problem) -> None:
        """Handle a failed request: keep the attempt for a retry, or give up.

        After a retryable error, the next attempt sends the same requests. If the service refused,
        the attempt is dropped and the match continues on this device.
        """
        if problem.status in RETRYABLE_STATUSES:
            self._abort(join_sentences([problem.detail, t("offline.still_on_phone")]))
            return
        table = self.local_match
        table.head = {name: part for name, part in table.head.items() if name != "handing"}
        text = join_sentences([t("error.server_rejected"), problem.detail])
        local_match_put_head(table.head, False, lambda _safe, _results: self._abort(text))

    def _abort(self, text: str) -> None:
        self.release()
        self.failed(text)


def upload_button(context: MatchContext) -> Node:
    """Build the menu item that uploads the local match shown."""

    def on_choose(_event: DomEvent) -> None:
        SERVER.load_match(context.id, begin, show_problem)

    def begin(table: LocalMatch) -> None:
        MatchUpload(table, context.navigate, toast).begin()

    return menu_button(*UPLOAD_TEXTS, on_choose)


local_gateway.provide(upload=upload_button)
