"""The catalogue of games: what pages get after errors of the service."""

from typing import Any

import pytest

from tests.frontend.native import Native, import_app

GAMES = [{"slug": "pebbles", "title": "Pebbles"}]


class Service:
    """Answers requests for the catalogue with the next of its results."""

    def __init__(self, *results: Any) -> None:
        self.results = [*results]

    def get(self, path: str, done: Any, failed: Any) -> None:
        assert path == "/api/games"
        result = self.results.pop(0)
        done(result) if isinstance(result, list) else failed(result)


def load(monkeypatch: pytest.MonkeyPatch, *results: Any) -> tuple[list[Any], Native, Any]:
    """Request the catalogue; ``results``: statuses of errors, or games."""
    catalogue, native = import_app(monkeypatch, "frontend.app.api.game_catalogue")
    problem = catalogue.Problem
    answers = [each if isinstance(each, list) else problem(each, {}) for each in results]
    monkeypatch.setattr(catalogue, "client", Service(*answers))
    monkeypatch.setattr(catalogue, "toast", native.toasts.append)
    found: list[Any] = []
    catalogue.load(found.append)
    return found, native, catalogue


def test_error_of_the_service_is_shown_and_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    found, native, _ = load(monkeypatch, 500, GAMES)
    assert found == []
    assert native.toasts == ["Something went wrong (500). Try again."]
    native.run_timers()
    assert found == [GAMES]


def test_lost_connection_is_retried_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    found, native, _ = load(monkeypatch, 0, GAMES)
    native.run_timers()
    assert found == [GAMES]
    assert native.toasts == []


@pytest.mark.parametrize("status", [0, 500])
def test_stored_catalogue_replaces_one_that_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    _, first, _ = load(monkeypatch, GAMES)
    monkeypatch.setattr(Native, "local_storage", first.local_storage)
    found, native, _ = load(monkeypatch, status)
    assert found == [GAMES]
    assert native.timers == {}
