"""CSS selectors for the guided lesson: where to tap to play a command.

See `frontend.app.pages.lesson.page`.
"""

from typing import Any

from domain.games.caravanserail.commands import Accept, Decline, Draft, Loot, PayTax


def find_targets(command: Any, _state: Any) -> list[str]:
    """Return CSS selectors of tap targets; the first that matches is the next one to tap."""
    if type(command) is tuple:
        if isinstance(command[0], Draft):
            return _offer(command[0], command[1].wares, command[2].wares)
        return _plan(command[0].to, command[3].trail, command[4].wares)
    if isinstance(command, PayTax):
        return [f'.token[data-ware="{command.ware}"]']
    if isinstance(command, Loot):
        taken = _taken(".picker", command.wares)
        return [f".covered{taken} .confirm", *[_shelf(ware) for ware in command.wares]]
    kind = type(command).__name__
    if isinstance(command, (Accept, Decline)):
        return [f'.offer[style*="seat-{command.offerer})"] [data-does="{kind}"]']
    return [f'[name="do-{kind}"]']


def _plan(to: str, trail: str | None, load: dict[str, int]) -> list[str]:
    """Return selectors to order and load the first caravan, to order the raiders, and to seal."""
    order = f'.ways [data-to="{to}"]'
    ordered = f'.planner:has({order}[aria-pressed="true"])'
    first = [order, '.planner .tab:first-child[aria-pressed="false"]']
    if load:
        loaded = _taken(".picker", load)
        taken = {ware: _taken(".picker", {ware: n}) for ware, n in load.items()}
        missing = [f"{ordered}:not({taken[ware]}) .picker {_shelf(ware)}" for ware in load]
        return [f"{ordered}{loaded} .confirm", *missing, *first]
    if trail is None:
        return [f"{ordered} .confirm", *first]
    raid = f'.raid-ways [data-to="{trail}"]'
    sealed = f'.planner:has({raid}[aria-pressed="true"]) .confirm'
    return [sealed, raid, f"{ordered} .tab:last-child", *first]


def _offer(draft: Draft, gives: dict[str, int], asks: dict[str, int]) -> list[str]:
    """Return selectors to begin an offer, to compose it and to send it."""
    given = f".composer{_taken('> .picker', gives)}"
    return [
        f"{given}{_taken('.asked', asks)} .confirm",
        *[f"{given} .asked {_shelf(ware)}" for ware in asks],
        *[f".composer > .picker {_shelf(ware)}" for ware in gives],
        f'.partner[data-deal="{draft.mine} {draft.partner} {draft.theirs}"]',
    ]


def _taken(picker: str, wares: dict[str, int]) -> str:
    """Return a selector of what contains a picker with these wares taken."""
    taken = ""
    for ware, n in wares.items():
        taken += f':has({picker} .taken-ware[data-ware="{ware}"][data-number="{n}"])'
    return taken


def _shelf(ware: str) -> str:
    return f'.shelf-ware[data-ware="{ware}"]'
