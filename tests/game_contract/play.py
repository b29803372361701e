"""Random play of any registered game, for the tests that apply to every game."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import GameInfo, Level, Trait
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.commands import Open
from domain.match.seats import Seat
from domain.match.time_control import Pace
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draws_from_seed

Table = tuple[str, int, dict[str, Any]]


def option_sets(title: GameInfo) -> list[dict[str, Any]]:
    """Return every combination of a game's boolean options, with numbers at their default."""
    values = {
        name: [False, True] if part.get("type") == "boolean" else [part["default"]]
        for name, part in schema_of(title)["properties"].items()
    }
    return [
        dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())
    ]


def tables(trait: Trait | None = None) -> list[Table]:
    """Return every game with every seat count and every combination of boolean options.

    ``trait``: only games with this trait.
    """
    return [
        (slug, seats, options)
        for slug, title in TITLES.items()
        if trait is None or trait in title.traits
        for seats in title.seats
        for options in option_sets(title)
    ]


def table_id(table: Table) -> str:
    slug, seats, options = table
    return "-".join([slug, str(seats), *(name for name, on in options.items() if on is True)])


def opened(
    table: Table,
    seed: int,
    people: int | None = None,
    source: str = "",
    pace: Pace | None = None,
) -> Timeline:
    """Return a started match; ``people`` players share the seats in turn (default: one player per
    seat).

    Options that the table does not name have their defaults.
    """
    slug, seats, named = table
    properties = schema_of(TITLES[slug])["properties"]
    options = {name: named.get(name, part["default"]) for name, part in properties.items()}
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
            compute_commitment(secret),
            secret.hex(),
            source=source,
            pace=pace,
        ),
    )
    return timeline


def play(timeline: Timeline, seat: int | None, *commands: Any) -> None:
    """Apply commands and append the decisions."""
    timeline.play(seat, commands, 1_700_000_000_000 + timeline.version, draws_from_seed)


def bot_move(timeline: Timeline, seat: int, rng: random.Random, level: Level = "easy") -> Any:
    """Return the command a bot chooses for the seat."""
    now = timeline.latest
    return suggest_command(now.opened.game, now.state, seat, Thinking(rng.randrange, level))


def random_steps(timeline: Timeline, rng: random.Random, steps: int) -> Iterator[None]:
    """Play up to ``steps`` legal commands, pausing before each."""
    rules = timeline.rules
    for _ in range(steps):
        seats = timeline.to_act(timeline.latest)
        if not seats:
            return
        yield
        if timeline.to_act(timeline.latest) != seats:
            continue  # the test moved the match in between
        seat = rng.choice(seats)
        if rng.random() < 0.5:
            play(timeline, seat, bot_move(timeline, seat, rng))
        else:
            play(timeline, seat, rng.choice(rules.choices(timeline.latest.state, seat)))


def to_the_end(timeline: Timeline, rng: random.Random, limit: int = 60_000) -> None:
    """Let the easy bots play all seats until the match is finished."""
    for _ in range(limit):
        seats = timeline.to_act(timeline.latest)
        if not seats:
            break
        play(timeline, seats[0], bot_move(timeline, seats[0], rng))
    assert timeline.latest.status == "finished"
