"""Picture of the courtyard from above, with the fountain, orders and players.

Coordinates are those of `domain.games.courtyard.geometry`; the constant part is in
`domain.games.courtyard.static_board`. See `domain.drawing.scene`. Ships to the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.drawing.scene import (
    Holding,
    Mark,
    Message,
    Node,
    Piece,
    Scene,
    circle,
    group,
    medal,
    path,
    tag,
    text,
    use,
)
from domain.games.courtyard import geometry
from domain.games.courtyard.board import RESTS, wares
from domain.games.courtyard.cards import TILES, TRADES_PER_TILE
from domain.games.courtyard.sign_colours import EDGES, FRAMES
from domain.games.courtyard.static_board import DARK, PAPER, block, static_nodes

JETS = {2: "#1f7a3d", -1: "#b3321f", 0: "#e6f6fb"}
SIGNS = {2: "+2", -1: "–1"}


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> Scene:
    """Return the picture of a view.

    ``letters``: a letter for each seat, which distinguishes the seats without relying on colour.
    """
    medals, tags = figures([player["at"] or "" for player in view["players"]], letters)
    return Scene(
        box=(0, 0, geometry.WIDTH, geometry.HEIGHT),
        ground=static_nodes(),
        pieces=(fountain(view["fountain"]), *offers(view), *medals, *tags),
        caption=_caption(view),
        holdings=tuple([_holding(player) for player in view["players"]]),
        note=_note(view),
    )


def _caption(view: dict[str, Any]) -> Message:
    step = view["step"]
    if step in ("start", "over"):
        return Message(f"picture.{step}", {"turn": view["turn"]})
    return Message("picture.final" if view["final"] else "picture.turn", {"turn": view["turn"]})


def _note(view: dict[str, Any]) -> Message | None:
    if view["step"] == "minor":
        return Message("picture.choosing")
    if view["step"] == "income":
        return Message("picture.sharing", {"income": view["income"]})
    return None


def _holding(player: dict[str, Any]) -> Holding:
    """Return a seat's wealth, or its points at the end, with its coins, debt and goods."""
    score = player["score"]
    marks = [Mark("dirham", f"{player['coins']}/{player['purse']}")]
    if player["debt"]:
        marks.append(Mark("dirham", f"–{player['debt']}"))
    marks += [Mark("good-" + good, str(n)) for good, n in player["goods"].items() if n]
    return Holding(str(score["total"] if score else player["wealth"]), tuple(marks))


# --- changing parts ---------------------------------------------------------------------------


def fountain(position: int) -> Piece:
    """Return the fountain with its arrows, whose colour, sign and length show their effects."""
    x, y = geometry.MIDDLE
    streams, ends = [], []
    for space, effect in geometry.sides(position):
        far = 100 if effect else 76
        to_x, to_y = geometry.arrow_tip(space, far)
        to = (round(to_x - x, 1), round(to_y - y, 1))
        if effect:
            streams.append(path(f"M0 0L{to[0]} {to[1]}", "", "#ffffff", 19))
            streams.append(path(f"M0 0L{to[0]} {to[1]}", "", JETS[effect], 13))
            ends.append(circle(*to, 25, JETS[effect], "#ffffff", 3.5))
            ends.append(text(to[0], to[1] + 9, SIGNS[effect], 27, "#ffffff"))
        else:
            streams.append(path(f"M0 0L{to[0]} {to[1]}", "", "#5d9db6", 6))
            ends.append(circle(*to, 8, JETS[0], "#5d9db6", 3))
    bowl = (circle(0, 0, 25, "#cfe9f3", "#5d9db6", 4), circle(0, 0, 10, PAPER, "#5d9db6", 3))
    return Piece("fountain", x, y, group(*streams, *ends, *bowl, kind="fountain"), 128)


def offers(view: dict[str, Any]) -> list[Piece]:
    """Return pieces for the stock of the stalls, the trades of rest areas and the tower orders."""
    pieces = []
    for space, units in view["stalls"].items():
        x, y = geometry.SPOTS[space]
        pieces.append(Piece(f"offer {space}", x + 25, y + 6, text(0, 0, str(units), 31, DARK), 40))
    for space in RESTS:
        x, y = geometry.SPOTS[space]
        node = group(*_trade(view["rests"][space]))
        pieces.append(Piece(f"offer {space}", x, y, node, 50))
    for space, order in view["towers"].items():
        if order:
            x, y = geometry.SPOTS[space]
            pieces.append(Piece(f"order {space}", x, y, group(*_order(order)), 50))
    return pieces


def _trade(rest: dict[str, Any]) -> list[Node]:
    """Draw a tile's trade: the goods it takes above those it gives; dots show its number."""
    swap = TILES[rest["tile"]][rest["trade"] - 1]
    nodes = [*_line(wares(swap.gives), -27), use("down", 0, -5, 19), *_line(wares(swap.gets), 17)]
    for trade in range(1, TRADES_PER_TILE + 1):
        fill = DARK if trade == rest["trade"] else ""
        nodes.append(circle(36, -40 + 12 * trade, 4, fill, DARK, 1.6))
    return nodes


def _line(goods: dict[str, int], y: float) -> list[Node]:
    names = [good for good, n in goods.items() for _ in range(n)]
    left = -13.5 * (len(names) - 1)
    return [use("good-" + good, left + 27 * i - 4, y, 25) for i, good in enumerate(names)]


def _order(order: dict[str, Any]) -> list[Node]:
    """Draw a major order: its frame with a mark, its value and its goods."""
    goods, frame = order["goods"], order["frame"]
    size = 25 if len(goods) < 4 else 20
    left = -size * (len(goods) - 1) / 2
    shown = [use("good-" + good, left + size * i, 17, size) for i, good in enumerate(goods)]
    return [
        block(0, -4, 84, 82, 9, FRAMES[frame], EDGES[frame], 2.5),
        block(0, -4, 72, 70, 5, PAPER),
        text(-13, -4, str(order["value"]), 35, DARK),
        use("frame-" + frame, 20, -17, 24),
        *shown,
    ]


def figures(
    places: list[str], letters: Sequence[str], own: int | None = None
) -> tuple[list[Piece], list[Piece]]:
    """Return the players on their spaces, and their letters on top of all players.

    ``places``: the space of each seat, "" before it has settled; ``own``: the seat that is
    highlighted.
    """
    medals, tags = [], []
    for seat, spot in enumerate(geometry.place_players(places)):
        if spot:
            halo = circle(0, 0, 20, "legal-halo")
            parts = medal(seat, 17, edge=6 if seat == own else 4, lift=2)
            node = group(halo, *parts, kind="player", data_seat=str(seat))
            medals.append(Piece(f"player {seat}", *spot, node, 22))
            letter = group(*tag(seat, letters[seat], 5), kind="player")
            tags.append(Piece(f"tag {seat}", *spot, letter, 32))
    return medals, tags
