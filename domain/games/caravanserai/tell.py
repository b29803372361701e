"""Labels of commands and descriptions of events of Caravanserai. Ships to the browser."""

from collections.abc import Callable
from typing import Any

from domain.contract.game import Label, Seat, event_message
from domain.games.caravanserai import commands, events
from domain.games.caravanserai.pieces import COLOURS, Cell
from domain.games.caravanserai.state import State


def label(state: State, seat: Seat, command: commands.Command) -> Label:
    """Return the label of a legal command."""
    names, colours = state.board.names, state.board.colours
    match command:
        case commands.StartAt(cell=cell):
            key = f"start-on-{colours[cell]}"  # "-without-good" if the market lacks it (ruling 26)
            has = state.market[COLOURS.index(str(colours[cell]))]
            return Label(key if has else key + "-without-good", {"cell": names[cell]})
        case commands.LayBlock(colour=colour, path=path, declined=declined):
            args = {"size": len(path), "where": _where(state, path)}
            if not declined:
                return Label("lay-" + colour, args)
            args["declined"] = _where(state, declined)
            return Label(f"lay-{colour}-declining", args)
        case commands.LayCamelDown(cell=cell):
            return Label("lay-camel-down", {"cell": names[cell]})
        case commands.PlaceCamel(cell=cell):
            key = "place-camel" if colours[cell] is None else f"place-camel-on-{colours[cell]}"
            return Label(key, {"cell": names[cell]})
        case commands.TakeFrom(whom=whom):
            return Label(f"take-{state.missing}", {"whom": whom})
        case commands.SetGood(colour=colour, cell=cell):
            return Label("set-" + colour, {"cell": names[cell]})
    raise TypeError(command)


def _where(state: State, path: tuple[Cell, ...]) -> str:
    return " ".join([state.board.names[cell] for cell in path])


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the description of an event: a message id and its arguments."""
    match event:
        case events.BoardLaid(tiles=tiles, expert=expert):
            return "board-laid-expert" if expert else "board-laid", {"tiles": len(tiles)}
        case events.GoodsSetOut(cells=cells):
            return "goods-set-out", {"number": len(cells)}
        case events.RoundLimitSet(rounds=rounds) | events.EndAnnounced(rounds=rounds):
            is_start = isinstance(event, events.RoundLimitSet)
            return "round-limit" if is_start else "end-announced", {"rounds": rounds}
        case events.GameEnded(reason=reason):
            return "ended-" + reason, {}
        case events.TailReturned(seat=seat, pieces=pieces, omitted=omitted):
            return "tail-returned", {
                "who": seat,
                "pieces": pieces,
                "free": {"key": "tail-free", "args": {"n": omitted}},
                "count": pieces - omitted,
            }
        case events.BlockLaid(seat=seat, colour=colour, path=path, omitted=omitted):
            key = "block-laid-omitted" if omitted else "block-laid"
            return key, {"who": seat, "colour": colour, "size": len(path)}
        case events.TurnSkipped(seat=seat, why=why):
            return "skipped-" + why, {"who": seat}
        case events.GoodsTaken(seat=seat, colour=colour, source=source, whom=whom):
            args = {"who": seat, "colour": colour}
            return "taken-" + source, {**args, "whom": whom} if source == "opponent" else args
        case _:
            return _TELLERS[type(event)](event)


_TELLERS: dict[type, Callable[[Any], tuple[str, dict[str, Any]]]] = {
    events.TurnBegan: event_message("turn-began", who="seat", turn="turn"),
    events.FinalRoundBegan: event_message("final-round"),
    events.CamelLaidDown: event_message("camel-laid-down", who="seat", size="size"),
    events.FirstPlayerDrawn: event_message("first-drawn", who="seat"),
    events.CaravanStarted: event_message("caravan-started", who="seat"),
    events.CamelPlaced: event_message("camel-placed", who="seat"),
    events.MarketEmptied: event_message("market-emptied", who="seat"),
    events.GoodReturned: event_message("good-returned", colour="colour"),
    events.GoodMissed: event_message("good-missed", who="seat", colour="colour"),
    events.GoodSetOnBoard: event_message("good-set", who="seat", colour="colour"),
}
