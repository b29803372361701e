"""The rules behave the same on CPython in the service and on Brython in the browser.

Random games are played in CPython. Chromium replays the same commands with the same draws in
Brython. After every step the events, state, legal commands with labels, view and outcome must be
equal.
"""

import json
import random
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser

from domain.contract.registry import rules_of
from tests.browser.chromium import run_python, workbench

PLAYER = """
from browser import window
from _native import build, dumps, loads
from domain.games.GAME import rules

COMMANDS = {each.__name__: each for each in rules.COMMANDS}

def moment(state):
    return {
        "state": state,
        "choices": [
                (each, rules.label(state, seat, each))
                for seat in rules.to_act(state)
                for each in rules.choices(state, seat)
            ],
        "view": rules.view(state, None),
        "outcome": rules.outcome(state),
    }

def play(text):
    game = loads(text)
    found = []
    state = None
    for step in game["steps"]:
        draws = list(step["draws"])
        def draw(n):
            return draws.pop(0)
        if step["command"] is None:
            events = rules.setup(rules.Options(**game["options"]), game["seats"], draw).events
        else:
            given = {**step["command"]}
            command = build(COMMANDS[given.pop("type")], given)
            events = rules.decide(state, step["seat"], command, draw).events
        for event in events:
            state = rules.evolve(state, event)
        found.append({"events": events, **moment(state)})
    return dumps(found)

window.play = play
"""


def played(
    slug: str, options: dict[str, Any], seats: int, seed: int
) -> tuple[dict[str, Any], list[Any]]:
    """Play a random game to its end; return the browser's input and the expected output."""
    rules = rules_of(slug)
    rng = random.Random(seed)
    drawn: list[int] = []

    def draw(n: int) -> int:
        drawn.append(rng.randrange(n))
        return drawn[-1]

    state: Any = None
    steps: list[Any] = []
    found: list[Any] = []

    def note(seat: int | None, command: Any, events: list[Any]) -> None:
        nonlocal state
        for event in events:
            state = rules.evolve(state, event)
        steps.append({"seat": seat, "command": command, "draws": [*drawn]})
        drawn.clear()
        moment = {
            "state": state,
            "choices": [
                (each, rules.label(state, seat, each))
                for seat in rules.to_act(state)
                for each in rules.choices(state, seat)
            ],
            "view": rules.view(state, None),
            "outcome": rules.outcome(state),
        }
        found.append(json.loads(msgspec.json.encode({"events": events, **moment})))

    note(None, None, rules.setup(rules.Options(**options), seats, draw).events)
    while rules.to_act(state):
        (seat,) = rules.to_act(state)
        command = rng.choice(rules.choices(state, seat))
        events = rules.decide(state, seat, command, draw).events
        note(seat, command, events)
    game = {"options": options, "seats": seats, "steps": steps}
    return json.loads(msgspec.json.encode(game)), found


TABLES = [
    ("caravanserai", {"expert": False}, 2),
    ("caravanserai", {"expert": True}, 3),
    ("caravanserai", {"expert": False}, 1),
    ("caravanserai", {"expert": True}, 1),
    ("conquest", {"map": "short", "patience": 25}, 2),
    ("conquest", {"map": "generated", "size": "standard", "seed": 7, "patience": 12}, 3),
]


@pytest.mark.browser
@pytest.mark.parametrize(("slug", "options", "seats"), TABLES, ids=str)
def test_whole_games_are_the_same_in_brython(
    browser: Browser, slug: str, options: dict[str, Any], seats: int
) -> None:
    page = workbench(browser)
    game, expected = played(slug, options, seats, seed=seats)
    script = PLAYER.replace("GAME", slug)
    got = json.loads(run_python(page, script, "play", json.dumps(game)))
    page.close()
    assert len(got) == len(expected)
    for step, (here, there) in enumerate(zip(expected, got, strict=True)):
        for part in here:
            assert there[part] == here[part], f"step {step}: {part} differ"


DRAWING = """
from domain.games.conquest import map_draft as d

def drawn(strokes):
    steps = d.DraftHistory(d.blank_draft(4, 6))
    found = []
    for kind, one, other, letter, chances in strokes:
        now = steps.now
        one, other = (one[0] % len(now.rows), one[1] % len(now.rows[0])), tuple(other)
        if kind == "line":
            inside = [p for p in d.places_between(one, other) if p[0] < len(now.rows)]
            inside = [p for p in inside if p[1] < len(now.rows[0])]
            steps.go(d.paint(now, inside, letter))
        elif kind == "area":
            steps.go(d.paint(now, d.connected_area(now, one), letter))
        elif kind == "size":
            steps.go(d.resize(now, other[0] + 1, other[1] + 2))
        elif kind == "rest":
            left = [*chances]
            steps.go(d.fill_bare_tiles(now, lambda n: left.pop(0) % n if left else 0))
        else:
            steps.undo() if letter < "M" else steps.redo()
        now = steps.now
        plain = {"rows": [*now.rows], "treasure": [*now.treasure]}
        again = d.parse_draft(plain, d.LETTERS + d.BARE)
        left, length = d.count_remaining_tiles(now), d.route_length(now)
        found.append([now, again == now, left, d.faults("", now), length])
    return found
"""
IN_PAGE = """
from browser import window
from _native import dumps, loads
window.draw = lambda text: dumps(drawn(loads(text)))
"""


@pytest.mark.browser
def test_a_map_is_drawn_the_same_in_brython(browser: Browser) -> None:
    """Random edits in the map editor give the same results in CPython and Brython.

    After every edit the draft, the remaining tiles, the faults and the route length are compared.
    """
    rng = random.Random(5)
    kinds = ("line", "line", "area", "size", "rest", "back")
    strokes = [
        [
            rng.choice(kinds),
            [rng.randrange(6), rng.randrange(8)],
            [rng.randrange(6), rng.randrange(8)],
            rng.choice("DOMGRCSPBFT."),
            [rng.randrange(1_000) for _ in range(400)],
        ]
        for _ in range(60)
    ]
    here: dict[str, Any] = {}
    exec(DRAWING, here)
    expected = json.loads(msgspec.json.encode(here["drawn"](strokes)))
    page = workbench(browser)
    got = json.loads(run_python(page, DRAWING + IN_PAGE, "draw", json.dumps(strokes)))
    page.close()
    assert got == expected
    assert any(way for *_, way in expected)
    assert any(faults for *_, faults, _ in expected)
