"""Synchronising a match page in CPython: when a tap on undo or redo counts again."""

from types import SimpleNamespace
from typing import Any

import pytest

from frontend.app.core.signal import Signal
from tests.frontend.native import import_app


class Page:
    """A match page whose requests the test answers, at version 10 with undo possible."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        module, _ = import_app(monkeypatch, "frontend.app.match.sync")
        self.reads: list[tuple[str, Any]] = []
        self.posts: list[tuple[str, Any]] = []
        client = module.client
        monkeypatch.setattr(client, "get", lambda path, done, _failed: self._read(path, done))
        monkeypatch.setattr(client, "send", lambda path, _body, done, *_: self._post(path, done))
        monkeypatch.setattr(client, "follow_match", lambda *_: (lambda: None, lambda: None))
        self.match = SimpleNamespace(
            version=10,
            events=[],
            data={"version": 10, "view": {}, "undo": {"seat": 0}, "status": "playing"},
            seat_to_act=lambda: None,
            rules=None,
            add_events=self._add_events,
        )
        context = SimpleNamespace(
            match=self.match,
            path="/matches/m",
            id="m",
            is_closed=False,
            listeners=[],
            match_changed=Signal(),
            queue_changed=Signal(),
            address=lambda rest, **_query: "/matches/m" + rest,
            on_close=lambda _action: None,
        )
        self.queue = module.MoveQueue(context)
        copy = SimpleNamespace(mark_stale=lambda _reason: None)
        self.sync = module.MatchSync(context, None, self.queue, copy, lambda _data: None)
        self.queue.match_sync = self.sync

    def _read(self, path: str, done: Any) -> None:
        self.reads.append((path, done))

    def _post(self, path: str, done: Any) -> str:
        self.posts.append((path, done))
        return "key"

    def _add_events(self, events: list[int]) -> None:
        self.match.version = max([self.match.version, *events])

    def answer_post(self, version: int) -> None:
        """Answer the latest undo or redo request."""
        self.posts[-1][1](self._data(version))

    def answer_read(self, version: int) -> None:
        """Answer the oldest request for the match or its events, as of a version."""
        path, done = self.reads.pop(0)
        if path.endswith("/events"):
            done({"version": version, "events": [*range(self.match.version + 1, version + 1)]})
        else:
            done(self._data(version))

    def _data(self, version: int) -> dict[str, Any]:
        return {"version": version, "view": {}, "undo": {"seat": 0}, "status": "playing"}


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    return Page(monkeypatch)


def test_a_second_undo_counts_once_the_first_is_shown(page: Page) -> None:
    """The stream announces it during the sync, which schedules another: nothing waits for that."""
    page.queue.undo_to(0, None)
    page.answer_post(11)
    page.sync._on_version(11)
    page.answer_read(11)
    page.answer_read(11)
    assert page.match.version == 11
    assert page.reads, "another sync is in progress"
    page.queue.undo_to(0, None)
    assert len(page.posts) == 2


def test_a_double_tap_sends_one_undo(page: Page) -> None:
    page.queue.undo_to(0, None)
    page.queue.undo_to(0, None)
    page.answer_post(11)
    page.queue.undo_to(0, None)
    assert len(page.posts) == 1


def test_events_from_before_the_answer_do_not_end_the_wait(page: Page) -> None:
    page.sync.sync()
    page.answer_read(10)
    page.queue.undo_to(0, None)
    page.answer_post(11)
    page.answer_read(10)  # was sent before the undo
    page.queue.undo_to(0, None)
    assert len(page.posts) == 1
    page.answer_read(11)
    page.answer_read(11)
    page.queue.undo_to(0, None)
    assert len(page.posts) == 2
