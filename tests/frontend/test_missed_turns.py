"""The card because of which a turn of Conquest is missed, in CPython."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.frontend.native import import_app

STORY = (
    ("EncounterDrawn", 0, "Mirage"),
    ("RestImposed", 0, ""),
    ("EncounterDrawn", 0, "Sandstorm"),
    ("RestImposed", 0, ""),
    ("EncounterDrawn", 1, "Rockslide"),
    ("RestImposed", 1, ""),
    ("TurnMissed", 0, ""),
    ("TurnMissed", 1, ""),
    ("TurnMissed", 0, ""),
)
"""Two rests in one turn, and one of another seat in between, as (type, seat, card)."""


def host_of(undone: tuple[int, ...] = ()) -> Any:
    """Return the host of a screen that shows the story."""
    events = [
        {"version": version, "type": kind, "seat": seat, "data": {"card": card}, "text": "plain"}
        for version, (kind, seat, card) in enumerate(STORY, start=1)
    ]
    match = SimpleNamespace(events=events, undone_by=dict.fromkeys(undone), names=("Ann", "Bob"))
    return SimpleNamespace(match=match)


@pytest.mark.parametrize(
    ("version", "undone", "card"),
    [
        (7, (), "Mirage"),
        (8, (), "Rockslide"),
        (9, (), "Sandstorm"),
        (9, (1, 2, 7), "Sandstorm"),
        (8, (5, 6), ""),
    ],
)
def test_each_missed_turn_has_its_card(
    monkeypatch: pytest.MonkeyPatch, version: int, undone: tuple[int, ...], card: str
) -> None:
    module, _ = import_app(monkeypatch, "frontend.app.games.conquest.encounters")
    assert module.resting_card(host_of(undone), version) == card


def test_the_log_names_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    module, _ = import_app(monkeypatch, "frontend.app.games.conquest.screen")
    screen = module.Screen.__new__(module.Screen)
    screen.host = host_of()
    events = screen.host.match.events
    assert screen.log_text(events[7]) == "Bob misses a turn (Rockslide)."
    assert screen.log_text({**events[6], "own": "You miss this turn."}) == (
        "You miss a turn (Mirage)."
    )
    assert screen.log_text(events[0]) == "plain"
