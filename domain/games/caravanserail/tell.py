"""Labels of commands and descriptions of events of Caravansérail. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat, event_message
from domain.games.caravanserail import commands, events
from domain.games.caravanserail.board import PLACE_NAMES, TREASURE
from domain.games.caravanserail.state import State, raid_of


def store_name(store: int) -> dict[str, Any]:
    """Return the name of a store as a message key with arguments."""
    if store == TREASURE:
        return {"key": "store-treasure", "args": {}}
    return {"key": "store-caravan", "args": {"caravan": store + 1}}


def label(state: State, seat: Seat, command: commands.Command) -> Label:
    """Return the label of a legal command."""
    return _LABELS[type(command)](state, seat, command)


def _plain(key: str) -> Callable[[State, int, Any], Label]:
    return lambda _state, _seat, _command: Label(key, {})


def _home_label(state: State, seat: Seat, command: commands.ChooseHome) -> Label:
    return Label("home", {"name": PLACE_NAMES[len(state.sheikhs)][command.place]})


def _order_label(state: State, seat: Seat, command: commands.Order) -> Label:
    to = command.to
    stays = to == state.sheikhs[seat].positions[command.caravan]
    key = "order-trail" if len(to) > 1 else "order-stay" if stays else "order-stop"
    return Label(key, {"caravan": command.caravan + 1, "to": to})


def _looters_label(state: State, seat: Seat, command: commands.SendLooters) -> Label:
    if command.trail is None:
        return Label("looters-none", {})
    return Label("looters", {"trail": command.trail})


def _load_label(state: State, seat: Seat, command: commands.Load) -> Label:
    return Label("load", {"caravan": command.caravan + 1, "wares": command.wares})


def _tax_label(state: State, seat: Seat, command: commands.PayTax) -> Label:
    (owner,) = [
        debt.owner for debt in state.debts if (debt.seat, debt.caravan) == (seat, command.caravan)
    ]
    return Label("tax", {"owner": owner, "ware": command.ware, "caravan": command.caravan + 1})


def _attack_label(state: State, seat: Seat, command: commands.ChooseCaravan) -> Label:
    return Label("attack", {"victim": command.victim, "caravan": command.caravan + 1})


def _loot_label(state: State, seat: Seat, command: commands.Loot) -> Label:
    return Label("loot", {"wares": command.wares, "victim": raid_of(state, seat).victim})


def _draft_label(state: State, seat: Seat, command: commands.Draft) -> Label:
    other = state.sheikhs[command.partner]
    place = other.home if command.theirs == TREASURE else other.positions[command.theirs]
    args = {
        "partner": command.partner,
        "mine": store_name(command.mine),
        "theirs": store_name(command.theirs),
        "place": place,
    }
    return Label("draft", args)


def _withdraw_label(state: State, seat: Seat, _command: commands.Withdraw) -> Label:
    offer = state.sheikhs[seat].offer
    return Label("withdraw", {"partner": offer.partner if offer else None})


def _accept_label(state: State, _seat: int, command: commands.Accept) -> Label:
    offer = state.sheikhs[command.offerer].offer
    assert offer is not None
    args = {"whom": command.offerer, "gets": offer.gives, "pays": offer.asks}
    return Label("accept", args)


def _shift_label(_state: State, _seat: int, command: commands.Shift) -> Label:
    caravans = {"source": command.source + 1, "target": command.target + 1}
    return Label("shift", {"wares": command.wares, **caravans})


_LABELS: dict[type, Callable[[State, int, Any], Label]] = {
    commands.ChooseHome: _home_label,
    commands.Done: _plain("done"),
    commands.Order: _order_label,
    commands.SendLooters: _looters_label,
    commands.Load: _load_label,
    commands.PayTax: _tax_label,
    commands.ChooseCaravan: _attack_label,
    commands.Loot: _loot_label,
    commands.Listen: _plain("listen"),
    commands.Draft: _draft_label,
    commands.Give: lambda _state, _seat, e: Label("give", {"wares": e.wares}),
    commands.Ask: lambda _state, _seat, e: Label("ask", {"wares": e.wares}),
    commands.DropDraft: _plain("drop"),
    commands.Withdraw: _withdraw_label,
    commands.Accept: _accept_label,
    commands.Decline: lambda _state, _seat, e: Label("decline", {"whom": e.offerer}),
    commands.Shift: _shift_label,
}


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the description of an event, redacted or not: a message id and its arguments."""
    if getattr(event, "seat", "") is None:
        return _ANONYMOUS[type(event)], {}
    return _TELLERS[type(event)](event)


_ANONYMOUS: dict[type, str] = {
    events.OfferDrafted: "somebody",
    events.GiftNamed: "somebody",
    events.DraftDropped: "somebody",
    events.OfferMade: "somebody-offers",
    events.OfferWithdrawn: "somebody-answers",
    events.OfferDeclined: "somebody-answers",
    events.WaresExchanged: "somebody-deals",
    events.WaresShifted: "somebody",
}
"""Message ids of events whose seat is hidden from the viewer."""


def _dealt(e: events.TreasureDealt) -> tuple[str, dict[str, Any]]:
    if e.card is None:
        return "dealt-hidden", {"who": e.seat}
    return "dealt", {"who": e.seat, "start": e.start, "goal": e.goal}


def _ordered(e: events.OrderGiven) -> tuple[str, dict[str, Any]]:
    if e.to is None:
        return "planning", {"who": e.seat}
    return "ordered", {"who": e.seat, "caravan": e.caravan + 1, "to": e.to}


def _sent(e: events.LootersSent) -> tuple[str, dict[str, Any]]:
    if e.trail is None:
        return "planning", {"who": e.seat}
    if e.trail:
        return "sent", {"who": e.seat, "trail": e.trail}
    return "sent-nowhere", {"who": e.seat}


def _loaded(e: events.CaravanLoaded) -> tuple[str, dict[str, Any]]:
    if e.wares is None:
        return "planning", {"who": e.seat}
    return "loaded", {"who": e.seat, "caravan": e.caravan + 1, "wares": e.wares}


def _unloaded(e: events.CaravanUnloaded) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "caravan": e.caravan + 1}
    if e.wares is None:
        return "unloaded-hidden", args
    return "unloaded", {**args, "wares": e.wares}


def _lodged(e: events.CaravanLodged) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "caravan": e.caravan + 1, "owner": e.owner}
    return ("lodged" if e.owes else "lodged-free"), args


def _paid(e: events.TaxPaid) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "owner": e.owner}
    return ("paid-hidden", args) if e.ware is None else ("paid", {**args, "ware": e.ware})


def _at_raid(key: str, e: Any) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "victim": e.victim, "caravan": e.caravan + 1}
    if e.wares is None:
        return key + "-hidden", args
    return key, {**args, "wares": e.wares}


def _offered(e: events.OfferMade) -> tuple[str, dict[str, Any]]:
    parties = {"who": e.seat, "partner": e.partner}
    wares = {"gives": e.gives, "asks": e.asks}
    return ("countered" if e.counter else "offered"), {**parties, **wares}


def _exchanged(e: events.WaresExchanged) -> tuple[str, dict[str, Any]]:
    parties = {"who": e.seat, "partner": e.partner}
    return "exchanged", {**parties, "gets": e.gets, "pays": e.pays}


def _shifted(e: Any) -> tuple[str, dict[str, Any]]:
    caravans = {"source": e.source + 1, "target": e.target + 1}
    return "shifted", {"who": e.seat, "wares": e.wares, **caravans}


_TELLERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    events.HomeChosen: event_message("home-chosen", who="seat", place="place"),
    events.TreasureDealt: _dealt,
    events.SeatDone: event_message("seat-done", who="seat"),
    events.SeatListening: event_message("seat-listening", who="seat"),
    events.SeatReturned: event_message("seat-returned", who="seat"),
    events.TurnBegun: event_message("turn-begun", turn="turn"),
    events.OrderGiven: _ordered,
    events.LootersSent: _sent,
    events.CaravanLoaded: _loaded,
    events.ProgrammeWithdrawn: event_message("withdrawn", who="seat"),
    events.CaravanUnloaded: _unloaded,
    events.CaravanLodged: _lodged,
    events.TaxPaid: _paid,
    events.LootersClashed: event_message("clashed", trail="trail"),
    events.RaidMissed: event_message("missed", who="seat", trail="trail"),
    events.RaidBegun: event_message("raid-begun", who="seat", trail="trail"),
    events.CaravanSearched: lambda e: _at_raid("searched", e),
    events.WaresLooted: lambda e: _at_raid("looted", e),
    events.OfferDrafted: event_message("drafted", who="seat", partner="partner"),
    events.GiftNamed: event_message("gift", who="seat", wares="wares"),
    events.DraftDropped: event_message("dropped", who="seat"),
    events.OfferMade: _offered,
    events.OfferWithdrawn: event_message("offer-withdrawn", who="seat", partner="partner"),
    events.OfferDeclined: event_message("declined", who="seat", partner="partner"),
    events.WaresExchanged: _exchanged,
    events.WaresShifted: _shifted,
    events.KingdomsLaidOut: event_message("laid-out"),
    events.DiplomacyBegun: event_message("diplomacy-begun"),
    events.ProgrammesRevealed: event_message("revealed"),
    events.CaravansMoved: event_message("moved"),
    events.BusinessBegun: event_message("business-begun"),
    events.ListenersAsked: event_message("asked-again"),
    events.GameEnded: event_message("ended"),
}
