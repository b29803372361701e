"""The reasons why a piece cannot be laid, obtained from the rules."""

from typing import TYPE_CHECKING, Any

from domain.games.caravanserai.commands import LayBlock, LayCamelDown, PlaceCamel, SetGood, StartAt
from domain.games.caravanserai.legal_commands import check_path
from domain.games.caravanserai.pieces import COLOURS
from frontend.app.contract.game_screen import ScreenHost, ViewModel
from frontend.app.core.types import Command
from frontend.app.games.caravanserai.i18n import t
from frontend.app.games.caravanserai.move_selection import MoveSelection

if TYPE_CHECKING:
    from frontend.app.contract.model import Match  # can be imported only in the browser


def explain_kind(match: "Match", choosing: MoveSelection, kind: str) -> str:
    """Return why a kind cannot be laid on the chosen path or, without one, on a possible path."""
    path = choosing.path or _possible_path(match.state, choosing)
    command: Command = LayCamelDown(path[0]) if kind == "lying" else PlaceCamel(path[-1])
    if kind in COLOURS:
        command = LayBlock(kind, path)
    return match.refusal(command) or t("refusal.no_place")


def _possible_path(state: Any, choosing: MoveSelection) -> tuple[int, ...]:
    """Return the path of a possible block, or a path of one cell next to the caravan's head."""
    blocks = [each[1] for each in choosing.found if each[0] in COLOURS]
    caravan = state.players[state.seat].cells
    beside = [cell for cell in state.board.step[caravan[-1]] if cell >= 0] if caravan else [0]
    return blocks[0] if blocks else (beside[0],)


def explain_cell(host: ScreenHost, now: ViewModel, choosing: MoveSelection, cell: int) -> None:
    """Show why a cell cannot be used in the current step."""
    state, step = now.state, now.view["step"]
    colour = state.board.colours[cell]
    if step == "start":
        host.show_refusal(StartAt(cell))
    elif step == "set":
        host.show_refusal(SetGood(colour or _in_market(state), cell))
    elif step == "place" and choosing.kind in ("camel", "lying"):
        host.show_refusal(LayCamelDown(cell) if choosing.kind == "lying" else PlaceCamel(cell))
    elif step == "place":
        host.show_refusal(lambda: check_path(state, (*choosing.path, cell)))


def _in_market(state: Any) -> str:
    return next(each for each, n in zip(COLOURS, state.market, strict=True) if n)
