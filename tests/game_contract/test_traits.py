"""Properties implied by a game's declared traits."""

import random

import pytest

from domain.contract import trait_defaults
from domain.contract.options import schema_of
from domain.contract.registry import TITLES, review_module, rules_of
from domain.match.review import compute_findings
from tests.game_contract.play import (
    Table,
    opened,
    option_sets,
    play,
    random_steps,
    table_id,
    tables,
)

SIMULTANEOUS = [pytest.param(table, id=table_id(table)) for table in tables("simultaneous")]


@pytest.mark.parametrize("slug", TITLES)
def test_declared_traits_match_defined_functions(slug: str) -> None:
    """A game defines a trait's functions exactly if it declares the trait."""
    for trait, functions in trait_defaults.RULES_DEFAULTS_BY_TRAIT.items():
        for name, plain in functions.items():
            own = getattr(rules_of(slug), name) is not plain
            assert own == (trait in TITLES[slug].traits), f"{trait}: {name}"
    assert {*TITLES[slug].traits} <= {*trait_defaults.RULES_DEFAULTS_BY_TRAIT, "reviewable"}


@pytest.mark.parametrize("table", SIMULTANEOUS)
def test_a_secret_choice_is_taken_back_while_others_act(table: Table) -> None:
    """`take_back` leaves the other seats' choices alone and gives the seat its choices again."""
    rng = random.Random(5)
    timeline = opened(table, 5)
    taken = 0
    for _ in random_steps(timeline, rng, 120):
        state = timeline.latest.state
        for seat in range(table[1]):
            events = timeline.rules.take_back(state, seat)
            taken += bool(events)
            for event in events:
                state = timeline.rules.evolve(state, event)
            if events:
                assert timeline.rules.choices(state, seat)
                assert timeline.undo_kind(seat).kind == "free"
    assert taken > 5


@pytest.mark.parametrize("table", SIMULTANEOUS)
def test_several_seats_choose_at_the_same_time(table: Table) -> None:
    timeline = opened(table, 5)
    steps = random_steps(timeline, random.Random(5), 120)
    assert any(len(timeline.to_act(timeline.latest)) > 1 for _ in steps)


@pytest.mark.parametrize(
    "slug", [slug for slug in TITLES if "simultaneous" not in TITLES[slug].traits]
)
def test_without_the_trait_seats_act_one_after_the_other(slug: str) -> None:
    timeline = opened((slug, max(TITLES[slug].seats), {}), 5)
    for _ in random_steps(timeline, random.Random(5), 200):
        assert len(timeline.to_act(timeline.latest)) == 1


@pytest.mark.parametrize("slug", [slug for slug in TITLES if "timed" in TITLES[slug].traits])
def test_when_the_time_is_up_the_phase_ends(slug: str) -> None:
    """The time limit's commands are legal, and after them there is a different limit or none."""
    properties = schema_of(TITLES[slug])["properties"]
    longest = {name: part["maximum"] for name, part in properties.items() if "maximum" in part}
    ended = 0
    for seed in range(6):
        timeline = opened((slug, min(TITLES[slug].seats), longest), seed)
        rules = timeline.rules
        for step, _ in enumerate(random_steps(timeline, random.Random(seed), 600)):
            limit = rules.time_limit(timeline.latest.state)
            if limit is None or step % 7:
                continue
            seconds, commands = limit
            assert seconds > 0
            turn = rules.turn(timeline.latest.state)
            for seat, command in commands:
                if seat in timeline.to_act(timeline.latest):
                    play(timeline, seat, command)
            after = rules.time_limit(timeline.latest.state)
            assert after is None or rules.turn(timeline.latest.state) != turn
            ended += 1
    assert ended > 5


@pytest.mark.parametrize("slug", TITLES)
def test_only_reviewable_games_have_a_review(slug: str) -> None:
    timeline = opened((slug, min(TITLES[slug].seats), {}), 3)
    for _ in random_steps(timeline, random.Random(3), 60):
        pass
    reviewable = "reviewable" in TITLES[slug].traits
    assert (review_module(slug) is not None) == reviewable
    assert bool(compute_findings(timeline, None)) == reviewable


@pytest.mark.parametrize("slug", TITLES)
def test_secrets_outlive_the_game_where_its_options_say_so(slug: str) -> None:
    """With one set of options and not with another; never in a game without secrets."""
    rules = rules_of(slug)
    kept = {rules.keeps_secrets(rules.Options(**options)) for options in option_sets(TITLES[slug])}
    assert kept == ({False, True} if "secret" in TITLES[slug].traits else {False})
