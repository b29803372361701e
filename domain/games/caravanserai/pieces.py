"""Pieces, colours, cells and zones of Caravanserai. Ships to the browser."""

from typing import TypeAlias

Cell: TypeAlias = int
"""A cell of the board: its index in the sorted list of cells; see `board`."""
Colour: TypeAlias = str
"""A colour of goods, one of `COLOURS`."""
COLOURS = ("white", "black", "purple", "red", "yellow")
CAMEL = "camel"
LYING = "lying"
"""Kind of a lying camel. The kind of a piece is a colour, `CAMEL` or `LYING`."""
CENTRAL, INTERMEDIATE, OUTER = ZONES = ("central", "intermediate", "outer")
"""Zones of the board."""
