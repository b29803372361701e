"""Interactive lessons: the interface of a game's module ``lesson``, and progress through a lesson.

The module offers ``LESSON``: a match with a fixed seed, and the steps to do in it. Progress is not
stored but derived from the decisions that count, so undo and restart need no extra code; only
skipped steps are passed in. Sentences are English and belong to the game's message catalogue. Ships
to the browser, in a part that is loaded when a lesson is opened.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

from msgspec import Struct

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import Seat
from domain.contract.registry import TITLES, game_module, rules_of
from domain.match.commands import Open
from domain.match.seats import PHONE
from domain.match.seats import Seat as Place
from domain.match.timeline import Timeline
from domain.text.default_names import default_bot_name
from domain.toolkit.randomness import compute_commitment, draws_from_seed

IsStepDone = Callable[[Any, tuple[Any, ...]], bool]
"""``is_done(before, events)`` returns whether a decision completes a step; ``before`` is the state
before the decision, ``events`` are its events."""
DemonstrateMove = Callable[[Any, Seat], Any]
"""``move(state, seat)`` returns the command that a step demonstrates, or several that form one
move; None if the move is not legal in the state."""

FIRST_BOT_DRAW = 1_000_000
"""Index of the bots' first draw from the seed, far beyond the game's own draws."""


class Step(Struct, frozen=True):
    """One step of a lesson.

    ``instruction``: what to do; ``explanation``: shown when it is done. ``is_done``: recognises the
    decision that completes the step; None for a step that is only read. ``move``: returns the move
    to demonstrate. ``allows_other_moves``: whether other moves are accepted before that decision.
    """

    instruction: str
    is_done: IsStepDone | None = None
    move: DemonstrateMove | None = None
    explanation: str = ""
    allows_other_moves: bool = False


class Question(Struct, frozen=True):
    """A question at the end of a lesson.

    ``answers``: two or three, of which the one with the index ``right`` is right. ``explanation``:
    why; shown after each answer, right or wrong.
    """

    question: str
    answers: tuple[str, ...]
    right: int
    explanation: str


def step(
    name: str,
    is_done: IsStepDone | None = None,
    move: DemonstrateMove | None = None,
    explanation: str = "",
    *,
    allows_other_moves: bool = False,
) -> Step:
    """Return a step whose messages are ``lesson.NAME`` and ``lesson.EXPLANATION``."""
    after = f"lesson.{explanation}" if explanation else ""
    return Step(f"lesson.{name}", is_done, move, after, allows_other_moves)


def question(name: str, answers: tuple[str, ...], right: int, explanation: str) -> Question:
    """Return a question whose message ids are the given names after ``lesson.``."""
    texts = tuple([f"lesson.{answer}" for answer in answers])
    return Question(f"lesson.{name}", texts, right, f"lesson.{explanation}")


class Lesson(Struct, frozen=True):
    """The match, the steps and the closing questions of a lesson.

    The learner has seat 0, and bots have the others. ``opening``: commands played for the learner,
    in order, before the lesson begins. ``questions``: what is the goal, what scores, how it ends.
    """

    seed: str
    seats: int
    steps: tuple[Step, ...]
    options: dict[str, Any] = {}
    opening: tuple[Any, ...] = ()
    questions: tuple[Question, ...] = ()


class Progress(Struct, frozen=True):
    """Progress through a lesson.

    ``step``: index of the current step. ``previous_done``: whether the previous step was done
    rather than skipped. ``strayed_at``: the version before the learner's first move that does not
    follow the step; 0 if none.
    """

    step: int
    previous_done: bool
    strayed_at: int


def lesson_of(slug: str) -> Lesson:
    """Return the lesson of a game."""
    lesson: Lesson = game_module(slug, "lesson").LESSON
    return lesson


def begin_lesson(slug: str, player: str, name: str, at: int) -> Timeline:
    """Return the match of a lesson at its beginning; the player has seat 0.

    ``at``: the current instant in milliseconds since 1970 UTC.
    """
    lesson, rules = lesson_of(slug), rules_of(slug)
    seats = [Place("human", name, player)]
    seats += [Place("bot", default_bot_name(number), None) for number in range(1, lesson.seats)]
    opening = Open(
        slug,
        TITLES[slug].rules_version,
        lesson.options,
        tuple(seats),
        "private",
        player,
        compute_commitment(bytes.fromhex(lesson.seed)),
        lesson.seed,
        source=PHONE,
    )
    timeline = Timeline(rules)
    timeline.play(None, [opening], at, draws_from_seed)
    for command in lesson.opening:
        play_bots(timeline, at)
        timeline.play(0, [command], at, draws_from_seed)
    return timeline


def play_bots(timeline: Timeline, at: int) -> None:
    """Play the bots' moves of a lesson until no bot is to act."""
    while True:
        now = timeline.latest
        acting = [s for s in timeline.to_act(now) if now.seats[s].kind == "bot"]
        if not acting:
            return
        timeline.play(acting[0], [choose_bot_move(timeline, acting[0])], at, draws_from_seed)


def choose_bot_move(timeline: Timeline, seat: Seat) -> Any:
    """Return a bot's move in a lesson; it depends only on the decisions before it."""
    now = timeline.latest
    moved = len([*timeline.ancestry(now)])
    draw = draws_from_seed(now.opened.seed, FIRST_BOT_DRAW + 1000 * moved)
    return suggest_command(now.opened.game, now.state, seat, Thinking(draw, "easy", _no_more_time))


def _no_more_time() -> bool:
    return False


def compute_progress(
    steps: Sequence[Step], timeline: Timeline, first: int, skipped: Collection[int], since: int = 0
) -> Progress:
    """Return the progress through the steps, given the decisions from index ``first`` on.

    ``skipped``: indexes of the steps that were read or skipped. ``since``: decisions up to this
    version do not count as straying.
    """
    line = [index for index in timeline.ancestry(timeline.latest) if index >= first][::-1]
    done = False
    for number, step in enumerate(steps):
        found = _find_step(step, timeline, line)
        if found is None and number not in skipped:
            return Progress(number, done, _strayed_version(step, timeline, line, since))
        done = found is not None
        if found is not None:
            line = line[found + 1 :]
    return Progress(len(steps), done, 0)


def _find_step(step: Step, timeline: Timeline, line: list[int]) -> int | None:
    """Return the position in ``line`` of the decision that completed the step; None if none did.

    ``line``: indexes of decisions, oldest first.
    """
    if step.is_done is None:
        return None
    for place, index in enumerate(line):
        before = timeline.moments[timeline.moments[index].parent].state
        if step.is_done(before, timeline.decisions[index].events):
            return place
    return None


def _strayed_version(step: Step, timeline: Timeline, line: list[int], since: int) -> int:
    """Return the version before the learner's first decision in ``line`` after version ``since``.

    0 if there is none, if the step allows other moves or is only read, or if the learner is not to
    act.
    """
    if step.allows_other_moves or step.is_done is None or 0 not in timeline.to_act(timeline.latest):
        return 0
    for index in line:
        decision = timeline.decisions[index]
        if decision.seat == 0 and decision.version > since:
            return timeline.moments[timeline.moments[index].parent].version
    return 0


def demonstrate_if_legal(
    choices: Callable[[Any, Seat], list[Any]], command: Any
) -> DemonstrateMove:
    """Return a ``move`` function that demonstrates a command whenever it is legal.

    ``command``: also several, which form one move that is legal if the first of them is.
    """
    first = command[0] if isinstance(command, tuple) else command

    def shown(state: Any, seat: Seat) -> Any:
        return command if first in choices(state, seat) else None

    return shown


def has_event(*kinds: type, **like: Any) -> IsStepDone:
    """Return an ``is_done`` function that looks for an event of these types with these fields.

    ``like``: values of fields; ``seat`` is 0 by default.
    """

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(_matches_event(event, kinds, {"seat": 0, **like}) for event in events)

    return found


def _matches_event(event: Any, kinds: tuple[type, ...], like: dict[str, Any]) -> bool:
    return type(event) in kinds and all(
        getattr(event, name) == value for name, value in like.items()
    )
