"""Every lesson can be completed by following its hints, with the real rules."""

import random
from typing import Any

import pytest

from domain.contract.registry import TITLES, game_module
from domain.games.caravanserai.commands import LayBlock
from domain.match.commands import Undo
from domain.match.lesson import Lesson, begin_lesson, compute_progress, lesson_of, play_bots
from domain.match.timeline import Timeline
from domain.toolkit.randomness import draws_from_seed
from tests.game_contract.strict_english import format_message

LESSONS = [slug for slug in TITLES if game_module(slug, "lesson")]
MOST = 60
"""Decisions in which a step must be done that says nothing of how."""


class Learner:
    """Plays a lesson step by step."""

    def __init__(self, slug: str) -> None:
        self.lesson: Lesson = lesson_of(slug)
        self.timeline: Timeline = begin_lesson(slug, "player-1", "Ann", 0)
        self.first = len(self.timeline.decisions)
        self.aside: set[int] = set()
        self.rng = random.Random(3)
        play_bots(self.timeline, 0)

    def come(self) -> Any:
        return compute_progress(self.lesson.steps, self.timeline, self.first, self.aside)

    def play(self, command: Any) -> None:
        self.timeline.play(
            0, command if isinstance(command, tuple) else [command], 0, draws_from_seed
        )
        play_bots(self.timeline, 0)

    def any_choice(self) -> Any:
        return self.rng.choice(self.timeline.rules.choices(self.timeline.latest.state, 0))

    def do(self) -> None:
        """Play the current step as shown."""
        at = self.come().step
        step = self.lesson.steps[at]
        if step.is_done is None:
            self.aside.add(at)
        for _ in range(MOST if step.allows_other_moves else 1 if step.is_done else 0):
            shown = step.move(self.timeline.latest.state, 0) if step.move else self.any_choice()
            assert shown is not None, step.instruction
            self.play(shown)
            if self.come().step > at:
                break
        assert self.come().step > at, step.instruction


def test_every_game_has_a_lesson() -> None:
    assert list(TITLES) == LESSONS


@pytest.mark.parametrize("slug", LESSONS)
def test_every_text_of_a_lesson_is_known(slug: str) -> None:
    for step in lesson_of(slug).steps:
        assert format_message(slug, step.instruction, {})
        assert not step.explanation or format_message(slug, step.explanation, {})
    for question in lesson_of(slug).questions:
        for text in (question.question, *question.answers, question.explanation):
            assert format_message(slug, text, {})


@pytest.mark.parametrize("slug", LESSONS)
def test_lesson_asks_three_questions_or_none(slug: str) -> None:
    questions = lesson_of(slug).questions
    assert len(questions) in (0, 3)
    for question in questions:
        assert 2 <= len({*question.answers}) == len(question.answers) <= 3
        assert 0 <= question.right < len(question.answers)


@pytest.mark.parametrize("slug", LESSONS)
def test_hints_lead_to_the_end_of_a_lesson(slug: str) -> None:
    learner = Learner(slug)
    steps = learner.lesson.steps
    assert 6 <= len(steps) <= 14
    for number in range(len(steps)):
        assert learner.come().step == number, steps[number].instruction
        assert learner.come().strayed_at == 0
        if steps[number].is_done:
            assert learner.timeline.latest.status == "playing"
        learner.do()
    assert learner.come().step == len(steps)


@pytest.mark.parametrize("slug", LESSONS)
def test_other_move_is_noticed_and_undone(slug: str) -> None:
    learner = Learner(slug)
    strayed = 0
    for _ in learner.lesson.steps:
        before = learner.come()
        step = learner.lesson.steps[before.step]
        if step.move is not None and step.is_done is not None and not step.allows_other_moves:
            shown = step.move(learner.timeline.latest.state, 0)
            legal = learner.timeline.rules.choices(learner.timeline.latest.state, 0)
            others = [command for command in legal if command != shown]
        else:
            others = []
        if others:
            version = learner.timeline.version
            learner.play(others[-1])
            if learner.come().step == before.step:
                assert learner.come().strayed_at == version
                strayed += 1
            learner.timeline.play(0, [Undo(version)], 0, draws_from_seed)
            play_bots(learner.timeline, 0)
            assert learner.come() == before
        learner.do()
    assert strayed


def test_shorter_block_than_asked_can_be_undone() -> None:
    """A step that asks for a block of two is not done by a block of one."""
    learner = Learner("caravanserai")
    while learner.lesson.steps[learner.come().step].instruction != "lesson.grow":
        learner.do()
    before, version = learner.come(), learner.timeline.version
    path = learner.lesson.steps[before.step].move(learner.timeline.latest.state, 0).path
    learner.play(LayBlock("purple", path[:1]))
    assert learner.come().step == before.step
    assert learner.come().strayed_at == version
