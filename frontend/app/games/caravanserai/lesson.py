"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.caravanserai.commands import LayBlock, PlaceCamel, SetGood, StartAt


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    if isinstance(command, (StartAt, SetGood)):
        return [f'.game:has(.aim[data-cell="{command.cell}"]) .tray .primary', _legal(command.cell)]
    kind = command.colour if isinstance(command, LayBlock) else "camel"
    path = command.path if isinstance(command, LayBlock) else (command.cell,)
    assert isinstance(command, (LayBlock, PlaceCamel))
    done = f'.game:has(.kind[data-kind="{kind}"][aria-pressed="true"])'
    done += f':has(.picked:last-of-type[data-cell="{path[-1]}"]) .tray '
    choose = f'.kind[data-kind="{kind}"][aria-pressed="false"]'
    finish = [done + ".uses-good", done + ".primary"]
    return [*finish, choose, *[_legal(cell) for cell in path], ".picked"]


def _legal(cell: int) -> str:
    return f'.legal[data-cell="{cell}"]'
