"""Views and redaction of Caravansérail. Ships to the browser."""

from typing import Any

from msgspec.structs import replace

from domain.contract.game import ALL_SEEING, Seat, Viewer
from domain.games.caravanserail import events, planning, trading
from domain.games.caravanserail.board import Board
from domain.games.caravanserail.options import Options
from domain.games.caravanserail.state import (
    BUSINESS,
    DIPLOMACY,
    HOMES,
    PROGRAMME,
    PROGRAMME_STEPS,
    Offer,
    Raid,
    Sheikh,
    State,
    board,
)

_OTHERS: dict[type, tuple[str, ...]] = {
    events.TreasureDealt: (),
    events.OrderGiven: (),
    events.LootersSent: (),
    events.CaravanLoaded: (),
    events.CaravanUnloaded: (),
    events.TaxPaid: ("owner",),
    events.CaravanSearched: ("victim",),
    events.WaresLooted: ("victim",),
    events.OfferDrafted: (),
    events.GiftNamed: (),
    events.DraftDropped: (),
    events.OfferMade: ("partner",),
    events.OfferWithdrawn: ("partner",),
    events.OfferDeclined: ("partner",),
    events.WaresExchanged: ("partner",),
    events.WaresShifted: (),
}
"""For each kind of secret event, the fields with the seats that know it besides ``seat``."""

_BLANKED: dict[type, tuple[str, ...]] = {
    events.TreasureDealt: ("card", "start", "goal"),
    events.OrderGiven: ("to",),
    events.LootersSent: ("trail",),
    events.CaravanLoaded: ("wares",),
    events.CaravanUnloaded: ("wares",),
    events.TaxPaid: ("ware",),
    events.CaravanSearched: ("wares",),
    events.WaresLooted: ("wares",),
}
"""Fields of secret events that are blanked for other viewers; of unlisted events, all fields."""


def redact(event: Any, viewer: Viewer) -> Any:
    """Return the event as the viewer may see it, with hidden fields None.

    `ALL_SEEING` sees everything, so callers must not pass it in a match with ``keep_secrets``,
    which the events themselves do not carry.
    """
    kind = type(event)
    if viewer == ALL_SEEING or kind not in _OTHERS:
        return event
    if viewer is not None:
        known = [event.seat, *[getattr(event, field) for field in _OTHERS[kind]]]
        if viewer in known:
            return event
    hidden = _BLANKED.get(kind) or event.__struct_fields__
    return replace(event, **dict.fromkeys(hidden))


def keeps_secrets(options: Options) -> bool:
    """Return whether the options keep hidden information hidden after the end."""
    return options.keep_secrets


def reveals(event: Any) -> bool:
    """Return whether an event reveals hidden information to a seat that did not know it."""
    return isinstance(event, _REVEALING)


_REVEALING = (
    events.TreasureDealt,
    events.ProgrammesRevealed,
    events.TaxPaid,
    events.CaravanSearched,
    events.WaresLooted,
    events.OfferMade,
    events.OfferDeclined,
    events.WaresExchanged,
)


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return what the viewer may see, as JSON values; hidden values are None or omitted.

    ``{phase: "homes"|"diplomacy"|"programme"|"movement"|"raid"|"business"|"over", turn,
    board: {places: [{letter, name, oasis, x, y}], trails: ["AB"], wares: [ware]},
    order: [seats in the order of choosing homes], players: [player by seat],
    revealed: [{orders: [position], looters: trail or ""} by seat, of the latest turn],
    debts: [{visitor, caravan, owner}], raids: [{attacker, trail, victim, caravan, load}],
    offers: [offer that concerns the viewer], business_minutes, diplomacy, keep_secrets,
    winners: [seat]}``.

    A player is ``{seat, home, ready, listening, looters: "up"|"down" (resting), caravans: [{at,
    load}], treasure, card, goal, steps: number of programme steps taken, programme: {orders,
    looters (None: not chosen yet), loads}, draft: {mine, partner, theirs, gives, asks}}``; caravan
    positions, orders and stores are represented as in `board`. An offer is ``{offerer, partner,
    mine, theirs, gives, asks, acceptable}``: ``mine`` is the offerer's store; ``acceptable`` is
    whether the partner can accept it, None for other viewers. The load of a searched caravan is
    visible to raider and victim. With ``keep_secrets`` hidden information stays hidden even from
    `ALL_SEEING`.
    """
    if viewer == ALL_SEEING and state.keep_secrets:
        viewer = None
    return {
        "phase": state.phase,
        "turn": state.turn,
        "board": _board(board(state)),
        "order": [*state.order],
        "players": [_player(state, seat, viewer) for seat in range(len(state.sheikhs))],
        "revealed": [
            {"orders": [*orders], "looters": looters} for orders, looters in state.revealed
        ],
        "debts": [
            {"visitor": debt.seat, "caravan": debt.caravan, "owner": debt.owner}
            for debt in state.debts
        ],
        "raids": [_raid(state, raid, viewer) for raid in state.raids],
        "offers": _offers(state, viewer),
        "business_minutes": state.business_minutes,
        "diplomacy": state.diplomacy,
        "keep_secrets": state.keep_secrets,
        "winners": [*state.winners],
    }


def _board(face: Board) -> dict[str, Any]:
    return {
        "places": [
            {"letter": p.letter, "name": p.name, "oasis": p.oasis, "x": p.x, "y": p.y}
            for p in face.places
        ],
        "trails": [*face.trails],
        "wares": [*face.wares],
    }


def _player(state: State, seat: Seat, viewer: Viewer) -> dict[str, Any]:
    sheikh = state.sheikhs[seat]
    own = viewer in (seat, ALL_SEEING)
    used = sheikh.raided >= 0 and state.turn - sheikh.raided < 2
    return {
        "seat": seat,
        "home": sheikh.home,
        "ready": _ready(state, sheikh),
        "listening": sheikh.listening,
        "looters": "down" if used else "up",
        "caravans": [
            {"at": position, "load": {**sheikh.loads[caravan]} if own else None}
            for caravan, position in enumerate(sheikh.positions)
        ],
        "treasure": {**sheikh.treasure} if own else None,
        "card": sheikh.card if own else None,
        "goal": {**sheikh.goal} if own else None,
        "steps": planning.steps_taken(sheikh),
        "programme": _programme(sheikh) if own else None,
        "draft": _draft(sheikh.draft) if own and sheikh.draft else None,
    }


def _ready(state: State, sheikh: Sheikh) -> bool:
    if state.phase == HOMES:
        return bool(sheikh.home)
    if state.phase == PROGRAMME:
        return planning.steps_taken(sheikh) == PROGRAMME_STEPS
    return state.phase not in (DIPLOMACY, BUSINESS) or sheikh.done


def _programme(sheikh: Sheikh) -> dict[str, Any]:
    loads = [{**wares} for wares in sheikh.packed]
    return {"orders": [*sheikh.orders], "looters": sheikh.looters, "loads": loads}


def _draft(draft: Offer) -> dict[str, Any]:
    return {
        "mine": draft.mine,
        "partner": draft.partner,
        "theirs": draft.theirs,
        "gives": draft.gives,
        "asks": draft.asks,
    }


def _raid(state: State, raid: Raid, viewer: Viewer) -> dict[str, Any]:
    load = None
    if raid.victim is not None and raid.caravan is not None:
        knows = viewer in (raid.seat, raid.victim, ALL_SEEING)
        load = {**state.sheikhs[raid.victim].loads[raid.caravan]} if knows else None
    return {
        "attacker": raid.seat,
        "trail": raid.trail,
        "victim": raid.victim,
        "caravan": raid.caravan,
        "load": load,
    }


def _offers(state: State, viewer: Viewer) -> list[dict[str, Any]]:
    shown = []
    for offerer, sheikh in enumerate(state.sheikhs):
        offer = sheikh.offer
        if offer and viewer in (offerer, offer.partner, ALL_SEEING):
            partner = state.sheikhs[offer.partner]
            can = trading.can_accept(partner, offer) if viewer == offer.partner else None
            shown.append({"offerer": offerer, **_draft(offer), "acceptable": can})
    return shown
