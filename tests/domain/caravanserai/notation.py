"""Positions drawn as text, and playing on them move by move.

A picture shows rows of cells, every row half a cell further left or right than the one above::

      . r .
     1 @ . W
      . # .

``.`` desert; ``w k p r y`` a white, black, purple, red or yellow caravanserai, as a capital with
a good standing on it; ``@`` the leading camel of the seat to move and ``1 2 3 ...`` the pieces
behind it from the tail on; ``a b c`` the leading camels of the seats after it, and ``#`` pieces
behind the camel ``a``. Ways are E, SE, SW, W, NW and NE. Places are told as ways from the ``@``.
"""

from typing import Any

import pytest

from domain.contract.game import IllegalMove
from domain.games.caravanserai import position, rules
from domain.games.caravanserai.commands import LayBlock, LayCamelDown, PlaceCamel, SetGood, TakeFrom
from domain.games.caravanserai.pieces import COLOURS
from domain.games.caravanserai.state import State
from domain.toolkit.hexgrid import DIRECTIONS
from tests.game_contract.strict_english import format_reason

WAYS = dict(zip(("E", "SE", "SW", "W", "NW", "NE"), DIRECTIONS, strict=True))
LETTERS = dict(zip("wkpry", COLOURS, strict=True))


def goods(letters: str) -> dict[str, int]:
    """Goods by colour from letters: ``"wwk"`` is two white and one black."""
    return {colour: letters.count(letter) for letter, colour in LETTERS.items()}


def drawn(picture: str) -> dict[tuple[int, int], str]:
    """Return the signs of a picture by axial coordinates, ``@`` at the origin."""
    signs = {
        (x, r): sign
        for r, line in enumerate(picture.splitlines())
        for x, sign in enumerate(line)
        if sign != " "
    }
    ((x0, r0),) = [place for place, sign in signs.items() if sign == "@"]
    found = {}
    for (x, r), sign in signs.items():
        double = (x - x0) - (r - r0)
        assert double % 2 == 0, f"the {sign} in row {r} lies between two cells"
        found[double // 2, r - r0] = sign
    return found


class Scene:
    """A position, and the game played on from it."""

    def __init__(
        self,
        picture: str,
        *,
        expert: bool = False,
        solo: bool = False,
        own: str = "wwwkkkppprrryyy",
        camels: int = 7,
        caravan: tuple[str, ...] = (),
        others: tuple[str, ...] = (),
        other_camels: int = 7,
        market: str = "wwkkpprryy",
        zone: str = "central",
        seat: int = 0,
    ) -> None:
        signs = drawn(picture)
        trail = sorted((sign, place) for place, sign in signs.items() if sign in "123456789")
        mine = [[*place, kind] for (_, place), kind in zip(trail, caravan, strict=True)]
        players = [{"camels": camels, "goods": goods(own), "caravan": [*mine, [0, 0, "camel"]]}]
        for letter, letters in zip("abcde", others, strict=False):
            behind = [[*p, "red"] for p, sign in signs.items() if sign == "#" and letter == "a"]
            lead = [[*p, "camel"] for p, sign in signs.items() if sign == letter]
            players.append(
                {"camels": other_camels, "goods": goods(letters), "caravan": behind + lead}
            )
        players = players[-seat:] + players[:-seat] if seat else players
        self.file: dict[str, Any] = {
            "expert": expert,
            "solo": solo,
            "cells": [[*p, LETTERS.get(sign.lower()), zone] for p, sign in signs.items()],
            "standing": [list(place) for place, sign in signs.items() if sign in "WKPRY"],
            "market": goods(market),
            "players": players,
            "to_move": seat,
        }
        self.state: State = position.load_position(self.file)

    def at(self, ways: str, start: int | None = None) -> list[int]:
        """Return the cells reached by the directions, from the seat's leading piece (or a cell)."""
        cells = self.state.board.cells
        number = {cell[:2]: index for index, cell in enumerate(cells)}
        if start is None:
            start = self.state.players[self.state.seat].cells[-1]
        q, r, *_ = cells[start]
        found = []
        for way in ways.split():
            q, r = q + WAYS[way][0], r + WAYS[way][1]
            found.append(number.get((q, r), -1))
        return found

    def place(self, ways: str) -> int:
        """Return the cell reached by the directions from the place of the ``@``."""
        origin = [c[:2] for c in self.state.board.cells].index((0, 0))
        return self.at(ways, origin)[-1] if ways else origin

    def commands(self) -> list[Any]:
        return rules.choices(self.state, self.state.seat)

    def do(self, command: Any) -> list[Any]:
        """Play a command, which must be among the choices; return its events."""
        assert command in self.commands(), f"{command} is not offered"
        events = rules.decide(self.state, self.state.seat, command, no_draw).events
        for event in events:
            self.state = rules.evolve(self.state, event)
        return events

    def refused(self, command: Any) -> str:
        """Return the code with which a command is rejected; it must not be among the choices."""
        assert command not in self.commands(), f"{command} is offered"
        with pytest.raises(IllegalMove) as refusal:
            rules.decide(self.state, self.state.seat, command, no_draw)
        assert format_reason("caravanserai", refusal.value)
        return refusal.value.code

    def block(self, colour: str, ways: str, declining: str = "") -> LayBlock:
        """The command that lays a block by the ways; ``declining``: places to decline at."""
        declined = tuple(self.place(place) for place in declining.split(",") if place)
        return LayBlock(colour, tuple(self.at(ways)), declined)

    def lay(self, colour: str, ways: str, declining: str = "") -> list[Any]:
        return self.do(self.block(colour, ways, declining))

    def lie(self, way: str) -> list[Any]:
        return self.do(LayCamelDown(self.at(way)[0]))

    def camel(self, way: str) -> list[Any]:
        return self.do(PlaceCamel(self.at(way)[0]))

    def take(self, whom: int) -> list[Any]:
        return self.do(TakeFrom(whom))

    def set(self, colour: str, place: str) -> list[Any]:
        return self.do(SetGood(colour, self.place(place)))

    @property
    def me(self) -> Any:
        return self.state.players[self.state.seat]

    def own(self, seat: int = 0) -> dict[str, int]:
        return dict(zip(COLOURS, self.state.players[seat].goods, strict=True))

    def market(self) -> dict[str, int]:
        return dict(zip(COLOURS, self.state.market, strict=True))


def no_draw(n: int) -> int:
    raise AssertionError("only the setup draws")


def of(kind: type, events: list[Any]) -> list[Any]:
    """Return the events of a kind."""
    return [event for event in events if type(event) is kind]
