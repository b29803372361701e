"""Command-line commands of Caravanserai. Not shipped to the browser."""

from typing import Any

from domain.caravanserai.perft import perft
from domain.caravanserai.position import load
from domain.command_line import FileCommand
from domain.words import N_


def _count(document: Any) -> dict[str, Any]:
    return perft(load(document))


COMMANDS = (
    FileCommand(
        "perft", N_("Count all legal whole placements of a position."), "POSITION.json", _count
    ),
)
