"""A stand-in for ``_native``, so that modules of the app run in CPython, without a browser.

Functions that a test does not need return mock objects. Storage and locks are shared by all tabs
of a test. As in a browser, the tasks of one tab run in order, those of several tabs in any order.
"""

import copy
import importlib
import json
import sys
from collections.abc import Callable
from functools import cache
from itertools import count
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

from frontend import message_catalogue


@cache
def _english_files() -> dict[str, str]:
    """Return the compiled English catalogues by name."""
    return message_catalogue.build()[message_catalogue.ENGLISH]


class Native(ModuleType):
    """The module ``_native``: storage, locks and timers in memory, run step by step."""

    def __init__(self) -> None:
        super().__init__("_native")
        self.stored: dict[str, Any] = {}
        self.tab: object = None
        """The tab that is running, to which new tasks belong."""
        self.tasks: list[tuple[object, Callable[[], object]]] = []
        self.local_storage_items: dict[str, str] = {}
        self.timers: dict[int, tuple[object, int, Callable[[], object]]] = {}
        self.toasts: list[str] = []
        self.is_full = False
        self._locks: dict[str, list[tuple[object, Callable[[], object]]]] = {}
        self._numbers = count(1)

    def __getattr__(self, name: str) -> MagicMock:
        if name.startswith("__"):
            raise AttributeError(name)
        return MagicMock()

    def run(self) -> None:
        """Run all tasks, in order, including those that they add."""
        while self.tasks:
            self.run_task(self.tasks[0][0])

    def run_task(self, tab: object) -> None:
        """Run the first task of a tab, if it has any."""
        for task in self.tasks:
            if task[0] is tab:
                self.tasks.remove(task)
                self.tab = tab
                task[1]()
                return

    def _add_task(self, task: Callable[[], object]) -> None:
        self.tasks.append((self.tab, task))

    def run_timers(self) -> list[int]:
        """Let all timers expire, then run all tasks; return the delays in milliseconds."""
        due, self.timers = list(self.timers.values()), {}
        for self.tab, _, then in due:
            then()
        self.run()
        return [delay for _, delay, _ in due]

    def release_locks(self) -> None:
        """Release all locks, as the browser does when a tab is closed."""
        self._locks.clear()

    # -- what the app calls --------------------------------------------------------------------

    def dumps(self, value: Any) -> str:
        return json.dumps(value)

    def loads(self, text: str) -> Any:
        return json.loads(text)

    def loads_or_none(self, text: str) -> Any:
        return json.loads(text) if text else None

    def catalogue(self, name: str) -> dict[str, Any] | None:
        """Return the English messages of the app shell; no game's are loaded."""
        return json.loads(_english_files()["shell"]) if name == "shell" else None

    def local_storage(self, name: str, *value: str | None) -> str | None:
        if value:
            self.local_storage_items.pop(name, None)
            if value[0] is not None:
                self.local_storage_items[name] = value[0]
        return self.local_storage_items.get(name)

    def now_ms(self) -> int:
        return 1_000_000

    def random_key(self) -> str:
        return f"key-{next(self._numbers)}"

    def is_page_hidden(self) -> bool:
        return False

    def after(self, delay: int, then: Callable[[], object]) -> int:
        number = next(self._numbers)
        self.timers[number] = (self.tab, delay, then)
        return number

    def cancel(self, number: int | None) -> None:
        self.timers.pop(number, None)

    def with_lock(self, name: str, work: Callable[[Callable[[], None]], object]) -> None:
        waiting = self._locks.setdefault(name, [])

        def release() -> None:
            waiting.pop(0)
            if waiting:
                self.tasks.append(waiting[0])

        waiting.append((self.tab, lambda: work(release)))
        if len(waiting) == 1:
            self.tasks.append(waiting[0])

    def outbox_put(self, entry: Any, callback: Callable[..., object]) -> None:
        kept = copy.deepcopy(entry)

        def put() -> None:
            if not self.is_full:
                self.stored[kept["key"]] = kept
            callback(not self.is_full, None)

        self._add_task(put)

    def outbox_all(self, callback: Callable[..., object]) -> None:
        self._add_task(lambda: callback(True, (copy.deepcopy([*self.stored.values()]),)))

    def outbox_delete(self, key: str, version: int | None, callback: Callable[..., object]) -> None:
        def delete() -> None:
            removed = [key]
            for each in removed:
                self.stored.pop(each, None)
                for entry in [*self.stored.values()]:
                    if entry["after"] == each and version is None:
                        removed.append(entry["key"])
                    elif entry["after"] == each:
                        entry["after"] = None
                        entry["body"]["expected_version"] = version
            callback(True, None)

        self._add_task(delete)


def import_app(monkeypatch: pytest.MonkeyPatch, name: str) -> tuple[ModuleType, Native]:
    """Import a module of the app, and what it imports, with a new `Native`; return both.

    The modules are forgotten at the end of the test.
    """
    native = Native()
    monkeypatch.setitem(sys.modules, "_native", native)
    for known in [each for each in sys.modules if each.startswith("frontend.app")]:
        monkeypatch.delitem(sys.modules, known)
    module = importlib.import_module(name)
    for new in [each for each in sys.modules if each.startswith("frontend.app")]:
        # Registers the module with monkeypatch, which removes it from sys.modules again.
        loaded = sys.modules.pop(new)
        monkeypatch.setitem(sys.modules, new, loaded)
    return module, native
