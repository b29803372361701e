"""Starting equipment: options since the second version of the rules."""

import random
from typing import Any

import msgspec
import pytest

from domain.contract.game import at_version
from domain.contract.options import schema_of
from domain.games.conquest import picture as rules_picture
from domain.games.conquest import rules
from domain.games.conquest.commands import Jettison, Move, Stay
from domain.games.conquest.events import StartingGearSet
from domain.games.conquest.options import Options
from domain.games.conquest.title import TITLE
from domain.match.timeline import Timeline
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from service.matches.options import InvalidOption, check_options, fill_options
from tests.domain.conquest.builders import (
    OPEN,
    act,
    game,
    goods,
    me,
    offered,
    opened,
    play_on,
    those,
)
from tests.game_contract.strict_english import format_message

RECOMMENDED = StartingGearSet(10, 10, 5, ("donkey", "donkey"), "basic")
NAMES = ("gold", "spice", "silk", "animals", "caravan")


def test_the_recommendation_is_the_default_and_as_before() -> None:
    """Rulebook, setup: basic caravan, two donkeys, 10 gold, 10 spice, 5 silk."""
    new = rules.setup(Options(map="short"), 3, lambda n: 0, 2)
    old = rules.setup(Options(map="short"), 3, lambda n: 0, 1)
    assert those(new.events, StartingGearSet) == [RECOMMENDED]
    assert not those(old.events, StartingGearSet)
    assert new.state == old.state
    given = fill_options(TITLE, {})
    assert [given[name] for name in NAMES] == [10, 10, 5, ["donkey", "donkey"], "basic"]


def test_a_match_of_the_first_version_has_no_such_options() -> None:
    assert not {*NAMES} & {*schema_of(at_version(TITLE, 1))["properties"]}
    with pytest.raises(InvalidOption):
        fill_options(at_version(TITLE, 1), {"gold": 20})
    events = rules.setup(Options(map="short", gold=20), 2, lambda n: 0, 1).events
    assert not those(events, StartingGearSet)


def test_every_caravan_starts_with_what_was_chosen() -> None:
    state = game(gold=0, spice=7, silk=99, animals=["fidget", "epona"], caravan="reinforced")
    for player in state.players:
        assert goods(player) == (0, 99, 7)
        assert (player.animals, player.caravan) == (("fidget", "epona"), "reinforced")
    seen = rules.view(state, None)["players"][0]
    assert (seen["capacity"], seen["load"], seen["speed"]) == (200, 106, 4)
    assert seen["wealth"] == 99 * 10 + 7 * 5 + 7 + 10 + 30


def test_a_load_above_the_capacity_slows_the_first_turn_down() -> None:
    """99 of all on a basic caravan: 207 too much, so no step until some of it is left behind;
    rulings 4 and 24 hold as in any other turn."""
    state = game(*OPEN, gold=99, spice=99, silk=99)
    assert (state.speed, state.step) == (0, "move")
    assert Stay() in rules.choices(state, 0)
    assert not offered(state, Move)
    state = act(state, Jettison("gold", 99), Jettison("spice", 99))
    assert (state.speed, offered(state, Stay)) == (2, [])  # 9 too many cost one step
    assert offered(state, Move)
    stayed = act(game(*OPEN, gold=99, spice=99, silk=99), Stay())
    assert (stayed.seat, stayed.speed, goods(me(stayed, 0))) == (1, 0, (99, 99, 99))


def test_nothing_at_all_is_a_start_too() -> None:
    state = game(*OPEN, gold=0, spice=0, silk=0)
    assert (state.speed, offered(state, Jettison)) == (3, [])
    assert rules.view(state, None)["players"][0]["wealth"] == 2 + 2 + 20


@pytest.mark.parametrize(
    "gear",
    [
        {"gold": 99, "spice": 99, "silk": 99},
        {"gold": 0, "spice": 0, "silk": 0, "animals": ["epona", "roach"]},
        {"silk": 42, "caravan": "reinforced", "animals": ["fidget", "fidget"]},
    ],
)
def test_whole_games_are_played_and_their_files_prove(gear: dict[str, Any]) -> None:
    timeline: Timeline = opened(2, people=1, map="short", patience=10, **gear)
    play_on(timeline, random.Random(3))
    assert timeline.latest.status == "finished"
    document = msgspec.json.decode(msgspec.json.encode(export_match("some-id", timeline, None)))
    assert verify(document, check_options).latest.state == timeline.latest.state
    stated = document["decisions"][0]["command"]["options"]
    assert {name: stated[name] for name in gear} == gear


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gold", -1),
        ("silk", 100),
        ("spice", "10"),
        ("animals", ["donkey"]),
        ("animals", ["donkey", "unicorn"]),
        ("animals", "donkey"),
        ("caravan", "grand"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as refusal:
        fill_options(TITLE, {name: value})
    assert refusal.value.field.startswith(name)


def test_the_schema_lists_animals_in_the_order_of_the_rulebook() -> None:
    known = schema_of(TITLE)["properties"]
    for part in known["animals"]["prefixItems"]:
        assert part == {"type": "string", "enum": ["donkey", "roach", "epona", "fidget"]}
    assert known["animals"]["default"] == ["donkey", "donkey"]
    assert all(known[name]["advanced"] for name in NAMES)


def test_a_preview_shows_what_caravans_start_with() -> None:
    state = game(gold=33, silk=44, animals=("fidget", "epona"), caravan="reinforced")
    scene = rules_picture.scene(rules.view(state, None), "ABCDEF")
    assert {"33", "44"} <= {mark.text for mark in scene.holdings[0].marks}
    assert scene.note is not None
    words = format_message("conquest", scene.note.key, scene.note.args)
    assert words == "Fidget (camel), Epona (horse), reinforced wagon"
    gone = rules_picture.scene(rules.view(act(state, Move((0, 0))), None), "ABCDEF")
    assert gone.note is None
