"""Earlier moments as the service tells them: views of games whose rules stay there, and undo."""

from frontend.app import net
from frontend.app.dom import after

REST = 120  # milliseconds to rest at a moment before its neighbours are asked for
KEPT = 400


class Moments:
    """Answers to ``?at=V``, asked for once and ahead of time."""

    def __init__(self, table):
        self.table = table
        self.answers = {}
        self.waiting = {}
        self.stamp = None

    def _fresh(self):
        """Forgets what was seen through other eyes: of another seat, or before the end."""
        match = self.table.match
        seat = match.in_hand if match.open_text else match.my_seat()
        stamp = (seat, match.data["status"])
        if stamp != self.stamp or len(self.answers) > KEPT:
            self.stamp = stamp
            self.answers = {}

    def view(self, at):
        """The view at a version, or None when it is not here yet."""
        self._fresh()
        known = self.answers.get(at)
        return known[1]["view"] if known else None

    def undo(self, at):
        """What going back there would be now, or None when that is not known yet."""
        self._fresh()
        known = self.answers.get(at)
        return known[1]["undo"] if known and known[0] == self.table.match.version else None

    def want(self, at, then):
        """Calls ``then(at)`` when the answer for a version has come.

        What one only passes by is not asked for, unless there is nothing to show without it.
        """
        if self.table.match.rules is not None:
            after(REST, lambda: self._ask(at, then) if self.table.history.at == at else None)
        else:
            self._ask(at, then)

    def neighbours(self, at, ahead=2):
        """Asks for the moments next to one, so that a step shows them at once."""

        def rested():
            if self.table.history.at != at or self.table.closed:
                return
            for version in (at + 1, at - 1, *range(at + 2, at + 1 + ahead)):
                if self.table.match.first_version() <= version <= self.table.match.version:
                    self._ask(version, None)

        after(REST, rested)

    def _ask(self, at, then):
        self._fresh()
        version = self.table.match.version
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

        def done(data):
            listeners = self.waiting.pop(at)
            if self.table.closed:
                return
            self._fresh()
            self.answers[at] = (data["latest_version"], data)
            for each in listeners:
                each(at)

        def failed(problem):
            listeners = self.waiting.pop(at)
            if listeners and problem.status == 0 and not self.table.closed:
                after(2000, lambda: [self._ask(at, each) for each in listeners])

        net.get(self.table.address("", at=at), done, failed)
