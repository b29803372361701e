"""The review: gains add up to the score, and highlighted moments exist."""

import random
from typing import Any

import pytest

from domain.games.conquest import review, rules
from domain.games.conquest.events import EncounterDrawn, FinishReached, TreasureTaken
from domain.match.review import Findings, review_steps
from tests.domain.conquest.builders import opened, play_on, thought
from tests.game_contract.strict_english import format_message

NAMES = ("Ada", "Ben", "Cem")


def whole(seats: int, seed: int) -> tuple[Any, Findings]:
    timeline = opened(seats, chance=seed, map="short")
    play_on(timeline, random.Random(seed))
    return timeline, review.review(review_steps(timeline, None))


@pytest.mark.parametrize("seed", range(5))
def test_gains_lead_from_the_start_to_the_score(seed: int) -> None:
    timeline, found = whole(3, seed)
    wealth, load = found.charts
    assert wealth.scores
    assert wealth.points[0].values == (134, 134, 134)
    for standing in timeline.standings(timeline.latest):
        gained = sum(gain.gain for gain in found.gains if gain.seat == standing.seat)
        assert 134 + gained == standing.score == wealth.points[-1].values[standing.seat]
    for chart in (wealth, load):
        turns = [point.turn for point in chart.points]
        assert turns == sorted(set(turns))
        for point in chart.points:
            assert rules.turn(timeline.at(point.version).state) == point.turn


def test_highlights_are_moments_of_the_game() -> None:
    keys = set()
    for seed in range(6):
        timeline, found = whole(2, seed)
        events = {step.version: step.event for step in review_steps(timeline, None)}
        firsts = [each for each in found.highlights if each.message.key == "review.first"]
        assert len(firsts) <= 1
        for each in found.highlights:
            keys.add(each.message.key)
            event = events[each.version]
            match each.message.key:
                case "review.first":
                    assert isinstance(event, FinishReached)
                    assert event.number == each.message.args["round"]
                case "review.chest":
                    assert isinstance(event, TreasureTaken)
                case "review.cards":
                    assert isinstance(event, EncounterDrawn)
    assert keys == {"review.first", "review.chest", "review.cards", "review.best_turn"}


def test_every_word_can_be_said() -> None:
    _, found = whole(3, 1)
    words = [each.message for each in (*found.gains, *found.highlights)]
    for each in [*words, *[chart.title for chart in found.charts]]:
        assert "{" not in format_message("conquest", each.key, each.args, NAMES)
    assert len({each.key for each in words}) > 5


def test_those_not_at_the_finish_lose_all_at_the_end() -> None:
    timeline = opened(2, map="custom", custom={"rows": ["BGGF"]}, patience=10)
    rng = random.Random(1)
    while acting := timeline.to_act(timeline.latest):
        state = timeline.latest.state
        choices = rules.choices(state, acting[0])
        home = [c for c in choices if getattr(c, "to", None) == (0, 3)]
        choice = next((c for c in choices if c not in home), choices[0])
        if acting[0] == 0:
            choice = thought(state, rng)
        for decision in timeline.act(acting[0], [choice], 1, lambda _s, _i: rng.randrange):
            timeline.append(decision)
    found = review.review(review_steps(timeline, None))
    last = [gain for gain in found.gains if gain.message.key == "review.not_there"]
    assert [gain.seat for gain in last] == [1]
    assert found.charts[0].points[-1].values[1] == 0
