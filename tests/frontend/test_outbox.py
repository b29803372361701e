"""The outbox in CPython: the states of its entries and queues, retries, and several tabs.

`tests/browser/test_outbox.py` tests it with real storage, tabs and a service.
"""

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from tests.frontend.native import Native, import_app


class Service:
    """Records requests of a tab; the test answers them."""

    def __init__(self, tab: "Tab") -> None:
        self.tab = tab
        self.requests: list[tuple[str, str, Any, Callable[..., Any], Callable[..., Any]]] = []

    def call(
        self, method: str, path: str, body: Any, done: Any, failed: Any, key: Any = None
    ) -> None:
        self.requests.append((method, path, body, done, failed))

    def paths(self) -> list[str]:
        return [path for _, path, _, _, _ in self.requests]

    def answer(self, data: Any) -> Any:
        """Answer the oldest request and return its body."""
        self.tab.native.tab = self.tab
        _, _, body, done, _ = self.requests.pop(0)
        done(data)
        return body

    def refuse(self, problem: Any) -> Any:
        """Let the oldest request fail and return its body."""
        self.tab.native.tab = self.tab
        _, _, body, _, failed = self.requests.pop(0)
        failed(problem)
        return body


class Tab:
    """A tab of the browser: an outbox and the log of what it called."""

    def __init__(self, module: ModuleType, native: Native) -> None:
        self.native = native
        native.tab = self
        self.service = Service(self)
        self.log: list[tuple[str, Any]] = []
        self.changes: list[bool] = []
        self.outbox = module.Outbox(
            self.service.call,
            lambda: self.changes.append(self.outbox.is_retrying()),
        )
        self.outbox.recovered.subscribe(lambda: self.log.append(("recovered", None)))
        self.outbox.start_as("ann")
        native.run()
        self.outbox.set_player("ann")
        self.log.clear()

    def send(self, name: str, after: str | None = None) -> str:
        """Add an entry to the queue "match"; its body has no expected version if it waits."""
        self.native.tab = self
        key: str = self.outbox.send(
            "/" + name,
            {"expected_version": None if after else 7},
            lambda data: self.log.append((name, data["version"])),
            lambda problem: self.log.append((name, problem.code)),
            "match",
            after,
            "choice",
        )
        return key

    def retry_now(self) -> None:
        self.native.tab = self
        self.outbox.retry_now()

    def states(self) -> dict[str, str]:
        return {entry.record["path"]: entry.state for entry in self.outbox.entries}

    def queue_state(self) -> str:
        state: str = self.outbox.queues["match"].state
        return state


@pytest.fixture
def modules(monkeypatch: pytest.MonkeyPatch) -> tuple[ModuleType, Native]:
    module, native = import_app(monkeypatch, "frontend.app.api.outbox")
    monkeypatch.setattr(module, "toast", lambda text, _seconds: native.toasts.append(text))
    return module, native


@pytest.fixture
def tab(modules: tuple[ModuleType, Native]) -> Tab:
    return Tab(*modules)


def problem(status: int, code: str = "refused") -> Any:
    from frontend.app.core.problem import Problem

    return Problem(status, {"code": code, "detail": "No."})


# --- one tab --------------------------------------------------------------------------------------


def test_entries_are_stored_then_sent_one_after_the_other(tab: Tab) -> None:
    first = tab.send("a")
    tab.send("b", first)
    assert tab.states() == {"/a": "storing", "/b": "storing"}
    assert tab.outbox.unsent_state() == "lost"
    tab.native.run()
    assert tab.states() == {"/a": "stored", "/b": "stored"}
    assert tab.outbox.unsent_state() == "kept"
    assert tab.service.paths() == ["/a"]
    assert tab.queue_state() == "sending"
    tab.service.answer({"version": 9})
    tab.native.run()
    assert tab.service.paths() == ["/b"]
    assert tab.service.answer({"version": 11}) == {"expected_version": 9}
    tab.native.run()
    assert tab.log == [("a", 9), ("b", 11)]
    assert tab.states() == tab.native.stored == {}
    assert tab.queue_state() == "idle"


def test_entry_that_cannot_be_stored_is_sent_all_the_same(tab: Tab) -> None:
    tab.native.is_full = True
    tab.send("a")
    tab.native.run()
    assert tab.states() == {"/a": "unstored"}
    assert tab.outbox.unsent_state() == "lost"
    assert tab.service.paths() == ["/a"]


def test_errors_are_retried_with_increasing_delays(tab: Tab) -> None:
    tab.send("a")
    tab.native.run()
    delays = []
    for _ in range(5):
        tab.service.refuse(problem(503))
        assert tab.queue_state() == "retrying"
        assert tab.outbox.is_retrying()
        delays += tab.native.run_timers()
        # Before an entry is sent again, the service confirms the player of this device.
        assert tab.service.paths() == ["/api/players/me"]
        tab.service.answer({"player_id": "ann"})
        tab.native.run()
    assert delays == [1000, 2000, 4000, 8000, 8000]
    tab.service.answer({"version": 9})
    assert tab.log == [("a", 9)]
    assert not tab.outbox.is_retrying()


@pytest.mark.parametrize("is_refused", [False, True])
def test_response_ends_the_message_that_the_service_is_busy(tab: Tab, is_refused: bool) -> None:
    tab.send("a")
    tab.native.run()
    tab.service.refuse(problem(503))
    tab.native.run_timers()
    tab.service.refuse(problem(503))  # the request for the player
    assert tab.outbox.is_retrying()
    tab.native.run_timers()
    tab.service.answer({"player_id": "ann"})
    tab.native.run()
    tab.service.refuse(problem(409)) if is_refused else tab.service.answer({"version": 9})
    assert not tab.outbox.is_retrying()


def test_records_read_before_an_answer_do_not_delay_the_next_entry(tab: Tab) -> None:
    tab.send("b", tab.send("a"))
    tab.native.run()
    tab.retry_now()  # reads the records, in which "b" still waits
    tab.service.answer({"version": 9})
    tab.native.run()
    assert tab.service.paths() == ["/b"]
    assert tab.service.answer({"version": 11}) == {"expected_version": 9}
    tab.native.run()
    assert tab.states() == tab.native.stored == {}


def test_wake_event_retries_before_the_delay_is_over(tab: Tab) -> None:
    tab.send("a")
    tab.native.run()
    tab.service.refuse(problem(0))
    tab.retry_now()
    tab.native.run()
    assert tab.queue_state() == "sending"
    assert tab.service.paths() == ["/a"]
    assert tab.native.timers == {}


def test_refusal_drops_dependent_entries(tab: Tab) -> None:
    first = tab.send("a")
    second = tab.send("b", first)
    tab.send("c", second)
    tab.send("d")
    tab.native.run()
    tab.service.refuse(problem(409))
    tab.native.run()
    assert tab.log == [("a", "refused")]
    assert tab.native.toasts == [
        "No. Your choice was discarded. Your later moves were discarded too."
    ]
    assert tab.states() == {"/d": "stored"}
    assert [entry["path"] for entry in tab.native.stored.values()] == ["/d"]
    assert tab.service.paths() == ["/d"]


def test_entry_dropped_while_it_is_being_stored_is_not_sent(tab: Tab) -> None:
    tab.outbox.drop_entry(tab.send("a"))
    tab.native.run()
    assert tab.service.requests == []
    assert tab.native.stored == {}


def test_answer_to_a_dropped_entry_still_reaches_its_page(tab: Tab) -> None:
    key = tab.send("a")
    tab.native.run()
    tab.outbox.drop_entry(key)
    tab.native.run()
    tab.service.answer({"version": 9})
    assert tab.log == [("a", 9)]


def test_entry_of_an_earlier_page_is_adopted(tab: Tab, modules: tuple[ModuleType, Native]) -> None:
    key = tab.send("a")
    tab.native.run()
    later = Tab(*modules)
    assert [entry["key"] for entry in later.outbox.waiting_entries("match")] == [key]
    later.outbox.adopt(key, lambda data: later.log.append(("adopted", data["version"])), None)
    tab.service.refuse(problem(0))
    later.native.run()
    later.service.answer({"version": 9})
    assert later.log == [("adopted", 9)]


def test_transitions_that_are_not_listed_change_nothing(
    modules: tuple[ModuleType, Native],
) -> None:
    from frontend.app.api.outbox_queue import REMOVED, STORED, OutboxEntry

    entry = OutboxEntry({"key": "a"}, REMOVED, True)
    assert not entry.change_state(STORED)
    assert entry.state == REMOVED


# --- several tabs ---------------------------------------------------------------------------------


@pytest.fixture
def tab_with_rest(modules: tuple[ModuleType, Native]) -> Tab:
    """A tab with entries "b" and "c" that wait for "a", which a tab closed since has sent."""
    tab, other = Tab(*modules), Tab(*modules)
    first = tab.send("a")
    tab.send("c", tab.send("b", first))
    tab.native.run()
    tab.service.refuse(problem(0))
    other.retry_now()
    other.native.run()
    other.service.answer({"version": 9})
    tab.native.run()
    tab.native.release_locks()
    return tab


def test_entries_that_depend_on_one_sent_by_another_tab_are_sent(tab_with_rest: Tab) -> None:
    tab = tab_with_rest
    tab.retry_now()
    tab.native.run()
    # The page shows the position of the service, without moves that are not confirmed.
    assert tab.log == [(name, "sent_elsewhere") for name in "abc"]
    assert tab.states() == {"/b": "stored", "/c": "stored"}
    assert tab.service.paths() == ["/b"]
    assert tab.service.answer({"version": 11}) == {"expected_version": 9}
    tab.native.run()
    assert tab.service.answer({"version": 13}) == {"expected_version": 11}
    tab.native.run()
    assert tab.log[3:] == [("recovered", None)] * 2
    assert tab.states() == tab.native.stored == {}


def test_entry_stored_after_another_tab_sent_the_one_before_is_dropped(
    modules: tuple[ModuleType, Native],
) -> None:
    """No version can be expected of it: only the other tab has seen the answer."""
    tab, other = Tab(*modules), Tab(*modules)
    first = tab.send("a")
    tab.native.run()
    tab.service.refuse(problem(0))
    other.retry_now()
    other.native.run()
    other.service.answer({"version": 9})
    tab.retry_now()  # reads the records before "b" is stored
    tab.send("b", first)
    tab.native.run()
    assert tab.log == [("a", "sent_elsewhere"), ("b", "sent_elsewhere")]
    assert tab.states() == tab.native.stored == {}


class RandomOrder:
    """Two tabs for which storage, locks, timers and the service respond in random order."""

    def __init__(self, modules: tuple[ModuleType, Native], seed: int) -> None:
        self.rng = random.Random(seed)
        self.native = modules[1]
        self.tabs = Tab(*modules), Tab(*modules)
        self.version = 7
        self.sent: list[str] = []
        self.is_service_down = True

    def run(self, steps: int) -> None:
        for _ in range(steps):
            tab = self.rng.choice(self.tabs)
            kind = self.rng.randrange(8)
            self.native.tab = tab
            if kind < 4:
                self.native.run_task(tab)
            elif kind < 6 and tab.service.requests:
                self._respond(tab)
            elif kind == 6 and self.native.timers:
                timer = self.rng.choice([*self.native.timers])
                self.native.tab, _, then = self.native.timers.pop(timer)
                then()
            elif kind == 7 and self.is_service_down and self.rng.random() < 0.3:
                tab.retry_now()

    def _respond(self, tab: Tab) -> None:
        method, path, body, _, _ = tab.service.requests[0]
        if self.is_service_down:
            tab.service.refuse(problem(0))
        elif method == "GET":
            tab.service.answer({"player_id": "ann"})
        else:
            assert body["expected_version"] == self.version
            self.version += 2
            self.sent.append(path)
            tab.service.answer({"version": self.version})


@pytest.mark.parametrize("seed", range(40))
def test_two_tabs_send_each_entry_once(modules: tuple[ModuleType, Native], seed: int) -> None:
    order = RandomOrder(modules, seed)
    tab, other = order.tabs
    key = None
    for name in "abc":
        key = tab.send(name, key)
        order.run(order.rng.randrange(20))
    order.run(200)  # until all entries are stored
    order.is_service_down = False
    tab.retry_now()
    other.retry_now()
    order.run(2000)
    assert order.sent == ["/a", "/b", "/c"]
    assert order.native.stored == tab.states() == other.states() == {}
    assert {name for name, _ in tab.log} - {"recovered"} == {"a", "b", "c"}
    assert order.native.toasts == []
