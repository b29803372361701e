"""Command-line commands of Caravanserai. Not shipped to the browser."""

from typing import Any

from domain.contract.command_line import FileCommand
from domain.games.caravanserai.perft import count_placements
from domain.games.caravanserai.position import load_position
from domain.text.i18n import N_


def _count(document: Any) -> dict[str, Any]:
    return count_placements(load_position(document))


COMMANDS = (FileCommand("perft", N_("option.perft"), "POSITION.json", _count),)
