"""Perft: a count of all legal complete placements of the seat to act. Not shipped to the browser.

A placement is a geometry (its cells in order, divided into blocks) and a colouring of its blocks.
Whether a colouring is legal, and how many goods the count omits, depends on the geometry only
through each block's *crossing*: the caravanserai colour and the standing goods on its path.
Therefore geometries are enumerated one by one, but colourings are counted in bulk, once for each
series of crossings: a `_Series` holds the number of colourings by resulting reserve and refers to
the series with one more block. The number of free cells for the closing camel is multiplied by the
number of colourings.

The rules are those of `legal_commands` and `rules`; tests compare the two implementations.
"""

from math import comb
from typing import Any

from domain.games.caravanserai.pieces import COLOURS, Cell
from domain.games.caravanserai.state import (
    INDEX,
    STANDING,
    TAKEN,
    State,
    current_step,
    standing_cells,
)

ANY = len(COLOURS)
"""As a crossing: no caravanserai. As the last colour: none, so the next block may have any."""
MIXED = ANY + 1
"""As a crossing: caravanserais of two or more colours (7.3)."""
MET_BITS = 12
"""Number of bits of a crossing for the number of standing goods of each colour."""
GAIN = 2
"""Maximum number of goods from a lying camel: the one that stood there and one more."""

_MARKS = tuple(
    tuple(colour if mark in (ANY, colour) else MIXED for colour in range(ANY))
    for mark in range(MIXED + 1)
)


class _Market:
    """The goods that a lying camel can receive, and the encoding of reserves as integers.

    A reserve key holds the last colour in 3 bits, a bit set of returned scarce colours in 5, then
    the number of goods of each colour. ``scarce``: bit ``c`` is set if neither the market nor an
    opponent has colour ``c``; such a good is available only once a standing one has gone back to
    the market (ruling 24). ``standing``: number of standing goods of each colour on the board.
    """

    def __init__(self, state: State) -> None:
        others = [p.goods for s, p in enumerate(state.players) if s != state.seat]
        self.scarce = sum(
            1 << colour
            for colour, left in enumerate(state.market)
            if not left and not any(goods[colour] for goods in others)
        )
        met = [state.board.colours[cell] for cell in standing_cells(state)]
        self.standing = tuple(met.count(colour) for colour in COLOURS)
        most = max(state.players[state.seat].goods) + GAIN
        bits = most.bit_length()
        self.mask = (1 << bits) - 1
        self.shifts = tuple(3 + ANY + bits * colour for colour in range(ANY))
        self.leaner: dict[tuple[int, bool], dict[int, int]] = {}
        self.moves: dict[tuple[int, bool], dict[int, list[tuple[int, int]]]] = {}

    def pack(self, goods: tuple[int, ...]) -> int:
        """Return the reserve key of ``goods`` before the first block."""
        return ANY | sum(own << shift for own, shift in zip(goods, self.shifts, strict=True))

    def lean(self, key: int, size: int, upright: bool) -> int:
        """Return a reserve key without goods that can no longer form a block.

        Blocks only get longer, so such goods need not distinguish reserves. ``size``: the size of
        the next block; ``upright``: whether a lying camel may still bring goods.
        """
        known = self.leaner.setdefault((size, upright), {})
        leaner = known.get(key)
        if leaner is None:
            leaner = key
            hope = GAIN if upright else 0
            for colour, shift in enumerate(self.shifts):
                own = key >> shift & self.mask
                if own + self.standing[colour] + hope < size:
                    leaner -= own << shift
                    if key & 7 == colour:
                        leaner = leaner & ~7 | ANY
            known[key] = leaner
        return leaner


Colourings = tuple[int, int, int]
"""Number of colourings, total number of goods omitted, and the maximum omitted by one colouring."""


class _Series:
    """All colourings of a series of blocks with given crossings.

    ``size``: the size of the next block; ``pieces``: number of pieces laid so far; ``upright``:
    whether the lying camel may still be placed; ``ways``: colourings by reserve key; ``exits``:
    number of free cells for a closing camel, summed over the geometries so far; ``reach``: an upper
    bound on the size of the next block; ``following`` and ``lain``: the series with one more block
    by crossing, or with the lying camel, as far as computed.
    """

    __slots__ = (
        "exits", "following", "lain", "market", "pieces", "reach", "size", "upright", "ways",
    )  # fmt: skip

    def __init__(
        self, market: _Market, size: int, pieces: int, upright: bool, ways: dict[int, Colourings]
    ) -> None:
        self.market = market
        self.size = size
        self.pieces = pieces
        self.upright = upright
        self.ways = ways
        self.exits = 0
        self.reach = max(map(self._reach, ways))
        self.following: dict[int, _Series | None] = {}
        self.lain: dict[int, _Series] = {}

    def _reach(self, key: int) -> int:
        """Return the size of the longest block from a reserve together with all standing goods."""
        market = self.market
        return max(
            [
                (key >> market.shifts[colour] & market.mask) + market.standing[colour]
                for colour in range(ANY)
                if colour != key & 7
            ]
        )

    def after_block(self, crossing: int) -> "_Series | None":
        """Return the series with such a block added, or None if no colouring allows it."""
        ways: dict[int, Colourings] = {}
        mark = crossing & 7
        if crossing >> 3:
            self._over_goods(ways, mark, crossing >> 3)
        else:
            self._over_desert(ways, mark)
        after = None
        if ways:
            pieces = self.pieces + self.size
            after = _Series(self.market, self.size + 1, pieces, self.upright, ways)
        self.following[crossing] = after
        return after

    def _over_desert(self, ways: dict[int, Colourings], mark: int) -> None:
        """Add to ``ways`` the colourings with one more block that meets no standing goods."""
        moves = self.market.moves.setdefault((self.size, self.upright), {})
        size = self.size
        for key, (number, omitted, best) in self.ways.items():
            if key not in moves:
                moves[key] = self._moves(key)
            for colour, after in moves[key]:
                if colour == mark:
                    _add(ways, after, number, omitted + size * number, best + size)
                else:
                    _add(ways, after, number, omitted, best)

    def _moves(self, key: int) -> list[tuple[int, int]]:
        """Return each colour that can form the next block, with the reserve after it."""
        market, size = self.market, self.size
        return [
            (
                colour,
                market.lean(
                    (key & ~7 | colour) - (size << market.shifts[colour]), size + 1, self.upright
                ),
            )
            for colour in range(ANY)
            if colour != key & 7 and key >> market.shifts[colour] & market.mask >= size
        ]

    def _over_goods(self, ways: dict[int, Colourings], mark: int, met: int) -> None:
        """Add to ``ways`` the colourings with one more block that meets standing goods.

        Each standing good of the block's own colour may be used or declined (ruling 4). ``met``:
        number of standing goods of each colour on the path, `MET_BITS` bits each.
        """
        size, market = self.size, self.market
        standing = tuple(met >> MET_BITS * colour & (1 << MET_BITS) - 1 for colour in range(ANY))
        for key, (number, omitted, best) in self.ways.items():
            for colour, alike in enumerate(standing):
                own = key >> market.shifts[colour] & market.mask
                if colour == key & 7:
                    continue
                for used in range(max(0, size - own), alike + 1):
                    after = (key & ~7 | colour) - (size - used << market.shifts[colour])
                    if self.upright:
                        after |= self._returned(colour, used, standing) << 3
                    choices = comb(alike, used) * number
                    total = comb(alike, used) * omitted
                    gain = size if mark == colour and used == alike else 0
                    after = market.lean(after, size + 1, self.upright)
                    _add(ways, after, choices, total + gain * choices, best + gain)

    def _returned(self, colour: int, used: int, standing: tuple[int, ...]) -> int:
        """Return the bit set of the scarce colours of which a block returns goods to the market."""
        bits = 0
        for other, number in enumerate(standing):
            if number > (used if other == colour else 0):
                bits |= 1 << other
        return bits & self.market.scarce

    def after_camel(self, colour: int, standing: int) -> "_Series":
        """Return the series with a lying camel added (rulings 9, 17 and 18).

        ``colour``: the colour of its cell, or `ANY`; ``standing``: number of goods on it, 0 or 1.
        """
        ways: dict[int, Colourings] = {}
        market = self.market
        for key, (number, omitted, best) in self.ways.items():
            after = key & ~255 | ANY
            if colour != ANY:
                there = not market.scarce >> colour & 1 or key >> 3 + colour & 1
                after += standing + there << market.shifts[colour]
            _add(ways, market.lean(after, self.size + 1, False), number, omitted, best)
        lain = _Series(market, self.size + 1, self.pieces + 1, False, ways)
        self.lain[colour << 1 | standing] = lain
        return lain


def _add(ways: dict[int, Colourings], key: int, number: int, omitted: int, best: int) -> None:
    before = ways.get(key)
    if before is not None:
        number += before[0]
        omitted += before[1]
        best = max(best, before[2])
    ways[key] = number, omitted, best


class _Walk:
    """A depth-first walk over all geometries, each with its series of colourings."""

    def __init__(self, state: State) -> None:
        board = state.board
        self.steps = board.step
        self.marks = tuple(ANY if c is None else INDEX[c] for c in board.colours)
        self.taken = bytearray([what == TAKEN for what in state.ground])
        self.met = [int(what == STANDING) for what in state.ground]

    def place(self, series: _Series, cell: Cell, way: int) -> None:
        """Count the cells for a closing camel; continue with a lying camel or one more block."""
        taken, step = self.taken, self.steps[cell]
        if way >= 0:
            if taken[step[way]]:
                return
            series.exits += 1
        else:
            free = 6 - sum([taken[to] for to in step])
            if not free:
                return
            series.exits += free
        if series.upright:
            self.lie_down(series, step if way < 0 else (step[way],))
        if series.size <= series.reach:
            self.lay(series, cell, way, series.size, ANY)

    def lie_down(self, series: _Series, ahead: tuple[int, ...]) -> None:
        """Place a lying camel on each free cell of ``ahead`` in turn and continue from there."""
        taken = self.taken
        for to in ahead:
            if taken[to]:
                continue
            colour, standing = self.marks[to], self.met[to]
            after = series.lain.get(colour << 1 | standing) or series.after_camel(colour, standing)
            taken[to] = 1
            self.place(after, to, -1)
            taken[to] = 0

    def lay(self, series: _Series, cell: Cell, way: int, left: int, crossing: int) -> None:
        """Lay the last ``left`` goods of a block that has reached ``cell``."""
        taken, steps, marks = self.taken, self.steps, self.marks
        for turn in range(6) if way < 0 else (way,):
            to = steps[cell][turn]
            togo = left
            run = []
            # straight ahead over cells without caravanserais
            while togo and not taken[to] and marks[to] == ANY:
                taken[to] = 1
                run.append(to)
                togo -= 1
                to = steps[to][turn]
            if not togo:
                self.laid(series, run[-1], turn, crossing)
            elif not taken[to]:
                colour = marks[to]
                over = crossing & ~7 | _MARKS[crossing & 7][colour]
                if self.met[to]:
                    over += 1 << 3 + MET_BITS * colour
                taken[to] = 1
                if togo == 1:
                    self.laid(series, to, -1, over)
                else:
                    self.lay(series, to, -1, togo - 1, over)
                taken[to] = 0
            for to in run:
                taken[to] = 0

    def laid(self, series: _Series, cell: Cell, way: int, crossing: int) -> None:
        """Complete a block and continue if any colouring allows it."""
        try:
            after = series.following[crossing]
        except KeyError:
            after = series.after_block(crossing)
        if after is not None:
            self.place(after, cell, way)


def count_placements(state: State) -> dict[str, Any]:
    """Count all legal complete placements of the seat to act, at the start of its turn.

    Return ``{"placements", "by_pieces": {"1": n, ...}, "omitted_total", "omitted_best"}``; see the
    public contract. Raises ValueError if the state is not at the start of a turn.
    """
    if current_step(state) != "place" or state.placement.laid:
        raise ValueError("placements are counted from the start of a turn")
    player = state.players[state.seat]
    counted: list[_Series] = []
    if player.camels:
        counted = _all_series(state)
    by_pieces: dict[int, int] = {}
    total = best = 0
    for series in counted:
        if not series.exits:
            continue
        ways, omitted, most = _sum_ways(series)
        pieces = series.pieces + 1
        by_pieces[pieces] = by_pieces.get(pieces, 0) + series.exits * ways
        total += series.exits * omitted
        best = max(best, most)
    return {
        "placements": sum(by_pieces.values()),
        "by_pieces": {str(pieces): by_pieces[pieces] for pieces in sorted(by_pieces)},
        "omitted_total": total,
        "omitted_best": best,
    }


def _all_series(state: State) -> list[_Series]:
    """Return all reachable series, with their exits counted."""
    player = state.players[state.seat]
    market = _Market(state)
    start = {market.pack(player.goods): (1, 0, 0)}
    lead = player.cells[-1]
    walk = _Walk(state)
    first = _Series(market, 1, 0, state.expert and player.camels >= 2, start)
    walk.place(first, lead, -1)
    counted = _with_following(first)
    if not state.expert:  # the first block may also have two goods (4.1)
        second = _Series(market, 2, 0, False, start)
        if second.size <= second.reach:
            walk.lay(second, lead, -1, 2, ANY)
        counted += _with_following(second)
    return counted


def _with_following(series: _Series) -> list[_Series]:
    found = [series]
    for after in (*series.following.values(), *series.lain.values()):
        if after is not None:
            found += _with_following(after)
    return found


def _sum_ways(series: _Series) -> Colourings:
    found = series.ways.values()
    return sum(w[0] for w in found), sum(w[1] for w in found), max(w[2] for w in found)
