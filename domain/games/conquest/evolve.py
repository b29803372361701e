"""State transitions of Caravan Conquest, one per kind of event. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from domain.contract.game import Seat
from domain.games.conquest import events
from domain.games.conquest.board import DESERT, START
from domain.games.conquest.cards import CARDS_PER_DECK, DECKS, NUMBERS
from domain.games.conquest.equipment import PRICES, SILK, SPICE
from domain.games.conquest.state import EXTRA, MOVE, OVER, Player, State, cell_of, with_more
from domain.toolkit.deck import Deck, merge_decks, remove_card


def evolve(state: Any, event: Any) -> Any:
    """Return the state after an event; ``state`` is None before the first event."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event)


def _set(state: State, number: Seat, player: Player, **changes: Any) -> State:
    players = (*state.players[:number], player, *state.players[number + 1 :])
    return replace(state, players=players, **changes)


# --- the map, rounds and turns --------------------------------------------------------------


def _laid(_state: None, event: events.MapLaid) -> State:
    land = "/".join(event.rows)
    stride = len(event.rows[0]) + 1
    start = land.find(START)
    return State(
        land=land,
        stride=stride,
        kind=event.kind,
        name=event.name,
        seed=event.seed,
        patience=event.patience,
        tiles=land,
        treasure=tuple([row * stride + column for row, column in event.treasure]),
        players=(Player(start),) * event.seats,
        silk=PRICES[SILK],
        spice=PRICES[SPICE],
        began=start,
    )


def _gear(state: State, event: events.StartingGearSet) -> State:
    one, other = event.animals
    fitted = Player(
        state.players[0].at,
        gold=event.gold,
        silk=event.silk,
        spice=event.spice,
        animals=(one, other),
        caravan=event.caravan,
    )
    return replace(state, players=(fitted,) * len(state.players))


def _starter(state: State, event: events.StarterDrawn) -> State:
    return replace(state, starter=event.seat, seat=event.seat)


def _round(state: State, event: events.RoundOpened) -> State:
    return replace(state, round=event.number, silk=event.silk, spice=event.spice)


def _turn(state: State, event: events.TurnOpened) -> State:
    return replace(
        state,
        seat=event.seat,
        turn=state.turn + 1,
        step=MOVE,
        began=state.players[event.seat].at,
        speed=event.speed,
        bonus=event.bonus,
        walked=0,
        deck=-1,
        cards=0,
        extra=0,
    )


def _missed(state: State, event: events.TurnMissed) -> State:
    player = state.players[event.seat]
    rested = replace(player, skip=player.skip - 1)
    return _set(state, event.seat, rested, seat=event.seat, turn=state.turn + 1)


# --- on the way -----------------------------------------------------------------------------


def _dropped(state: State, event: events.LoadDropped) -> State:
    player = with_more(state.players[event.seat], event.what, -event.amount)
    return _set(state, event.seat, player, speed=event.speed)


def _moved(state: State, event: events.CaravanMoved) -> State:
    player = replace(state.players[event.seat], at=cell_of(state, event.to))
    if state.step == EXTRA:
        return _set(state, event.seat, player, extra=state.extra - 1, step="")
    return _set(state, event.seat, player, walked=state.walked + 1)


def _stopped(state: State, event: events.CaravanStopped) -> State:
    deck = DECKS.index(event.deck) if event.deck else -1
    return replace(state, step="", deck=deck, cards=event.cards)


def _paused(state: State, _event: events.CaravanStayed | events.MarketLeft) -> State:
    return replace(state, step="")


def _treasure(state: State, event: events.TreasureTaken) -> State:
    player = state.players[event.seat]
    at = cell_of(state, event.at)
    left = tuple([cell for cell in state.treasure if cell != at])
    return _set(state, event.seat, replace(player, treasure=player.treasure + 1), treasure=left)


def _finished(state: State, event: events.FinishReached) -> State:
    player = replace(state.players[event.seat], finished=event.number, wealth=event.wealth)
    first = state.first_finish or event.number
    return _set(state, event.seat, player, first_finish=first, cards=0, extra=0)


# --- gains and losses -----------------------------------------------------------------------


def _gained(state: State, event: events.Gained) -> State:
    player = with_more(state.players[event.seat], event.what, event.amount)
    return _set(state, event.seat, player, step="")


def _lost(state: State, event: events.Lost) -> State:
    return _set(state, event.seat, with_more(state.players[event.seat], event.what, -event.amount))


def _bartered(state: State, event: events.Bartered) -> State:
    player = with_more(state.players[event.seat], event.gives, -1)
    got = with_more(player, event.gets, event.amount) if event.amount else player
    return _set(state, event.seat, got)


def _sold(state: State, event: events.Sold) -> State:
    player = with_more(state.players[event.seat], event.what, -event.amount)
    return _set(state, event.seat, replace(player, gold=player.gold + event.gold))


def _bought(state: State, event: events.Bought) -> State:
    player = with_more(state.players[event.seat], event.what, event.amount)
    return _set(state, event.seat, replace(player, gold=player.gold - event.gold))


def _refitted(state: State, event: events.Refitted) -> State:
    player = state.players[event.seat]
    gold = player.gold - event.gold
    if event.old == player.caravan:
        return _set(state, event.seat, replace(player, gold=gold, caravan=event.new))
    one, other = player.animals
    team = (event.new, other) if event.old == one else (one, event.new)
    return _set(state, event.seat, replace(player, gold=gold, animals=team))


# --- cards ----------------------------------------------------------------------------------


def _replace_deck(decks: tuple[Deck, ...], number: int, deck: Deck) -> tuple[Deck, ...]:
    return (*decks[:number], deck, *decks[number + 1 :])


def _discards_with(state: State, card: int) -> tuple[Deck, ...]:
    number, place = divmod(card, CARDS_PER_DECK)
    pile = state.discards[number]
    more = (*pile[:place], pile[place] + 1, *pile[place + 1 :])
    return _replace_deck(state.discards, number, more)


def _shuffled(state: State, event: events.DeckShuffled) -> State:
    number = DECKS.index(event.deck)
    whole = merge_decks(state.decks[number], state.discards[number])
    return replace(
        state,
        decks=_replace_deck(state.decks, number, whole),
        discards=_replace_deck(state.discards, number, (0,) * CARDS_PER_DECK),
    )


def _drawn(state: State, event: events.EncounterDrawn) -> State:
    card = NUMBERS[event.deck, event.card]
    number, place = divmod(card, CARDS_PER_DECK)
    left = _replace_deck(state.decks, number, remove_card(state.decks[number], place))
    return replace(state, decks=left, drawn=card, cards=state.cards - 1)


def _resolved(state: State, event: events.EncounterOver) -> State:
    card = NUMBERS[event.deck, event.card]
    if not event.kept:
        return replace(state, discards=_discards_with(state, card), drawn=-1, step="")
    player = state.players[event.seat]
    keeps = replace(player, kept=(*player.kept, card))
    return _set(state, event.seat, keeps, drawn=-1, step="")


def _ignored(state: State, event: events.EncounterIgnored) -> State:
    card = NUMBERS[event.deck, event.card]
    return replace(state, discards=_discards_with(state, card), drawn=-1, step="")


def _spent(state: State, event: events.KeptCardSpent) -> State:
    card = NUMBERS[event.deck, event.card]
    player = state.players[event.seat]
    left = tuple([each for each in player.kept if each != card])
    return _set(state, event.seat, replace(player, kept=left), discards=_discards_with(state, card))


def _dried(state: State, event: events.OasisDried) -> State:
    at = cell_of(state, event.at)
    return replace(state, tiles=state.tiles[:at] + DESERT + state.tiles[at + 1 :])


def _rest(state: State, event: events.RestImposed) -> State:
    player = state.players[event.seat]
    return _set(state, event.seat, replace(player, skip=player.skip + 1))


def _granted(state: State, _event: events.StepGranted) -> State:
    return replace(state, extra=state.extra + 1)


def _forgone(state: State, _event: events.StepForgone) -> State:
    return replace(state, extra=state.extra - 1, step="")


def _offered(state: State, event: events.ChoiceOffered) -> State:
    return replace(state, step=event.step)


def _over(state: State, event: events.JourneyOver) -> State:
    return replace(state, step=OVER, ranks=event.ranks, scores=event.wealth)


_CHANGES: dict[type, Callable[[Any, Any], State]] = {
    events.MapLaid: _laid,
    events.StartingGearSet: _gear,
    events.StarterDrawn: _starter,
    events.RoundOpened: _round,
    events.TurnOpened: _turn,
    events.TurnMissed: _missed,
    events.LoadDropped: _dropped,
    events.CaravanMoved: _moved,
    events.CaravanStayed: _paused,
    events.MarketLeft: _paused,
    events.CaravanStopped: _stopped,
    events.TreasureTaken: _treasure,
    events.FinishReached: _finished,
    events.Gained: _gained,
    events.Lost: _lost,
    events.Bartered: _bartered,
    events.Sold: _sold,
    events.Bought: _bought,
    events.Refitted: _refitted,
    events.DeckShuffled: _shuffled,
    events.EncounterDrawn: _drawn,
    events.EncounterOver: _resolved,
    events.EncounterIgnored: _ignored,
    events.KeptCardSpent: _spent,
    events.OasisDried: _dried,
    events.RestImposed: _rest,
    events.StepGranted: _granted,
    events.StepForgone: _forgone,
    events.ChoiceOffered: _offered,
    events.JourneyOver: _over,
}
