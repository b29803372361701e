"""The end of endless games (ruling 28), an option since the third version of the rules."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.game import at_version
from domain.contract.options import schema_of
from domain.games.caravanserai import rules
from domain.games.caravanserai.commands import PlaceCamel
from domain.games.caravanserai.events import EndAnnounced, GameEnded, RoundLimitSet, TurnSkipped
from domain.games.caravanserai.options import Options
from domain.games.caravanserai.state import State
from domain.games.caravanserai.title import TITLE
from service.matches.options import fill_options
from tests.domain.caravanserai.notation import Scene, no_draw, of

PLAIN = """
    . . . . .
   . @ . . . w
    . . . # a
"""
"""The leader (seat 1) has no camel left, the other goes to and fro, and no cell is of the colour
that the market has."""


def endless(limit: int = 20, market: str = "k", **more: Any) -> State:
    """Return an endless game with seat 0 to move at the start of a round."""
    scene = Scene(PLAIN, own="", market=market, camels=3, others=("",), other_camels=0, **more)
    state = scene.state
    players = (state.players[0], replace(state.players[1], camels=0))
    return replace(state, players=players, round_limit=limit, quiet=0, turn=1)


def step(state: State) -> tuple[State, list[Any]]:
    """Move the camel one cell on, to plain desert."""
    choices = [each for each in rules.choices(state, state.seat) if isinstance(each, PlaceCamel)]
    sand = [each for each in choices if state.board.colours[each.cell] is None]
    course = rules.decide(state, state.seat, sand[0], no_draw)
    return course.state, course.events


def test_after_20_rounds_without_a_change_of_the_market_the_game_ends() -> None:
    state = endless()
    for number in range(1, 20):
        state, events = step(state)
        assert of(TurnSkipped, events), "a full round"
        assert not of(GameEnded, events), number
        assert of(EndAnnounced, events) == ([EndAnnounced(5)] if number == 15 else [])
        assert rules.view(state, None)["rounds_left"] == (20 - number if number >= 15 else None)
        assert rules.view(state, None)["round_limit"] == 20
    state, events = step(state)
    assert isinstance(events[-1], GameEnded)
    assert (events[-1].reason, state.turn) == ("unchanged", 40)
    outcome = rules.outcome(state)
    assert outcome is not None
    assert [each.seat for each in outcome] == [1, 0], "scored as usual: the longer caravan"
    assert rules.view(state, None)["rounds_left"] is None


def test_without_the_option_it_goes_on() -> None:
    state = endless(0)
    for _ in range(60):
        state, events = step(state)
        assert not of(EndAnnounced, events)
    assert rules.to_act(state) == (0,)
    assert rules.view(state, None)["round_limit"] is None


@pytest.mark.parametrize("quiet", [3, 18])
def test_a_change_of_the_market_begins_the_count_anew(quiet: int) -> None:
    """A good is taken; an announced end is cancelled."""
    scene = Scene("@ k . . a", own="", market="kk", others=("",))
    state = replace(scene.state, round_limit=20, quiet=quiet, turn=1)
    state = rules.decide(state, 0, PlaceCamel(scene.place("E")), no_draw).state
    assert (state.quiet, rules.view(state, None)["rounds_left"]) == (-1, None)
    (camel,) = [
        each
        for each in rules.choices(state, 1)
        if isinstance(each, PlaceCamel) and each.cell == scene.place("E E E")
    ]
    state = rules.decide(state, 1, camel, no_draw).state
    assert state.quiet == 0, "the next round begins"


def test_the_count_is_of_full_rounds_from_the_first_player_on() -> None:
    """A change in the last turn of a round spoils that round, not the next one."""
    state = replace(endless(), quiet=7)
    assert step(state)[0].quiet == 8
    assert step(replace(state, quiet=-1))[0].quiet == 0


def setup(version: int, **options: Any) -> list[Any]:
    return rules.setup(Options(**options), 2, lambda n: 0, version).events


def test_it_is_an_option_of_the_third_version_and_off_unless_asked_for() -> None:
    assert of(RoundLimitSet, setup(3, long_games_end=True)) == [RoundLimitSet(20)]
    assert not of(RoundLimitSet, setup(3))
    assert not of(RoundLimitSet, setup(2, long_games_end=True))
    option = schema_of(TITLE)["properties"]["long_games_end"]
    assert (option["default"], option["suggested"]) == (False, True)
    assert "long_games_end" not in schema_of(at_version(TITLE, 2))["properties"]
    assert fill_options(TITLE, {})["long_games_end"] is False
