"""Beginner's lesson for Caravanserai; see `domain.match.lesson`. Ships to the browser."""

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
from domain.match.lesson import Lesson, Step, demonstrate_if_legal, has_event
from domain.text.i18n import N_

SEED = "1b80842792f06061542f4d6806054132f13d93421131847800791c5cba6806c5"
START, FIRST, SECOND, STOP = 62, (51,), (40, 29), 41


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


LESSON = Lesson(
    SEED,
    2,
    (
        Step(
            N_(
                "Caravans start on a coloured cell of the rim, a caravanserai. "
                "Tap the ringed one, then “Start here”."
            ),
            has_event(CaravanStarted),
            demonstrate_if_legal(choices, StartAt(START)),
            N_("Your camel stands, and you got a good of that colour."),
        ),
        Step(
            N_("Now lay goods before it: choose red, and tap the ringed cell."),
            has_event(BlockLaid),
            demonstrate_if_legal(choices, LayBlock("red", FIRST)),
            N_("The next block has one good more, in another colour."),
        ),
        Step(
            N_("Lay two yellow ones, up to the yellow caravanserai."),
            has_event(BlockLaid, omitted=True),
            demonstrate_if_legal(choices, LayBlock("yellow", SECOND)),
            N_("Yellow on yellow is left out of the count: so caravans grow."),
        ),
        Step(
            N_("End with a camel. On a caravanserai the line may bend."),
            has_event(CamelPlaced),
            demonstrate_if_legal(choices, PlaceCamel(STOP)),
            N_("Four laid, two left out: two came back from your tail."),
        ),
        Step(
            N_("One was a camel: for it, set a good on the ringed caravanserai."),
            has_event(GoodSetOnBoard),
            _some_setting,
            N_("It waits there for whoever passes."),
        ),
        Step(
            N_(
                "The bot has played: its move is outlined on the board. "
                "The longest caravan wins in the end."
            ),
        ),
        Step(
            N_(
                "Now lead a whole turn yourself: blocks, then a camel. "
                "What seems barred says why when you tap it."
            ),
            has_event(TailReturned),
            explanation=N_("Well led."),
            allows_other_moves=True,
        ),
    ),
    {"expert": False, "begins": "host"},
)
