"""What happened since the player last looked, on any device."""

from typing import Any

from _native import hidden, is_attended, listen, matches

from frontend.app.api import client
from frontend.app.contract.context import ReplayHost
from frontend.app.core import match_ids
from frontend.app.core.dom import after, button, cancel, el, fill
from frontend.app.core.i18n import t, tn
from frontend.app.core.types import Data, DomEvent, Event, Told

REST = 4000  # milliseconds on display until the shown version is reported as seen
AGAIN = 200  # milliseconds between two checks whether the page is complete


class CatchUp:
    """The banner with missed moves, which can replay them.

    It needs a seat in a match of the service. ``known(own)`` is called with what the service stores
    of the match for this player, once the page is up.
    """

    def __init__(self, page: ReplayHost, known: Told) -> None:
        self.page = page
        self.known = known
        self.noted = 0
        self.timer: Any = None
        self.banner = el("div", {})
        self.own = bool(page.match.held()) and not match_ids.is_local_match(page.id)
        if self.own:
            page.ears.append(listen("document", "visibilitychange", self._turned))
            client.get(page.path + "/own", self._known)

    def _known(self, own: Data) -> None:
        page = self.page
        if page.closed:
            return
        if not page.is_up:
            after(AGAIN, lambda: self._known(own))
            return
        self.known(own)
        if own["seen"] is not None:
            self.noted = own["seen"]
            self._tell(page.playback.deeds(own["seen"]))
        self.looked()

    def _tell(self, deeds: list[list[Event]]) -> None:
        page = self.page
        held = page.match.held()
        others = [events for events in deeds if events[0]["seat"] not in held]
        if not others or page.history.at is not None:
            return
        said = [el("li", {}, page.screen.said(events)) for events in deeds]
        count = tn("{n} move since you looked.", "{n} moves since you looked.", n=len(deeds))

        def play(_event: DomEvent) -> None:
            page.playback.play_through(deeds)

        def close(_event: DomEvent) -> None:
            fill(self.banner)

        still = matches("(prefers-reduced-motion: reduce)")
        ways = [None if still else button(t("Play them"), play), button(t("Good"), close)]
        told = el("details", {}, el("summary", {}, count), el("ol", {}, said))
        fill(
            self.banner,
            el("div", {"class": "notice since"}, told, el("div", {"class": "row"}, ways)),
        )
        if not page.sheet_open():
            page.playback.play_through(deeds)

    def looked(self) -> None:
        """Report the current version as seen after `REST` ms, if the page is being used."""
        if hidden():
            return
        if self.own and self.timer is None and self.page.match.version > self.noted:
            self.timer = after(REST, self._see)

    def _see(self) -> None:
        self.timer = None
        if hidden():
            return
        if is_attended():
            self._note(self.page.match.version)
        else:
            self.timer = after(REST, self._see)  # the tab is open, but nobody uses it

    def _note(self, version: int) -> None:
        if version <= self.noted:
            return
        self.noted = version
        client.call("PUT", self.page.path + "/seen", {"version": version})

    def _turned(self, _event: DomEvent) -> None:
        if hidden():
            # A player may look, move and put the phone away in less than `REST`: report at once.
            self.close()
        else:
            self.looked()

    def close(self) -> None:
        """Report the current version as seen: the page is left or hidden."""
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None
            if is_attended():
                self._note(self.page.match.version)
