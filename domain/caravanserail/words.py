"""Every sentence of Caravansérail, and which one tells which event. Ships to the browser."""

from typing import Any

from domain.caravanserail.board import TREASURE
from domain.caravanserail.events import (
    BusinessBegun,
    CaravanLoaded,
    CaravanLodged,
    CaravanSearched,
    CaravansMoved,
    CaravanUnloaded,
    DiplomacyBegun,
    DraftDropped,
    GameEnded,
    GiftNamed,
    HomeChosen,
    KingdomsLaidOut,
    LootersClashed,
    LootersSent,
    OfferDeclined,
    OfferDrafted,
    OfferMade,
    OfferWithdrawn,
    OrderGiven,
    ProgrammesRevealed,
    ProgrammeWithdrawn,
    RaidBegun,
    RaidMissed,
    SeatDone,
    SeatListening,
    SeatReturned,
    TaxPaid,
    TreasureDealt,
    TurnBegun,
    WaresExchanged,
    WaresLooted,
    WaresShifted,
)

TEXT: dict[str, str] = {
    # choices
    "home": "Settle in {name}",
    "done": "I am done",
    "order-stay": "Caravan {caravan} stays in {to}",
    "order-stop": "Caravan {caravan} stops in {to}",
    "order-trail": "Caravan {caravan} goes on to {to}",
    "looters-none": "Send no looters",
    "looters": "Send the looters to {trail}",
    "load": "Load caravan {caravan} with {wares}",
    "tax": "Pay {owner} 1 {ware} from caravan {caravan}",
    "attack": "Attack caravan {caravan} of {victim}",
    "loot": "Take {wares} from {victim}",
    "listen": "Only listen",
    "draft": "Offer {partner} a deal in {place}: my {mine}, their {theirs}",
    "give": "Give {wares}",
    "ask": "Ask for {wares}",
    "drop": "Forget this offer",
    "withdraw": "Withdraw the offer to {partner}",
    "accept": "Accept from {whom}: get {gets}, pay {pays}",
    "decline": "Decline the offer of {whom}",
    "shift": "Move {wares} from caravan {source} to caravan {target}",
    # events
    "laid-out": "The board lies on the table.",
    "home-chosen": "{who} settles in {place}.",
    "dealt": "{who} begins with {start} and needs {goal}.",
    "dealt-hidden": "{who} draws a treasure card.",
    "diplomacy-begun": "Time to talk before the first journeys.",
    "seat-done": "{who} is done.",
    "seat-listening": "{who} only listens.",
    "seat-returned": "{who} is not done after all.",
    "turn-begun": "Turn {turn}: plan your journeys.",
    "ordered": "{who} orders caravan {caravan} to {to}.",
    "sent": "{who} sends the looters to {trail}.",
    "sent-nowhere": "{who} sends no looters.",
    "loaded": "{who} loads caravan {caravan} with {wares}.",
    "planning": "{who} goes on planning.",
    "withdrawn": "{who} plans again.",
    "revealed": "All programmes are open.",
    "moved": "The caravans move.",
    "unloaded": "{who} brings {wares} home with caravan {caravan}.",
    "unloaded-hidden": "Caravan {caravan} of {who} comes home.",
    "lodged": "Caravan {caravan} of {who} lodges with {owner} and owes the tax.",
    "lodged-free": "Caravan {caravan} of {who} lodges with {owner}, with nothing to pay.",
    "paid": "{who} pays {owner} 1 {ware} for lodging.",
    "paid-hidden": "{who} pays {owner} for lodging.",
    "clashed": "Looters fight each other on {trail}; nobody is robbed.",
    "missed": "The looters of {who} find nobody on {trail}.",
    "raid-begun": "The looters of {who} strike on {trail}.",
    "searched": "{who} finds {wares} on caravan {caravan} of {victim}.",
    "searched-hidden": "{who} attacks caravan {caravan} of {victim}.",
    "looted": "{who} robs {victim} of {wares}.",
    "looted-hidden": "{who} robs caravan {caravan} of {victim}.",
    "business-begun": "Business begins.",
    "somebody": "Somebody is doing business.",
    "somebody-offers": "Somebody made an offer.",
    "somebody-answers": "An offer has come to nothing.",
    "somebody-deals": "Somewhere a deal was made.",
    "drafted": "{who} thinks of an offer to {partner}.",
    "gift": "{who} would give {wares}.",
    "dropped": "{who} thought better of it.",
    "offered": "{who} offers {partner} {gives} for {asks}.",
    "countered": "{who} answers {partner} with another offer: {gives} for {asks}.",
    "offer-withdrawn": "{who} takes the offer to {partner} back.",
    "declined": "{who} declines the offer of {partner}.",
    "exchanged": "{who} gets {gets} from {partner} for {pays}.",
    "shifted": "{who} moves {wares} from caravan {source} to caravan {target}.",
    "ended": "The treasure is complete. The game is over.",
}


def listed(wares: Any) -> str:
    """Wares as "2 silk, 1 salt", or "nothing"."""
    return ", ".join([f"{n} {ware}" for ware, n in wares.items()]) or "nothing"


def store_name(store: int) -> str:
    """A store as a noun."""
    return "treasure" if store == TREASURE else f"caravan {store + 1}"


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """The event in words: a key of ``TEXT`` and its arguments; redacted events too."""
    teller = _TELLERS.get(type(event))
    told: tuple[str, dict[str, Any]] = teller(event) if teller else (_PLAIN[type(event)], {})
    return told


def _dealt(e: TreasureDealt) -> tuple[str, dict[str, Any]]:
    if e.card is None:
        return "dealt-hidden", {"who": e.seat}
    return "dealt", {"who": e.seat, "start": listed(e.start), "goal": listed(e.goal)}


def _ordered(e: OrderGiven) -> tuple[str, dict[str, Any]]:
    if e.to is None:
        return "planning", {"who": e.seat}
    return "ordered", {"who": e.seat, "caravan": e.caravan + 1, "to": e.to}


def _sent(e: LootersSent) -> tuple[str, dict[str, Any]]:
    if e.trail is None:
        return "planning", {"who": e.seat}
    if e.trail:
        return "sent", {"who": e.seat, "trail": e.trail}
    return "sent-nowhere", {"who": e.seat}


def _loaded(e: CaravanLoaded) -> tuple[str, dict[str, Any]]:
    if e.wares is None:
        return "planning", {"who": e.seat}
    return "loaded", {"who": e.seat, "caravan": e.caravan + 1, "wares": listed(e.wares)}


def _unloaded(e: CaravanUnloaded) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "caravan": e.caravan + 1}
    if e.wares is None:
        return "unloaded-hidden", args
    return "unloaded", {**args, "wares": listed(e.wares)}


def _lodged(e: CaravanLodged) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "caravan": e.caravan + 1, "owner": e.owner}
    return ("lodged" if e.owes else "lodged-free"), args


def _paid(e: TaxPaid) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "owner": e.owner}
    return ("paid-hidden", args) if e.ware is None else ("paid", {**args, "ware": e.ware})


def _at_raid(key: str, e: Any) -> tuple[str, dict[str, Any]]:
    args = {"who": e.seat, "victim": e.victim, "caravan": e.caravan + 1}
    if e.wares is None:
        return key + "-hidden", args
    return key, {**args, "wares": listed(e.wares)}


def _drafted(e: OfferDrafted) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody", {}
    return "drafted", {"who": e.seat, "partner": e.partner}


def _gift(e: GiftNamed) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody", {}
    return "gift", {"who": e.seat, "wares": listed(e.wares)}


def _dropped(e: DraftDropped) -> tuple[str, dict[str, Any]]:
    return ("somebody", {}) if e.seat is None else ("dropped", {"who": e.seat})


def _offered(e: OfferMade) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody-offers", {}
    parties = {"who": e.seat, "partner": e.partner}
    wares = {"gives": listed(e.gives), "asks": listed(e.asks)}
    return ("countered" if e.counter else "offered"), {**parties, **wares}


def _offer_withdrawn(e: OfferWithdrawn) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody-answers", {}
    return "offer-withdrawn", {"who": e.seat, "partner": e.partner}


def _declined(e: OfferDeclined) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody-answers", {}
    return "declined", {"who": e.seat, "partner": e.partner}


def _exchanged(e: WaresExchanged) -> tuple[str, dict[str, Any]]:
    if e.seat is None:
        return "somebody-deals", {}
    parties = {"who": e.seat, "partner": e.partner}
    return "exchanged", {**parties, "gets": listed(e.gets), "pays": listed(e.pays)}


def _shifted(e: WaresShifted) -> tuple[str, dict[str, Any]]:
    if e.seat is None or e.source is None or e.target is None:
        return "somebody", {}
    caravans = {"source": e.source + 1, "target": e.target + 1}
    return "shifted", {"who": e.seat, "wares": listed(e.wares), **caravans}


_PLAIN: dict[type, str] = {
    KingdomsLaidOut: "laid-out",
    DiplomacyBegun: "diplomacy-begun",
    ProgrammesRevealed: "revealed",
    CaravansMoved: "moved",
    BusinessBegun: "business-begun",
    GameEnded: "ended",
}
_TELLERS: dict[type, Any] = {
    HomeChosen: lambda e: ("home-chosen", {"who": e.seat, "place": e.place}),
    TreasureDealt: _dealt,
    SeatDone: lambda e: ("seat-done", {"who": e.seat}),
    SeatListening: lambda e: ("seat-listening", {"who": e.seat}),
    SeatReturned: lambda e: ("seat-returned", {"who": e.seat}),
    TurnBegun: lambda e: ("turn-begun", {"turn": e.turn}),
    OrderGiven: _ordered,
    LootersSent: _sent,
    CaravanLoaded: _loaded,
    ProgrammeWithdrawn: lambda e: ("withdrawn", {"who": e.seat}),
    CaravanUnloaded: _unloaded,
    CaravanLodged: _lodged,
    TaxPaid: _paid,
    LootersClashed: lambda e: ("clashed", {"trail": e.trail}),
    RaidMissed: lambda e: ("missed", {"who": e.seat, "trail": e.trail}),
    RaidBegun: lambda e: ("raid-begun", {"who": e.seat, "trail": e.trail}),
    CaravanSearched: lambda e: _at_raid("searched", e),
    WaresLooted: lambda e: _at_raid("looted", e),
    OfferDrafted: _drafted,
    GiftNamed: _gift,
    DraftDropped: _dropped,
    OfferMade: _offered,
    OfferWithdrawn: _offer_withdrawn,
    OfferDeclined: _declined,
    WaresExchanged: _exchanged,
    WaresShifted: _shifted,
}
