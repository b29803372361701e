"""A first game in which one learns by doing: what a game's module ``lesson`` offers.

It offers ``LESSON``: a match like any other, from a fixed seed, and what is to be done in it step
by step. Nothing is kept of how far somebody has come but the match itself: each step is looked for
in the decisions that count, so that taking back and beginning anew need nothing of their own.
Only steps that were put aside are told from outside. Sentences are English; the room of their
words is the game. Ships to the browser, in a part that is fetched when it is opened.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from domain.bots import Thinking, suggested
from domain.draws import commitment, seeded
from domain.game import Seat
from domain.marks import bot_mark
from domain.match import PHONE, Open, Timeline
from domain.match import Seat as Place
from domain.register import TITLES, part_of, rules_of

Happened = Callable[[Any, tuple[Any, ...]], bool]
"""``done(before, events)``: whether a decision is what a step asks for; ``before`` is the state."""
Shown = Callable[[Any, Seat], Any]
"""``move(state, seat)``: the command that a step shows, or several that are one move; None when the
moment has none."""

BOTS = 1_000_000
"""From which number on bots draw from the seed, far from what the game draws."""


class Step(Struct, frozen=True):
    """One thing to be done. ``words`` say what; ``learnt`` says afterwards what came of it and
    why. Without ``done`` it is only read. ``freely``: whatever is done on the way is right too.
    """

    words: str
    done: Happened | None = None
    move: Shown | None = None
    learnt: str = ""
    freely: bool = False


class Lesson(Struct, frozen=True):
    """The match and the steps. A person has the first of the seats, bots have the others;
    ``opening``: what the person does before the lesson begins, one after the other."""

    seed: str
    seats: int
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}
    opening: tuple[Any, ...] = ()


class Progress(Struct, frozen=True):
    """How far a lesson has come: the ``step`` that is due, whether the one before it was done (and
    not put aside), and the version before the first thing that was done instead; 0: nothing."""

    step: int
    done: bool
    strayed: int


def lesson_of(slug: str) -> Lesson:
    """The lesson of a game."""
    lesson: Lesson = part_of(slug, "lesson").LESSON
    return lesson


def begun(slug: str, player: str, name: str, at: int) -> Timeline:
    """The match of a lesson at its beginning; the person has the first seat."""
    lesson, rules = lesson_of(slug), rules_of(slug)
    seats = [Place("human", name, player)]
    seats += [Place("bot", bot_mark(number), None) for number in range(1, lesson.seats)]
    opening = Open(
        slug,
        TITLES[slug].rules_version,
        lesson.options,
        tuple(seats),
        "private",
        player,
        commitment(bytes.fromhex(lesson.seed)),
        lesson.seed,
        source=PHONE,
    )
    timeline = Timeline(rules)
    timeline.play(None, [opening], at, seeded)
    for command in lesson.opening:
        bots_move(timeline, at)
        timeline.play(0, [command], at, seeded)
    return timeline


def bots_move(timeline: Timeline, at: int) -> None:
    """Lets the bots of a lesson play until a person is to act."""
    while True:
        now = timeline.now
        acting = [s for s in timeline.to_act(now) if now.seats[s].kind == "bot"]
        if not acting:
            return
        timeline.play(acting[0], [bot_move(timeline, acting[0])], at, seeded)


def bot_move(timeline: Timeline, seat: Seat) -> Any:
    """What a bot does in a lesson: always the same where the same has been done before."""
    now = timeline.now
    moved = len([*timeline.line(now)])
    draw = seeded(now.opened.seed, BOTS + 1000 * moved)
    return suggested(now.opened.game, now.state, seat, Thinking(draw, "easy", _at_once))


def _at_once() -> bool:
    return False


def progress(
    steps: Sequence[Step], timeline: Timeline, first: int, aside: Collection[int], since: int = 0
) -> Progress:
    """How far the steps have come in the decisions from number ``first`` on; ``aside``: the steps
    that were read or put aside; up to the version ``since`` nothing was done wrongly."""
    line = [index for index in timeline.line(timeline.now) if index >= first][::-1]
    done = False
    for number, step in enumerate(steps):
        found = _found(step, timeline, line)
        if found is None and number not in aside:
            return Progress(number, done, _strayed(step, timeline, line, since))
        done = found is not None
        if found is not None:
            line = line[found + 1 :]
    return Progress(len(steps), done, 0)


def _found(step: Step, timeline: Timeline, line: list[int]) -> int | None:
    """Where in the line the step was done."""
    if step.done is None:
        return None
    for place, index in enumerate(line):
        before = timeline.moments[timeline.moments[index].parent].state
        if step.done(before, timeline.decisions[index].events):
            return place
    return None


def _strayed(step: Step, timeline: Timeline, line: list[int], since: int) -> int:
    """The version before the person's first decision in the line; 0: there is none, or it is right
    as well, or what it leads to waits for others."""
    if step.freely or step.done is None or 0 not in timeline.to_act(timeline.now):
        return 0
    for index in line:
        decision = timeline.decisions[index]
        if decision.seat == 0 and decision.version > since:
            return timeline.moments[timeline.moments[index].parent].version
    return 0


def offered(choices: Callable[[Any, Seat], list[Any]], command: Any) -> Shown:
    """Shows a command wherever it is among the choices."""

    def shown(state: Any, seat: Seat) -> Any:
        return command if command in choices(state, seat) else None

    return shown


def happened(*kinds: type, **like: Any) -> Happened:
    """Whether an event of one of these types happened to the person, with these fields."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(_fits(event, kinds, {"seat": 0, **like}) for event in events)

    return found


def _fits(event: Any, kinds: tuple[type, ...], like: dict[str, Any]) -> bool:
    return type(event) in kinds and all(
        getattr(event, name) == value for name, value in like.items()
    )
