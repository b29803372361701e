"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.conquest.commands import Done, Exchange, Move, Sell


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    moves = [each for each in command if isinstance(each, Move)] if type(command) is tuple else []
    if moves:
        place = f'[data-place="{moves[-1].to[0]},{moves[-1].to[1]}"]'
        return [f".game:has(.target-edge{place}) .answers .primary", f".legal{place}"]
    if isinstance(command, Sell):
        return [
            '.tab[data-kind="sell"][aria-pressed="false"]',
            f'.game:has(.counter [data-number="{command.amount}"]) .settle .button',
            ".counter .all",
        ]
    if isinstance(command, Exchange):
        return [f'.offer[data-old="{command.old}"][data-new="{command.new}"]']
    if isinstance(command, Done):
        return [".refit-head .button", ".amount-kinds .tab:last-child"]
    return [".answers .primary"]
