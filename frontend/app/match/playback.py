"""Animation of the moves of others: played frame by frame, summed up in a line, then marked.

What is shown is up to the game. A screen offers

- ``deed(event)``: ``(seat, number)`` of the move that an event belongs to, seat None for a move of
  all seats at once; None for an event that shows nothing on the board;
- ``paces(event)``: milliseconds for each frame that shows the event, usually one;
- ``said(events)``: the move of these events in a sentence.

Its ``draw(now)`` finds the events to mark in ``now.marks``, and the frame being played in
``now.frame``: ``(version, part)``, or None.
"""

from typing import Any

from _native import dumps, hidden, loads, matches, stored

from frontend.app.contract.context import ReplayHost
from frontend.app.contract.game_screen import Screen
from frontend.app.contract.model import UNDOING
from frontend.app.core.dom import after, cancel, el, fill, listen
from frontend.app.core.i18n import sentences, tn
from frontend.app.core.types import Event

MOST = 5000  # milliseconds that an animation takes at most
LONG = 15000  # the same for the animation of everything since the last visit
SHORT = 60  # milliseconds that a frame takes at least
KEPT = 40  # matches for which the device stores the version shown last


class Playback:
    """The animation of others' moves in one match; ``seen`` is the version shown so far."""

    def __init__(self, page: ReplayHost, screen: Screen) -> None:
        self.page = page
        self.match = page.match
        self.screen = screen
        self.seen = _remembered().get(self.match.data["id"])
        self.opening = True
        self.own: set[Any] = set()
        self.frames: list[Any] = []
        self.timer: Any = None
        self.tone = el("span", {"class": "dot"})
        self.words = el("span", {})
        # Hidden from screen readers: the turn line and the live region announce the move.
        self.line = el("p", {"class": "latest", "aria-hidden": "true"}, self.tone, self.words)
        self.line.hidden = True
        self.shield = el("div", {"class": "skip", "onclick": lambda _e: self.skip()})
        self.shield.hidden = True
        self.ears = [
            listen("document", "pointerdown", lambda _e: self._touched()),
            listen("document", "keydown", lambda _e: self._typed()),
        ]

    # -- new moves -----------------------------------------------------------------------------

    def sent(self, events: list[Event]) -> None:
        """Record the events of a move made on this device, so that they are not animated.

        The same events may hold the answers of bots; the first event is of the seat that moved.
        """
        for event in events:
            deed = self.screen.deed(event)
            if deed is not None and deed[0] == events[0]["seat"]:
                self.own.add(event["version"])

    def update(self) -> str | None:
        """Animate the moves that are new, and return their sentence; None when there are none.

        On a hidden page nothing counts as shown.
        """
        if hidden():
            return None
        opening, self.opening = self.opening, False
        since = self.match.version if self.seen is None else self.seen
        fresh = self._deeds(since)
        self._see()
        if not fresh:
            if opening:
                self._tell(self.marks(self.match.version, True))
            return None
        self.page.log.fresh(since)
        some = fresh[-self._round(fresh) :]
        prefix = ""
        if len(fresh) > len(some):
            prefix = tn("{n} move since you looked.", "{n} moves since you looked.", n=len(fresh))
        # A move may arrive in parts; the line describes all of it.
        whole = self.marks(self.match.version, False)
        said = [self.screen.said(events) for events in [*some[:-1], whole]]
        self._tell(whole, prefix)
        if not (self._still() or self.page.sheet_open() or self.page.sending.queue):
            self._play([event for events in some for event in events])
        return sentences([prefix, *said])

    def deeds(self, since: int) -> list[list[Event]]:
        """Return the moves after a version, own ones included, each a list of events."""
        own, self.own = self.own, set()
        found = self._deeds(since)
        self.own = own
        return found

    def play_through(self, deeds: list[list[Event]]) -> None:
        """Animate moves from the first on, replacing any running animation.

        Does nothing if the user prefers reduced motion.
        """
        if not self._still():
            self.stop()
            self._play([event for events in deeds for event in events], LONG)
            self.page.draw()

    def _still(self) -> bool:
        return matches("(prefers-reduced-motion: reduce)")

    def _round(self, fresh: Any) -> int:
        """Return how many moves make the last round: one of each other seat."""
        others = len(self.match.data["seats"]) - 1
        return max(1, others) if self._whose(fresh[-1]) is not None else 1

    def _whose(self, events: list[Event]) -> int | None:
        deed = self.screen.deed(events[0])
        return deed[0] if deed else None

    def _deeds(self, since: int) -> list[Any]:
        """Return the moves after a version that were not made here, each a list of events."""
        found: list[tuple[Any, list[Event]]] = []
        version = self.match.version
        while version > since:
            event = self.match.events[version - 1]
            if event["type"] not in UNDOING and version not in self.own:
                self._gather(found, event)
            version = self.match.before(version)
        self.own = set()
        return [events for _, events in reversed(found)]

    def _gather(self, found: Any, event: Event) -> None:
        """Prepend an event to its move; called from the latest event back."""
        deed = self.screen.deed(event)
        if deed is None:
            return
        if found and found[-1][0] == deed:
            found[-1][1].insert(0, event)
        else:
            found.append((deed, [event]))

    def marks(self, version: int, live: bool) -> list[Event]:
        """Return the events of the move that led to a version.

        Empty if ``live`` and the move is the viewer's own.
        """
        found: list[tuple[Any, list[Event]]] = []
        while version > 0 and len(found) < 2:
            event = self.match.events[version - 1]
            if event["type"] not in UNDOING:
                self._gather(found, event)
            version = self.match.before(version)
        if not found:
            return []
        deed, events = found[0]
        return [] if live and deed[0] is not None and deed[0] == self._viewer() else events

    def _viewer(self) -> int | None:
        """Return the viewing seat: the only one held, else the one whose turn it is here."""
        held = self.match.held()
        return held[0] if len(held) == 1 else self.match.my_seat()

    def _see(self) -> None:
        if self.seen != self.match.version:
            self.seen = self.match.version
            known = _remembered()
            known.pop(self.match.data["id"], None)
            known[self.match.data["id"]] = self.seen
            for old in [*known][:-KEPT]:
                del known[old]
            stored("seen", dumps(known))

    # -- animation -----------------------------------------------------------------------------

    @property
    def frame(self) -> tuple[int, int, int] | None:
        """The frame to show: ``(version, part, parts)``; None when nothing plays."""
        return self.frames[0][:3] if self.frames else None

    def _play(self, events: list[Event], most: int = MOST) -> None:
        """Append the frames of events to the animation, shortened to ``most`` milliseconds."""
        frames = [*self.frames]
        for event in events:
            paces = self.screen.paces(event)
            for part, pace in enumerate(paces):
                frames.append((event["version"], part, len(paces), pace))
        whole = sum([frame[3] for frame in frames])
        if whole > most:
            frames = [(*f[:3], max(SHORT, f[3] * most // whole)) for f in frames]
        self.frames = frames
        if frames and self.timer is None:
            self.shield.hidden = False
            self.timer = after(frames[0][3], self._next)

    def _next(self) -> None:
        self.timer = None
        self.frames.pop(0)
        if self.page.closed:
            return
        if self.frames:
            self.timer = after(self.frames[0][3], self._next)
        else:
            self.stop()
        self.page.draw()

    def stop(self) -> None:
        """Drop the frames that are left."""
        if self.timer is not None:
            cancel(self.timer)
            self.timer = None
        self.frames = []
        self.shield.hidden = True

    def skip(self) -> None:
        """End the animation and show the final position at once."""
        if self.frames:
            self.stop()
            self.page.draw()

    def _touched(self) -> None:
        """Hide the line at the next tap, since it has been read.

        During an animation the tap lands on the shield, which ends the animation and keeps the tap
        from hitting anything else.
        """
        if self.shield.hidden:
            self.line.hidden = True

    def _typed(self) -> None:
        self._touched()
        self.skip()

    def _tell(self, events: list[Event], prefix: str = "") -> None:
        """Write the line about a move; hide it without events."""
        self.line.hidden = not events
        if not events:
            return
        seat = self._whose(events)
        self.tone.hidden = seat is None
        if seat is not None:
            self.tone.style = f"--tone:var(--seat-{seat})"
        fill(self.words, sentences([prefix, self.screen.said(events)]))


def _remembered() -> dict[str, int]:
    """Return the version shown last by match id, the oldest entry first."""
    text = stored("seen")
    return loads(text) if text else {}
