"""A simple bot: it plays every phase legally, knows only its own secrets, and wants its card.

Caravans carry what the bot does not need to other places, swap it token for token for wares it
does need, and bring those home. In business a bot answers every offer, makes at most a few of its
own, and then only listens (or is done
when it can meet nobody), so a phase always ends. Ships to the browser.
"""

from typing import Any

from domain.caravanserail.board import trail_of
from domain.caravanserail.business import incoming
from domain.caravanserail.events import (
    Accept,
    Ask,
    ChooseCaravan,
    ChooseHome,
    Decline,
    Done,
    Draft,
    DropDraft,
    Give,
    Listen,
    Load,
    Loot,
    Order,
    PayTax,
    SendLooters,
)
from domain.caravanserail.state import Offer, Sheikh, State, board, minus, plus, size, store
from domain.game import Choice, Draw, pick_any

MOST_OFFERS = 2
"""Offers that a bot makes in a phase."""

LOADED = 4
"""Tokens that a bot puts on a caravan at most."""


def suggest(state: State, seat: int, choices: list[Choice], draw: Draw) -> Choice:
    """What the bot would do; one of the choices."""
    sheikh = state.sheikhs[seat]
    match choices[-1].command:
        case ChooseHome() | ChooseCaravan():
            return pick_any(choices, draw)
        case Order(caravan=caravan):
            return _journey(state, sheikh, caravan, choices, draw)
        case SendLooters():
            return _looters(state, sheikh, choices, draw)
        case Load():
            return _cargo(sheikh, choices, draw)
        case PayTax() | Loot():
            return _best(sheikh, choices)
        case _:
            return _deal(state, seat, choices, draw)


# --- what is worth what ---------------------------------------------------------------------------


def _held(sheikh: Sheikh) -> dict[str, int]:
    """All wares of the seat, at home and on the way."""
    held = sheikh.treasure
    for load in sheikh.loads:
        held = plus(held, load)
    return held


def _spare(sheikh: Sheikh, wares: dict[str, int]) -> dict[str, int]:
    """Those of the wares that the seat's card does not ask for."""
    return {ware: n for ware, n in wares.items() if ware not in sheikh.goal}


def _wanted(sheikh: Sheikh) -> dict[str, int]:
    """What the card still asks for."""
    held = _held(sheikh)
    missing = {ware: n - held.get(ware, 0) for ware, n in sheikh.goal.items()}
    return {ware: n for ware, n in missing.items() if n > 0}


def _worth(sheikh: Sheikh, held: dict[str, int]) -> int:
    """One for each token and four more for each that the card asks for."""
    return size(held) + 4 * sum([min(n, held.get(ware, 0)) for ware, n in sheikh.goal.items()])


def _gain(sheikh: Sheikh, gets: dict[str, int], pays: dict[str, int]) -> int:
    held = _held(sheikh)
    return _worth(sheikh, minus(plus(held, gets), pays)) - _worth(sheikh, held)


# --- programme ------------------------------------------------------------------------------------


def _journey(
    state: State, sheikh: Sheikh, caravan: int, choices: list[Choice], draw: Draw
) -> Choice:
    """Out with spare wares, home with wanted ones or nothing to trade."""
    position, load = sheikh.positions[caravan], sheikh.loads[caravan]
    stay, ways = choices[0], choices[1:]
    if position == sheikh.home:
        return pick_any(ways, draw) if draw(4) else stay
    prey = size(load) - size(_spare(sheikh, load))
    if prey > 1 or not _spare(sheikh, load):
        return _homeward(state, sheikh, choices)
    if len(position) == 2:
        return stay if draw(4) else pick_any(choices, draw)
    return pick_any(ways, draw) if draw(3) else stay


def _homeward(state: State, sheikh: Sheikh, choices: list[Choice]) -> Choice:
    far = board(state).distance[sheikh.home]
    return min(choices, key=lambda choice: 2 * far[choice.command.to[-1]] - len(choice.command.to))


def _looters(state: State, sheikh: Sheikh, choices: list[Choice], draw: Draw) -> Choice:
    """Now and then to a trail near some caravan of another."""
    if len(choices) == 1 or draw(2):
        return choices[0]
    busy = [
        trail_of(position)
        for other in state.sheikhs
        if other != sheikh
        for position in other.positions
    ]
    likely = [choice for choice in choices[1:] if choice.command.trail in busy]
    return pick_any(likely or choices[1:], draw)


def _cargo(sheikh: Sheikh, choices: list[Choice], draw: Draw) -> Choice:
    """Spare wares only, some; the rest stays at home to trade with visitors."""
    spare = [
        choice
        for choice in choices
        if size(choice.command.wares) <= LOADED
        and _spare(sheikh, choice.command.wares) == choice.command.wares
    ]
    most = max([size(choice.command.wares) for choice in spare])
    full = [choice for choice in spare if size(choice.command.wares) == most]
    return pick_any(full, draw)


def _best(sheikh: Sheikh, choices: list[Choice]) -> Choice:
    """The tax that hurts least, the loot that helps most."""

    def merit(choice: Choice) -> int:
        match choice.command:
            case PayTax(ware=ware):
                return _gain(sheikh, {}, {ware: 1})
            case Loot(wares=wares):
                return _gain(sheikh, wares, {})
            case _:
                return 0

    return max(choices, key=merit)


# --- business -------------------------------------------------------------------------------------


def _deal(state: State, seat: int, choices: list[Choice], draw: Draw) -> Choice:
    sheikh = state.sheikhs[seat]
    by_kind: dict[type, list[Choice]] = {}
    for choice in choices:
        by_kind.setdefault(type(choice.command), []).append(choice)
    if Give in by_kind:
        return _gift(state, sheikh, by_kind, draw)
    if Ask in by_kind:
        return _wish(sheikh, by_kind, draw)
    if not sheikh.offer:
        for offerer, offer in incoming(state, seat):
            return _answer(sheikh, offerer, offer, choices)
        drafts = _useful_drafts(sheikh, by_kind.get(Draft, []))
        if drafts and sheikh.offers < MOST_OFFERS:
            return pick_any(drafts, draw)
    if Listen in by_kind and (sheikh.offer or Draft in by_kind):
        return by_kind[Listen][0]
    return by_kind[Done][0]


def _answer(sheikh: Sheikh, offerer: int, offer: Offer, choices: list[Choice]) -> Choice:
    accepts = [choice for choice in choices if choice.command == Accept(offerer)]
    if accepts and _gain(sheikh, offer.gives or {}, offer.asks or {}) >= 0:
        return accepts[0]
    return next(choice for choice in choices if choice.command == Decline(offerer))


def _useful_drafts(sheikh: Sheikh, drafts: list[Choice]) -> list[Choice]:
    """From a store with spare wares, while something is wanted."""
    if not _wanted(sheikh):
        return []
    return [draft for draft in drafts if _spare(sheikh, store(sheikh, draft.command.mine))]


def _gift(state: State, sheikh: Sheikh, by_kind: dict[type, Any], draw: Draw) -> Choice:
    fair = [
        choice
        for choice in by_kind[Give]
        if 0 < size(choice.command.wares) <= 2
        and _spare(sheikh, choice.command.wares) == choice.command.wares
    ]
    choice: Choice = pick_any(fair or by_kind[DropDraft], draw)
    return choice


def _wish(sheikh: Sheikh, by_kind: dict[type, Any], draw: Draw) -> Choice:
    """As many wanted tokens as are given, but no fewer than one."""
    wanted = _wanted(sheikh)
    most = max(1, size(sheikh.draft.gives or {})) if sheikh.draft else 1
    fair = [
        choice
        for choice in by_kind[Ask]
        if choice.command.wares
        and size(choice.command.wares) <= most
        and all(n <= wanted.get(ware, 0) for ware, n in choice.command.wares.items())
    ]
    choice: Choice = pick_any(fair or by_kind[DropDraft], draw)
    return choice
