"""Earlier moments as the service tells them: views of games whose rules stay there, and undo."""

from collections.abc import Callable
from typing import Any

from frontend.app import net
from frontend.app.dom import after
from frontend.app.match_page import MatchPage
from frontend.app.net import Problem
from frontend.app.typed import Data, View

REST = 120  # milliseconds to rest at a moment before its neighbours are asked for
KEPT = 400


class Moments:
    """Answers to ``?at=V``, asked for once and ahead of time."""

    def __init__(self, page: MatchPage) -> None:
        self.page = page
        self.answers: dict[Any, Any] = {}
        self.waiting: dict[Any, Any] = {}
        self.stamp: Any = None

    def _fresh(self) -> None:
        """Forgets what was seen as another viewer: as another seat, or before the end."""
        match = self.page.match
        seat = match.in_hand if match.secret else match.my_seat()
        stamp = (seat, match.data["status"])
        if stamp != self.stamp or len(self.answers) > KEPT:
            self.stamp = stamp
            self.answers = {}

    def view(self, at: int) -> View | None:
        """The view at a version, or None when it is not here yet."""
        self._fresh()
        known = self.answers.get(at)
        return known[1]["view"] if known else None

    def undo(self, at: int) -> Data | None:
        """What going back there would be now, or None when that is not known yet."""
        self._fresh()
        known = self.answers.get(at)
        return known[1]["undo"] if known and known[0] == self.page.match.version else None

    def want(self, at: int, then: Callable[[int], object] | None) -> None:
        """Calls ``then(at)`` when the answer for a version has come.

        What one only passes by is not asked for, unless there is nothing to show without it.
        """
        if self.page.match.rules is not None:
            after(REST, lambda: self._ask(at, then) if self.page.history.at == at else None)
        else:
            self._ask(at, then)

    def neighbours(self, at: int, ahead: int = 2) -> None:
        """Asks for the moments next to one, so that a step shows them at once."""

        def rested() -> None:
            if self.page.history.at != at or self.page.closed:
                return
            for version in (at + 1, at - 1, *range(at + 2, at + 1 + ahead)):
                if self.page.match.first_version() <= version <= self.page.match.version:
                    self._ask(version, None)

        after(REST, rested)

    def _ask_again(self, at: int, listeners: list[Callable[[int], object]]) -> None:
        for each in listeners:
            self._ask(at, each)

    def _ask(self, at: int, then: Callable[[int], object] | None) -> None:
        self._fresh()
        version = self.page.match.version
        known = self.answers.get(at)
        if known and (known[0] == version or (then is None)):
            if then:
                then(at)
            return
        if at in self.waiting:
            if then:
                self.waiting[at].append(then)
            return
        self.waiting[at] = [then] if then else []

        def done(data: Data) -> None:
            listeners = self.waiting.pop(at)
            if self.page.closed:
                return
            self._fresh()
            self.answers[at] = (data["latest_version"], data)
            for each in listeners:
                each(at)

        def failed(problem: Problem) -> None:
            listeners = self.waiting.pop(at)
            if listeners and problem.status == 0 and not self.page.closed:
                after(2000, lambda: self._ask_again(at, listeners))

        net.get(self.page.address("", at=at), done, failed)
