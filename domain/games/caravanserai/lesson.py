"""Beginner's lesson for Caravanserai; see `domain.match.lesson`. Ships to the browser."""

from typing import Any

from domain.contract.game import Seat
from domain.games.caravanserai.commands import Command, LayBlock, PlaceCamel, SetGood, StartAt
from domain.games.caravanserai.events import (
    BlockLaid,
    CamelPlaced,
    CaravanStarted,
    GoodSetOnBoard,
    TailReturned,
)
from domain.games.caravanserai.legal_commands import choices
from domain.games.caravanserai.state import State
from domain.match.lesson import (
    DemonstrateMove,
    IsStepDone,
    Lesson,
    demonstrate_if_legal,
    has_event,
    question,
    step,
)

SEED = "1b80842792f06061542f4d6806054132f13d93421131847800791c5cba6806c5"
START, FIRST, SECOND, STOP = 62, (51,), (40, 29), 41
GROW, GROW_MORE, GROWN = ("purple", (53, 64)), ("red", (75, 86, 97)), 98


def _some_setting(state: State, seat: Seat) -> Command | None:
    """Return the command that sets a good on the free caravanserai nearest to the leading piece.

    Return None if no good can be set.
    """
    settings = [each for each in choices(state, seat) if isinstance(each, SetGood)]
    if not settings:
        return None
    cells = state.board.cells
    q, r, *_ = cells[state.players[seat].cells[-1]]

    def far(setting: SetGood) -> int:
        dq, dr = cells[setting.cell][0] - q, cells[setting.cell][1] - r
        return abs(dq) + abs(dr) + abs(dq + dr)

    return min(settings, key=far)


def _free_block(colour: str, path: tuple[int, ...]) -> DemonstrateMove:
    """Return a ``move`` function that demonstrates a block that is not counted.

    This is the given one; if the bot has moved differently than expected, another as long.
    """

    def shown(state: State, seat: Seat) -> Command | None:
        colours = state.board.colours
        free = [
            each
            for each in choices(state, seat)
            if isinstance(each, LayBlock)
            and len(each.path) == len(path)
            and {colours[cell] for cell in each.path} - {None} == {each.colour}
            and not each.declined
        ]
        wanted = LayBlock(colour, path)
        return wanted if wanted in free else next(iter(free), None)

    return shown


def _is_free_block(size: int) -> IsStepDone:
    """Return a check that the learner laid a free block of at least ``size`` goods."""

    def found(_before: Any, events: tuple[Any, ...]) -> bool:
        return any(
            type(each) is BlockLaid and each.seat == 0 and each.omitted and len(each.path) >= size
            for each in events
        )

    return found


def _camel(state: State, seat: Seat) -> Command | None:
    """Return the command that ends the second turn, on the expected cell if possible."""
    ends = [each for each in choices(state, seat) if isinstance(each, PlaceCamel)]
    return min(ends, key=lambda each: each.cell != GROWN, default=None)


def _show(command: Any) -> DemonstrateMove:
    """Return a demonstration of a command, or of several that form one move."""
    return demonstrate_if_legal(choices, command)


LESSON = Lesson(
    SEED,
    2,
    (
        step("goal"),
        step("start", has_event(CaravanStarted), _show(StartAt(START)), "start_done"),
        step(
            "first_block", has_event(BlockLaid), _show(LayBlock("red", FIRST)), "first_block_done"
        ),
        step(
            "second_block",
            _is_free_block(2),
            _show(LayBlock("yellow", SECOND)),
            "second_block_done",
        ),
        step("camel", has_event(CamelPlaced), _show(PlaceCamel(STOP)), "camel_done"),
        step("good", has_event(GoodSetOnBoard), _some_setting, "good_done"),
        step("two_colours"),
        step("grow", _is_free_block(len(GROW[1])), _free_block(*GROW), "grow_done"),
        step(
            "grow_more",
            _is_free_block(len(GROW_MORE[1])),
            _free_block(*GROW_MORE),
            "grow_more_done",
        ),
        step("grow_camel", has_event(TailReturned), _camel, "grow_camel_done"),
        step("end"),
    ),
    {"expert": False, "begins": "host"},
    questions=(
        question("ask_goal", ("goal_goods", "goal_longest", "goal_colours"), 1, "goal_reason"),
        question("ask_score", ("score_own", "score_any", "score_straight"), 0, "score_reason"),
        question("ask_end", ("end_camels", "end_rounds", "end_market"), 2, "end_reason"),
    ),
)
