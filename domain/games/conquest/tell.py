"""Labels of commands and descriptions of events of Caravan Conquest. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat, event_message
from domain.games.conquest import commands as c
from domain.games.conquest import events as e
from domain.games.conquest.caravan_stats import price
from domain.games.conquest.cards import CARDS
from domain.games.conquest.commands import Command
from domain.games.conquest.market import camp_good, exchange_cost
from domain.games.conquest.state import EXTRA, State

# --- choices --------------------------------------------------------------------------------


def label(state: State, seat: Seat, command: Command) -> Label:  # noqa: C901  a table of cases
    """Return the label of a legal command."""
    match command:
        case c.Move(to=(row, column)):
            return Label("move", _place(row, column))
        case c.Stop():
            return Label("no-extra-step" if state.step == EXTRA else "stop", {})
        case c.Stay():
            return Label("stay", {})
        case c.Jettison(what=what, amount=amount):
            return Label("jettison", {"what": what, "amount": amount})
        case c.Take(what=what):
            return Label("take", {"what": what})
        case c.GiveUp(what=what):
            return Label("give-up", {"what": what})
        case c.Deal(gives=gives):
            return _deal(state, gives)
        case c.Ignore():
            return Label("ignore", {"card": CARDS[state.drawn].name})
        case c.Heed():
            return Label("heed", {"card": CARDS[state.drawn].name})
        case c.Sell(amount=amount):
            return Label("sell", _trade(state, amount))
        case c.Buy(amount=amount):
            return Label("buy", _trade(state, amount))
        case c.Exchange(old=old, new=new):
            key, gold = _paid("exchange", exchange_cost(old, new))
            return Label(key, {"old": old, "new": new, "gold": gold})
        case c.Decline():
            return Label("decline", {})
        case c.Done():
            return Label("done", {})
    raise TypeError(command)


def _place(row: int, column: int) -> dict[str, Any]:
    """Return the message arguments for a place: row and column, counted from 1."""
    return {"row": row + 1, "column": column + 1}


def _deal(state: State, gives: str) -> Label:
    card = CARDS[state.drawn]
    if card.gets is None:
        return Label("pay-to-keep", {})
    gets, amount = card.gets
    return Label("deal", {"gives": gives, "gets": gets, "amount": amount})


def _trade(state: State, amount: int) -> dict[str, Any]:
    good = camp_good(state) or "silk"
    return {"what": good, "amount": amount, "gold": amount * price(state, good)}


def _paid(key: str, gold: int) -> tuple[str, int]:
    """Return the message key for gold paid or, if negative, received, and the absolute amount."""
    return (key, gold) if gold >= 0 else (key + "-back", -gold)


# --- events ---------------------------------------------------------------------------------


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the description of an event: a message id and its arguments."""
    key, args = _TELLERS[type(event)](event)
    who = getattr(event, "seat", None)
    return key, args if who is None else {"who": who, **args}


def _turn(event: e.TurnOpened) -> tuple[str, dict[str, Any]]:
    return ("turn" if event.speed else "turn-stuck"), {"steps": event.speed}


def _round(event: e.RoundOpened) -> tuple[str, dict[str, Any]]:
    fallen = (event.silk, event.spice) != (10, 5)
    args = {"number": event.number, "silk": event.silk, "spice": event.spice}
    return ("round-falling" if fallen else "round"), args


def _stopped(event: e.CaravanStopped) -> tuple[str, dict[str, Any]]:
    return ("stopped", "stopped-card", "stopped-cards")[event.cards], {}


def _gained(event: e.Gained) -> tuple[str, dict[str, Any]]:
    key = "gained-card" if event.card else "gained"
    return key, {"what": event.what, "amount": event.amount}


def _bartered(event: e.Bartered) -> tuple[str, dict[str, Any]]:
    args = {"gives": event.gives, "gets": event.gets, "amount": event.amount}
    return ("bartered" if event.amount else "paid"), args


def _refitted(event: e.Refitted) -> tuple[str, dict[str, Any]]:
    key, gold = _paid("refitted", event.gold)
    return key, {"old": event.old, "new": event.new, "gold": gold}


def _gear_set(event: e.StartingGearSet) -> tuple[str, dict[str, Any]]:
    equipment = [*event.animals, event.caravan]
    carried = {"gold": event.gold, "silk": event.silk, "spice": event.spice}
    return "gear-set", {**carried, "equipment": equipment}


_TELLERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    e.MapLaid: event_message("map-laid"),
    e.StartingGearSet: _gear_set,
    e.StarterDrawn: event_message("starter"),
    e.RoundOpened: _round,
    e.TurnOpened: _turn,
    e.TurnMissed: event_message("turn-missed"),
    e.LoadDropped: event_message("dropped", what="what", amount="amount", steps="speed"),
    e.CaravanMoved: lambda event: ("moved", _place(*event.to)),
    e.CaravanStayed: event_message("stayed"),
    e.CaravanStopped: _stopped,
    e.TreasureTaken: event_message("treasure"),
    e.FinishReached: event_message("finished", wealth="wealth"),
    e.Gained: _gained,
    e.Lost: event_message("lost", what="what", amount="amount"),
    e.Bartered: _bartered,
    e.Sold: event_message("sold", what="what", amount="amount", gold="gold"),
    e.Bought: event_message("bought", what="what", amount="amount", gold="gold"),
    e.Refitted: _refitted,
    e.DeckShuffled: event_message("shuffled", deck="deck"),
    e.EncounterDrawn: event_message("drawn", card="card"),
    e.EncounterOver: lambda event: ("kept" if event.kept else "over", {"card": event.card}),
    e.EncounterIgnored: event_message("ignored", card="card"),
    e.KeptCardSpent: lambda event: ("lapsed" if event.lapsed else "spent", {"card": event.card}),
    e.OasisDried: lambda event: ("dried", _place(*event.at)),
    e.RestImposed: event_message("rest"),
    e.StepGranted: event_message("granted"),
    e.StepForgone: event_message("forgone"),
    e.ChoiceOffered: lambda event: (f"asked-{event.step}", {}),
    e.MarketLeft: event_message("left"),
    e.JourneyOver: event_message("ended"),
}
