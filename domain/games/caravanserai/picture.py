"""Picture of Caravanserai: the hexagonal board, standing goods and caravans.

Hexagons have a corner at the top; a cell is 52 units wide. See `domain.drawing.scene`. Ships to the
browser.
"""

from collections.abc import Iterator
from typing import Any

from domain.drawing import scene as drawing
from domain.games.caravanserai.pieces import COLOURS
from domain.toolkit.hexgrid import neighbour_indexes

HALF, ROW = 26, 45
CORNERS = ((26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15), (0, -30))
"""Corners of a cell relative to its centre; side k, in direction k, joins corners k and k + 1."""
SIDES = ("v30", "l-26 15", "l-26-15", "v-30", "l26-15", "l26 15")
"""Sides of a cell as relative path data, each from a corner to the next."""
HEX = "m26-15v30l-26 15-26-15v-30l26-15Z"
"""Outline of a cell as path data relative to its centre."""
INNER = "m20-12v24l-20 12-20-12v-24l20-12Z"
"""Smaller outline inside a cell as path data relative to its centre."""
CELLS_PER_NODE = 40  # number of cells whose borders form one node when drawing in parts
ZONES = ("outer", "intermediate", "central")
GOOD_LIFT = 3
"""Distance by which a good is drawn above the centre of its cell."""
DOTS = (
    (-12, 1, -2, 1, 8, 1),
    (-12, 5, 2, 5),
    (-12, 1, -6, 8, 7, 1),
    (-13, 11, 8, 1),
    (-11, 3, -3, 3, 5, 3),
    (-12, 1, -7, 1, 5, 1, 10, 1),
    (-9, 18),
    (-3, 6),
)
"""Dots and dashes of each seat's ribbon between two cells as ``begin, length`` pairs.

They distinguish the seats without relying on colour.
"""


# --- the ground -------------------------------------------------------------------------------


def cell_centre(q: int, r: int) -> tuple[int, int]:
    """Return the centre of a cell."""
    return HALF * (2 * q + r), ROW * r


def board_bounds(cells: Any) -> tuple[int, int, int, int]:
    """Return the visible area ``(x, y, width, height)``: the cells of the view and a margin."""
    places = [cell_centre(cell[0], cell[1]) for cell in cells]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return (min(xs) - 34, min(ys) - 38, max(xs) - min(xs) + 68, max(ys) - min(ys) + 76)


@drawing.cache_latest
def draw_ground(cells: Any, tile_of: Any) -> tuple[drawing.Node, ...]:
    """Draw the board: cells by zone, borders of tiles, caravanserais.

    ``cells`` and ``tile_of``: as in the view.
    """
    return tuple(draw_ground_in_parts(cells, tile_of))


def draw_ground_in_parts(cells: Any, tile_of: Any) -> Iterator[drawing.Node]:
    """Yield the nodes of `draw_ground` one by one."""
    places = [cell_centre(cell[0], cell[1]) for cell in cells]
    shadow = "".join([f"M{x} {y + 6}{HEX}" for x, y in places])
    near = neighbour_indexes([(cell[0], cell[1]) for cell in cells])
    yield drawing.path(shadow, "shadow", "shadow", 3)
    for zone in ZONES:
        inside = [
            f"M{x} {y}{HEX}" for (x, y), cell in zip(places, cells, strict=True) if cell[3] == zone
        ]
        yield drawing.path("".join(inside), "sand-" + zone, "cell-line", 1)
    for first in range(0, len(cells), CELLS_PER_NODE):
        part = range(first, min(first + CELLS_PER_NODE, len(cells)))
        yield drawing.path(_borders(places, near, tile_of, part), "", "tile-line", 3)
    courts = [
        drawing.use("stop-" + cell[2], x, y, 60)
        for (x, y), cell in zip(places, cells, strict=True)
        if cell[2] is not None
    ]
    yield drawing.group(*courts)


def _borders(places: Any, near: Any, tile_of: Any, part: range) -> str:
    """Return the borders of tiles along some cells as path data, each side only once.

    ``part``: the cells.
    """
    parts = []
    for index in part:
        x, y = places[index]
        own = tile_of[index]
        for way, other in enumerate(near[index]):
            if other < 0 or (other > index and tile_of[other] != own):
                dx, dy = CORNERS[way]
                parts.append(f"M{x + dx} {y + dy}{SIDES[way]}")
    return "".join(parts)


# --- pieces -----------------------------------------------------------------------------------


def draw_standing_goods(colours: dict[tuple[int, int], str], goods: Any) -> list[drawing.Piece]:
    """Return the standing goods as pieces.

    ``colours``: the colour of each cell by ``(q, r)``; ``goods``: the cells ``(q, r)`` with a good.
    """
    found = []
    for q, r in goods:
        x, y = cell_centre(q, r)
        drum = drawing.use("drum-" + colours[(q, r)], 0, 0, 42)
        found.append(drawing.Piece(f"good {q} {r}", x, y - GOOD_LIFT, drum, 22))
    return found


def draw_caravan(
    seat: int, pieces: Any
) -> tuple[list[drawing.Piece], list[drawing.Piece], list[drawing.Piece]]:
    """Return the three layers of a seat's caravan.

    They are the halo that separates its ribbon from the board, the ribbon in the seat's colour with
    its dots, and beads and medallions on top. ``pieces``: ``(q, r, kind)``, tail first.
    """
    halos, ribbons, beads = [], [], []
    for number in range(len(pieces) - 1):
        (q, r, _), (to_q, to_r, _) = pieces[number], pieces[number + 1]
        (x, y), (to_x, to_y) = cell_centre(q, r), cell_centre(to_q, to_r)
        at = ((x + to_x) / 2, (y + to_y) / 2)
        halo, ribbon = _link(seat, to_q - q, to_r - r)
        halos.append(drawing.Piece(f"halo {q} {r}", *at, halo, 40))
        ribbons.append(drawing.Piece(f"ribbon {q} {r}", *at, ribbon, 40))
    last = len(pieces) - 1
    for number, (q, r, kind) in enumerate(pieces):
        x, y = cell_centre(q, r)
        if kind in COLOURS:
            beads.append(drawing.Piece(f"bead {q} {r}", x, y, BEADS[kind], 16))
        else:
            radius = 23 if number == last else 17
            node = drawing.group(*drawing.medal(seat, radius, kind))
            beads.append(drawing.Piece(f"camel {q} {r}", x, y, node, radius + 3))
    return halos, ribbons, beads


BEADS = {kind: drawing.use("good-" + kind, 0, 0, 27) for kind in COLOURS}
_links: dict[tuple[int, int, int], tuple[drawing.Node, drawing.Node]] = {}
"""Cache of `_link` results: each pair of adjacent pieces needs one, and a replay jump draws all."""


def _link(seat: int, dq: int, dr: int) -> tuple[drawing.Node, drawing.Node]:
    """Return the halo and the ribbon between two adjacent cells, centred between them, cached.

    ``dq`` and ``dr``: the offset from one cell to the other.
    """
    known = _links.get((seat, dq, dr))
    if known is None:
        known = _links[seat, dq, dr] = _drawn_link(seat, cell_centre(dq, dr))
    return known


def _drawn_link(seat: int, way: tuple[int, int]) -> tuple[drawing.Node, drawing.Node]:
    dx, dy = way
    line = f"M{-dx / 2} {-dy / 2}L{dx / 2} {dy / 2}"
    dots = []
    for begin, length in zip(DOTS[seat][::2], DOTS[seat][1::2], strict=True):
        end = begin + length
        dots.append(f"M{_part(dx, begin)} {_part(dy, begin)}L{_part(dx, end)} {_part(dy, end)}")
    ribbon = drawing.group(
        drawing.path(line, "", drawing.SEAT_TONES[seat], 15),
        drawing.path("".join(dots), "", "seat-ink", 2.5),
    )
    return drawing.path(line, "", "legal-halo", 20), ribbon


def _part(step: int, share: int) -> float:
    """Return the coordinate ``share`` / 52 of the way along a step."""
    return round(step * share / 52, 2)


def draw_new_pieces(cells: Any) -> list[drawing.Piece]:
    """Return pieces that highlight newly laid pieces on the cells ``(q, r)``."""
    ring = drawing.path("M0 0" + INNER, "", "legal-halo", 2, "fresh", opacity=0.9)
    return [drawing.Piece(f"fresh {q} {r}", *cell_centre(q, r), ring, 26) for q, r in cells]


def _flag(seat: int, letter: str, at: drawing.Point) -> drawing.Piece:
    """Return the seat's letter as a piece beside its leading camel."""
    return drawing.Piece(
        f"flag {seat}", at[0] + 24, at[1] - 24, drawing.group(*drawing.tag(seat, letter, -12)), 26
    )


# --- the picture ------------------------------------------------------------------------------


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> drawing.Scene:
    """Return the picture of a view.

    ``letters``: a letter for each seat, which distinguishes the seats without relying on colour.
    """
    return drawing.Scene(
        box=board_bounds(view["cells"]),
        ground=draw_ground(view["cells"], view["tile_of"]),
        pieces=tuple(_pieces(view, letters)),
        caption=_caption(view),
        holdings=tuple([_holding(player) for player in view["players"]]),
        note=_note(view),
        stock_name=drawing.Message("picture.market"),
        stock=tuple([drawing.Mark("good-" + each, str(view["market"][each])) for each in COLOURS]),
    )


def _pieces(view: dict[str, Any], letters: tuple[str, ...]) -> list[drawing.Piece]:
    colours = {(q, r): colour for q, r, colour, _ in view["cells"]}
    layers: tuple[list[drawing.Piece], ...] = ([], [], [])
    flags = []
    for player in view["players"]:
        for layer, pieces in zip(
            layers, draw_caravan(player["seat"], player["caravan"]), strict=True
        ):
            layer += pieces
        if player["caravan"] and len(letters) > 1:
            q, r, _ = player["caravan"][-1]
            flags.append(_flag(player["seat"], letters[player["seat"]], cell_centre(q, r)))
    laid = view["placement"]
    new = draw_new_pieces([(q, r) for q, r, _ in laid["cells"]]) if laid else []
    return [
        *draw_standing_goods(colours, view["standing"]),
        *layers[0],
        *layers[1],
        *layers[2],
        *new,
        *flags,
    ]


def _caption(view: dict[str, Any]) -> drawing.Message:
    if view["step"] == "over":
        return drawing.Message("picture.result", {"round": view["round"]})
    if not view["round"]:
        return drawing.Message("picture.starting")
    return drawing.Message(
        "picture.last_round" if view["final_round"] else "picture.round", {"round": view["round"]}
    )


def _note(view: dict[str, Any]) -> drawing.Message | None:
    if view["step"] == "over":
        return drawing.Message("picture.level", {"level": view["level"]}) if view["level"] else None
    return drawing.Message("picture.start") if view["step"] == "start" else None


def _holding(player: dict[str, Any]) -> drawing.Holding:
    goods = [drawing.Mark("good-" + each, str(player["goods"][each])) for each in COLOURS]
    tone = drawing.SEAT_TONES[player["seat"]]
    camels = drawing.Mark("camel", str(player["camels"]), tone, 1.2)
    return drawing.Holding(str(player["length"]), (*goods, camels))
