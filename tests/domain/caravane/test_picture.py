"""The drawing of the road: every letter and text stays readable in a crowd of camels."""

from collections.abc import Sequence

import pytest

from domain.drawing.scene import Piece
from domain.games.caravane.picture import draw_camels, scene
from domain.games.caravane.road_geometry import SPOTS

Area = tuple[float, float, float, float]
LETTERS = ("A", "B", "C", "D", "E")
TAG = (-13, 7, 13, 31)
"""The plate of a letter around its camel."""
WORDS = {"water": "+2 water", "leak": "−2 water", "bale": "+1 silk", "damage": "−1 silk"}
"""What the page says where a picture has no room for more than the number."""
LETTER, GAP = 0.66, 0.38
"""How wide a bold letter is of its height, and a space or a dot, and a little more."""


def word_area(piece: Piece) -> Area:
    """Return the area of the text of a square or a palace."""
    told = piece.node.attributes
    high = told["font-size"]
    wide = high * sum(LETTER if each.isalnum() else GAP for each in piece.node.text)
    left = {"start": 0.0, "middle": -wide / 2, "end": -wide}[told["text-anchor"]]
    x, y = piece.x + told["x"] + left, piece.y + told["y"]
    return (x, y - 0.75 * high, x + wide, y)


def shown(places: Sequence[int]) -> tuple[list[Area], list[Area]]:
    """Return the areas of letters and of texts."""
    _, tags = draw_camels(places, LETTERS)
    letters = [(p.x + TAG[0], p.y + TAG[1], p.x + TAG[2], p.y + TAG[3]) for p in tags]
    racers = [{"seat": seat, "square": 0, "bales": 0} for seat, _ in enumerate(places)]
    view = {"racers": racers, "track": [], "phase": "bid", "stage": 1, "round": 1, "last": None}
    pieces = scene({**view, "track": [{"length": 0}] * 3}, LETTERS).pieces
    words = [word_area(piece) for piece in pieces if piece.name.startswith("word")]
    return letters, words


def meet(one: Area, other: Area) -> bool:
    """Return whether two areas share more than an edge."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("crowd", range(1, 6))
def test_no_letter_of_a_crowd_is_covered_and_none_covers_a_word(
    crowd: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("domain.games.caravane.picture.EFFECT_LABELS", WORDS)
    for spot in range(len(SPOTS)):
        letters, words = shown([spot] * crowd)
        assert len(words) > 3
        for number, letter in enumerate(letters):
            others = [*letters[:number], *words]
            assert not [each for each in others if meet(letter, each)], (spot, number)


def test_words_lie_over_camels_and_letters_over_words() -> None:
    view = {"phase": "bid", "stage": 1, "round": 1, "last": None, "track": [{"length": 16}] * 3}
    racers = [{"seat": seat, "square": 3, "bales": 0} for seat in range(5)]
    names = [piece.name for piece in scene({**view, "racers": racers}, LETTERS).pieces]
    kinds = [name.split()[0] for name in names]
    assert kinds == sorted(kinds, key=["camel", "word", "tag"].index)
