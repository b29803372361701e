"""Encounter cards: drawing, choices and effects. Ships to the browser."""

from typing import TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Seat
from domain.games.conquest import cards, events
from domain.games.conquest.board import MOUNTAINS, OASIS, has_neighbour
from domain.games.conquest.commands import Command, Deal, Decline, GiveUp, Heed, Ignore, Take
from domain.games.conquest.market import amount_held
from domain.games.conquest.state import CARD, FORTUNE_STEP, State, place_of
from domain.toolkit.deck import draw_next_card

_Recorder: TypeAlias = EventRecorder[State, events.Event]


def draw_card(recorder: _Recorder, draw: Draw) -> None:
    """Draw the next card of the landing tile's deck; resolve it unless the seat must choose.

    An empty deck is reshuffled first. An oasis turns into desert when its card is drawn (ruling
    31). A seat with the Fortune Teller's card first chooses whether to ignore the drawn card
    (ruling 12).
    """
    state = recorder.state
    seat = state.seat
    if not sum(state.decks[state.deck]):
        recorder.emit(events.DeckShuffled(cards.DECKS[state.deck]))
        state = recorder.state
    card = state.deck * cards.CARDS_PER_DECK + draw_next_card(state.decks[state.deck], draw)
    recorder.emit(events.EncounterDrawn(seat, cards.deck_of(card), cards.name_of(card)))
    at = state.players[seat].at
    if state.tiles[at] == OASIS:
        recorder.emit(events.OasisDried(place_of(state, at)))
    if cards.FORTUNE_CARD in state.players[seat].kept:
        recorder.emit(events.ChoiceOffered(seat, FORTUNE_STEP))
    else:
        resolve_card(recorder)


def spend_card(recorder: _Recorder, seat: Seat, card: int, lapsed: bool = False) -> None:
    """Discard a kept card that is used or, with ``lapsed``, has lost its effect."""
    recorder.emit(events.KeptCardSpent(seat, cards.deck_of(card), cards.name_of(card), lapsed))


def resolve_card(recorder: _Recorder) -> None:
    """Resolve the drawn card, or offer the seat its choice if the card requires one."""
    state = recorder.state
    if _required_answers(state):
        recorder.emit(events.ChoiceOffered(state.seat, CARD))
    else:
        _apply_card(recorder)


def list_answers(state: State) -> list[Command]:
    """Return the legal answers to the drawn card; none if it requires no choice."""
    asked = _required_answers(state)
    if asked and isinstance(asked[0], Deal):
        return [Decline(), *asked]
    return asked


def apply_answer(recorder: _Recorder, command: Command) -> None:
    """Apply the seat's answer to the drawn card. Raises `IllegalMove` if it is not offered."""
    state = recorder.state
    if command not in list_answers(state):
        raise IllegalMove("not_asked", "refusal.not_asked")
    card, seat = cards.CARDS[state.drawn], state.seat
    match command:
        case GiveUp(what=what):
            _apply_card(recorder, what)
        case Take(what=what):
            recorder.emit(events.Gained(seat, what, dict(card.takes)[what], True))
            _apply_card(recorder)
        case Deal(gives=gives):
            what, amount = card.gets or ("", 0)
            recorder.emit(events.Bartered(seat, gives, what, amount))
            _discard_or_keep(recorder, card.keeps)
        case _:
            _discard_or_keep(recorder)


def answer_fortune_teller(recorder: _Recorder, command: Command) -> None:
    """Ignore the drawn card for the Fortune Teller's card, or resolve it.

    Raises `IllegalMove` for any other command.
    """
    state = recorder.state
    match command:
        case Ignore():
            recorder.emit(
                events.EncounterIgnored(
                    state.seat, cards.deck_of(state.drawn), cards.name_of(state.drawn)
                )
            )
            spend_card(recorder, state.seat, cards.FORTUNE_CARD)
        case Heed():
            resolve_card(recorder)
        case _:
            raise IllegalMove("not_asked", "refusal.not_asked_fortune")


# --- effects of a card ---------------------------------------------------------------------


def _losses(state: State, card: cards.Card) -> list[cards.Amount]:
    """Return those of the card's losses that the seat can pay at least in part (ruling 28)."""
    player = state.players[state.seat]
    loses = card.loses
    if card.climbs and _among_mountains(state):
        loses = cards.CLIMB[0]
    return [(what, n) for what, n in loses if amount_held(player, what)]


def _among_mountains(state: State) -> bool:
    at = state.players[state.seat].at
    return has_neighbour(state.tiles, state.stride, at, MOUNTAINS)


def _required_answers(state: State) -> list[Command]:
    """Return the card's answers without `Decline`; none if the card requires no choice."""
    card = cards.CARDS[state.drawn]
    if card.takes:
        return [Take(what) for what, _ in card.takes]
    losses = _losses(state, card)
    if len(losses) > 1:
        return [GiveUp(what) for what, _ in losses]
    player = state.players[state.seat]
    return [
        Deal(what) for what in card.gives if amount_held(player, what)
    ]  # empty if the seat has nothing to give: the offer lapses (ruling 9)


def _apply_card(recorder: _Recorder, gives_up: str | None = None) -> None:
    """Apply the card's losses, gains, rest and extra step, then discard or keep it.

    ``gives_up``: the resource that the seat chose to lose; None applies every loss.
    """
    state = recorder.state
    seat, card = state.seat, cards.CARDS[state.drawn]
    for what, amount in _losses(state, card):
        if gives_up in (None, what):
            paid = min(amount, amount_held(state.players[seat], what))
            recorder.emit(events.Lost(seat, what, paid))
    gains = card.gains
    if card.climbs and not _among_mountains(state):
        gains = cards.CLIMB[1]
    for what, amount in gains:
        recorder.emit(events.Gained(seat, what, amount, True))
    if card.rests:
        recorder.emit(events.RestImposed(seat))
    if card.steps:
        recorder.emit(events.StepGranted(seat))
    _discard_or_keep(recorder, card.keeps and not card.gives)


def _discard_or_keep(recorder: _Recorder, kept: bool = False) -> None:
    state = recorder.state
    card = state.drawn
    recorder.emit(events.EncounterOver(state.seat, cards.deck_of(card), cards.name_of(card), kept))
