"""Caravanserai in words: labels of choices and lines of the log. Ships to the browser."""

from typing import Any

from domain.caravanserai.events import (
    COLOURS,
    BlockLaid,
    BoardLaid,
    CamelLaidDown,
    CamelPlaced,
    CaravanStarted,
    FinalRoundBegan,
    GameEnded,
    GoodMissed,
    GoodReturned,
    GoodSetOnBoard,
    GoodsSetOut,
    GoodsTaken,
    MarketEmptied,
    TailReturned,
    TurnBegan,
    TurnSkipped,
)

# one sentence for each colour: in other languages words bend with it
_CHOICES = {
    "start-on-{colour}": "Start on {colour} at {{cell}}",
    "lay-{colour}": "Lay {{size}} {colour} on {{where}}",
    "lay-{colour}-declining": "Lay {{size}} {colour} on {{where}}, "
    "sending what stands on {{declined}} to the market",
    "place-camel-on-{colour}": "Place the camel on {colour} at {{cell}}",
    "take-{colour}": "Take a {colour} good from {{whom}}",
    "set-{colour}": "Set a {colour} good on {{cell}}",
}

TEXT = {
    # choices
    "lay-camel-down": "Lay a camel down on {cell}",
    "place-camel": "Place the camel on {cell}",
    # the log
    "board-laid": "The board is laid: {tiles} tiles",
    "board-laid-expert": "The board is laid: {tiles} tiles, expert rules",
    "goods-set-out": "{number} goods stand on the board",
    "caravan-started": "{who} starts a caravan",
    "turn-began": "{who} plays turn {turn}",
    "skipped-no-camel": "{who} has no camel left to place and skips",
    "skipped-blocked": "{who} is blocked and skips",
    "good-returned": "A standing {colour} good goes back to the market",
    "block-laid": "{who} lays {size} {colour}",
    "block-laid-omitted": "{who} lays {size} {colour}, which do not count",
    "camel-laid-down": "{who} lays a camel down for the block of {size}",
    "camel-placed": "{who} places the camel",
    "taken-market": "{who} takes a {colour} good from the market",
    "taken-standing": "{who} takes the {colour} good that stood there",
    "taken-opponent": "{who} takes a {colour} good from {whom}",
    "good-missed": "The market has no {colour} left: {who} chooses who gives one",
    "tail-returned": "{pieces} pieces less {omitted} omitted: {who} takes {count} back",
    "good-set": "{who} sets a {colour} good on the board",
    "market-emptied": "{who} took the last good of the market",
    "final-round": "The final round begins",
    "ended-market": "The game is over",
    "ended-camels": "No camel is left: the game is over",
    "ended-stuck": "Nobody can place anything: the game is over",
    # why a block is omitted from the count, or is not
    "why-match": "Crosses a caravanserai of its colour: omitted",
    "why-plain": "Crosses no caravanserai: counts",
    "why-other": "Crosses a caravanserai of another colour: counts",
    "why-mixed": "Crosses caravanserais of two colours: counts",
    "why-returned": "A standing good went back to the market: counts",
}

TEXT.update(
    {
        key.format(colour=colour): sentence.format(colour=colour)
        for key, sentence in _CHOICES.items()
        for colour in COLOURS
    }
)


def tell(event: Any) -> tuple[str, dict[str, Any]]:
    """The event as a key of `TEXT` and its arguments."""
    match event:
        case BoardLaid(tiles=tiles, expert=expert):
            return "board-laid-expert" if expert else "board-laid", {"tiles": len(tiles)}
        case GoodsSetOut(cells=cells):
            return "goods-set-out", {"number": len(cells)}
        case TurnBegan(seat=seat, turn=turn):
            return "turn-began", {"who": seat, "turn": turn}
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
