"""Labels of commands and descriptions of events of Caravanserai. Ships to the browser."""

from typing import Any

from domain.contract.game import Label, Seat
from domain.games.caravanserai.commands import (
    Command,
    LayBlock,
    LayCamelDown,
    PlaceCamel,
    SetGood,
    StartAt,
    TakeFrom,
)
from domain.games.caravanserai.events import (
    BlockLaid,
    BoardLaid,
    CamelLaidDown,
    CamelPlaced,
    CaravanStarted,
    EndAnnounced,
    FinalRoundBegan,
    FirstPlayerDrawn,
    GameEnded,
    GoodMissed,
    GoodReturned,
    GoodSetOnBoard,
    GoodsSetOut,
    GoodsTaken,
    MarketEmptied,
    RoundLimitSet,
    TailReturned,
    TurnBegan,
    TurnSkipped,
)
from domain.games.caravanserai.pieces import COLOURS, Cell
from domain.games.caravanserai.state import State


def label(state: State, seat: Seat, command: Command) -> Label:
    """Return the label of a legal command."""
    names, colours = state.board.names, state.board.colours
    match command:
        case StartAt(cell=cell):
            key = f"start-on-{colours[cell]}"  # "-without-good" if the market lacks it (ruling 26)
            has = state.market[COLOURS.index(str(colours[cell]))]
            return Label(key if has else key + "-without-good", {"cell": names[cell]})
        case LayBlock(colour=colour, path=path, declined=declined):
            args = {"size": len(path), "where": _where(state, path)}
            if not declined:
                return Label("lay-" + colour, args)
            args["declined"] = _where(state, declined)
            return Label(f"lay-{colour}-declining", args)
        case LayCamelDown(cell=cell):
            return Label("lay-camel-down", {"cell": names[cell]})
        case PlaceCamel(cell=cell):
            key = "place-camel" if colours[cell] is None else f"place-camel-on-{colours[cell]}"
            return Label(key, {"cell": names[cell]})
        case TakeFrom(whom=whom):
            return Label(f"take-{state.missing}", {"whom": whom})
        case SetGood(colour=colour, cell=cell):
            return Label("set-" + colour, {"cell": names[cell]})
    raise TypeError(command)


def _where(state: State, path: tuple[Cell, ...]) -> str:
    return " ".join([state.board.names[cell] for cell in path])


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the description of an event: a message id and its arguments."""
    match event:
        case BoardLaid(tiles=tiles, expert=expert):
            return "board-laid-expert" if expert else "board-laid", {"tiles": len(tiles)}
        case GoodsSetOut(cells=cells):
            return "goods-set-out", {"number": len(cells)}
        case TurnBegan(seat=seat, turn=turn):
            return "turn-began", {"who": seat, "turn": turn}
        case RoundLimitSet(rounds=rounds) | EndAnnounced(rounds=rounds):
            is_start = isinstance(event, RoundLimitSet)
            return "round-limit" if is_start else "end-announced", {"rounds": rounds}
        case FinalRoundBegan():
            return "final-round", {}
        case GameEnded(reason=reason):
            return "ended-" + reason, {}
        case TailReturned(seat=seat, pieces=pieces, omitted=omitted):
            return "tail-returned", {
                "who": seat,
                "pieces": pieces,
                "free": {"key": "tail-free", "args": {"n": omitted}},
                "count": pieces - omitted,
            }
        case BlockLaid(seat=seat, colour=colour, path=path, omitted=omitted):
            key = "block-laid-omitted" if omitted else "block-laid"
            return key, {"who": seat, "colour": colour, "size": len(path)}
        case CamelLaidDown(seat=seat, size=size):
            return "camel-laid-down", {"who": seat, "size": size}
        case TurnSkipped(seat=seat, why=why):
            return "skipped-" + why, {"who": seat}
        case GoodsTaken(seat=seat, colour=colour, source=source, whom=whom):
            args = {"who": seat, "colour": colour}
            return "taken-" + source, {**args, "whom": whom} if source == "opponent" else args
        case _:
            return _of_one_good(event)


def _of_one_good(event: Any) -> tuple[str, dict[str, Any]]:
    match event:
        case FirstPlayerDrawn(seat=seat):
            return "first-drawn", {"who": seat}
        case CaravanStarted(seat=seat):
            return "caravan-started", {"who": seat}
        case CamelPlaced(seat=seat):
            return "camel-placed", {"who": seat}
        case MarketEmptied(seat=seat):
            return "market-emptied", {"who": seat}
        case GoodReturned(colour=colour):
            return "good-returned", {"colour": colour}
        case GoodMissed(seat=seat, colour=colour):
            return "good-missed", {"who": seat, "colour": colour}
        case GoodSetOnBoard(seat=seat, colour=colour):
            return "good-set", {"who": seat, "colour": colour}
        case _:
            raise TypeError(type(event).__name__)
