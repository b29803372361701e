"""The review of a match compared with numbers counted from the states."""

import random
from collections import Counter
from typing import Any

import pytest

from domain.games.caravanserai.commands import LayBlock
from domain.games.caravanserai.events import BlockLaid, CamelPlaced
from domain.games.caravanserai.pieces import COLOURS
from domain.match.commands import Undo
from domain.match.review import compute_findings, effective_events, review_steps
from domain.match.timeline import Timeline
from tests.game_contract.play import opened, play, random_steps


def whole_match(seats: int, expert: bool, seed: int = 1) -> Timeline:
    timeline = opened(("caravanserai", seats, {"expert": expert}), seed)
    for _ in random_steps(timeline, random.Random(seed), 5_000):
        pass
    assert timeline.latest.status == "finished"
    return timeline


def told_of(timeline: Timeline) -> dict[str, Any]:
    """Return the game-specific part of the review."""
    found = compute_findings(timeline, None)
    assert found is not None
    return found.own


@pytest.mark.parametrize("expert", [False, True])
@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_lengths_are_those_of_the_states(seats: int, expert: bool) -> None:
    """After each turn, and at the end: length = 1 + what was omitted (4.2)."""
    timeline = whole_match(seats, expert)
    found = told_of(timeline)
    assert [row["turn"] for row in found["lengths"]] == list(range(len(found["lengths"])))
    for row in found["lengths"]:
        players = timeline.at(row["version"]).state.players
        assert row["lengths"] == [len(player.cells) for player in players]
    final = timeline.latest.state
    assert found["lengths"][-1]["turn"] == final.turn
    for told, player in zip(found["seats"], final.players, strict=True):
        assert told["length"] == len(player.cells) == 1 + told["gained"]
        assert told["gained"] == sum(gain["gain"] for gain in told["gains"])
        assert min((gain["gain"] for gain in told["gains"]), default=1) > 0


@pytest.mark.parametrize("seats", [1, 3, 5])
def test_placements_are_those_of_the_states(seats: int) -> None:
    """At the version of a placement its pieces lie on the board and its camel leads."""
    timeline = whole_match(seats, True, seed=2)
    found = told_of(timeline)
    most = 0
    for told in found["seats"]:
        longest = told["longest"]
        for gain in told["gains"]:
            before = timeline.at(gain["version"]).state
            assert before.seat == told["seat"]
            assert before.placement.closed
            assert before.placement.omitted == gain["gain"]
            assert before.turn == gain["turn"]
        at = timeline.at(longest["version"]).state
        assert at.placement.pieces == longest["pieces"]
        assert at.placement.omitted == longest["omitted"]
        sizes = [len(laid.path) for laid in at.placement.laid]
        assert [block["size"] for block in longest["blocks"]] == sizes[:-1]
        most = max(most, longest["pieces"])
    assert found["longest"]["pieces"] == most
    placements = [
        event for _, event, _ in effective_events(timeline) if isinstance(event, CamelPlaced)
    ]
    by_seat = Counter(event.seat for event in placements)
    assert [told["placements"] for told in found["seats"]] == [by_seat[s] for s in range(seats)]


def test_goods_laid_are_those_of_the_commands() -> None:
    """Counted from the commands, not from the events."""
    timeline = whole_match(3, False)
    found = told_of(timeline)
    asked = [dict.fromkeys(COLOURS, 0) for _ in range(3)]
    for index in timeline.ancestry(timeline.latest):
        decision = timeline.decisions[index]
        if isinstance(decision.command, LayBlock):
            assert decision.seat is not None
            asked[decision.seat][decision.command.colour] += len(decision.command.path)
    assert [told["laid"] for told in found["seats"]] == asked


def test_undone_moves_do_not_count() -> None:
    """A match whose last turn was undone has the review from before that turn."""
    timeline = opened(("caravanserai", 2, {"expert": False}), 5, people=1)
    rng = random.Random(5)
    for _ in random_steps(timeline, rng, 60):
        pass
    version, before = timeline.version, told_of(timeline)
    seat = timeline.to_act(timeline.latest)[0]
    for _ in random_steps(timeline, rng, 12):
        pass
    assert told_of(timeline) != before
    play(timeline, seat, Undo(version))
    assert told_of(timeline) == before
    assert [step.version for step in review_steps(timeline, None)][-1] <= version


def test_steps_end_and_begin_where_asked() -> None:
    """Versions from first to last, each with the view at that time, also within a decision."""
    timeline = whole_match(2, False)
    whole = list(review_steps(timeline, None))
    for first, last in ((1, 40), (17, 53), (timeline.version - 3, timeline.version)):
        part = list(review_steps(timeline, None, first, last))
        assert part == [step for step in whole if first <= step.version <= last]
        for step in part:
            state = timeline.at(step.version).state
            assert step.view == timeline.rules.view(state, None)


def test_a_running_match_has_a_review_and_an_open_one_has_none() -> None:
    timeline = opened(("caravanserai", 2, {"expert": False}), 3)
    found = told_of(timeline)
    assert found["lengths"] == []
    assert [told["longest"] for told in found["seats"]] == [None, None]
    for _ in random_steps(timeline, random.Random(1), 20):
        pass
    laid = sum(
        len(event.path)
        for _, event, _ in effective_events(timeline)
        if isinstance(event, BlockLaid)
    )
    found = told_of(timeline)
    assert sum(sum(told["laid"].values()) for told in found["seats"]) == laid > 0
