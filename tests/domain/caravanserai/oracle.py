"""An independent placement counter.

Counts placements from a position file, piece by piece, from a second reading of the rulebook and
the rulings; shares no code with the game.
"""

from collections import Counter
from itertools import product
from typing import Any

AROUND = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


class Oracle:
    """Counts for one position file; `run` returns what the contract asks for."""

    def __init__(self, file: dict[str, Any]) -> None:
        self.colour = {(q, r): colour for q, r, colour, _ in file["cells"]}
        self.full = {(q, r) for p in file["players"] for q, r, _ in p["caravan"]}
        self.standing = {(q, r) for q, r in file["standing"]}
        self.market = Counter(file["market"])
        me = file["players"][file["to_move"]]
        self.goods = Counter(me["goods"])
        self.camels = me["camels"]
        self.rich: Counter[str] = Counter()
        for seat, player in enumerate(file["players"]):
            if seat != file["to_move"]:
                self.rich.update(player["goods"])
        self.expert = file["expert"]
        self.lead = tuple(me["caravan"][-1][:2])
        self.found: list[tuple[int, int]] = []

    def run(self) -> dict[str, Any]:
        self.go_on(self.lead, None, 0, None, False, 0, 0)
        by_pieces = Counter(pieces for pieces, _ in self.found)
        omitted = [gone for _, gone in self.found]
        return {
            "placements": len(omitted),
            "by_pieces": {str(pieces): by_pieces[pieces] for pieces in sorted(by_pieces)},
            "omitted_total": sum(omitted),
            "omitted_best": max(omitted, default=0),
        }

    def ahead(self, cell: Any, way: Any) -> list[tuple[Any, Any]]:
        """Return free cells to go on to, each with its direction."""
        ways = AROUND if way is None else [way]
        places = [((cell[0] + q, cell[1] + r), (q, r)) for q, r in ways]
        return [(to, w) for to, w in places if to in self.colour and to not in self.full]

    def onward(self, cell: Any, way: Any) -> Any:
        """Return the direction to continue in from a cell entered in a direction; None for any."""
        return None if self.colour[cell] else way

    def go_on(
        self, cell: Any, way: Any, size: int, last: Any, lain: bool, pieces: int, gone: int
    ) -> None:
        if self.camels >= 1:
            for _ in self.ahead(cell, way):
                self.found.append((pieces + 1, gone))
        if self.expert and not lain and self.camels >= 2:
            for to, _ in self.ahead(cell, way):
                self.lie_down(to, size, pieces, gone)
        for following in (size + 1,) if size or self.expert else (1, 2):
            for path, end in self.lines(cell, way, following):
                for colour in {*self.goods, *(self.colour[c] for c in path)} - {None, last}:
                    self.lay(path, end, colour, (following, lain, pieces, gone))

    def lines(self, cell: Any, way: Any, size: int) -> list[tuple[list[Any], Any]]:
        if size == 0:
            return [([], way)]
        found = []
        for to, turn in self.ahead(cell, way):
            self.full.add(to)
            for path, end in self.lines(to, self.onward(to, turn), size - 1):
                found.append(([to, *path], end))
            self.full.remove(to)
        return found

    def lie_down(self, to: Any, size: int, pieces: int, gone: int) -> None:
        colour = self.colour[to]
        before = Counter(self.goods), Counter(self.market), set(self.standing)
        if colour:
            if to in self.standing:
                self.standing.remove(to)
                self.goods[colour] += 1
            if self.market[colour]:
                self.market[colour] -= 1
                self.goods[colour] += 1
            elif self.rich[colour]:
                self.goods[colour] += 1
        self.full.add(to)
        self.camels -= 1
        self.go_on(to, None, size + 1, None, True, pieces + 1, gone)
        self.camels += 1
        self.full.remove(to)
        self.goods, self.market, self.standing = before

    def lay(self, path: list[Any], end: Any, colour: str, so_far: tuple[Any, ...]) -> None:
        size, lain, pieces, gone = so_far
        own = [c for c in path if c in self.standing and self.colour[c] == colour]
        for uses in product([True, False], repeat=len(own)):
            used = {c for c, use in zip(own, uses, strict=True) if use}
            if self.goods[colour] < size - len(used):
                continue
            back = [c for c in path if c in self.standing and c not in used]
            crossed = {self.colour[c] for c in path} - {None}
            omitted = size if crossed == {colour} and not back else 0
            before = Counter(self.goods), Counter(self.market), set(self.standing)
            self.goods[colour] -= size - len(used)
            self.market.update(self.colour[c] for c in back)
            self.standing -= set(path)
            self.full |= set(path)
            self.go_on(path[-1], end, size, colour, lain, pieces + size, gone + omitted)
            self.full -= set(path)
            self.goods, self.market, self.standing = before
