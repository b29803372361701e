"""Picture of Caravansérail: trails, forts, springs, caravans and looters.

It shows the position and the owner of each caravan, but not its load. Coordinates are those of
`domain.games.caravanserail.trail_geometry`. See `domain.drawing.scene`. Ships to the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.drawing import scene as drawing
from domain.games.caravanserail import trail_geometry
from domain.games.caravanserail.board import trail_of

# --- the ground -------------------------------------------------------------------------------


def land(at: trail_geometry.Points, names: Sequence[str]) -> list[drawing.Node]:
    """Draw dune crests and the named trails; ``at``: the point of each place."""
    trail_path = trail_geometry.trails(at, list(names))
    return [
        drawing.path(trail_geometry.dunes(), "", "cell-line", 2.5, opacity=0.75),
        drawing.path(trail_path, "", "tile-line", 26, stroke_opacity=0.45),
        drawing.path(trail_path, "", "sand-central", 21),
        drawing.path(trail_path, "", "cell-line", 4, dots="1 13"),
    ]


def place(at: trail_geometry.Points, letter: str, oasis: bool) -> drawing.Node:
    """Draw a place, a spring or a fort, with its letter."""
    x, y = at[letter]
    spring = [
        drawing.oval(0, 8, 50, 34, "#5d8a3c", "#32521c", 2),
        drawing.path(trail_geometry.SPRING, "#2f7fa8", "#17394c", 1.5),
        drawing.path(trail_geometry.PALM, "", "#1f4012", 5, transform="translate(26 -4)"),
        _letter(letter, True),
    ]
    walls = [drawing.path(trail_geometry.FORT, "muted", "legal-halo", 2), *_gate(letter)]
    return drawing.group(
        *(spring if oasis else walls), kind="spot", transform=f"translate({x} {y})"
    )


def place_name(at: trail_geometry.Points, letter: str, name: str, crowded: bool) -> drawing.Node:
    """Draw the name of a place beside the trails.

    ``crowded``: whether a small page omits the name.
    """
    x, y = at[letter]
    anchor, aside, down, is_split = trail_geometry.NAME_SPOTS[len(at)][letter]
    lines = name.rsplit(" ", 1) if is_split else [name]
    kind = "place-name crowded" if crowded else "place-name"
    first = y + down - 28 * (len(lines) - 1)
    texts = [
        drawing.text(
            x + aside,
            first + 28 * number,
            line,
            28,
            halo="sand-intermediate",
            halo_width=6,
            weight=600,
            anchor=anchor,
        )
        for number, line in enumerate(lines)
    ]
    return drawing.group(*texts, kind=kind)


def _gate(letter: str) -> list[drawing.Node]:
    return [drawing.path(trail_geometry.GATE, "paper"), _letter(letter, False)]


def _letter(letter: str, oasis: bool) -> drawing.Node:
    if oasis:
        return drawing.text(0, 16, letter, 28, "#ffffff", family="serif")
    return drawing.text(0, 29, letter, 28, family="serif")


def place_letter(at: trail_geometry.Points, letter: str, oasis: bool) -> drawing.Node:
    """Draw the letter of a place again, above traces and plans that cross the place."""
    x, y = at[letter]
    if oasis:
        return drawing.text(x, y + 16, letter, 28, "#ffffff", family="serif", halo="#2f7fa8")
    return drawing.text(x, y + 29, letter, 28, family="serif", halo="paper")


# --- moving parts -----------------------------------------------------------------------------


def homes(at: trail_geometry.Points, where: dict[str, int]) -> list[drawing.Piece]:
    """Return the homes as forts in their seats' colours; ``where``: ``{letter: seat}``."""
    found = []
    for letter, seat in where.items():
        fort = drawing.path(trail_geometry.FORT, drawing.SEAT_TONES[seat], "legal-halo", 3)
        node = drawing.group(fort, *_gate(letter), kind="home")
        found.append(drawing.Piece(f"home {letter}", *at[letter], node, 52))
    return found


def caravans(
    at: trail_geometry.Points,
    where: dict[tuple[int, int], str],
    own: int | None = None,
    fanned: str = "",
) -> list[drawing.Piece]:
    """Return the caravans as pieces, stacked if they are on the same place or trail.

    ``where``: ``{(seat, number): position}``; ``own``: the seat whose caravans are highlighted;
    ``fanned``: see `caravan_points`.
    """
    found = []
    for (seat, number), (x, y) in trail_geometry.caravan_points(at, where, fanned).items():
        wedge = trail_geometry.caravan_wedge(at, where[(seat, number)])
        node = _caravan(seat, str(number + 1), wedge, seat == own)
        found.append(drawing.Piece(f"caravan {seat} {number}", x, y, node, 50))
    return found


def _caravan(seat: int, number: str, wedge: str, own: bool) -> drawing.Node:
    tone = drawing.SEAT_TONES[seat]
    edge, width = ("legal", 4) if own else ("legal-halo", 2)
    return drawing.group(
        drawing.path(wedge, tone, "legal-halo", 2),
        drawing.plate(-28, -17, 56, 34, 15, tone, edge, width, "pill"),
        drawing.path(
            trail_geometry.EMBLEMS[seat], "seat-ink", kind="emblem", transform="translate(-12 0)"
        ),
        drawing.text(13, 9, number, 26, "seat-ink"),
        kind="caravan own" if own else "caravan",
    )


def bands(at: trail_geometry.Points, raids: Sequence[tuple[int, str]]) -> list[drawing.Piece]:
    """Return the looters of ``raids``, ``(seat, trail)``; several may be on the same trail."""
    found: list[drawing.Piece] = []
    before: dict[str, int] = {}
    for seat, trail in raids:
        spot = trail_of(trail) or trail
        number = before.get(spot, 0)
        before[spot] = number + 1
        found.append(looters(at, seat, spot, number))
    return found


def looters(at: trail_geometry.Points, seat: int, trail: str, number: int = 0) -> drawing.Piece:
    """Return a seat's looters beside a trail, with the seat's emblem.

    ``number``: the number of bands drawn before on this trail.
    """
    tone = drawing.SEAT_TONES[seat]
    badge = drawing.group(
        drawing.circle(0, 0, 17, tone, "legal-halo", 2),
        drawing.path(trail_geometry.EMBLEMS[seat], "seat-ink"),
        transform="translate(24 22)",
    )
    parts = (
        drawing.circle(0, 0, 25, "paper", tone, 4),
        drawing.path(trail_geometry.SABRES, "warn", "warn", 3),
        badge,
    )
    return drawing.Piece(
        f"band {seat}",
        *trail_geometry.looters_point(at, trail, number),
        drawing.group(*parts, kind="band"),
        62,
    )


def looters_by_trail(view: dict[str, Any]) -> list[tuple[int, str]]:
    """Return ``(seat, trail)`` of the looters on trails, which are public after the reveal.

    Empty except in the movement and raid phases.
    """
    if view["phase"] not in ("movement", "raid"):
        return []
    sent = [orders["looters"] for orders in view["revealed"]]
    return [(seat, trail) for seat, trail in enumerate(sent) if trail]


# --- the picture ------------------------------------------------------------------------------


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> drawing.Scene:
    """Return the picture of a view.

    ``letters``: not used, because they could be mistaken for places; seats have emblems instead.
    """
    board, players = view["board"], view["players"]
    at = trail_geometry.points(board["places"])
    crowded = len(board["places"]) > 9
    places = [(each["letter"], each["name"], each["oasis"]) for each in board["places"]]
    spots = [place(at, letter, oasis) for letter, _, oasis in places]
    names = [place_name(at, letter, name, crowded) for letter, name, _ in places]
    living = {player["home"]: player["seat"] for player in players if player["home"]}
    where = {
        (player["seat"], number): caravan["at"]
        for player in players
        for number, caravan in enumerate(player["caravans"])
        if caravan["at"]
    }
    raids = bands(at, looters_by_trail(view))
    return drawing.Scene(
        box=trail_geometry.BOX,
        ground=(*land(at, board["trails"]), *spots, *names),
        pieces=(*homes(at, living), *raids, *caravans(at, where)),
        caption=drawing.Message(f"picture.{view['phase']}", {"turn": view["turn"]}),
        holdings=tuple([_holding(view, player) for player in players]),
    )


def _holding(view: dict[str, Any], player: dict[str, Any]) -> drawing.Holding:
    """Return a seat's home, the positions of its caravans and the state of its looters."""
    tone = drawing.SEAT_TONES[player["seat"]]
    marks = [drawing.Mark("fort", player["home"], tone, 96 / 76)] if player["home"] else []
    marks += [drawing.Mark("caravan", caravan["at"], tone) for caravan in player["caravans"]]
    if view["turn"]:
        ready = player["looters"] == "up"
        marks.append(
            drawing.Mark("looters", "" if ready else "–", "warn" if ready else "paper-edge")
        )
    return drawing.Holding("", tuple(marks))
