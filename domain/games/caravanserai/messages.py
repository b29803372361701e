"""Messages of Caravanserai in English, by key. Ships to the browser."""

from domain.games.caravanserai.pieces import COLOURS
from domain.text.i18n import Plural, Sentence

# expanded to one sentence per colour, because other languages inflect words by colour
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
    # colours of goods and other kinds of pieces of a caravan
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
    # events
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
