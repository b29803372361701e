"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.courtyard.commands import Buy, Move, Settle, Share
from domain.games.courtyard.legal_commands import choices

LEAVE_SELECTOR = '[name="leave"]'


def find_targets(command: Any, state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    if type(command) is tuple:
        return _completion_selectors(command[0].which)
    if isinstance(command, Share):
        return ['[name="confirm"]']
    if isinstance(command, Move):
        space = f'.tap[data-space="{command.to}"]'
        return [f'.game:has({space}[aria-pressed="true"]) [name="go"]', space]
    if isinstance(command, (Buy, Settle)):
        alike = [each for each in choices(state, 0) if type(each) is type(command)]
        chip = f'.chip[name="chip-{alike.index(command)}"]'
        confirm = f'.form:has({chip}[aria-pressed="true"]) [name="confirm"]'
        return [confirm, chip, f'[name="do-{type(command).__name__}"]', LEAVE_SELECTOR]
    return [f'[name="do-{type(command).__name__}"]', LEAVE_SELECTOR]


def _completion_selectors(which: int) -> list[str]:
    """Return selectors to choose a drawn minor order and complete it immediately."""
    chosen = f'.form:has([name="drawn-{which}"][aria-pressed="true"])'
    return [
        f'{chosen} .switch:has([name="now"]:not(:checked))',
        f'{chosen} [name="confirm"]',
        f'[name="drawn-{which}"]',
        '.cover-button[aria-expanded="false"]',
    ]
