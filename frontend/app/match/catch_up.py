"""The moves made since the player last viewed the match on any device."""

from typing import Any

from _native import add_listener, is_attended, is_page_hidden, media_matches

from frontend.app.api import client
from frontend.app.contract.context import ReplayHost
from frontend.app.core import match_ids
from frontend.app.core.dom import after, button, cancel, el, fill
from frontend.app.core.i18n import t, tn
from frontend.app.core.types import Callback, Data, DomEvent, Event

SEEN_DELAY_MS = 4000  # milliseconds for which a version is shown before it is reported as seen
RETRY_DELAY_MS = 200  # milliseconds between two checks of whether the page is complete


class CatchUp:
    """The banner that lists missed moves and can replay them.

    Inactive for spectators and in local matches. ``on_own_data(own)`` is called once the page is
    complete, with the player's private data on the match: the note and the version last seen.
    """

    def __init__(self, page: ReplayHost, on_own_data: Callback) -> None:
        self.page = page
        self.on_own_data = on_own_data
        self.reported_version = 0
        self.seen_timer: Any = None
        self.banner = el("div", {})
        self.is_seated = bool(page.match.own_seats()) and not match_ids.is_local_match(page.id)
        if self.is_seated:
            page.listeners.append(
                add_listener("document", "visibilitychange", self._on_visibility_change)
            )
            client.get(page.path + "/own", self._on_own_data)

    def _on_own_data(self, own: Data) -> None:
        page = self.page
        if page.closed:
            return
        if not page.is_mounted:
            after(RETRY_DELAY_MS, lambda: self._on_own_data(own))
            return
        self.on_own_data(own)
        if own["seen"] is not None:
            self.reported_version = own["seen"]
            self._show_missed_moves(page.playback.moves(own["seen"]))
        self.schedule_seen_report()

    def _show_missed_moves(self, moves: list[list[Event]]) -> None:
        page = self.page
        held = page.match.own_seats()
        others = [events for events in moves if events[0]["seat"] not in held]
        if not others or page.context.at is not None:
            return
        lines = [el("li", {}, page.screen.describe_move(events)) for events in moves]
        count = tn("{n} move since you looked.", "{n} moves since you looked.", n=len(moves))

        def play(_event: DomEvent) -> None:
            page.playback.play_through(moves)

        def close(_event: DomEvent) -> None:
            fill(self.banner)

        still = media_matches("(prefers-reduced-motion: reduce)")
        buttons = [None if still else button(t("Play them"), play), button(t("Good"), close)]
        details = el("details", {}, el("summary", {}, count), el("ol", {}, lines))
        fill(
            self.banner,
            el("div", {"class": "notice since"}, details, el("div", {"class": "row"}, buttons)),
        )
        if not page.is_sheet_open():
            page.playback.play_through(moves)

    def schedule_seen_report(self) -> None:
        """Report the current version as seen after `SEEN_DELAY_MS`, if the page is visible.

        While the tab is visible but idle, the report is postponed.
        """
        if is_page_hidden():
            return
        if (
            self.is_seated
            and self.seen_timer is None
            and self.page.match.version > self.reported_version
        ):
            self.seen_timer = after(SEEN_DELAY_MS, self._report_if_attended)

    def _report_if_attended(self) -> None:
        self.seen_timer = None
        if is_page_hidden():
            return
        if is_attended():
            self._report_seen(self.page.match.version)
        else:
            self.seen_timer = after(
                SEEN_DELAY_MS, self._report_if_attended
            )  # the tab is visible but idle

    def _report_seen(self, version: int) -> None:
        if version <= self.reported_version:
            return
        self.reported_version = version
        client.call("PUT", self.page.path + "/seen", {"version": version})

    def _on_visibility_change(self, _event: DomEvent) -> None:
        if is_page_hidden():
            # The player may move and lock the phone within `SEEN_DELAY_MS`: report immediately.
            self.close()
        else:
            self.schedule_seen_report()

    def close(self) -> None:
        """Report the current version as seen if a report is scheduled and the tab is not idle.

        Called when the page is closed or hidden.
        """
        if self.seen_timer is not None:
            cancel(self.seen_timer)
            self.seen_timer = None
            if is_attended():
                self._report_seen(self.page.match.version)
