"""Where a command is tapped; see `frontend.app.lesson`."""

from typing import Any


def taps(command: Any, _state: Any) -> list[str]:
    """What to tap, as selectors: the first that is in the page comes next."""
    chip = f'.quick-chip[data-number="{command.gourds}"]'
    return [
        f'.covered:has({chip}[aria-pressed="true"]) .confirm',
        f'{chip}[aria-pressed="false"]',
        '.cover-button[aria-expanded="false"]',
    ]
