"""The view beside a second set of rules that knows nothing but the rule notes and the contract.

Nothing of the game's own modules is used here to work anything out: speeds, prices, wealth, legal
steps and final scores follow from the view alone.
"""

import random
from typing import Any

import pytest

from domain.games.conquest import rules
from tests.domain.conquest.builders import random_moves, thought

STEPS = {"donkey": 3, "roach": 4, "epona": 5, "fidget": 4}
HALF = {"donkey": 2, "roach": 5, "epona": 10, "fidget": 7, "basic": 20, "reinforced": 30}
ROOM = {"basic": 90, "reinforced": 200}
FIELDS = (
    "seat at gold silk spice treasure animals caravan capacity load speed skip kept finished wealth"
)


def tile(view: dict[str, Any], place: Any) -> str:
    row, column = place
    inside = 0 <= row < len(view["tiles"]) and 0 <= column < len(view["tiles"][0])
    return str(view["tiles"][row][column]) if inside else "R"


def speed(view: dict[str, Any], player: dict[str, Any]) -> int:
    """Of a turn begun where the caravan stands: rulings 1, 2, 4, 26 and the ledger."""
    ground = tile(view, player["at"])
    team = []
    for animal in player["animals"]:
        slowed = ground == "M" or (ground == "D" and animal != "fidget")
        team.append(STEPS[animal] - slowed)
    load = player["gold"] + player["silk"] + player["spice"] + player["treasure"]
    over = load - ROOM[player["caravan"]]
    lost = 0
    if over > 0:
        lost = 1
        while over >= 10:
            over -= 10
            lost += 1
    found = min(team) - lost
    return max(found, 0) + (2 if "Healing Waters" in player["kept"] else 0)


def prices(view: dict[str, Any]) -> dict[str, int]:
    """Rulings 17 and 36."""
    since = view["round"] - view["first_finish"] if view["first_finish"] else 0
    return {"silk": max(0, 10 - since), "spice": max(0, 5 - since)}


def wealth(player: dict[str, Any], worth: dict[str, int]) -> int:
    """Ruling 19."""
    gear = sum(HALF[each] for each in [*player["animals"], player["caravan"]])
    goods = player["silk"] * worth["silk"] + player["spice"] * worth["spice"]
    return int(player["gold"] + goods + 40 * player["treasure"] + gear)


def steps(view: dict[str, Any], at: Any, left: int) -> set[tuple[int, int]]:
    """Rulings 5, 20, 23 and 25: a neighbour that is no river, and no last step back."""
    row, column = at
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    began = tuple(view["began"])
    return {to for to in around if tile(view, to) != "R" and left and (left > 1 or to != began)}


def check(state: Any, view: dict[str, Any]) -> None:
    acting = rules.to_act(state)
    assert view["prices"] == prices(view)
    assert view["last_round"] == (view["first_finish"] + 10 if view["first_finish"] else None)
    for player in view["players"]:
        assert list(player) == FIELDS.split()
        load = player["gold"] + player["silk"] + player["spice"] + player["treasure"]
        assert (player["load"], player["capacity"]) == (load, ROOM[player["caravan"]])
        if player["seat"] not in acting:
            assert player["speed"] == speed(view, player)
        if not player["finished"]:
            assert player["wealth"] == wealth(player, view["prices"])
    if acting:
        check_turn(state, view, acting[0])


def check_turn(state: Any, view: dict[str, Any], seat: int) -> None:
    player = view["players"][seat]
    choices = rules.choices(state, seat)
    moves = {each.to for each in choices if type(each).__name__ == "Move"}
    stops = any(type(each).__name__ == "Stop" for each in choices)
    if view["step"] == "move":
        fresh = view["steps_left"] == player["speed"]
        if fresh and player["at"] == view["began"]:
            assert player["speed"] == speed(view, player) + view["bonus"]
        assert moves == steps(view, player["at"], view["steps_left"])
        assert stops == (player["at"] != view["began"])
    elif view["step"] == "extra":
        assert moves == steps(view, player["at"], 1)
        assert stops
    else:
        assert not moves
        assert not stops
        assert view["steps_left"] == 0


@pytest.mark.parametrize("kind", ["short", "standard", "full", "generated"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_view_is_what_the_rule_notes_say(kind: str, seats: int) -> None:
    rng = random.Random(f"{kind}/{seats}")
    state = rules.setup(rules.Options(map=kind), seats, rng.randrange).state
    locked: dict[int, int] = {}
    for now, _ in random_moves(state, rng):
        view = rules.view(now, None)
        check(now, view)
        for player in view["players"]:
            if player["finished"]:
                locked.setdefault(player["seat"], player["wealth"])
                assert player["wealth"] == locked[player["seat"]]
                assert tile(view, player["at"]) == "F"
        state = now
    for standing in rules.outcome(state) or ():
        assert standing.score == locked.get(standing.seat, 0)


def test_wealth_is_locked_at_the_prices_of_the_moment() -> None:
    """Ruling 36: worked out here from the last view in which the seat was on its way."""
    found = 0
    for seed in range(12):
        rng = random.Random(seed)
        state = rules.setup(rules.Options(map="short"), 3, rng.randrange).state
        while acting := rules.to_act(state):
            seat, view = acting[0], rules.view(state, None)
            choice = thought(state, rng)
            if seat == 2 and state.step != "move":
                choice = rng.choice(rules.choices(state, seat))
            state = rules.decide(state, seat, choice, rng.randrange).state
            if state.players[seat].finished:
                worth = wealth(view["players"][seat], prices(view))
                assert rules.view(state, None)["players"][seat]["wealth"] == worth
                found += 1
    assert found > 20
