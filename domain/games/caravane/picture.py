"""Picture of Caravane: the silk road, the camels and the latest revealed bids.

Coordinates are those of `domain.games.caravane.road_geometry`. See `domain.drawing.scene`. Ships to
the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.drawing import scene as drawing
from domain.games.caravane.board import PALACE_BALES, SPECIAL_SQUARES, STAGE_LENGTHS
from domain.games.caravane.road_geometry import (
    BANDS,
    FAR_LEFT,
    FAR_RIGHT,
    HEIGHT,
    LOWEST_ROW_Y,
    ROW_DISTANCE,
    SKY_HEIGHT,
    SPOTS,
    WIDTH,
    draw_dune_path,
    draw_ground_path,
    draw_road_path,
    place_camels,
)

EFFECT_LABELS = {"water": "+2", "leak": "–2", "bale": "+1", "damage": "–1"}
BOX = (0, -SKY_HEIGHT, WIDTH, HEIGHT + SKY_HEIGHT)


# --- the ground -------------------------------------------------------------------------------


def draw_land() -> list[drawing.Node]:
    """Draw the ground of the three stages and the road."""
    nodes = []
    for number, depth, foot, top in BANDS:
        nodes.append(drawing.path(draw_ground_path(foot, top), "sand-" + depth))
        nodes.append(drawing.path(draw_dune_path(number), "", "cell-line", 2.5, opacity=0.75))
    line = draw_road_path()
    nodes.append(drawing.path(line, "", "tile-line", 43, stroke_opacity=0.55))
    nodes.append(drawing.path(line, "", "sand-central", 38))
    nodes.append(drawing.path(line, "", "#ffffff", 38, "road", stroke_opacity=0.3))
    nodes.append(drawing.path(line, "", "paper-edge", 3, dots="1 12"))
    return nodes


def draw_square(spot: int, what: str | None) -> list[drawing.Node]:
    """Draw a square of the road with the symbol of its effect, if any."""
    x, y = SPOTS[spot]
    if what is None:
        return [drawing.circle(x, y, 15, "sand-intermediate", "tile-line", 2)]
    dots = "8 6" if what in ("leak", "damage") else ""
    ring = drawing.circle(x, y, 25, "paper", "tile-line", 3, dots=dots)
    return [ring, drawing.use("sign-" + what, x, y, 38)]


def draw_square_label(spot: int, word: str) -> drawing.Piece:
    """Return the label of a square's effect, drawn on top of the camels to stay visible."""
    x, y = SPOTS[spot]
    turns = (FAR_LEFT, FAR_RIGHT)
    above = y < LOWEST_ROW_Y - 5 * ROW_DISTANCE - 60 or SPOTS[spot - 1][0] in turns
    at, anchor = (0, -34 if above else 51), "middle"
    if x in turns:  # there is no space below the road at a turn
        left = x == FAR_LEFT
        at, anchor = (43 if left else -43, 8), "start" if left else "end"
    words = drawing.text(*at, word, 23, kind="sign-word", halo="sand-central", anchor=anchor)
    return drawing.Piece(f"word {spot}", x, y, words, 160)


def draw_palace(number: int, spot: int) -> list[drawing.Node]:
    """Draw the palace at the end of a stage."""
    x, y = SPOTS[spot]
    return [
        drawing.oval(x, y + 6, 44, 26, "paper", "tile-line", 3),
        drawing.use(f"palace-{number}", x, y - 40, 92),
    ]


def draw_palace_label(spot: int, silk: Sequence[str]) -> drawing.Piece:
    """Return the label of a palace's rewards by place, drawn on top of the camels."""
    x, y = SPOTS[spot]
    at, anchor = 0, "middle"
    if len(silk) > 4:
        at, anchor = (8 - x, "start") if x < WIDTH // 2 else (WIDTH - 8 - x, "end")
    words = " · ".join(silk)
    node = drawing.text(at, 48, words, 25, kind="silk-word", halo="sand-central", anchor=anchor)
    return drawing.Piece(f"word {spot}", x, y, node, 160)


def draw_camp() -> drawing.Node:
    """Draw the tent at the start."""
    x, y = SPOTS[0]
    return drawing.use("camp", x + 36, y - 2, 72)


# --- the camels -------------------------------------------------------------------------------


def draw_camels(
    places: Sequence[int], letters: Sequence[str], own: int | None = None
) -> tuple[list[drawing.Piece], list[drawing.Piece]]:
    """Return the camels as pieces on their spots, and their letters as pieces on top of all camels.

    Letters on top stay legible when several camels share a spot. ``own``: the seat whose camel is
    highlighted.
    """
    medals, tags = [], []
    for seat, (x, y) in enumerate(place_camels(list(places))):
        medals.append(drawing.Piece(f"camel {seat}", x, y, _camel(seat, seat == own), 30))
        tags.append(drawing.Piece(f"tag {seat}", x, y, _tag(seat, letters[seat]), 34))
    return medals, tags


def _camel(seat: int, own: bool) -> drawing.Node:
    halo = drawing.circle(0, 0, 27, "legal-halo")
    parts = drawing.medal(seat, 23, edge=7 if own else 5, lift=4)
    return drawing.group(halo, *parts, kind="camel own" if own else "camel", data_seat=str(seat))


def _tag(seat: int, letter: str) -> drawing.Node:
    return drawing.group(*drawing.tag(seat, letter, 7), kind="camel", data_tag=str(seat))


# --- the picture ------------------------------------------------------------------------------


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> drawing.Scene:
    """Return the picture of a view.

    ``letters``: a letter for each seat, which distinguishes the seats without relying on colour.
    """
    racers = view["racers"]
    lengths = [stage["length"] for stage in view["track"]]
    before = sum(lengths[: max(1, view["stage"]) - 1])
    medals, tags = draw_camels([before + racer["square"] for racer in racers], letters)
    return drawing.Scene(
        box=BOX,
        ground=_ground(),
        pieces=(*medals, *_label_pieces(len(racers)), *tags),
        caption=_caption(view),
        holdings=tuple([_holding(view, racer) for racer in racers]),
        note=drawing.Message("picture.moving") if view["phase"] == "move" else None,
    )


@drawing.cache_latest
def _ground() -> tuple[drawing.Node, ...]:
    nodes, before = draw_land(), 0
    for number, length in enumerate(STAGE_LENGTHS, start=1):
        for place in range(1, length):
            nodes += draw_square(before + place, SPECIAL_SQUARES[number - 1].get(place))
        before += length
        nodes += draw_palace(number, before)
    return (*nodes, draw_camp())


def _label_pieces(seats: int) -> list[drawing.Piece]:
    """Return the labels of all special squares and palaces."""
    found, before = [], 0
    for number, length in enumerate(STAGE_LENGTHS):
        for place, what in SPECIAL_SQUARES[number].items():
            found.append(draw_square_label(before + place, EFFECT_LABELS[what]))
        before += length
        silk = [str(bales) for bales in PALACE_BALES[number][:seats]]
        found.append(draw_palace_label(before, silk))
    return found


def _caption(view: dict[str, Any]) -> drawing.Message:
    if view["phase"] == "over":
        return drawing.Message("picture.result", {"round": view["round"]})
    if not view["stage"]:
        return drawing.Message("picture.prepare")
    stages = len(view["track"])
    return drawing.Message(
        "picture.bidding", {"stage": view["stage"], "stages": stages, "round": view["round"]}
    )


def _holding(view: dict[str, Any], racer: dict[str, Any]) -> drawing.Holding:
    """Return a seat's bales, with its bid and steps in the latest revealed round, if any."""
    seat, last = racer["seat"], view["last"]
    marks: list[drawing.Mark] = []
    if last and last["gourds"][seat] is not None:
        marks.append(drawing.Mark("sign-water", str(last["gourds"][seat])))
        if last["bags"][seat]:
            marks.append(drawing.Mark("sign-bag", str(last["bags"][seat])))
        marks.append(
            drawing.Mark("camel", f"+{last['steps'][seat]}", drawing.SEAT_TONES[seat], 1.2)
        )
    return drawing.Holding(str(racer["bales"]), tuple(marks))
