"""The courtyard as a drawing, and the review's figures."""

import random
from collections.abc import Iterable

import pytest

from domain.drawing.scene import Piece
from domain.games.courtyard import rules
from domain.games.courtyard.board import FOUNTAIN_PLACES, NEIGHBOURS, RING, SPACES
from domain.games.courtyard.geometry import (
    COLUMN,
    HEIGHT,
    MIDDLE,
    ROW,
    SPOTS,
    WIDTH,
    arrow_tip,
    place_players,
    sides,
)
from domain.games.courtyard.picture import offers, scene
from tests.domain.courtyard.builders import laid_out, random_game, started
from tests.game_contract.strict_english import format_message

LETTERS = ("A", "B", "C", "D")


def test_every_space_has_its_own_place() -> None:
    assert {*SPOTS} == {*SPACES}
    assert len({*SPOTS.values()}) == len(SPACES)
    for i, space in enumerate(RING):
        (x, y), (to_x, to_y) = SPOTS[RING[i - 1]], SPOTS[space]
        step = sorted([abs(x - to_x), abs(y - to_y)])
        assert step in ([0, COLUMN], [0, ROW]), "the ring goes round step by step"
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in SPOTS.values())
    near = [(a, b) for a in SPOTS for b in SPOTS if a < b]
    assert (
        min((SPOTS[a][0] - SPOTS[b][0]) ** 2 + (SPOTS[a][1] - SPOTS[b][1]) ** 2 for a, b in near)
        >= 100**2
    )
    assert NEIGHBOURS


@pytest.mark.parametrize("fountain", range(6))
def test_the_arrows_are_those_of_the_rules(fountain: int) -> None:
    """Ruling 25."""
    shown = dict(sides(fountain))
    assert [shown[FOUNTAIN_PLACES[(fountain + i) % 6]] for i in range(6)] == [2, -1, 0, 2, -1, 0]
    for place in FOUNTAIN_PLACES:
        x, y = arrow_tip(place)
        assert (x - MIDDLE[0]) * (SPOTS[place][0] - MIDDLE[0]) >= 0
        assert (y - MIDDLE[1]) * (SPOTS[place][1] - MIDDLE[1]) >= 0


def test_players_on_one_space_stand_side_by_side() -> None:
    spots = place_players(["G_N", "G_N", "T_NE", "G_N"])
    assert len({*spots}) == 4
    assert place_players(["", "G_S"])[0] is None


def _goods(pieces: Iterable[Piece]) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of each sign of a good that a picture shows."""
    boxes = []
    for piece in pieces:
        for node in (piece.node, *piece.node.children):
            if str(node.attributes.get("href", "")).startswith("#good-"):
                left, top = piece.x + node.attributes["x"], piece.y + node.attributes["y"]
                size = node.attributes["width"]
                boxes.append((left, top, left + size, top + size))
    return boxes


@pytest.mark.parametrize("many", range(1, 5))
def test_no_player_covers_what_a_space_offers(many: int) -> None:
    """However many stand together."""
    radius = 20
    boxes = _goods(offers(rules.view(started(), None)))
    assert len(boxes) > 20
    for space in SPACES:
        for x, y in filter(None, place_players([space] * many)):
            assert radius <= x <= WIDTH - radius
            assert radius <= y <= HEIGHT - radius
            for left, top, right, bottom in boxes:
                dx, dy = max(left - x, x - right, 0), max(top - y, y - bottom, 0)
                assert dx * dx + dy * dy >= radius * radius, (space, x, y)


@pytest.mark.slow
def test_every_moment_has_a_picture() -> None:
    shown: set[str] = set()
    for number, (state, *_) in enumerate(random_game(4, random.Random(2), 10_000, 0.8)):
        if number % 5 and rules.to_act(state):
            continue
        picture = scene(rules.view(state, None), LETTERS)
        assert len({piece.name for piece in picture.pieces}) == len(picture.pieces)
        medals = [piece for piece in picture.pieces if piece.name.startswith("player")]
        assert len(medals) == sum(bool(player.at) for player in state.players)
        for words in (picture.caption, picture.note):
            if words:
                assert format_message("courtyard", words.key, words.args)
                shown.add(words.key)
        assert len(picture.holdings) == 4
        assert picture.ground == scene(rules.view(started(), None), LETTERS).ground
    assert {"picture.start", "picture.turn", "picture.final"} <= shown
    assert scene(rules.view(laid_out(), None), LETTERS).caption.key == "picture.start"
