"""Turn order and the end of the game (5, 7.2). Ships to the browser."""

from typing import TypeAlias

from domain.contract.event_recorder import EventRecorder
from domain.games.caravanserai import events
from domain.games.caravanserai.legal_commands import can_continue
from domain.games.caravanserai.scoring import rank_players
from domain.games.caravanserai.state import Player, State

_Recorder: TypeAlias = EventRecorder[State, events.Event]

ROUND_LIMIT = 20
"""Number of consecutive full rounds without a market change that end the game (ruling 28)."""
NOTICE_ROUNDS = 5
"""Number of rounds by which that end is announced in advance."""


def rounds_left(state: State) -> int | None:
    """Return the number of rounds until the game ends unless the market changes.

    The current round is included. Return None if there is no round limit, before the end is
    announced, and after the game is over.
    """
    if not state.round_limit or state.ranking is not None:
        return None
    left = state.round_limit - state.quiet
    return left if left <= NOTICE_ROUNDS else None


def announce_empty_market(recorder: _Recorder) -> None:
    """Announce the end if the market has just become empty: one more full round (ruling 13).

    Not in a solo game, which ends after the turn.
    """
    state = recorder.state
    if any(state.market) or state.last_turn or state.solo:
        return
    seats = len(state.players)
    round_ends = -(-state.turn // seats) * seats
    recorder.emit(events.MarketEmptied(state.seat, round_ends + seats))


def begin_next_turn(recorder: _Recorder) -> None:
    """Begin the next turn, skipping seats that cannot place (ruling 14), or end the game.

    Also announce the end by the round limit and the final round when they are due.
    """
    while True:
        state = recorder.state
        reason = _over(state)
        if reason:
            recorder.emit(events.GameEnded(reason, rank_players(state)))
            return
        seats = len(state.players)
        following = state.turn + 1
        if _is_close(state):
            recorder.emit(events.EndAnnounced(NOTICE_ROUNDS))
        seat = (state.first + following - 1) % seats
        round_ = (following - 1) // seats + 1
        if state.last_turn and following == state.last_turn - seats + 1:
            recorder.emit(events.FinalRoundBegan(round_))
        why = _stuck(state, state.players[seat])
        if why is None:
            recorder.emit(events.TurnBegan(seat, following, round_))
            return
        recorder.emit(events.TurnSkipped(seat, following, round_, why))


def _quiet_rounds(state: State) -> int:
    """Return the number of consecutive full rounds without a market change at the end of a round.

    Return -1 if the current turn is not the last of its round.
    """
    is_round_over = state.turn and state.turn % len(state.players) == 0
    return state.quiet + 1 if is_round_over else -1


def _is_close(state: State) -> bool:
    """Return whether the end by the round limit must be announced now."""
    return bool(state.round_limit) and _quiet_rounds(state) == state.round_limit - NOTICE_ROUNDS


def _over(state: State) -> str:
    """Return why the game is over after the turn just finished, or "" if it continues."""
    seats = len(state.players)
    if state.turn == 0:
        return ""
    if state.skips == seats and state.turn % seats == 0:
        return "stuck"  # ruling 21
    if state.round_limit and _quiet_rounds(state) >= state.round_limit:
        return "unchanged"  # ruling 28
    if state.solo:  # ruling 19
        if not state.players[0].camels:
            return "camels"
        return "" if any(state.market) else "market"
    return "market" if state.turn == state.last_turn else ""


def _stuck(state: State, player: Player) -> str | None:
    """Return why a player cannot place anything, or None if they can.

    A camel in the reserve and a free cell next to the leading piece suffice.
    """
    if not player.camels:
        return "no-camel"
    lead = player.cells[-1]
    return None if can_continue(state.board, state.ground, lead) else "blocked"
