"""Views and redaction of the courtyard game. Ships to the browser."""

from typing import Any

from msgspec.structs import replace

from domain.contract.game import ALL_SEEING, Seat, Viewer
from domain.games.courtyard.board import GOODS, RESTS, STALLS, TOWERS
from domain.games.courtyard.cards import MAJORS, MINORS
from domain.games.courtyard.events import (
    MinorCompleted,
    MinorKept,
    MinorsDrawn,
    MinorsReturned,
    ScoringMinorDrawn,
)
from domain.games.courtyard.options import Options
from domain.games.courtyard.state import INCOME, MINOR, OVER, Player, Score, State, rounds_left


def reveals(event: Any) -> bool:
    """Return whether an event reveals, to any seat, a minor order that was hidden."""
    if isinstance(event, MinorCompleted):
        return event.drawn
    return isinstance(event, (MinorsDrawn, MinorKept, ScoringMinorDrawn))


def keeps_secrets(options: Options) -> bool:
    """Return whether the options keep hidden information hidden after the end."""
    return options.keep_secrets


def redact(event: Any, viewer: Viewer) -> Any:
    """Return the event as the viewer may see it.

    Only the seat that draws minor orders sees those drawn and returned. `ALL_SEEING` sees
    everything, so callers must not pass it in a match with ``keep_secrets``, which the events
    themselves do not carry.
    """
    if isinstance(event, (MinorsDrawn, MinorsReturned)) and viewer not in (event.seat, ALL_SEEING):
        return replace(event, cards=None)
    return event


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return what the viewer may see, as JSON values.

    ``{fountain: 0-5, towers: {space: {value, goods, frame}|None}, abilities: {turquoise, purple:
    [name]} face up, rests: {space: {tile, trade: 1-3}}, stalls: {space: units}, decks: {majors,
    minors, turquoise, purple, A, B: cards left}, players: [player by seat], to_move: seat,
    starter: seat, step: "start"|"turn"|"discard"|"income"|"minor"|"over", turn, moves_left,
    actions_left, acted: whether the stop's action is used, die: the roll that limits the next move
    or None, rolled: whether the die was rolled this turn, drawn: [{value, goods}] to choose from,
    None if hidden or not due, income: to be split now or None, spent: [ability used this turn],
    final: whether the last turns have begun, trigger: the seat that began them or None, round (0
    before the first turn), round_limit: number of rounds after which the game ends or None,
    rounds_left: number of rounds until then, including the current one, once that end is
    announced, otherwise None}``.

    A player is ``{seat, at: space or None, wealth, coins, purse, debt, credit, goods: {good: n},
    majors and minors: completed orders, minor: the open minor order or None, abilities: [name],
    used: [name] of one-time abilities, score}``;
    ``score`` is None before the end and then ``{wealth, coins, debt, sets, abilities: {name:
    points}, total}``.
    """
    return {
        **_court(state),
        "players": [_player(state, seat) for seat in range(len(state.players))],
        "to_move": state.seat,
        "starter": state.starter,
        "step": state.step,
        "turn": state.turn,
        "moves_left": state.moves,
        "actions_left": state.actions,
        "acted": state.acted,
        "die": state.die,
        "rolled": state.rolled,
        "drawn": [_minor(card) for card in state.drawn] if _choosing(state, viewer) else None,
        "income": state.income if state.step == INCOME else None,
        "spent": [*state.spent],
        "final": state.trigger is not None,
        "trigger": state.trigger,
        "round": state.round,
        "round_limit": state.round_limit or None,
        "rounds_left": rounds_left(state),
    }


def _court(state: State) -> dict[str, Any]:
    """Return the part of the view that does not depend on players or the turn."""
    stock = state.stock
    return {
        "fountain": state.fountain,
        "towers": {
            tower: None if card is None else _major(card)
            for tower, card in zip(TOWERS, state.towers, strict=True)
        },
        "abilities": {"turquoise": [*state.rows[0]], "purple": [*state.rows[1]]},
        "rests": {
            area: {"tile": rest.tile, "trade": rest.trade}
            for area, rest in zip(RESTS, state.rests, strict=True)
        },
        "stalls": dict(zip(STALLS, state.stalls, strict=True)),
        "decks": {
            "majors": sum(stock.majors),
            "minors": sum(stock.minors) + len(stock.under),
            "turquoise": sum(stock.abilities[0]),
            "purple": sum(stock.abilities[1]),
            "A": sum(stock.tiles[0]),
            "B": sum(stock.tiles[1]),
        },
    }


def _choosing(state: State, viewer: Viewer) -> bool:
    """Return whether the viewer may see drawn minor orders now."""
    if state.step != MINOR:
        return False
    return viewer == state.seat or (viewer == ALL_SEEING and not state.keep_secrets)


def _major(card: int) -> dict[str, Any]:
    order = MAJORS[card]
    return {"value": order.value, "goods": [*order.names], "frame": order.frame}


def _minor(card: int) -> dict[str, Any]:
    order = MINORS[card]
    return {"value": order.value, "goods": [*order.names]}


def _player(state: State, seat: Seat) -> dict[str, Any]:
    player: Player = state.players[seat]
    return {
        "seat": seat,
        "at": player.at or None,
        "wealth": player.wealth,
        "coins": player.coins,
        "purse": player.purse,
        "debt": player.debt,
        "credit": player.credit,
        "goods": dict(zip(GOODS, player.goods, strict=True)),
        "majors": [_major(card) for card in player.majors],
        "minors": [_minor(card) for card in player.minors],
        "minor": None if player.minor is None else _minor(player.minor),
        "abilities": [*player.abilities],
        "used": [*player.used],
        "score": _score(state.scores[seat]) if state.step == OVER else None,
    }


def _score(score: Score) -> dict[str, Any]:
    return {
        "wealth": score.wealth,
        "coins": score.coins,
        "debt": score.debt,
        "sets": score.sets,
        "abilities": dict(score.abilities),
        "total": score.total,
    }
