"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    chip = f'.quick-chip[data-number="{command.gourds}"]'
    return [f'.covered:has({chip}[aria-pressed="true"]) .confirm', f'{chip}[aria-pressed="false"]']
