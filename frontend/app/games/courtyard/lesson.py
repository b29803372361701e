"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.courtyard.commands import Borrow, Buy, Move, Share
from domain.games.courtyard.legal_commands import choices

LEAVE_SELECTOR = '[name="leave"]'


def find_targets(command: Any, state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    if type(command) is tuple:
        return [*_share_selectors(command[1]), '[name="do-FillOrder"]', LEAVE_SELECTOR]
    if isinstance(command, Share):
        return _share_selectors(command)
    if isinstance(command, Move):
        space = f'.tap[data-space="{command.to}"]'
        return [f'.game:has({space}[aria-pressed="true"]) [name="go"]', space]
    if isinstance(command, (Borrow, Buy)):
        alike = [each for each in choices(state, 0) if type(each) is type(command)]
        chip = f'.chip[name="chip-{alike.index(command)}"]'
        confirm = f'.form:has({chip}[aria-pressed="true"]) [name="confirm"]'
        return [confirm, chip, f'[name="do-{type(command).__name__}"]', LEAVE_SELECTOR]
    return [f'[name="do-{type(command).__name__}"]', LEAVE_SELECTOR]


def _share_selectors(share: Share) -> list[str]:
    """Return selectors to repay as much as a share does, and to confirm it."""
    return [f'.form:has([data-repay="{share.repay}"]) [name="confirm"]', '[name="more-repay"]']
