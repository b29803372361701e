"""Handing a local match over to the service, which takes it in once.

The match file and the keys of the requests are stored before the first request is sent, and the
match accepts no moves from then on. So a double tap, a lost answer or a closed page lead to the
same match on the service. A finished match is stored there for review. An unfinished one is
imported and continues as a fork, for which the service draws: nobody could prove how the rest was
drawn.
"""

from collections.abc import Callable
from typing import Any

from _native import dumps, in_turn, keep_head, random_key, request

from frontend.app.api import local_gateway, session
from frontend.app.components.menu_button import way
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import toast
from frontend.app.core.i18n import sentences, t
from frontend.app.core.problem import RETRYABLE_STATUSES, Problem
from frontend.app.core.types import Data, Does, DomEvent, Node
from frontend.app.offline.local_match import Table
from frontend.app.offline.server import HOUSE, match_file

IMPORT = "/api/matches/import"


class HandingOver:
    """One hand-over; calls ``done(address)`` when it is complete, else ``failed(words)``."""

    def __init__(
        self, table: Table, done: Callable[[str], object], failed: Callable[[str], object]
    ) -> None:
        self.table = table
        self.done = done
        self.failed = failed
        self.release: Does = lambda: None

    def begin(self) -> None:
        """Begin, or resume an earlier attempt that failed; one window at a time."""

        def mine(release: Any) -> None:
            self.release = release
            if "handing" in self.table.head:
                self._become_somebody()
            else:
                self._pack()

        in_turn("handing " + self.table.id, mine)

    def _pack(self) -> None:
        """Store what is to be sent; the match accepts no moves from now on."""
        table = self.table
        handing = {"file": match_file(table), "import": random_key(), "fork": random_key()}
        table.head = {**table.head, "handing": handing}

        def kept(safe: bool, _results: Any) -> None:
            if safe:
                self._become_somebody()
            else:
                self._stop(t("This phone could not keep it."))

        keep_head(table.head, False, kept)

    def _become_somebody(self) -> None:
        name = session.me["name"] or session.GUEST
        session.find(lambda: session.become(name, self._send, self._lost))

    def _send(self) -> None:
        handing = self.table.head["handing"]
        request("POST", IMPORT, handing["file"], handing["import"], self._taken)

    def _taken(self, status: int, data: Data) -> None:
        if status != 201:
            self._lost(Problem(status, data))
        elif data["status"] == "finished":
            self._arrived(data["id"], "/review")
        else:
            body = {"at": data["version"], "seats": self._seats()}
            path, key = f"/api/matches/{data['id']}/fork", self.table.head["handing"]["fork"]
            request("POST", path, dumps(body), key, lambda *told: self._forked(data["id"], *told))

    def _seats(self) -> list[Data]:
        """Return the seats of the fork: all people on this device, and the same bots."""
        found = []
        for seat in self.table.timeline.latest.seats:
            person = {"kind": "me", "name": seat.name}
            bot = {"kind": "bot", "level": seat.level or "good"}
            found.append(bot if seat.kind == "bot" else person)
        return found

    def _forked(self, origin: str, status: int, data: Data) -> None:
        if status == 201:
            # Hide the imported match from the list: the lineage of the fork links to it.
            hidden = f"/api/matches/{origin}/hide"
            request("POST", hidden, dumps({"hidden": True}), None, _nothing)
            self._arrived(data["id"], "")
        else:
            self._lost(Problem(status, data))

    def _arrived(self, match_id: str, rest: str) -> None:
        """Replace the local match by a note of the new match's id."""
        table = self.table
        table.closed = True
        head = {"id": table.id, "item": table.head["item"], "to": match_id}

        def kept(_safe: bool, _results: Any) -> None:
            HOUSE.forget(table.id)
            self.release()
            self.done(f"/m/{match_id}{rest}")

        keep_head(head, True, kept)

    def _lost(self, problem: Problem) -> None:
        """Handle a failed request: keep the attempt for later, or give it up.

        Without an answer, the same requests are sent another time. If the service refused, the
        match continues on this device.
        """
        if problem.status in RETRYABLE_STATUSES:
            self._stop(sentences([problem.detail, t("It stays on this phone: try again later.")]))
            return
        table = self.table
        table.head = {name: part for name, part in table.head.items() if name != "handing"}
        words = sentences([t("The service did not take it."), problem.detail])
        keep_head(table.head, False, lambda _safe, _results: self._stop(words))

    def _stop(self, words: str) -> None:
        self.release()
        self.failed(words)


def hand_over_told() -> tuple[str, str]:
    """Return the label of the button, and what happens to a match that is handed over."""
    becomes = t(
        "There you go on from any device, with chance drawn by the service; "
        "what has ended is kept with its review."
    )
    return t("Hand it over to the service"), becomes


def at_table(page: MatchContext) -> Node:
    """Build the menu item that hands over the match of a page."""

    def chosen(_event: DomEvent) -> None:
        HOUSE.find(page.id, begin, lambda problem: toast(problem.detail))

    def begin(table: Table) -> None:
        HandingOver(table, page.went, toast).begin()

    return way(*hand_over_told(), chosen)


def _nothing(_status: int, _data: Any) -> None:
    """Ignore the answer: nothing depends on it."""


local_gateway.provide(upload=at_table)
