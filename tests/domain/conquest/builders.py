"""Builders for games of Caravan Conquest in tests."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.bots import Thinking
from domain.contract.game import IllegalMove, Level
from domain.games.conquest import bots, rules
from domain.games.conquest.caravan_stats import next_bonus, speed
from domain.games.conquest.cards import CARDS_PER_DECK, DECKS, NUMBERS
from domain.games.conquest.commands import Move, Stop
from domain.games.conquest.options import DrawnMap
from domain.games.conquest.state import MOVE, Player, State
from domain.games.conquest.title import TITLE
from domain.match.commands import Open
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from service.matches.options import fill_options
from tests.game_contract.strict_english import format_reason

ROWS = ("GGDDMMOSPCF", "BGDDMMOSPCG", "GGDDMMOSPCR")
"""A small country: grasslands, desert, mountains, oases, camps, cities from west to east."""


def no_draw(n: int) -> int:
    raise AssertionError("no chance here")


def first(n: int) -> int:
    return 0


def game(
    *rows: str, seats: int = 2, starter: int = 0, treasure: tuple[Any, ...] = (), **options: Any
) -> State:
    """Return a game right after the setup, on a custom map."""
    plan = DrawnMap(rows or ROWS, treasure)
    given = rules.Options(map="custom", custom=plan, **options)
    return fold(None, rules.setup(given, seats, lambda n: starter).events)


def fold(state: Any, events: list[Any]) -> Any:
    for event in events:
        state = rules.evolve(state, event)
    return state


def put(state: State, seat: int, at: tuple[int, int] | None = None, **changes: Any) -> State:
    """Return the state with one player changed.

    The speed of a turn that has not yet started to move is recalculated.
    """
    if at is not None:
        changes["at"] = at[0] * state.stride + at[1]
    if "kept" in changes:
        changes["kept"] = tuple(NUMBERS["oasis", name] for name in changes["kept"])
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    state = replace(state, players=tuple(players))
    for card in players[seat].kept:
        state = without_card(state, card)
    return fresh(state) if seat == state.seat and state.step == MOVE else state


def without_card(state: State, card: int) -> State:
    number, place = divmod(card, CARDS_PER_DECK)
    decks = [list(deck) for deck in state.decks]
    decks[number][place] = 0
    return replace(state, decks=tuple(map(tuple, decks)))


def fresh(state: State) -> State:
    """Restart the current turn where its seat stands."""
    player = me(state)
    steps = speed(player, state.tiles[player.at], next_bonus(player))
    return replace(state, began=player.at, speed=steps, walked=0)


def me(state: State, seat: int | None = None) -> Player:
    return state.players[state.seat if seat is None else seat]


def goods(player: Player) -> tuple[int, int, int]:
    """Gold, silk, spice."""
    return player.gold, player.silk, player.spice


def act(state: State, *commands: Any, draw: Callable[[int], int] = no_draw) -> State:
    """Play commands of the seat to act, in order."""
    for command in commands:
        state, _ = told(state, command, draw=draw)
    return state


def told(
    state: State, command: Any, draw: Callable[[int], int] = no_draw
) -> tuple[State, list[Any]]:
    """As `act`, with the events; each choice is offered, and the state is the fold of them."""
    seat = state.seat
    assert command in rules.choices(state, seat), rules.choices(state, seat)
    course = rules.decide(state, seat, command, draw)
    assert fold(state, course.events) == course.state
    return course.state, course.events


def top(state: State, deck: str, *cards: str) -> State:
    """Return the state with only these cards in a deck; the rest is in its discard pile."""
    number = DECKS.index(deck)
    left = [0] * CARDS_PER_DECK
    for card in cards:
        left[NUMBERS[deck, card] % CARDS_PER_DECK] = 1
    kept = {card for player in state.players for card in player.kept}
    rest = [0 if n or number * CARDS_PER_DECK + i in kept else 1 for i, n in enumerate(left)]
    decks, discards = list(state.decks), list(state.discards)
    decks[number], discards[number] = tuple(left), tuple(rest)
    return replace(state, decks=tuple(decks), discards=tuple(discards))


def moves(state: State) -> set[tuple[int, int]]:
    """Return where the seat to act may step."""
    return {c.to for c in rules.choices(state, state.seat) if isinstance(c, Move)}


def offered(state: State, kind: type) -> list[Any]:
    """Return the choices of a kind."""
    return [c for c in rules.choices(state, state.seat) if isinstance(c, kind)]


def those(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


OPEN = ("GGGGG", "GBGGG", "GGGGF")
"""Easy ground all around the start."""


def refused(state: State, command: Any) -> str:
    """Return the code with which a command is rejected."""
    with pytest.raises(IllegalMove) as error:
        rules.decide(state, state.seat, command, no_draw)
    assert format_reason("conquest", error.value)
    return error.value.code


def heavy(seat: int = 0, **more: Any) -> State:
    """A caravan that is too heavy to move: 90 + 25 over, and a chest more."""
    return put(game(*OPEN), seat, gold=100, silk=5, spice=10, treasure=1, **more)


def met(state: State, to: tuple[int, int], deck: str, *cards: str, **changes: Any) -> State:
    """The caravan has stopped on an open tile and meets the first of the cards."""
    row, column = to
    state = top(put(state, 0, at=(row, column - 1), **changes), deck, *cards)
    state = act(state, Move(to))
    return act(state, Stop(), draw=first) if state.step == MOVE and state.seat == 0 else state


def random_moves(state: State, rng: random.Random) -> Iterator[tuple[State, Any]]:
    """Yield each state of a random game with its next command, None at the end."""
    while seats := rules.to_act(state):
        command = rng.choice(rules.choices(state, seats[0]))
        yield state, command
        state = rules.decide(state, seats[0], command, rng.randrange).state
    yield state, None


def total_cards(state: State, number: int) -> int:
    """Count the cards of a deck, wherever they are."""
    kept = [card for player in state.players for card in player.kept]
    own = [card for card in [*kept, state.drawn] if card >= 0 and card // CARDS_PER_DECK == number]
    return sum(state.decks[number]) + sum(state.discards[number]) + len(own)


def thought(state: State, rng: random.Random, level: Level = "good") -> Any:
    """Return the bot's command for the seat to act."""
    groups = rules.groups(state, state.seat)
    return bots.suggest(state, state.seat, groups, Thinking(rng.randrange, level))


def opened(seats: int, people: int | None = None, chance: int = 0, **options: Any) -> Timeline:
    """Return a started match; ``people`` players share the seats in turn (default: one each)."""
    secret = chance.to_bytes(32, "big")
    who = [f"player{i % (people or seats)}" for i in range(seats)]
    chairs = tuple(Seat("human", f"Seat {i}", who[i]) for i in range(seats))
    at_table = (chairs, "private", who[0], compute_commitment(secret), secret.hex())
    timeline = Timeline(rules)
    given = fill_options(TITLE, options)
    play(timeline, None, Open(TITLE.slug, TITLE.rules_version, given, *at_table))
    return timeline


def play(timeline: Timeline, seat: int | None, *commands: Any) -> None:
    """Apply commands and append the decisions."""
    for decision in timeline.act(
        seat, commands, 1_700_000_000_000 + timeline.version, draws_from_seed
    ):
        timeline.append(decision)


def play_on(timeline: Timeline, rng: random.Random, commands: int = 10_000) -> None:
    """Let the bots play all seats, for this many commands or to the end."""
    for _ in range(commands):
        state = timeline.latest.state
        for seat in timeline.to_act(timeline.latest):
            play(timeline, seat, thought(state, rng))
