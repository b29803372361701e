"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.caravanserail.commands import ChooseHome


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    if type(command) is tuple:
        return _plan(command[0].to, command[4].wares)
    if isinstance(command, ChooseHome):
        home = f'[name="home-{command.place}"]'
        return [f'.desk:has({home}[aria-pressed="true"]) [name="settle"]', home]
    return [f'[name="do-{type(command).__name__}"]']


def _plan(to: str, wares: dict[str, int]) -> list[str]:
    """Return selectors to order and load the first caravan and to seal the plan."""
    order_button = f'.way-to[data-to="{to}"]'
    ordered = f'.planner:has({order_button}[aria-pressed="true"])'
    loaded = ordered
    shelves = []
    for ware, n in wares.items():
        loaded += f':has(.taken-ware[data-ware="{ware}"][data-number="{n}"])'
        shelves.append(f'{ordered} .shelf-ware[data-ware="{ware}"]')
    first = '.planner .tab:first-child[aria-pressed="false"]'
    return [
        f"{loaded} .confirm",
        *shelves,
        order_button,
        first,
        '.cover-button[aria-expanded="false"]',
    ]
