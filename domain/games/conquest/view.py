"""View of Caravan Conquest, the same for all viewers. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat, Viewer
from domain.games.conquest.caravan_stats import last_round, load, next_bonus, speed, wealth_now
from domain.games.conquest.cards import DECKS, name_of
from domain.games.conquest.equipment import CAPACITIES
from domain.games.conquest.move_preview import steps_left
from domain.games.conquest.state import OVER, Player, State, place_of


def view(state: State, viewer: Viewer) -> dict[str, Any]:
    """Return the whole state as JSON values; nothing is hidden.

    ``{tiles: [row], treasure: [[row, column]] of the remaining chests, round, first_finish and
    last_round (None before the first finish), prices: {silk, spice}, decks and discards: {deck:
    number of cards}, players: [player], starter, began: [row, column] where the current turn
    began, drawn: the card being resolved or None, step, steps_left, bonus: steps that a card
    added to the current turn, seat: whose turn it is (None at the end), patience, map: {kind,
    name, seed, rows as originally laid, start, finish}}``.

    A player is ``{seat, at, gold, silk, spice, treasure, animals, caravan, capacity, load, speed
    (in the current turn, or in the next one if it begins at the same place), skip, kept: [card],
    finished: round or None, wealth (at current prices, or as fixed on reaching the finish)}``.
    """
    return {
        "tiles": state.tiles.split("/"),
        "treasure": [[*place_of(state, cell)] for cell in state.treasure],
        "round": state.round,
        "first_finish": state.first_finish or None,
        "last_round": last_round(state) or None,
        "prices": {"silk": state.silk, "spice": state.spice},
        "decks": {name: sum(state.decks[i]) for i, name in enumerate(DECKS)},
        "discards": {name: sum(state.discards[i]) for i, name in enumerate(DECKS)},
        "players": [_player(state, seat, player) for seat, player in enumerate(state.players)],
        "starter": state.starter,
        "began": [*place_of(state, state.began)],
        "drawn": name_of(state.drawn) if state.drawn >= 0 else None,
        "step": state.step,
        "steps_left": steps_left(state),
        "bonus": state.bonus if state.step != OVER else 0,
        "seat": None if state.step == OVER else state.seat,
        "patience": state.patience,
        "map": _map(state),
    }


def _map(state: State) -> dict[str, Any]:
    return {
        "kind": state.kind,
        "name": state.name,
        "seed": state.seed,
        "rows": state.land.split("/"),
        "start": [*place_of(state, state.land.find("B"))],
        "finish": [*place_of(state, state.land.find("F"))],
    }


def _player(state: State, seat: Seat, player: Player) -> dict[str, Any]:
    under_way = seat == state.seat and state.step != OVER and not player.finished
    next_speed = speed(player, state.tiles[player.at], next_bonus(player))
    return {
        "seat": seat,
        "at": [*place_of(state, player.at)],
        "gold": player.gold,
        "silk": player.silk,
        "spice": player.spice,
        "treasure": player.treasure,
        "animals": [*player.animals],
        "caravan": player.caravan,
        "capacity": CAPACITIES[player.caravan],
        "load": load(player),
        "speed": state.speed if under_way else next_speed,
        "skip": player.skip,
        "kept": [name_of(card) for card in player.kept],
        "finished": player.finished or None,
        "wealth": wealth_now(state, player),
    }
