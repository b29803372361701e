"""What the service tells of a match, as it comes: the match, its events, and what may be done."""

from collections.abc import Iterator
from typing import Any

from _native import hidden, listen, soon, unlisten

from frontend.app import net
from frontend.app.dom import after, in_slices
from frontend.app.handover import due
from frontend.app.match_page import MatchPage
from frontend.app.net import Problem
from frontend.app.outbox import AGAIN
from frontend.app.phone import door
from frontend.app.typed import Data, Does, DomEvent, Event

WAKING = (("document", "visibilitychange"), ("window", "online"), ("window", "pageshow"))
SOON = 2_000  # milliseconds until the table stands, for what is not urgent
SLOWLY = 30_000  # milliseconds between two questions whether something was missed
PAUSE = 3000  # milliseconds until what the network lost is asked for again


class Feed:
    """``heard``: the newest version that was told of, whether its events are here or not."""

    def __init__(self, page: MatchPage) -> None:
        self.page = page
        self.match = page.match
        self.heard = 0
        self.syncing = False
        self.again = False
        self.ears = [listen(target, name, self._woke) for target, name in WAKING]
        address = page.address("/live")
        version = self.match.data["version"]
        self.stop, self.look_again = net.follow(
            address, version, self._heard, page.presence.hear, self._moved
        )
        if door.is_here(address):
            after(SOON, self._portray)
        else:
            after(SLOWLY, self._slowly)

    def _slowly(self) -> None:
        """A stream that says nothing may be dead without anybody having noticed."""
        if self.page.closed:
            return
        after(SLOWLY, self._slowly)
        if not (hidden() or self.syncing or self.page.sending.busy):
            address = self.page.address("/events", after=self.match.version)
            net.get(address, self._missed, lambda _problem: None)

    def _moved(self) -> None:
        """The seat has gone to another device: opened anew, the page says so."""
        if not self.page.closed:
            self.page.went(None)

    def _portray(self) -> None:
        """The list shows the board of a match of this phone also when its page was killed."""
        if not self.page.closed:
            after(SLOWLY, self._portray)
            door.picture(self.page.id)

    def _missed(self, answer: Data) -> None:
        if not self.page.closed and answer["version"] > self.match.version:
            self.look_again()
            self.sync()

    def close(self) -> None:
        """The page is left."""
        for ear in self.ears:
            unlisten(ear)
        self.stop()

    def _woke(self, _event: DomEvent) -> None:
        """Back from sleep or a lost network: no connection is trusted, all is asked anew."""
        if hidden():
            self.page.last_known.keep()
            door.picture(self.page.id)
            return
        self.look_again()
        self.sync()

    def _heard(self, version: int) -> None:
        self.heard = version
        if version > self.match.version and not self.page.sending.busy:
            self.sync()
        elif version == self.match.version and self.match.data["status"] == "finished":
            self.sync()  # something beside the log: a rematch

    def sync(self) -> None:
        """Asks for what happened since; one question at a time."""
        if self.syncing:
            self.again = True
            return
        self.syncing = True
        net.get(self.page.address("", **self.parts()), self._synced, self._sync_failed)

    def parts(self) -> dict[str, str]:
        """What of a view is asked for: what never changes in it has come with the first one."""
        return {"view": "changing"} if self.match.data["view"] else {}

    def note(self, data: Data) -> None:
        """Takes the match as the service tells it now, of the view only what changes."""
        known = self.match.data["view"]
        if known and data["view"]:
            data["view"] = {**known, **data["view"]}
        self.match.data = data
        self.page.last_known.as_of(None)

    def _sync_failed(self, problem: Problem) -> None:
        self.syncing = False
        sending = self.page.sending
        sending.settling = sending.settling and problem.status in AGAIN
        if problem.status in AGAIN and not self.page.closed:
            after(PAUSE, self.sync)

    def _synced(self, data: Data) -> None:
        if self.page.closed:
            return
        if not self.page.sending.busy:
            self.note(data)
        self.fetch()

    def fetch(self) -> None:
        """Asks for the events that are not here yet."""
        self.syncing = True
        address = self.page.address("/events", after=self.match.version)
        net.get(address, self._fetched, self._sync_failed)

    def _fetched(self, answer: Data) -> None:
        if self.page.closed:
            return
        sending = self.page.sending
        if self.match.version == 0:
            self.begin(answer["events"])
            return
        if not sending.busy:
            sending.settling = sending.settling and self.again
            self.take(answer["events"])
        self._caught_up()

    def begin(self, events: list[Event]) -> None:
        """Takes all that has happened and shows it: in pieces, for it may be much."""
        self.syncing = True
        in_slices(self._beginning(events), lambda: not self.page.closed)

    def _beginning(self, events: list[Event]) -> Iterator[None]:
        yield from self.match.taking(events)
        self.page.sending.restore()
        yield
        self._take_hand(lambda: self.ask_choices(lambda: soon(self.page.show)))
        yield
        self._caught_up()

    def _take_hand(self, then: Does) -> None:
        """A phone that goes round and may follow the turn by itself has what that seat sees before
        anything is shown, which would move when it came."""
        match = self.match
        seat = due(match) if match.secret else None
        if seat is None or not self.page.game.open_handed(match.data["view"]):
            then()
            return

        def told(data: Data) -> None:
            if not (self.page.closed or self.page.sending.busy):
                self.note(data)
            then()

        match.in_hand = seat
        net.get(self.page.address("", **self.parts()), told, lambda _problem: then())

    def _caught_up(self) -> None:
        self.syncing = False
        if not self.page.sending.busy:
            # Somebody may have moved between the two answers: then the first is out of date.
            self.again = self.again or self.match.version > self.match.data["version"]
        if self.again:
            self.again = False
            self.sync()

    def take(self, events: list[Event]) -> None:
        """Adds what happened, says it aloud and shows it."""
        before = self.match.version
        self.match.take(events)
        if self.page.is_up:
            self.page.layout.talk.hear(self.match.events[before:])
        told = [e["text"] for e in self.match.events[before:] if e["text"]]
        self.ask_choices(lambda: self.page.show(told[-3:]))

    def ask_choices(self, then: Does) -> None:
        """Games without rules in the browser ask the service what may be done."""
        page, match = self.page, self.match
        page.server_choices = ()
        page.server_groups = ()
        seat = match.my_seat()
        if match.rules or seat is None or match.data["status"] != "playing":
            then()
            return

        def done(answer: Data) -> None:
            if answer["version"] == match.data["version"]:
                page.server_choices = answer["choices"]
                page.server_groups = answer["groups"]
            elif not page.sending.busy:
                self.sync()  # somebody has moved: these are not the choices of the view we have
            then()

        query: dict[str, Any] = {"seat": seat, "grouped": 1, "limit": page.game.LISTED}
        net.get(page.address("/choices", **query), done, lambda _problem: then())
