"""Rules of the courtyard game; ruling numbers are those of the game's rule notes.

The starting player is rolled for; in turn order each player then chooses a gate and a first good. A
turn has two moves, each with an optional action of the space on which it ends; some commands are
allowed at any time in the player's turn. A player who reaches a wealth of 32 triggers the end: all
others have one more turn before the final scoring.

Only the minor orders that a player has drawn are hidden, and therefore those returned under the
deck. Decks have no stored order; cards are drawn at random on demand. Ships to the browser.
"""

from typing import TYPE_CHECKING, TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.contract.game import Draw, IllegalMove, Rules, Seat, Standing
from domain.contract.trait_defaults import take_back, time_limit
from domain.games.courtyard import events, legal_commands
from domain.games.courtyard.board import ABILITIES_FACE_UP, FOUNTAIN_PLACES, RESTS, TOWERS, roll_die
from domain.games.courtyard.cards import DECKS, MAJORS, MIN_FIRST_MAJOR_VALUE, TILES_PER_LETTER
from domain.games.courtyard.commands import COMMANDS, Command, EndTurn, Settle
from domain.games.courtyard.effects import EFFECTS
from domain.games.courtyard.events import EVENTS, Event
from domain.games.courtyard.evolve import evolve
from domain.games.courtyard.legal_commands import choices, groups
from domain.games.courtyard.options import Options
from domain.games.courtyard.scoring import ranks, score, standings
from domain.games.courtyard.state import LETTERS, OVER, ROUNDS_ANNOUNCED, State
from domain.games.courtyard.tell import label, refusal, tell
from domain.games.courtyard.view import keeps_secrets, redact, reveals, view
from domain.toolkit.deck import draw_cards
from domain.toolkit.deck import draw_next_card as turn_up

_Recorder: TypeAlias = EventRecorder[State, Event]
_VERSION = 2

MAX_ROUNDS = 60
"""Number of full rounds after which the game ends, if the options say so (ruling 48)."""


# --- before the first turn --------------------------------------------------------------------


def setup(options: Options, seats: int, draw: Draw, version: int = _VERSION) -> _Recorder:
    """Set up the courtyard and roll for the starting player; no player has settled yet.

    Rulings 48 and 49 apply since rules version 2.
    """
    rolls = _roll_for_start(seats, draw)
    dearest = tuple([int(card.value >= MIN_FIRST_MAJOR_VALUE) for card in MAJORS])
    abilities = [draw_cards((1,) * len(DECKS[side]), ABILITIES_FACE_UP, draw) for side in DECKS]
    tiles = [
        f"{letter}{kind + 1}"
        for letter in LETTERS
        for kind in draw_cards((1,) * TILES_PER_LETTER, len(RESTS) // 2, draw)
    ]
    laid_out = events.CourtyardLaidOut(
        seats,
        options.keep_secrets,
        rolls,
        _starter(rolls),
        draw(len(FOUNTAIN_PLACES)),
        draw_cards(dearest, len(TOWERS), draw),
        tuple([DECKS["T"][kind] for kind in abilities[0]]),
        tuple([DECKS["P"][kind] for kind in abilities[1]]),
        tuple(tiles),
    )
    recorder: _Recorder = EventRecorder.begin(laid_out, evolve)
    if version > 1:
        recorder.emit(events.IdleExchangesBarred())
        if options.long_games_end:
            recorder.emit(events.RoundLimitSet(MAX_ROUNDS))
    return recorder


def _roll_for_start(seats: int, draw: Draw) -> tuple[tuple[int | None, ...], ...]:
    """Return the rounds of rolls for the starting player, by seat (ruling 20).

    All seats roll, then those with the highest roll again until only one has it. None: the seat no
    longer rolls.
    """
    rounds: list[tuple[int | None, ...]] = []
    still = [*range(seats)]
    while len(still) > 1:
        rolls = tuple([roll_die(draw) if seat in still else None for seat in range(seats)])
        rounds.append(rolls)
        highest = max([result for result in rolls if result is not None])
        still = [seat for seat, result in enumerate(rolls) if result == highest]
    return tuple(rounds)


def _starter(rolls: tuple[tuple[int | None, ...], ...]) -> Seat:
    last = [result or 0 for result in rolls[-1]]
    return last.index(max(last))


# --- the turns --------------------------------------------------------------------------------


def decide(
    state: State, seat: Seat, command: Command, draw: Draw, version: int = _VERSION
) -> _Recorder:
    """Apply a command and everything that follows, up to the next choice of any seat.

    Raises `IllegalMove` if the command is illegal.
    """
    if seat not in to_act(state):
        raise IllegalMove("not_to_act", "refusal.not_your_turn")
    ways = legal_commands.COMMAND_LISTERS[state.step].get(type(command))
    if ways is None or command not in ways(state, legal_commands.active_player(state)):
        raise IllegalMove(*refusal(state, command))
    recorder: _Recorder = EventRecorder(state, evolve)
    if isinstance(command, Settle):
        _settle(recorder, command)
    elif isinstance(command, EndTurn):
        _next_turn(recorder, draw)
    else:
        EFFECTS[type(command)](recorder, command, draw)
    return recorder


def _settle(recorder: _Recorder, command: Settle) -> None:
    """Settle the player to act; after the last player has settled, begin the first turn."""
    recorder.emit(events.PlayerSettled(recorder.state.seat, command.gate, command.good))
    if legal_commands.active_player(recorder.state).at:
        recorder.emit(events.TurnBegan(recorder.state.starter, 1))


def _next_turn(recorder: _Recorder, draw: Draw) -> None:
    """Begin the turn of the next player who is not ruined, or end the game.

    The game ends after the final round (ruling 32), if all players are ruined (ruling 42), and
    after the last round of a round limit (ruling 48).
    """
    state = recorder.state
    count = len(state.players)
    for step in range(1, count + 1):
        seat = (state.seat + step) % count
        if seat == state.trigger:
            break
        if seat == state.starter and _is_last_round(recorder):
            break
        if not legal_commands.is_ruined(state.players[seat]):
            recorder.emit(events.TurnBegan(seat, state.turn + 1))
            return
        recorder.emit(events.TurnPassed(seat))
    _score(recorder, draw)


def _is_last_round(recorder: _Recorder) -> bool:
    """Return whether the round limit ends the game with the round just finished.

    Also announce that end in advance and record it. Once the last turns have begun, the round limit
    no longer applies.
    """
    state = recorder.state
    left = state.round_limit - state.round
    if not state.round_limit or state.trigger is not None:
        return False
    if left == ROUNDS_ANNOUNCED:
        recorder.emit(events.EndAnnounced(left))
    if not left:
        recorder.emit(events.RoundLimitReached(state.round))
    return not left


def _score(recorder: _Recorder, draw: Draw) -> None:
    """Roll for P13 and draw a minor order for P15, then score the game.

    Players do so in turn order, from the starting player (ruling 44).
    """
    count = len(recorder.state.players)
    dice: dict[Seat, int] = {}
    minors: dict[Seat, int] = {}
    for step in range(count):
        seat = (recorder.state.starter + step) % count
        abilities = recorder.state.players[seat].abilities
        if "P13" in abilities:
            dice[seat] = roll_die(draw)
            recorder.emit(events.ScoringDieRolled(seat, dice[seat]))
        if "P15" in abilities:
            stock = recorder.state.stock
            top = sum(stock.minors)
            minors[seat] = turn_up(stock.minors, draw) if top else stock.under[0]
            recorder.emit(events.ScoringMinorDrawn(seat, minors[seat]))
    players = recorder.state.players
    scores = tuple(
        [score(player, dice.get(seat), minors.get(seat)) for seat, player in enumerate(players)]
    )
    recorder.emit(events.GameScored(scores, ranks(players, scores)))


# --- whose turn -------------------------------------------------------------------------------


def to_act(state: State) -> tuple[int, ...]:
    """Return the seat to act as a one-element tuple; empty when the game is over."""
    return () if state.step == OVER else (state.seat,)


def turn(state: State) -> int:
    """Return the number of the current turn, 0 before the first."""
    return state.turn


# --- the end ----------------------------------------------------------------------------------


def outcome(state: State) -> tuple[Standing, ...] | None:
    """Return the standings after the final scoring, otherwise None."""
    return standings(state)


if TYPE_CHECKING:
    from domain.games.courtyard import rules as _this

    _checked: Rules[State, Event, Command, Options] = _this
