"""Undo by one device in CPython: when it asks for confirmation first."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontend.native import import_app

STEP, TURN = 8, 5


class Page:
    """A match page that records undos, questions and requests; no move is unconfirmed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, key: str, match_id: str = "m") -> None:
        module, self.native = import_app(monkeypatch, "frontend.app.match.own_undo")
        self.undone: list[int | None] = []
        self.asked: list[str] = []
        self.requested: list[Any] = []
        undo = {"kind": "open", "key": key, "reason": key, "seat": 0, "step": STEP, "turn": TURN}
        monkeypatch.setattr(module.client, "get", self._get)
        context = SimpleNamespace(
            match=SimpleNamespace(data={"undo": undo}, has_secrets=False, is_against_bots=True),
            id=match_id,
            address=lambda _rest, at: f"?at={at}",
        )
        queue = SimpleNamespace(queue=[], take_back=self.undone.append)
        self.match = context.match
        self.own_undo = module.OwnUndo(context, queue)
        self.own_undo._ask = lambda text, _label, _to: self.asked.append(text)

    def _get(self, path: str, done: Any, _failed: Any) -> None:
        self.requested.append((path, done))


def at_once(page: Page) -> bool:
    """Undo the latest step; return whether it is undone without a question."""
    page.own_undo.take_back()
    assert bool(page.undone) != bool(page.asked)
    return bool(page.undone)


def test_undo_of_what_was_drawn_or_revealed_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_once(Page(monkeypatch, "why-open"))
    assert at_once(Page(monkeypatch, "why-free"))
    assert not at_once(Page(monkeypatch, "why-drawn"))
    assert not at_once(Page(monkeypatch, "why-revealed"))


def test_lessons_trials_and_other_people_ask_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert at_once(Page(monkeypatch, "why-drawn", "phone-lesson-courtyard"))
    page = Page(monkeypatch, "why-drawn")
    page.match.is_against_bots = False
    assert at_once(page)


def test_confirmations_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(monkeypatch, "why-revealed")
    page.native.local_storage_items["confirm-moves"] = "off"
    assert at_once(page)


@pytest.mark.parametrize("key", ["why-open", "why-drawn"])
def test_undo_of_a_turn_asks_the_service_what_it_would_hide(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """The last step hides nothing, but the turn may; a double tap sends one request."""
    page = Page(monkeypatch, "why-open")
    for _ in range(2):
        page.own_undo.take_back(TURN)
    ((path, done),) = page.requested
    assert path == f"?at={TURN}"
    done({"undo": {"key": key, "reason": key}})
    assert (page.undone, bool(page.asked)) == (([TURN], False) if key == "why-open" else ([], True))
