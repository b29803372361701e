"""Selectors for the guided lesson: where to tap for a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return selectors of what to tap: the first that matches is tapped next."""
    chip = f'.quick-chip[data-number="{command.gourds}"]'
    return [
        f'.covered:has({chip}[aria-pressed="true"]) .confirm',
        f'{chip}[aria-pressed="false"]',
        '.cover-button[aria-expanded="false"]',
    ]
