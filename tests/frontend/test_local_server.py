"""The local server in CPython: unknown paths, and the seats of practice games."""

from typing import Any

import pytest

from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from tests.frontend.native import import_app


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_unknown_path_is_not_found(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    module, _ = import_app(monkeypatch, "frontend.app.offline.server")
    server = module.LocalServer()
    server.matches["phone-1"] = object()
    problems: list[Any] = []
    server.call(method, "/api/matches/phone-1/nowhere?seat=0", {}, None, problems.append)
    assert [(problem.status, problem.code) for problem in problems] == [(404, "not_found")]


@pytest.mark.parametrize(
    ("counts", "alone", "seats"),
    [
        ((2, 3), False, 2),
        ((1, 2), False, 2),
        ((1, 2), True, 1),
        ((2, 3), True, 2),
        ((1,), False, 1),
    ],
)
def test_practice_game_has_the_fewest_seats_with_a_bot(
    monkeypatch: pytest.MonkeyPatch, counts: tuple[int, ...], alone: bool, seats: int
) -> None:
    """A game for one player alone has no bot."""
    module, _ = import_app(monkeypatch, "frontend.app.offline.quick_start")
    assert module.practice_seat_count(counts, alone) == seats


def test_suggested_options_end_games_that_nobody_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise beginners and easy bots may play for ever (courtyard, ruling 48)."""
    module, _ = import_app(monkeypatch, "frontend.app.api.game_catalogue")
    suggested = {
        slug: module.suggested_options({"options": schema_of(TITLES[slug])})
        for slug in sorted(TITLES)
    }
    long_games_end = {"long_games_end": True}
    assert suggested == {
        "caravane": {},
        "caravanserai": long_games_end,
        "caravanserail": {},
        "conquest": {},
        "courtyard": long_games_end,
    }
