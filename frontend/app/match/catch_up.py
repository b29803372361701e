"""The moves made since the player last viewed the match on any device."""

from collections.abc import Callable
from typing import Any

from _native import add_listener, is_attended, is_page_hidden

from frontend.app.api import client
from frontend.app.contract.context import MatchContext, Phase
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.core import match_ids
from frontend.app.core.dom import after, button, cancel, el, fill, row
from frontend.app.core.i18n import t
from frontend.app.core.types import Callback, Data, DomEvent, Event
from frontend.app.match.playback import Playback

SEEN_DELAY_MS = 4000  # milliseconds for which a version is shown before it is reported as seen
RETRY_DELAY_MS = 200  # milliseconds between two checks of whether the page is complete


class CatchUp:
    """The banner that lists missed moves and can replay them.

    Inactive for spectators and in local matches. ``on_own_data(own)`` is called once the page is
    complete, with the player's private data on the match: the note and the version last seen.
    ``is_sheet_open()`` returns whether a sheet covers the board; moves are then not replayed.
    """

    def __init__(
        self,
        context: MatchContext,
        screen: Screen,
        playback: Playback,
        is_sheet_open: Callable[[], bool],
        on_own_data: Callback,
    ) -> None:
        self.context = context
        self.screen = screen
        self.playback = playback
        self.is_sheet_open = is_sheet_open
        self.on_own_data = on_own_data
        self.reported_version = 0
        self.seen_timer: Any = None
        self.banner = el("div", {})
        self.is_seated = bool(context.match.own_seats()) and not match_ids.is_local_match(
            context.id
        )
        if self.is_seated:
            context.on_close(self.close)
            context.moment_changed.subscribe(self._on_moment)
            context.listeners.append(
                add_listener("document", "visibilitychange", self._on_visibility_change)
            )
            client.get(context.path + "/own", self._on_own_data)

    def _on_own_data(self, own: Data) -> None:
        if self.context.is_closed:
            return
        if self.context.phase != Phase.MOUNTED:
            after(RETRY_DELAY_MS, lambda: self._on_own_data(own))
            return
        self.on_own_data(own)
        if own["seen"] is not None:
            self.reported_version = own["seen"]
            self._show_missed_moves(self.playback.moves(own["seen"]))
        self._schedule_seen_report()

    def _show_missed_moves(self, moves: list[list[Event]]) -> None:
        held = self.context.match.own_seats()
        others = [events for events in moves if events[0]["seat"] not in held]
        if not others or self.context.at is not None:
            return
        lines = [el("li", {}, self.screen.describe_move(events)) for events in moves]
        count = t("history.moves_since_visit", n=len(moves))

        still = self.playback.is_motion_reduced()
        play = button(t("history.play_missed"), lambda _e: self.playback.play_through(moves))
        close = button(t("common.ok"), lambda _e: fill(self.banner))
        buttons = [None if still else play, close]
        details = el("details", {}, el("summary", {}, count), el("ol", {}, lines))
        fill(self.banner, el("div", {"class": "notice since"}, details, row(buttons)))
        if not self.is_sheet_open():
            self.playback.play_through(moves)

    def _on_moment(self, view_model: ViewModel) -> None:
        if view_model.live:
            self._schedule_seen_report()

    def _schedule_seen_report(self) -> None:
        """Report the current version as seen after `SEEN_DELAY_MS`, if the page is visible.

        While the tab is visible but idle, the report is postponed.
        """
        if is_page_hidden():
            return
        if self.seen_timer is None and self.context.match.version > self.reported_version:
            self.seen_timer = after(SEEN_DELAY_MS, self._report_if_attended)

    def _report_if_attended(self) -> None:
        self.seen_timer = None
        if is_page_hidden():
            return
        if is_attended():
            self._report_seen()
        else:  # the tab is visible but idle
            self.seen_timer = after(SEEN_DELAY_MS, self._report_if_attended)

    def _report_seen(self) -> None:
        version = self.context.match.version
        if version > self.reported_version:
            self.reported_version = version
            client.call("PUT", self.context.path + "/seen", {"version": version})

    def _on_visibility_change(self, _event: DomEvent) -> None:
        if is_page_hidden():
            # The player may move and lock the phone within `SEEN_DELAY_MS`: report immediately.
            self.close()
        else:
            self._schedule_seen_report()

    def close(self) -> None:
        """Report the current version as seen if a report is scheduled and the tab is not idle.

        Called when the page is closed or hidden.
        """
        if self.seen_timer is not None:
            cancel(self.seen_timer)
            self.seen_timer = None
            if is_attended():
                self._report_seen()
