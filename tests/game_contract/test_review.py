"""Reviews of all reviewable games: gains add up and versions exist."""

import random

import pytest

from domain.contract.registry import TITLES
from domain.match.review import Findings, compute_findings
from domain.match.timeline import Timeline
from tests.game_contract.play import opened, option_sets, to_the_end
from tests.game_contract.strict_english import format_message

REVIEWABLE = [slug for slug in TITLES if "reviewable" in TITLES[slug].traits]


def whole_match(slug: str, seed: int, **options: bool) -> Timeline:
    title = TITLES[slug]
    timeline = opened((slug, min(title.seats), options), seed)
    to_the_end(timeline, random.Random(seed))
    return timeline


def found_in(timeline: Timeline, seat: int | None = 0) -> Findings:
    found = compute_findings(timeline, timeline.viewer(seat))
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("slug", REVIEWABLE)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_gains_lead_from_the_first_score_to_the_last(slug: str, seed: int) -> None:
    """The last score equals the one in the standings: nothing is counted twice or left out."""
    timeline = whole_match(slug, seed)
    found = found_in(timeline)
    chart = found.charts[0]
    assert chart.scores
    standings = timeline.standings(timeline.latest)
    assert standings is not None
    for standing in standings:
        seat = standing.seat
        gained = sum(gain.gain for gain in found.gains if gain.seat == seat)
        assert chart.points[-1].values[seat] == standing.score
        assert chart.points[0].values[seat] + gained == standing.score
    assert any(gain.gain for gain in found.gains)


@pytest.mark.parametrize("slug", REVIEWABLE)
def test_turns_and_versions_of_a_review_are_those_of_the_match(slug: str) -> None:
    timeline = whole_match(slug, 4)
    rules = timeline.rules
    found = found_in(timeline)
    for chart in found.charts:
        turns = [point.turn for point in chart.points]
        assert turns == sorted(set(turns))
        for point in chart.points:
            assert rules.turn(timeline.at(point.version).state) == point.turn
            assert len(point.values) == len(timeline.latest.seats)
    for each in (*found.gains, *found.highlights):
        assert timeline.at(each.version).state is not None
    assert found.highlights


@pytest.mark.parametrize("slug", REVIEWABLE)
def test_all_texts_of_a_review_can_be_rendered(slug: str) -> None:
    timeline = whole_match(slug, 5)
    names = tuple(f"Seat {seat}" for seat in range(len(timeline.latest.seats)))
    found = found_in(timeline)
    parts = [*found.gains, *found.highlights]
    words = [each.message for each in parts] + [chart.title for chart in found.charts]
    for each in words:
        said = format_message(slug, each.key, each.args, names)
        assert said
        assert "{" not in said
    assert len({each.key for each in words}) > 2


@pytest.mark.slow
@pytest.mark.parametrize("slug", [slug for slug in REVIEWABLE if "secret" in TITLES[slug].traits])
def test_kept_secrets_stay_out_of_the_review_after_the_end(slug: str) -> None:
    """What a review says of the past is the same before and after the last decision."""
    kept = 0
    for options in option_sets(TITLES[slug]):
        timeline = whole_match(slug, 6, **{name: on for name, on in options.items() if on is True})
        if timeline.viewer(0) != 0:
            continue
        kept += 1
        before = Timeline(timeline.rules, [*timeline.decisions][:-1])
        version = before.version
        early, late = found_in(before), found_in(timeline)
        assert [gain for gain in late.gains if gain.version <= version] == [*early.gains]
        assert [chart.title for chart in late.charts] == [chart.title for chart in early.charts]
        for one, other in zip(early.charts, late.charts, strict=True):
            assert other.points[: len(one.points)] == one.points
    assert kept
