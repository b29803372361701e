"""The log: all events; undone moves are struck through and say who took them back."""

from typing import Any

from _native import fill, listen, reveal

from frontend.app.contract.model import Match
from frontend.app.core.dom import after, el
from frontend.app.core.i18n import t
from frontend.app.core.types import DomEvent

CHUNK = 150  # lines built in one task; older ones follow in later tasks
FAR = 45  # pixels from which a movement of the finger is a swipe


class Log:
    """The list of events, newest first.

    ``look(version)`` is called on a tap, ``step(by)`` on a swipe.
    """

    def __init__(self, match: Match, look: Any, step: Any) -> None:
        self.match = match
        self.look = look
        self.step = step
        self.node = el("ol", {"class": "log"})
        self.lines: dict[Any, Any] = {}
        self.newest = 0
        self.oldest: Any = None
        self.away: dict[Any, Any] = {}
        self.here: Any = None
        self.wanted: tuple[Any, ...] = (None, False)
        self.revealed = False
        self.finger: Any = None
        self.since: Any = None
        listen(self.node, "pointerdown", self._down)
        listen(self.node, "pointerup", self._up)

    def update(self) -> None:
        """Add new events, and strike through what was taken back since."""
        match = self.match
        if self.oldest is None:
            self.newest = self.oldest = match.version
            self._older()
        for version in range(self.newest + 1, match.version + 1):
            self._add(version, self.node.prepend)
        self.newest = match.version
        if match.taken_by != self.away:
            changed = {*match.taken_by, *self.away}
            for version in changed:
                if match.taken_by.get(version) != self.away.get(version):
                    self._fill(version)
            self.away = {**match.taken_by}

    def fresh(self, since: int) -> None:
        """Mark the events after a version as new."""
        old, self.since = self.since, since
        for version in self.lines:
            if version > since or (old is not None and version > old):
                self._fill(version)

    def retell(self) -> None:
        """Rebuild all lines."""
        for version in self.lines:
            self._fill(version)

    def _older(self) -> None:
        """Build the lines of earlier events, in chunks."""
        least = max(0, self.oldest - CHUNK)
        for version in range(self.oldest, least, -1):
            self._add(version, self.node.append)
        self.oldest = least
        self.mark(*self.wanted)
        if least:
            after(0, self._older)

    def _add(self, version: int, put: Any) -> None:
        event = self.match.events[version - 1]
        if not event["text"]:
            return
        line = el("li", {})
        self.lines[version] = line
        self._fill(version)
        put(line)

    def _fill(self, version: int) -> None:
        line = self.lines.get(version)
        if line is None:
            return
        match = self.match
        event = match.events[version - 1]
        by = match.taken_by.get(version)

        def tapped(click: DomEvent) -> None:
            click.preventDefault()
            self.look(version)

        begins = match.begins_turn(version)
        parts = []
        if event["seat"] is not None and begins:
            tone = f"--tone:var(--seat-{event['seat']})"
            parts.append(el("span", {"class": "dot", "style": tone}))
        after_it = None
        if version in match.taken_by:
            parts.append(el("s", {}, event["text"]))
            whose = t("taken back by all")
            if by is not None:
                whose = t("taken back by {name}", name=match.names[by])
            after_it = el("small", {}, whose)
        else:
            parts.append(event["text"])
        name = ("turn-line" if begins else "") + (" undone" if after_it else "")
        if self.since is not None and version > self.since:
            name += " unseen"
        line.className = name + (" here" if version == self.here else "")
        fill(line, el("a", {"href": f"?v={version}", "onclick": tapped}, parts, after_it))

    def mark(self, version: int, seen: Any) -> None:
        """Mark the line of the version shown, None for the present.

        ``seen``: the log is visible, so the marked line is scrolled into view.
        """
        self.wanted = (version, seen)
        if version is not None:
            while version > 0 and version not in self.lines and version > (self.oldest or 0):
                version -= 1
        if version != self.here:
            old = self.lines.get(self.here)
            if old is not None:
                old.classList.remove("here")
            self.here = version
            self.revealed = False
            line = self.lines.get(version)
            if line is not None:
                line.classList.add("here")
        if seen and not self.revealed:
            self.revealed = True
            self.reveal()

    def reveal(self) -> None:
        """Scroll to the marked line."""
        line = self.lines.get(self.here)
        if line is not None:
            reveal(line)

    def _down(self, event: DomEvent) -> None:
        self.finger = (event.clientX, event.clientY)

    def _up(self, event: DomEvent) -> None:
        if self.finger is None:
            return
        dx, dy = event.clientX - self.finger[0], event.clientY - self.finger[1]
        self.finger = None
        if abs(dx) > FAR and abs(dx) > 2 * abs(dy):
            event.preventDefault()
            self.step(1 if dx < 0 else -1)
