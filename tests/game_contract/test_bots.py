"""Bots know only what their seat knows, their games end, and higher levels play better."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from domain.contract import trait_defaults
from domain.contract.bots import Thinking, bots_of, suggest_command
from domain.contract.game import LEVELS, Level
from domain.contract.registry import TITLES, rules_of
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from tests.game_contract.bots import Player, duel, played
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.play import Table, opened, play, random_steps, table_id, tables

TABLES = [pytest.param(table, id=table_id(table)) for table in tables()]
SECRET = [pytest.param(table, id=table_id(table)) for table in tables("secret")]


@pytest.mark.parametrize("slug", TITLES)
def test_observation_is_the_state_without_secrets(slug: str) -> None:
    """A game defines `observe` and `determinise` exactly if it declares secrets.

    What a seat knows is then of its own type, different from the state.
    """
    timeline = opened((slug, max(TITLES[slug].seats), {}), 3)
    state = timeline.latest.state
    secret = "secret" in TITLES[slug].traits
    for name, plain in trait_defaults.BOTS_DEFAULTS_BY_TRAIT["secret"].items():
        assert (getattr(bots_of(slug), name) is not plain) == secret
    assert (type(bots_of(slug).observe(state, 0)) is not type(state)) == secret


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_equal_states_hash_equal(table: Table) -> None:
    """Throughout a game, folded twice; the same holds for what a seat knows."""
    slug, seats, _ = table
    timeline = opened(table, 8)
    rng = random.Random(8)
    for _ in random_steps(timeline, rng, 500):
        pass
    codec = codec_of(slug)
    stored = [codec.encode(decision) for decision in timeline.decisions]
    again = Timeline(codec.rules, map(codec.decode, stored))
    hashes = set()
    for one, other in zip(timeline.moments, again.moments, strict=True):
        if one.state is None:
            continue
        assert one.state == other.state
        assert hash(one.state) == hash(other.state)
        seat = rng.randrange(seats)
        known = [bots_of(slug).observe(state, seat) for state in (one.state, other.state)]
        assert known[0] == known[1]
        assert hash(known[0]) == hash(known[1])
        hashes.add(hash(one.state))
    assert len(hashes) > len(timeline.moments) // 2


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_a_determinised_state_could_be_the_true_one(table: Table) -> None:
    """The seat sees the same in it and has the same choices, and the game can continue from it."""
    slug, seats, _ = table
    rng = random.Random(12)
    timeline = opened(table, 12)
    rules, bots = rules_of(slug), bots_of(slug)
    other = 0
    for _ in random_steps(timeline, rng, 240):
        if rng.random() < 0.6:
            continue
        state, seat = timeline.latest.state, rng.randrange(seats)
        seen = bots.observe(state, seat)
        world = bots.determinise(seen, seat, rng.randrange)
        other += world != state
        assert bots.observe(world, seat) == seen
        assert rules.view(world, seat) == rules.view(state, seat)
        assert rules.to_act(world) == rules.to_act(state)
        assert rules.groups(world, seat) == rules.groups(state, seat)
        for _ in range(6):
            acting = rules.to_act(world)
            if not acting:
                break
            mover = rng.choice(acting)
            choices = rules.choices(world, mover)
            world = rules.decide(world, mover, rng.choice(choices), rng.randrange).state
    assert bool(other) == ("secret" in TITLES[slug].traits)


# --- bots do not depend on hidden information ----------------------------------------------------

Bot = Callable[[str, Any, int, Thinking], Any]


def differing_moves(table: Table, bot: Bot, steps: int = 300) -> tuple[int, int]:
    """Count the comparisons of a bot's move in two indistinguishable states, and the differences.

    In the second state other seats have chosen differently, or it is a determinisation of what the
    seat knows.
    """
    slug = table[0]
    rng = random.Random(13)
    timeline = opened(table, 13)
    asked = different = 0
    for _ in random_steps(timeline, rng, steps):
        now = timeline.latest.state
        seat = rng.choice(timeline.to_act(timeline.latest))
        again = other_world(timeline, seat, rng)
        seen = bots_of(slug).observe(now, seat)
        made_up = bots_of(slug).determinise(seen, seat, rng.randrange)
        world = again[0].latest.state if again else made_up
        if world == now:
            continue
        for level in LEVELS:
            deeds = []
            for state in (now, world):
                draw, thoughts = random.Random(asked), iter(range(3))
                more = Thinking(draw.randrange, level, lambda t=thoughts: bool(next(t, 0)))  # type: ignore[misc]
                deeds.append(bot(slug, state, seat, more))
            asked += 1
            different += deeds[0] != deeds[1]
    return asked, different


@pytest.mark.slow
@pytest.mark.parametrize("table", SECRET)
def test_bots_move_alike_in_indistinguishable_states(table: Table) -> None:
    asked, different = differing_moves(table, suggest_command)
    assert asked > 10
    assert different == 0


@pytest.mark.parametrize("slug", [slug for slug in TITLES if "secret" in TITLES[slug].traits])
def test_a_bot_that_peeks_is_found(slug: str) -> None:
    """The bot is given the true state and plays what it would play in it."""

    def peeks(slug: str, state: Any, seat: int, thinking: Thinking) -> Any:
        choices = rules_of(slug).choices(state, seat)
        return choices[hash(repr(state)) % len(choices)]

    asked, different = differing_moves((slug, max(TITLES[slug].seats), {}), peeks)
    assert different > asked // 4


# --- games end, and levels differ in strength ----------------------------------------------------


def seating(seats: int, passive: int, level: Level, rng: random.Random) -> list[Player]:
    """Return this many passive seats placed at random among bots."""
    players: list[Player] = [level] * (seats - passive)
    for _ in range(passive):
        players.insert(rng.randrange(len(players) + 1), "passive")
    return players


def unfinished_games(slug: str, numbers: range, passive: int) -> list[int]:
    """Return the numbers of the games that did not end.

    Bots of both levels and all seat counts take turns.
    """
    sizes = [seats for seats in TITLES[slug].seats if seats > passive]
    found = []
    for number in numbers:
        rng = random.Random(f"{slug} {number} {passive}")
        players = seating(sizes[number % len(sizes)], passive, LEVELS[number // 2 % 2], rng)
        if played(slug, players, rng) is None:
            found.append(number)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("passive", [0, 1, 2])
@pytest.mark.parametrize("slug", TITLES)
def test_games_of_bots_end(slug: str, passive: int) -> None:
    """Also with seats that do nothing but what they must."""
    assert unfinished_games(slug, range(4), passive) == []


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("passive", [0, 1, 2])
@pytest.mark.parametrize("slug", TITLES)
def test_all_of_four_hundred_games_end(slug: str, passive: int) -> None:
    assert unfinished_games(slug, range(400 if passive == 0 else 200), passive) == []


@pytest.mark.slow
@pytest.mark.parametrize("slug", TITLES)
def test_a_higher_level_plays_better(slug: str) -> None:
    """Good bots beat easy ones and random play over a few games.

    Easy bots also beat random play, unless they play at random themselves.
    """
    games = 10
    for worse in (LEVELS[0], "chance"):
        mine, theirs = duel(slug, LEVELS[-1], worse, games)  # type: ignore[arg-type]
        assert mine > theirs, worse


@pytest.mark.parametrize("slug", TITLES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_without_time_moves_too(slug: str, level: Level) -> None:
    timeline = opened((slug, max(TITLES[slug].seats), {}), 4)
    rng = random.Random(4)
    for _ in range(60):
        acting = timeline.to_act(timeline.latest)
        if not acting:
            break
        thinking = Thinking(rng.randrange, level, lambda: False)
        play(timeline, acting[0], suggest_command(slug, timeline.latest.state, acting[0], thinking))
    assert len(timeline.decisions) > 20
