"""Texts of Caravanserai: labels of commands and descriptions of events. Ships to the browser."""

from typing import Any

from domain.caravanserai.events import (
    COLOURS,
    BlockLaid,
    BoardLaid,
    CamelLaidDown,
    CamelPlaced,
    CaravanStarted,
    Cell,
    Command,
    EndAnnounced,
    FinalRoundBegan,
    FirstPlayerDrawn,
    GameEnded,
    GoodMissed,
    GoodReturned,
    GoodSetOnBoard,
    GoodsSetOut,
    GoodsTaken,
    LayBlock,
    LayCamelDown,
    MarketEmptied,
    PlaceCamel,
    RoundLimitSet,
    SetGood,
    StartAt,
    TailReturned,
    TakeFrom,
    TurnBegan,
    TurnSkipped,
)
from domain.caravanserai.state import State
from domain.game import Label, Seat
from domain.words import Plural, Sentence

# one sentence for each colour: in other languages words bend with it
_CHOICES = {
    "start-on-{colour}": "Start on {colour} at {cell}",
    "start-on-{colour}-without-good": "Start on {colour} at {cell} (the market has no {colour})",
    "lay-{colour}": "Lay {size} {colour} on {where}",
    "lay-{colour}-declining": "Lay {size} {colour} on {where}, "
    "sending what stands on {declined} to the market",
    "place-camel-on-{colour}": "Place the camel on {colour} at {cell}",
    "take-{colour}": "Take a {colour} good from {whom:seat}",
    "set-{colour}": "Set a {colour} good on {cell}",
}

TEXT: dict[str, Sentence] = {
    # colours of goods, and what else a piece of a caravan may be
    "colour-white": "white",
    "colour-black": "black",
    "colour-purple": "purple",
    "colour-red": "red",
    "colour-yellow": "yellow",
    "colour-camel": "camel",
    "colour-lying": "lying camel",
    # groups of choices
    "group-StartAt": "Begin at a caravanserai",
    "group-LayBlock": "Lay a block",
    "group-PlaceCamel": "Place the camel",
    "group-LayCamelDown": "Lay the camel down",
    "group-TakeFrom": "Take a good from another",
    "group-SetGood": "Set a good on the board",
    # choices
    "lay-camel-down": "Lay a camel down on {cell}",
    "place-camel": "Place the camel on {cell}",
    # the log
    "board-laid": Plural(
        "The board is laid: {tiles} tile", "The board is laid: {tiles} tiles", "tiles"
    ),
    "board-laid-expert": Plural(
        "The board is laid: {tiles} tile, expert rules",
        "The board is laid: {tiles} tiles, expert rules",
        "tiles",
    ),
    "goods-set-out": Plural(
        "{number} good stands on the board", "{number} goods stand on the board", "number"
    ),
    "first-drawn": "{who:seat} is drawn as first player",
    "round-limit": "The game ends after {rounds} rounds in a row without a change of the market",
    "caravan-started": "{who:seat} starts a caravan",
    "turn-began": "{who:seat} plays turn {turn}",
    "skipped-no-camel": "{who:seat} has no camel left to place and skips",
    "skipped-blocked": "{who:seat} is blocked and skips",
    "good-returned": "A standing {colour:colour} good goes back to the market",
    "block-laid": "{who:seat} lays {size} {colour:colour}",
    "block-laid-omitted": Plural(
        "{who:seat} lays {size} {colour:colour}, which does not count",
        "{who:seat} lays {size} {colour:colour}, which do not count",
        "size",
    ),
    "camel-laid-down": "{who:seat} lays a camel down for the block of {size}",
    "camel-placed": "{who:seat} places the camel",
    "taken-market": "{who:seat} takes a {colour:colour} good from the market",
    "taken-standing": "{who:seat} takes the {colour:colour} good that stood there",
    "taken-opponent": "{who:seat} takes a {colour:colour} good from {whom:seat}",
    "good-missed": "The market has no {colour:colour} left: {who:seat} chooses who gives one",
    "tail-returned": Plural(
        "{pieces} piece less {omitted} omitted: {who:seat} takes {count} back",
        "{pieces} pieces less {omitted} omitted: {who:seat} takes {count} back",
        "pieces",
    ),
    "good-set": "{who:seat} sets a {colour:colour} good on the board",
    "market-emptied": "{who:seat} took the last good of the market",
    "end-announced": Plural(
        "The market has not changed for long: the game ends after {rounds} more round like this",
        "The market has not changed for long: the game ends after {rounds} more rounds like these",
        "rounds",
    ),
    "final-round": "The final round begins",
    "ended-market": "The game is over",
    "ended-camels": "No camel is left: the game is over",
    "ended-stuck": "Nobody can place anything: the game is over",
    "ended-unchanged": "The market has not changed for too long: the game is over",
    # why a block is omitted from the count, or is not
    "why-match": "Crosses a caravanserai of its colour: omitted",
    "why-plain": "Crosses no caravanserai: counts",
    "why-other": "Crosses a caravanserai of another colour: counts",
    "why-mixed": "Crosses caravanserais of two colours: counts",
    "why-returned": "A standing good went back to the market: counts",
}

TEXT.update(
    {
        key.replace("{colour}", colour): sentence.replace("{colour}", colour)
        for key, sentence in _CHOICES.items()
        for colour in COLOURS
    }
)


def label(state: State, seat: Seat, command: Command) -> Label:
    """Return the label of a legal command."""
    names, colours = state.board.names, state.board.colours
    match command:
        case StartAt(cell=cell):
            key = f"start-on-{colours[cell]}"  # ruling 26: whether the market has a good for it
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


def _where(state: State, path: tuple[Cell, ...]) -> str:
    return " ".join([state.board.names[cell] for cell in path])


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """Return the text of an event: a key of ``TEXT`` and its arguments."""
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
                "omitted": omitted,
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
