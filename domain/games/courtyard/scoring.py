"""Final scoring and standings of the courtyard game. Ships to the browser."""

from domain.contract.game import Standing
from domain.games.courtyard.board import FIRST_LIMIT, NUMBER, worth
from domain.games.courtyard.cards import FRAMES, MAJORS, MINORS, SCORING_ABILITIES
from domain.games.courtyard.state import OVER, Player, Score, State

Colours = tuple[int, ...]
"""Number of major orders with each frame colour, in the order of `FRAMES`."""


_best: dict[Colours, int] = {}


def best_sets(colours: Colours) -> int:
    """Return the points of the best partition of major orders into sets (ruling 17).

    Four of the same or of different colours count 9, three 5, and two of the same colour 2.
    """
    left = tuple(sorted(colours, reverse=True))
    if sum(left) < 2:
        return 0
    known = _best.get(left)
    if known is None:
        known = _best[left] = max(_points(left, size, same) for size, same in _SETS)
    return known


_SETS = ((4, True), (4, False), (3, True), (3, False), (2, True), (1, True))
_POINTS = {4: 9, 3: 5, 2: 2, 1: 0}
"""Points of a set by size; a single card counts nothing."""


def _points(left: Colours, size: int, same: bool) -> int:
    """Return the points of the best partition with a set of this size, or 0 if there is none.

    ``same``: the set is of one colour; otherwise all of its colours are different.
    """
    ways = [(i,) * size for i in range(len(left))] if same else _DIFFERENT[size]
    found = 0
    for way in ways:
        rest = list(left)
        for colour in way:
            rest[colour] -= 1
        if min(rest) >= 0:
            found = max(found, _POINTS[size] + best_sets(tuple(rest)))
    return found


_DIFFERENT: dict[int, list[tuple[int, ...]]] = {
    4: [(0, 1, 2, 3)],
    3: [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)],
}


def colours(majors: tuple[int, ...]) -> Colours:
    """Return the number of major orders with each frame colour."""
    frames = [MAJORS[card].frame for card in majors]
    return tuple([frames.count(frame) for frame in FRAMES])


def score(player: Player, die: int | None, minor: int | None) -> Score:
    """Return a player's points.

    ``die`` and ``minor``: the results for P13 and P15, None without the ability or before the end.
    """
    sets = best_sets(colours(player.majors))
    points = tuple(
        [
            (name, _ability(player, name, die, minor))
            for name in player.abilities
            if name in SCORING_ABILITIES
        ]
    )
    total = player.wealth + player.coins - player.debt + sets + sum([n for _, n in points])
    return Score(player.wealth, player.coins, player.debt, sets, points, total)


def _ability(player: Player, name: str, die: int | None, minor: int | None) -> int:
    """Return the points of one ability; P13 and P15 count nothing without a result."""
    match name:
        case "P1":
            return player.coins
        case "P2":
            return 2 * len(player.majors)
        case "P4":
            return 2 * len(player.minors)
        case "P6":
            return player.debt
        case "P11":
            return player.credit - player.debt
        case "P12":
            return 2 * sum(player.goods)
        case "P13":
            return die or 0
        case "P14":
            return player.purse + player.credit - 2 * FIRST_LIMIT
        case "P15":
            return 0 if minor is None else (MINORS[minor].value + 1) // 2
        case "P16":
            return 5
        case _:
            good, each = _ICONS[name]
            return each * icons(player, good)


_ICONS = {"P7": ("silver", 1), "P8": ("emerald", 1), "P9": ("gold", 2), "P10": ("diamond", 2)}


def icons(player: Player, good: str) -> int:
    """Return the number of units of a good on a player's completed orders."""
    at = NUMBER[good]
    majors = sum([MAJORS[card].goods[at] for card in player.majors])
    return majors + sum([MINORS[card].goods[at] for card in player.minors])


def ranks(players: tuple[Player, ...], scores: tuple[Score, ...]) -> tuple[int, ...]:
    """Return the rank of each seat: by points, then goods left, then their value, then shared.

    Rulings 23 and 45.
    """
    merits = [
        (each.total, sum(player.goods), worth(player.goods))
        for player, each in zip(players, scores, strict=True)
    ]
    return tuple([1 + len([other for other in merits if other > mine]) for mine in merits])


def standings(state: State) -> tuple[Standing, ...] | None:
    """Return the final standings sorted by rank and seat, or None before the end."""
    if state.step != OVER:
        return None
    unordered = [
        Standing(
            seat,
            state.ranks[seat],
            each.total,
            {
                "wealth": each.wealth,
                "coins": each.coins,
                "debt": each.debt,
                "sets": each.sets,
                "abilities": sum([points for _, points in each.abilities]),
            },
        )
        for seat, each in enumerate(state.scores)
    ]
    return tuple(sorted(unordered, key=lambda standing: (standing.rank, standing.seat)))
