"""Games played by bots, by random players and by players that always take the first choice."""

import random
from collections.abc import Iterator
from typing import Any, Literal

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import Level, Standing
from domain.contract.registry import TITLES, rules_of
from domain.match.timeline import MAX_DECISIONS

Player = Level | Literal["chance", "passive"]
"""Who plays a seat; "passive" is done as soon as it can: it takes the first choice that says
nothing further, else the first: stays, gives nothing, ends its turn. Where one acts after the other
and has to do something, it does anything: who repeats himself alone could go on for ever."""


def chosen(slug: str, state: Any, seat: int, player: Player, rng: random.Random) -> Any:
    """Return the command that a player chooses."""
    if player == "chance":
        return rng.choice(rules_of(slug).choices(state, seat))
    if player == "passive":
        choices = rules_of(slug).choices(state, seat)
        done = [choice for choice in choices if not choice.__struct_fields__]
        if not done and "simultaneous" not in TITLES[slug].traits:
            return rng.choice(choices)
        return [*done, *choices][0]
    return suggest_command(slug, state, seat, Thinking(rng.randrange, player))


def states(slug: str, players: list[Player], rng: random.Random) -> Iterator[Any]:
    """Yield the states of a game of these players, up to its end or the maximum length of a
    match."""
    rules = rules_of(slug)
    state = rules.setup(
        rules.Options(), len(players), rng.randrange, TITLES[slug].rules_version
    ).state
    yield state
    for _ in range(MAX_DECISIONS):
        acting = rules.to_act(state)
        if not acting:
            return
        seat = rng.choice(acting)
        command = chosen(slug, state, seat, players[seat], rng)
        version = TITLES[slug].rules_version
        state = rules.decide(state, seat, command, rng.randrange, version).state
        yield state


def played(slug: str, players: list[Player], rng: random.Random) -> tuple[Standing, ...] | None:
    """Return the standings of a game of these players, or None if it does not end."""
    *_, last = states(slug, players, rng)
    return rules_of(slug).outcome(last)


def duel(slug: str, one: Player, other: Player, games: int) -> tuple[int, int]:
    """Count how often seats of each player finish ahead of a seat of the other.

    The players take alternate seats.
    """
    ahead = {one: 0, other: 0}
    seats = next(count for count in TITLES[slug].seats if count > 1)
    for number in range(games):
        players = [(one, other)[(seat + number) % 2] for seat in range(seats)]
        standings = played(slug, players, random.Random(number))
        assert standings is not None
        for mine in standings:
            for theirs in standings:
                mixed = players[mine.seat] != players[theirs.seat]
                ahead[players[mine.seat]] += mixed and mine.rank < theirs.rank
    return ahead[one], ahead[other]
