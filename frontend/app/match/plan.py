"""Conditional moves: a plan of what this device's seat plays after the others have moved.

The service stores the plan, shows it only to its seat, and plays it.
"""

from typing import Any

from _native import dumps

from frontend.app.api import client
from frontend.app.contract.context import MatchContext
from frontend.app.core.dom import after, toast
from frontend.app.core.problem import Problem
from frontend.app.core.signal import Signal
from frontend.app.core.single_flight import SingleFlight
from frontend.app.core.types import Data, Event

POLL_INTERVAL_MS = 3000  # milliseconds between two requests for a plan that is about to be played


class Plan:
    """The plan of a seat.

    ``data``: the latest response of the service; ``asked_version``: the version of the match when
    it was last requested, or None; ``changed()``: emitted when the plan was loaded or changed.
    """

    def __init__(self, context: MatchContext, seat: int) -> None:
        self.context = context
        self.seat = seat
        self.data: Data = {"version": None, "branches": [], "dropped": None, "played": None}
        self.asked_version: int | None = None
        self.asking = SingleFlight()
        self.flight = SingleFlight()
        self.changes = 0
        self.changed = Signal()

    @property
    def is_active(self) -> bool:
        """Whether the plan has branches and was not dropped."""
        return bool(self.data["branches"]) and self.data["dropped"] is None

    @property
    def branches(self) -> list[Data]:
        """The branches that may still be played."""
        return self.data["branches"] if self.is_active else []

    def address(self, rest: str = "", **query: Any) -> str:
        """Return the address of an API endpoint of the plan; see `MatchContext.address`."""
        return self.context.address("/plan" + rest, **{"seat": self.seat, **query})

    def ask(self) -> None:
        """Request the plan from the service."""
        if self.asking.is_running or self.context.is_closed:
            return
        self.asked_version = self.context.match.version
        changes = self.changes

        def on_answer(answer: Data) -> None:
            if changes == self.changes:  # otherwise the response predates a change by the user
                self._on_plan(answer)

        self.asking.run(client.get, (self.address(),), on_answer, lambda _problem: None)

    def _on_plan(self, answer: Data) -> None:
        if self.context.is_closed:
            return
        self.data = answer
        self.changed.emit()
        if self.is_active and self.seat in self.context.match.acting_seats():
            after(POLL_INTERVAL_MS, self.ask)  # the service will soon play or drop the plan

    def set_branches(self, branches: list[Data]) -> None:
        """Replace the branches of the plan; an empty list deletes the plan."""
        if not branches:
            self._send("DELETE", None)
        elif self.is_active:
            self._send("PUT", {"branches": branches, "since": self.data["version"]})
        else:
            self._send("PUT", {"branches": branches})

    def _send(self, method: str, body: Data | None) -> None:
        """Send a change of the plan; does nothing while another one is being sent."""
        if self.flight.is_running:
            return
        self.changes += 1

        def on_error(problem: Problem) -> None:
            toast(problem.detail)
            self.ask()  # the plan shown may be outdated

        self.flight.run(client.call, (method, self.address(), body), self._on_plan, on_error)


def add_branch(branches: list[Data], fresh: Data) -> list[Data]:
    """Return the branches with ``fresh`` added.

    It replaces the branch with the same condition. A branch without a condition is always the last.
    """
    kept = [each for each in branches if not is_same(each["when"], fresh["when"])]
    return sorted([*kept, fresh], key=lambda branch: not branch["when"])


def trim_branches(branches: list[Data], events: list[Event]) -> list[Data]:
    """Return the branches without the leading conditions that ``events`` have fulfilled."""
    return [
        {**branch, "when": _remaining_conditions(branch["when"], events)} for branch in branches
    ]


def _remaining_conditions(when: list[Data], events: list[Event]) -> list[Data]:
    left = [*when]
    for event in events:
        if left and _matches(left[0], event):
            left.pop(0)
    return left


def _matches(wanted: Data, event: Event) -> bool:
    if wanted["type"] != event["type"] or wanted["seat"] not in (None, event["seat"]):
        return False
    data = event["data"]
    return all(name in data and is_same(data[name], each) for name, each in wanted["data"].items())


def is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal, including the order of keys."""
    return bool(dumps(one) == dumps(other))
