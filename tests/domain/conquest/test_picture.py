"""The drawing: everything is at its place, and every referenced symbol exists."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.drawing.scene import SYMBOLS, Node, Scene
from domain.games.conquest import picture, rules, symbols
from domain.games.conquest.board import LETTERS
from frontend.bundles import FRONTEND
from tests.domain.conquest.builders import game, put, random_moves
from tests.game_contract.strict_english import format_message

KNOWN = {symbol.name for symbol in (*SYMBOLS, *symbols.SYMBOLS)}
LETTER = ("A", "B", "C", "D", "E", "F")


def within(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from within(child)


def nodes(scene: Scene) -> Iterator[Node]:
    for node in (*scene.ground, *(piece.node for piece in scene.pieces)):
        yield from within(node)


def shown(state: Any) -> Scene:
    return picture.scene(rules.view(state, None), LETTER)


def named(scene: Scene) -> dict[str, tuple[float, float]]:
    return {piece.name: (piece.x, piece.y) for piece in scene.pieces}


@pytest.mark.parametrize("kind", ["short", "standard", "full", "generated"])
def test_a_whole_game_can_be_drawn(kind: str) -> None:
    """Every symbol is there, every piece has a name of its own and lies on the map."""
    rng = random.Random(kind)
    state = rules.setup(rules.Options(map=kind), 6, rng.randrange).state
    ground = shown(state).ground
    for number, (now, _) in enumerate(random_moves(state, rng)):
        if number % 20:
            continue
        scene = shown(now)
        assert scene.ground == ground
        used = {node.attributes["href"][1:] for node in nodes(scene) if node.tag == "use"}
        assert used <= KNOWN
        marks = [mark for holding in scene.holdings for mark in holding.marks]
        assert {mark.symbol for mark in (*marks, *scene.stock)} <= KNOWN
        names = [piece.name for piece in scene.pieces]
        assert len(set(names)) == len(names)
        left, top, wide, high = scene.box
        for piece in scene.pieces:
            assert left <= piece.x - 22 <= piece.x + 22 <= left + wide
            assert top <= piece.y - 22 <= piece.y + 22 <= top + high
        for words in (scene.caption, scene.note, scene.stock_name):
            assert words is None or "{" not in format_message("conquest", words.key, words.args)


def test_colours_are_those_of_the_style_sheet() -> None:
    styles = "".join(path.read_text() for path in sorted(FRONTEND.glob("static/**/*.css")))
    scene = shown(game(treasure=((1, 3),)))
    values = [str(value) for node in nodes(scene) for value in node.attributes.values()]
    parts = [part for symbol in symbols.SYMBOLS for part in symbol.parts]
    values += [str(value) for part in parts for value in part.attributes.values()]
    used = {token for value in values for token in re.findall(r"var\(--([\w-]+)\)", value)}
    assert used
    assert all(f"--{token}:" in styles for token in used)


def test_every_tile_has_a_sign_of_its_own() -> None:
    assert {f"cq-{letter}" for letter in LETTERS} <= KNOWN
    assert {*picture.GROUND} == {*LETTERS}


def test_treasure_goes_with_who_takes_it() -> None:
    state = game("BGDF", treasure=((0, 2),))
    assert "chest 0 2" in named(shown(state))
    state = put(replace(state, treasure=()), 0, treasure=1)
    assert "chest 0 2" not in named(shown(state))
    assert [mark.text for mark in shown(state).holdings[0].marks][3] == "1"


def test_a_dry_oasis_is_drawn_as_desert() -> None:
    state = game("BOGF")
    assert not [name for name in named(shown(state)) if name.startswith("tile")]
    dry = replace(state, tiles="BDGF")
    assert named(shown(dry))["tile 0 1"] == picture.middle((0, 1))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_caravans_on_one_tile_stand_apart(seats: int) -> None:
    spots = [(x, y) for x, y, _ in picture.place_caravans([[2, 3]] * seats)]
    x, y = picture.middle((2, 3))
    for number, one in enumerate(spots):
        assert abs(one[0] - x) <= 30
        assert abs(one[1] - y) <= 45
        for other in spots[:number]:
            assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= 30


def test_a_caravan_alone_stands_in_the_middle_of_its_tile() -> None:
    (first, second) = picture.place_caravans([[0, 0], [1, 0]])
    assert first[:2] == picture.middle((0, 0))
    assert second[:2] == picture.middle((1, 0))
    assert first[2] > picture.place_caravans([[0, 0], [0, 0]])[0][2]


def test_captions() -> None:
    state = game()
    assert shown(state).caption.key == "picture.round"
    late = shown(replace(state, first_finish=3, round=5)).caption
    assert (late.key, late.args) == ("picture.countdown", {"round": 5, "last": 13})
    assert shown(replace(state, step="over")).caption.key == "picture.result"
    assert shown(replace(state, drawn=0)).note is not None
