"""The strip between the board and the panel: what others did last; a tap replays it.

At an earlier moment it is the move that led there.
"""

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen, ViewModel
from frontend.app.core.dom import button, el, fill, patch, plain_button, set_blocked_reason
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.types import Event, Node
from frontend.app.match.playback import Playback
from frontend.app.match.replay_controls import ReplayControls


class MoveStrip:
    """The strip (``node``): the latest move of others, and the button that unfolds the history."""

    def __init__(
        self, context: MatchContext, screen: Screen, playback: Playback, replay: ReplayControls
    ) -> None:
        self.screen = screen
        self.playback = playback
        self.replay = replay
        self.is_live = True
        self.latest: tuple[list[Event], str] = ([], "")
        self.events: list[Event] = []
        self.tone = el("span", {"class": "dot"})
        self.text = el("span", {"class": "latest-text"})
        self.line = plain_button("latest", self._on_tap, self.tone, self.text)
        self.node = el("div", {"class": "strip"}, self.line, self._history_button())
        playback.latest_changed.subscribe(self._on_latest)
        context.moment_changed.subscribe(self._on_moment)
        self._show([])

    def _history_button(self) -> Node:
        unfold = button(
            t("history.title"), lambda _e: self.replay.toggle(), "round quiet", "i-history"
        )

        def show_state() -> None:
            patch(unfold, {"aria-expanded": "false" if self.replay.is_folded else "true"})

        self.replay.folded_changed.subscribe(show_state)
        show_state()
        return unfold

    def _on_latest(self, events: list[Event], prefix: str) -> None:
        """Store the latest move of others, and show it unless an earlier moment is shown."""
        self.latest = (events, prefix)
        if self.is_live:
            self._show(events, prefix)

    def _on_moment(self, view_model: ViewModel) -> None:
        """Show the move that led to an earlier moment, or again the latest one."""
        if not view_model.live:
            self._show(self.playback.highlights(view_model.version, False))
        elif not self.is_live:
            self._show(*self.latest)
        self.is_live = view_model.live

    def _show(self, events: list[Event], prefix: str = "") -> None:
        """Describe a move, after ``prefix``; no events: nobody else has moved yet."""
        self.events = events
        seat = self.playback.moving_seat(events) if events else None
        self.tone.hidden = seat is None
        if seat is not None:
            self.tone.style = f"--tone:var(--seat-{seat})"
        words = t("history.no_moves")
        if events:
            words = join_sentences([prefix, self.screen.summarise_move(events)])
        fill(self.text, words)
        patch(self.line, {"class": "latest", "title": t("history.replay_move") if events else None})
        set_blocked_reason(self.line, None if events else words)

    def _on_tap(self, _event: object) -> None:
        """Replay the latest move and show all of its text.

        Where nothing may move on the screen, or at an earlier moment, show the moment before it.
        """
        before = self.events[0]["version"] - 1
        patch(self.line, {"class": "latest whole"})
        if not self.is_live or not self.playback.play_through([self.events]):
            self.replay.show_version(before)
