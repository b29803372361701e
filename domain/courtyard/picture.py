"""The drawing of the courtyard: its ring from above, the fountain, orders and players.

Measures are those of `domain.courtyard.court`. See `domain.scene`. Ships to the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.courtyard.board import CHANGERS, GATES, PAVILIONS, RESTS, STALLS, TOWERS, WAYS, wares
from domain.courtyard.cards import TILES
from domain.courtyard.court import HEIGHT, MIDDLE, SPOTS, WIDTH, sides, stand, tip
from domain.courtyard.signs import SYMBOLS as SYMBOLS
from domain.scene import (
    Holding,
    Mark,
    Node,
    Piece,
    Scene,
    Words,
    circle,
    group,
    medal,
    path,
    plate,
    tag,
    text,
    use,
)
from domain.words import Plural, Sentence

TEXT: dict[str, Sentence] = {
    "start": "Gates and goods are chosen",
    "turn": "Turn {turn}",
    "final": "Turn {turn} · the final round",
    "over": Plural("Final result after {turn} turn", "Final result after {turn} turns", "turn"),
    "choosing": "A minor order is chosen",
    "sharing": "An income of {income} is shared out",
}

FRAMES = {"blue": "#3567b1", "green": "#2f8a4a", "red": "#c0402f", "white": "#f3efe4"}
JETS = {2: "#2f8a4a", -1: "#c0402f", 0: "#9fb7c2"}
SIGNS = {2: "+2", -1: "–1"}
FLOOR, AREA = "#d9b679", "#e9d3a4"
DARK = "#3a2a17"
"""Of what is written on paper that is light in every theme."""
PAPER = "#fbf6e9"


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> Scene:
    """The picture of a view; ``letters`` tell the seats apart besides their colours."""
    medals, tags = figures([player["at"] or "" for player in view["players"]], letters)
    return Scene(
        box=(0, 0, WIDTH, HEIGHT),
        ground=tuple(ground()),
        pieces=(fountain(view["fountain"]), *offers(view), *medals, *tags),
        caption=_caption(view),
        holdings=tuple([_holding(player) for player in view["players"]]),
        note=_note(view),
    )


def _caption(view: dict[str, Any]) -> Words:
    step = view["step"]
    if step in ("start", "over"):
        return Words(step, {"turn": view["turn"]})
    return Words("final" if view["final"] else "turn", {"turn": view["turn"]})


def _note(view: dict[str, Any]) -> Words | None:
    if view["step"] == "minor":
        return Words("choosing")
    if view["step"] == "income":
        return Words("sharing", {"income": view["income"]})
    return None


def _holding(player: dict[str, Any]) -> Holding:
    """Wealth, or points at the end; coins of the purse, debt, and goods."""
    score = player["score"]
    marks = [Mark("dirham", f"{player['coins']}/{player['purse']}")]
    if player["debt"]:
        marks.append(Mark("dirham", f"–{player['debt']}"))
    marks += [Mark("good-" + good, str(n)) for good, n in player["goods"].items() if n]
    return Holding(str(score["total"] if score else player["wealth"]), tuple(marks))


# --- the ground -------------------------------------------------------------------------------


def _block(x: float, y: float, wide: float, high: float, radius: float, *paint: Any) -> Node:
    """A plate with its middle at a place."""
    return plate(x - wide / 2, y - high / 2, wide, high, radius, *paint)


def ground() -> list[Node]:
    """Paving, ways, and a place for each space."""
    x, y = MIDDLE
    nodes = [
        plate(0, 0, WIDTH, HEIGHT, 30, "sand-outer"),
        _block(x, y, WIDTH - 20, HEIGHT - 20, 34, "sand-intermediate"),
        _block(x, y, WIDTH - 230, HEIGHT - 230, 26, "sand-central"),
    ]
    lines = " ".join([_line(a, b) for a in WAYS for b in WAYS[a] if a < b])
    nodes += [path(lines, "", "tile-line", 15), path(lines, "", "paper", 10)]
    for space in WAYS:
        nodes += place(space)
    return [*nodes, circle(x, y, 58, "#7fb3c9", "tile-line", 5)]


def _line(one: str, other: str) -> str:
    (x, y), (to_x, to_y) = SPOTS[one], SPOTS[other]
    return f"M{x} {y}L{to_x} {to_y}"


def place(space: str) -> list[Node]:
    """A space as it always is."""
    x, y = SPOTS[space]
    if space in TOWERS:
        return [_block(x, y, 90, 90, 10, "figure", "tile-line", 4)]
    if space in STALLS:
        plain = _block(x, y, 76, 68, 12, PAPER, "tile-line", 3)
        return [plain, use("good-" + STALLS[space], x - 12, y - 14, 32)]
    if space in GATES:
        arch = path("M-24 30V4A24 24 0 0 1 24 4V30Z", "figure", transform=f"translate({x} {y - 2})")
        return [_block(x, y, 82, 70, 16, FLOOR, "tile-line", 3), arch]
    if space in CHANGERS:
        return [circle(x, y, 36, PAPER, "tile-line", 3), use("dirham", x, y - 12, 34)]
    if space in PAVILIONS:
        roof = path(f"M{x - 44} {y - 6}L{x} {y - 42}L{x + 44} {y - 6}Z", "#b5418f", "figure", 3)
        sign = "dirham" if space == "P_sell" else "swap"
        hall = _block(x, y + 12, 74, 44, 8, PAPER, "tile-line", 3)
        return [hall, roof, use(sign, x, y - 16, 20)]
    return [_block(x, y, 80, 58, 26, AREA, "tile-line", 3)]


# --- what changes -----------------------------------------------------------------------------


def fountain(position: int) -> Piece:
    """The fountain with its arrows: colour, sign and length say what each does."""
    x, y = MIDDLE
    parts = []
    for space, effect in sides(position):
        to_x, to_y = tip(space)
        to = (round(to_x - x, 1), round(to_y - y, 1))
        parts.append(path(f"M0 0L{to[0]} {to[1]}", "", JETS[effect], 12 if effect else 5))
        if effect:
            parts.append(circle(*to, 14, JETS[effect], "#ffffff", 2))
            parts.append(text(to[0], to[1] + 5, SIGNS[effect], 15, "#ffffff"))
    parts.append(circle(0, 0, 14, PAPER, "tile-line", 3))
    return Piece("fountain", x, y, group(*parts, kind="fountain"), 64)


def offers(view: dict[str, Any]) -> list[Piece]:
    """Stock of the stalls, tiles of the rest areas, orders of the towers."""
    pieces = []
    for space, units in view["stalls"].items():
        pieces.append(_label(space, 20, str(units)))
    for space in RESTS:
        x, y = SPOTS[space]
        node = group(*_trade(view["rests"][space]))
        pieces.append(Piece(f"offer {space}", x, y, node, 40))
    for space, order in view["towers"].items():
        if order:
            x, y = SPOTS[space]
            pieces.append(Piece(f"order {space}", x, y, group(*_order(order)), 45))
    return pieces


def _label(space: str, aside: int, words: str) -> Piece:
    x, y = SPOTS[space]
    return Piece(f"offer {space}", x + aside, y - 8, text(0, 0, words, 20, DARK), 40)


def _trade(rest: dict[str, Any]) -> list[Node]:
    """A tile's name and number, and the trade that it shows: what is given, then what one gets."""
    swap = TILES[rest["tile"]][rest["trade"] - 1]
    signs = ["good-" + good for good, n in wares(swap.gives).items() for _ in range(n)]
    signs.append("gives")
    signs += ["good-" + good for good, n in wares(swap.gets).items() for _ in range(n)]
    left = -7.5 * (len(signs) - 1)
    shown = [use(sign, left + 15 * i, 5, 14) for i, sign in enumerate(signs)]
    return [text(0, -9, f"{rest['tile']}·{rest['trade']}", 16, DARK), *shown]


def _order(order: dict[str, Any]) -> list[Node]:
    """A card with its frame, its value and its goods."""
    goods = order["goods"]
    left = -9 * (len(goods) - 1)
    shown = [use("good-" + good, left + 18 * i, 6, 17) for i, good in enumerate(goods)]
    return [
        _block(0, -8, 78, 64, 7, FRAMES[order["frame"]]),
        _block(0, -8, 66, 52, 4, PAPER),
        text(0, -12, str(order["value"]), 25, DARK),
        *shown,
    ]


def figures(
    places: list[str], letters: Sequence[str], own: int | None = None
) -> tuple[list[Piece], list[Piece]]:
    """The players on their spaces, and their letters above all of them."""
    medals, tags = [], []
    for seat, spot in enumerate(stand(places)):
        if spot:
            halo = circle(0, 0, 20, "legal-halo")
            parts = medal(seat, 17, edge=6 if seat == own else 4, lift=2)
            node = group(halo, *parts, kind="player", data_seat=str(seat))
            medals.append(Piece(f"player {seat}", *spot, node, 22))
            tags.append(Piece(f"tag {seat}", *spot, group(*tag(seat, letters[seat], 6)), 32))
    return medals, tags
