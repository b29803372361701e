"""The log of a match: all events, with undone moves struck through and who undid them."""

from collections.abc import Callable
from typing import Any

from _native import add_listener, fill, scroll_into_view

from frontend.app.contract.model import Match
from frontend.app.core.dom import after, el
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent, Node

CHUNK_LINES = 150  # versions whose lines are built in one task, the latest first
SWIPE_DISTANCE_PX = 45  # a horizontal movement of more pixels than this is a swipe


class Log:
    """The list of events by turn, the latest turn first; events without a text are left out.

    The event that begins a turn is its heading. The other events of the turn are below it, newest
    first.

    ``text_of(event)`` returns the text of a line. ``show_version(version)`` is called on a tap on a
    line, ``step_by(by)`` on a swipe: 1 to the left, -1 to the right.
    """

    def __init__(self, match: Match, text_of: Any, show_version: Any, step_by: Any) -> None:
        self.match = match
        self.text_of = text_of
        self.show_version = show_version
        self.node = el("ol", {"class": "log"})
        self.lines: dict[Any, Any] = {}
        self.starts: dict[int, int] = {}
        self.groups: dict[int, list[Any]] = {}
        self.latest_group: int | None = None
        self.newest = 0
        self.oldest: Any = None
        self.undone_by: dict[Any, Any] = {}
        self.marked_version: Any = None
        self.requested_mark: tuple[Any, ...] = (None, False)
        self.is_revealed = False
        self.new_since: Any = None
        _add_swipe_listener(self.node, step_by)

    def update(self) -> None:
        """Add lines for new events, and update the lines of moves undone or redone since."""
        match = self.match
        if self.oldest is None:
            self.newest = self.oldest = match.version
            self._add_older()
        for version in range(self.newest + 1, match.version + 1):
            self._add_newest(version)
        self.newest = match.version
        for version in {*match.undone_by, *self.undone_by}:
            if match.undone_by.get(version) != self.undone_by.get(version):
                self._fill(version)
        self.undone_by = {**match.undone_by}

    def mark_new(self, since: int) -> None:
        """Mark the events after version ``since`` as new, and no others."""
        old, self.new_since = self.new_since, since
        for version in self.lines:
            if version > since or (old is not None and version > old):
                self._fill(version)

    def rebuild(self) -> None:
        """Rebuild the content of all lines."""
        for version in self.lines:
            self._fill(version)

    def _add_older(self) -> None:
        """Build the lines of earlier events, `CHUNK_LINES` versions per task."""
        least = max(0, self.oldest - CHUNK_LINES)
        for version in range(self.oldest, least, -1):
            self._add_oldest(version)
        self.oldest = least
        self.mark(*self.requested_mark)
        if least:
            after(0, self._add_older)

    def _add_newest(self, version: int) -> None:
        """Add the line of an event that is newer than all others; its turn moves to the top."""
        line = self._line(version)
        if line is None:
            return
        start = self._turn_start(version)
        group = self.groups.setdefault(start, [])
        group.insert(1 if start in self.lines and start != version else 0, line)
        if start == self.latest_group and group[0] is not line:
            group[0].after(line)
        else:
            self.latest_group = start
            self.node.prepend(*group)

    def _add_oldest(self, version: int) -> None:
        """Add the line of an event that is older than all others."""
        line = self._line(version)
        if line is None:
            return
        start = self._turn_start(version)
        if self.latest_group is None:
            self.latest_group = start
        group = self.groups.setdefault(start, [])
        if not group:
            self.node.append(line)
        elif start == version:
            group[0].before(line)
        else:
            group[-1].after(line)
        group.insert(0 if start == version else len(group), line)

    def _line(self, version: int) -> Any:
        """Create the line of an event; None if it has no text."""
        if not self.match.events[version - 1]["text"]:
            return None
        line = self.lines[version] = el("li", {})
        self._fill(version)
        return line

    def _turn_start(self, version: int) -> int:
        """Return the version that began the turn of an event, 0 before the first turn."""
        passed, start = [], version
        while start and start not in self.starts:
            passed.append(start)
            if self.match.begins_turn(start):
                break
            start = self.match.version_before(start)
        start = self.starts.get(start, start)
        for each in passed:
            self.starts[each] = start
        return start

    def _fill(self, version: int) -> None:
        line = self.lines.get(version)
        if line is None:
            return
        match = self.match
        event = match.events[version - 1]

        def tapped(click: DomEvent) -> None:
            click.preventDefault()
            self.show_version(version)

        begins = match.begins_turn(version)
        parts = []
        if event["seat"] is not None and begins:
            tone = f"--tone:var(--seat-{event['seat']})"
            parts.append(el("span", {"class": "dot", "style": tone}))
        after_it = None
        if version in match.undone_by:
            parts.append(el("s", {}, self.text_of(event)))
            name = match.names[match.undone_by[version]]
            after_it = el("small", {}, t("log.undone_by", name=name))
        else:
            parts.append(self.text_of(event))
        kind = ("turn-line" if begins else "") + (" undone" if after_it else "")
        tag = None
        if self._is_new(version) and not after_it:
            tag = [" ", el("span", {"class": "new"}, t("log.new"))]
        if self._is_new(version):
            kind += " unseen"
        line.className = kind + (" here" if version == self.marked_version else "")
        fill(line, el("a", {"href": f"?v={version}", "onclick": tapped}, parts, tag, after_it))

    def _is_new(self, version: int) -> bool:
        """Return whether an event is marked as new: others' events since the last visit."""
        if self.new_since is None or version <= self.new_since:
            return False
        return self.match.events[version - 1]["seat"] not in self.match.own_seats()

    def mark(self, version: int | None, is_visible: Any) -> None:
        """Mark the line of the version shown, or the latest line before it; None: no line.

        ``is_visible``: whether the log is visible; if so, the marked line is scrolled into view.
        """
        self.requested_mark = (version, is_visible)
        if version is not None:
            while version > 0 and version not in self.lines and version > (self.oldest or 0):
                version -= 1
        if version != self.marked_version:
            old = self.lines.get(self.marked_version)
            if old is not None:
                old.classList.remove("here")
            self.marked_version = version
            self.is_revealed = False
            line = self.lines.get(version)
            if line is not None:
                line.classList.add("here")
        if is_visible and not self.is_revealed:
            self.is_revealed = True
            self.reveal()

    def reveal(self) -> None:
        """Scroll to the marked line."""
        line = self.lines.get(self.marked_version)
        if line is not None:
            scroll_into_view(line)


def _add_swipe_listener(node: Node, step_by: Callable[[int], object]) -> None:
    """Call ``step_by(1)`` when a finger moves to the left, ``step_by(-1)`` when to the right."""
    start: tuple[int, int] | None = None

    def on_down(event: DomEvent) -> None:
        nonlocal start
        start = (event.clientX, event.clientY)

    def on_up(event: DomEvent) -> None:
        nonlocal start
        if start is None:
            return
        dx, dy = event.clientX - start[0], event.clientY - start[1]
        start = None
        if abs(dx) > SWIPE_DISTANCE_PX and abs(dx) > 2 * abs(dy):
            event.preventDefault()
            step_by(1 if dx < 0 else -1)

    add_listener(node, "pointerdown", on_down)
    add_listener(node, "pointerup", on_up)
