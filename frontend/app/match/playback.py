"""Animation of other players' moves: played frame by frame, described in the strip, then marked.

The game's screen defines moves and frames with `Screen.move_of`, `Screen.frame_durations` and
`Screen.describe_move`. Its ``draw(view_model)`` gets the events to mark in ``view_model.marks`` and
the current frame in ``view_model.frame``.
"""

from collections.abc import Callable
from typing import Any

from _native import dumps, is_page_hidden, loads, local_storage, media_matches

from frontend.app.contract.context import MatchContext
from frontend.app.contract.game_screen import Screen
from frontend.app.contract.model import UNDO_EVENT_TYPES
from frontend.app.core import match_ids
from frontend.app.core.dom import add_listener, after, cancel, el
from frontend.app.core.i18n import join_sentences, t
from frontend.app.core.signal import Signal
from frontend.app.core.types import Action, Event
from frontend.app.match.move_queue import MoveQueue

MAX_DURATION_MS = 5000  # maximum length of an animation in milliseconds
MAX_CATCH_UP_MS = 15000  # maximum length of the animation of missed moves in milliseconds
SPEED_PERCENT = {"slow": 170, "fast": 45}
"""Durations of frames for each choice of the setting "animation-speed", relative to the normal."""
MIN_FRAME_MS = 60  # minimum duration of a frame in milliseconds
MAX_REMEMBERED_MATCHES = 40  # maximum number of matches whose last seen version is stored


class Playback:
    """The animation of other players' moves in one match.

    ``seen_version``: the version this device showed last, or None if it has not shown the match;
    ``tap_shield``: an overlay that catches taps during an animation; ``moves_found(version)``:
    emitted if there are new moves after a version; ``latest_changed(events, prefix)``: emitted with
    the events of the latest move of others (empty if there is none) and a sentence to put first.
    ``is_sheet_open()`` returns whether a sheet covers the board; ``draw()`` draws the moment.
    """

    def __init__(
        self,
        context: MatchContext,
        screen: Screen,
        move_queue: MoveQueue,
        is_sheet_open: Callable[[], bool],
        draw: Action,
    ) -> None:
        self.context = context
        self.match = context.match
        self.screen = screen
        self.move_queue = move_queue
        self.is_sheet_open = is_sheet_open
        self.draw = draw
        self.moves_found = Signal()
        self.latest_changed = Signal()
        # The moves of an earlier trial are not new in the next one.
        known = {} if match_ids.is_trial(context.id) else _load_seen_versions()
        self.seen_version = known.get(self.match.data["id"])
        self.was_away = True  # whether moves may have come that the page did not show as they came
        self.told_version: int | None = None  # the version at which the latest move was told
        self.own_versions: set[Any] = set()
        self.frames: list[Any] = []
        self.timer: Any = None
        self.tap_shield = el("div", {"class": "skip", "onclick": lambda _e: self.skip()})
        self.tap_shield.hidden = True
        context.listeners.append(add_listener("document", "keydown", lambda _e: self.skip()))
        context.on_close(self.stop)
        move_queue.moves_confirmed.subscribe(self._record_own_moves)

    # -- new moves -----------------------------------------------------------------------------

    def _record_own_moves(self, events: list[Event]) -> None:
        """Record the events of a move made on this device, so that they are not animated.

        ``events`` may include the subsequent moves of bots, which are animated. The seat of the
        first event is the seat that moved.
        """
        for event in events:
            deed = self.screen.move_of(event)
            if deed is not None and deed[0] == events[0]["seat"]:
                self.own_versions.add(event["version"])

    def update(self) -> str | None:
        """Animate new moves and return their description; None if there are none.

        If more than a round is new, only the last round is animated and described, after the number
        of new moves if the page was just opened or hidden meanwhile. Returns None while the page is
        hidden, and the moves remain new.
        """
        if is_page_hidden():
            self.was_away = True
            return None
        was_away, self.was_away = self.was_away, False
        since = self.match.version if self.seen_version is None else self.seen_version
        fresh = self._new_moves(since)
        self._store_seen()
        is_told, self.told_version = self.told_version == self.match.version, self.match.version
        if not fresh:
            if not is_told:  # otherwise the strip may tell this player's move on another device
                self.latest_changed.emit(self._latest_of_others(), "")
            return None
        self.moves_found.emit(since)
        some = fresh[-self._last_round_length(fresh) :]
        prefix = ""
        if was_away and len(fresh) > len(some):
            prefix = t("history.moves_since_visit", n=len(fresh))
        # A move may arrive in parts; the line describes the whole move.
        whole = self.highlights(self.match.version, False)
        sentences = [self.screen.describe_move(events) for events in [*some[:-1], whole]]
        self.latest_changed.emit(whole, prefix)
        if not (self.is_motion_reduced() or self.is_sheet_open() or self.move_queue.queue):
            self._play([event for events in some for event in events])
        return join_sentences([prefix, *sentences])

    def moves(self, since: int) -> list[list[Event]]:
        """Return the moves after a version, including this device's, each as a list of events."""
        own, self.own_versions = self.own_versions, set()
        found = self._new_moves(since)
        self.own_versions = own
        return found

    def play_through(self, moves: list[list[Event]]) -> bool:
        """Animate moves from the first one on, in place of any running animation.

        Does nothing and returns False if the user prefers reduced motion.
        """
        if self.is_motion_reduced():
            return False
        self.stop()
        self._play([event for events in moves for event in events], MAX_CATCH_UP_MS)
        self.draw()
        return True

    def is_motion_reduced(self) -> bool:
        """Return whether the user does not want animations."""
        if local_storage("animation-speed") == "off":
            return True
        return media_matches("(prefers-reduced-motion: reduce)")

    def _last_round_length(self, fresh: Any) -> int:
        """Return the number of moves to show as the last round: one per other seat.

        1 if the latest move belongs to no seat.
        """
        others = len(self.match.data["seats"]) - 1
        return max(1, others) if self.moving_seat(fresh[-1]) is not None else 1

    def moving_seat(self, events: list[Event]) -> int | None:
        """Return the seat that made a move, None if it belongs to no seat."""
        deed = self.screen.move_of(events[0])
        return deed[0] if deed else None

    def _new_moves(self, since: int) -> list[Any]:
        """Return the moves after a version, each as a list of events, except recorded own moves.

        Undone moves are left out. Clears the recorded own moves.
        """
        found: list[tuple[Any, list[Event]]] = []
        version = self.match.version
        while version > since:
            event = self.match.events[version - 1]
            if event["type"] not in UNDO_EVENT_TYPES and version not in self.own_versions:
                self._gather(found, event)
            version = self.match.version_before(version)
        self.own_versions = set()
        return [events for _, events in reversed(found)]

    def _gather(self, found: Any, event: Event) -> None:
        """Add an event to the moves in ``found``, which are collected from the latest event back.

        Prepends it to the last move if it belongs to it, otherwise appends a new move. Ignores
        events that belong to no move.
        """
        deed = self.screen.move_of(event)
        if deed is None:
            return
        if found and found[-1][0] == deed:
            found[-1][1].insert(0, event)
        else:
            found.append((deed, [event]))

    def highlights(self, version: int, live: bool) -> list[Event]:
        """Return the events of the latest move up to a version.

        Empty if there is none, or if ``live`` and the move is the viewer's own.
        """
        found: list[tuple[Any, list[Event]]] = []
        while version > 0 and len(found) < 2:
            event = self.match.events[version - 1]
            if event["type"] not in UNDO_EVENT_TYPES:
                self._gather(found, event)
            version = self.match.version_before(version)
        if not found:
            return []
        deed, events = found[0]
        return [] if live and deed[0] is not None and deed[0] == self._viewer() else events

    def _latest_of_others(self) -> list[Event]:
        """Return the events of the latest move that is not the viewer's own; empty if none is."""
        version, viewer = self.match.version, self._viewer()
        while version > 0:
            events = self.highlights(version, False)
            if not events:
                return []
            if self.moving_seat(events) != viewer or viewer is None:
                return events
            version = self.match.version_before(events[0]["version"])
        return []

    def _viewer(self) -> int | None:
        """Return this device's only seat, otherwise its seat to act; None if there is none."""
        held = self.match.own_seats()
        return held[0] if len(held) == 1 else self.match.seat_to_act()

    def _store_seen(self) -> None:
        if self.seen_version != self.match.version:
            self.seen_version = self.match.version
            known = _load_seen_versions()
            known.pop(self.match.data["id"], None)
            known[self.match.data["id"]] = self.seen_version
            for old in [*known][:-MAX_REMEMBERED_MATCHES]:
                del known[old]
            local_storage("seen", dumps(known))

    # -- animation -----------------------------------------------------------------------------

    @property
    def frame(self) -> tuple[int, int, int] | None:
        """The current frame ``(version, part, parts)``, or None if no animation is playing."""
        return self.frames[0][:3] if self.frames else None

    def _play(self, events: list[Event], max_ms: int = MAX_DURATION_MS) -> None:
        """Append the frames of events to the animation and start it if it is not playing.

        If the whole animation is longer than ``max_ms``, its frames are shortened, but not below
        `MIN_FRAME_MS` each.
        """
        frames = [*self.frames]
        percent = SPEED_PERCENT.get(local_storage("animation-speed") or "", 100)
        for event in events:
            paces = self.screen.frame_durations(event)
            for part, pace in enumerate(paces):
                frames.append((event["version"], part, len(paces), pace * percent // 100))
        whole = sum([frame[3] for frame in frames])
        if whole > max_ms:
            frames = [(*f[:3], max(MIN_FRAME_MS, f[3] * max_ms // whole)) for f in frames]
        self.frames = frames
        if frames and self.timer is None:
            self.tap_shield.hidden = False
            self.timer = after(frames[0][3], self._next_frame)

    def _next_frame(self) -> None:
        self.timer = None
        self.frames.pop(0)
        if self.context.is_closed:
            return
        if self.frames:
            self.timer = after(self.frames[0][3], self._next_frame)
        else:
            self.stop()
        self.draw()

    def stop(self) -> None:
        """Stop the animation and drop its remaining frames, without redrawing."""
        cancel(self.timer)
        self.timer = None
        self.frames = []
        self.tap_shield.hidden = True

    def skip(self) -> None:
        """Stop a running animation and show the final position immediately."""
        if self.frames:
            self.stop()
            self.draw()


def _load_seen_versions() -> dict[str, int]:
    """Return the version of each match that this device showed last, by match id, oldest first."""
    text = local_storage("seen")
    return loads(text) if text else {}
