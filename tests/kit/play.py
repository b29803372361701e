"""Playing any registered game at random, for the tests that every game gets for free."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from domain.codec import codec_of
from domain.draws import commitment
from domain.match import Open, Seat, Timeline
from domain.register import TITLES

Table = tuple[str, int, dict[str, Any]]


def option_sets(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Every combination of the switches of a game's options, numbers at their default."""
    values = {
        name: [False, True] if part.get("type") == "boolean" else [part["default"]]
        for name, part in schema.get("properties", {}).items()
    }
    return [
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    ]


def tables() -> list[Table]:
    """Every game with every seat count and every combination of its switches."""
    return [
        (slug, seats, options)
        for slug, title in TITLES.items()
        for seats in title.seats
        for options in option_sets(title.options)
    ]


def table_id(table: Table) -> str:
    slug, seats, options = table
    return "-".join([slug, str(seats), *(name for name, on in options.items() if on is True)])


def opened(table: Table, seed: int, people: int | None = None) -> Timeline:
    """A started match; ``people`` players share the seats in turn (default: one each)."""
    slug, seats, options = table
    secret = random.Random(f"{table_id(table)}/{seed}").randbytes(32)
    who = [f"player{i % (people or seats)}" for i in range(seats)]
    chairs = tuple(Seat("human", f"Seat {i}", who[i]) for i in range(seats))
    timeline = Timeline(codec_of(slug).rules)
    play(
        timeline,
        None,
        Open(
            slug,
            TITLES[slug].rules_version,
            options,
            chairs,
            "private",
            who[0],
            commitment(secret),
            secret.hex(),
        ),
    )
    return timeline


def play(timeline: Timeline, seat: int | None, *commands: Any) -> None:
    """Carries commands out and appends the decisions."""
    for decision in timeline.act(seat, commands, 1_700_000_000_000 + timeline.version):
        timeline.append(decision)


def random_steps(timeline: Timeline, rng: random.Random, steps: int) -> Iterator[None]:
    """Plays up to ``steps`` legal commands, pausing before each."""
    rules = timeline.rules
    for _ in range(steps):
        seats = timeline.to_act(timeline.now)
        if not seats:
            return
        yield
        if timeline.to_act(timeline.now) != seats:
            continue  # the test moved the match in between
        seat = rng.choice(seats)
        choices = rules.choices(timeline.now.state, seat)
        if rng.random() < 0.5:
            choice = rules.suggest(timeline.now.state, seat, choices, rng.randrange)
        else:
            choice = rng.choice(choices)
        play(timeline, seat, choice.command)
