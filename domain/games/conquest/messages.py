"""Messages of Caravan Conquest in English, by key. Ships to the browser."""

from domain.games.conquest.cards import CARDS
from domain.games.conquest.maps import FLAWS
from domain.text.i18n import Plural, Sentence


def _plural_amount(sentence: str) -> Plural:
    """Return a plural by ``amount`` whose English forms are equal, as in "1 spice", "2 spice".

    Most other languages inflect the noun.
    """
    return Plural(sentence, sentence, "amount")


CHOICES: dict[str, Sentence] = {
    "move": "Go to row {row}, column {column}",
    "stop": "Stop here",
    "no-extra-step": "Stay where you are",
    "stay": "Stay, too heavy to move",
    "jettison": _plural_amount("Throw away {amount} {what:ware}"),
    "take": "Take {what:ware}",
    "give-up": "Give up {what:ware}",
    "deal": _plural_amount("Give 1 {gives:ware} for {amount} {gets:ware}"),
    "pay-to-keep": "Pay 1 gold and keep the card",
    "decline": "Decline",
    "ignore": "Ignore {card:card}, and give the fortune teller's card away",
    "heed": "Let {card:card} happen",
    "sell": _plural_amount("Sell {amount} {what:ware} for {gold} gold"),
    "buy": _plural_amount("Buy {amount} {what:ware} for {gold} gold"),
    "exchange": "Give the {old:gear} and {gold} gold for a new {new:gear}",
    "exchange-back": "Give the {old:gear} for a new {new:gear} and get {gold} gold back",
    "done": "Go on",
    "group-Move": "Go one step",
    "group-Stop": "Stop",
    "group-Stay": "Stay",
    "group-Decline": "Do without the card's offer",
    "group-Ignore": "Ignore the card",
    "group-Heed": "Let the card happen",
    "group-Done": "Go on",
    "group-Jettison": "Throw load away",
    "group-Take": "Take something",
    "group-GiveUp": "Give something up",
    "group-Deal": "Make the card's trade",
    "group-Sell": "Sell",
    "group-Buy": "Buy",
    "group-Exchange": "Exchange equipment",
}

EVENTS: dict[str, Sentence] = {
    "map-laid": "The caravans stand at the start.",
    "gear-set": "Everybody starts with {gold} gold, {silk} silk, {spice} spice and this "
    "equipment: {equipment:gear}.",
    "starter": "{who:seat} begins.",
    "round": "Round {number}.",
    "round-falling": "Round {number}: silk is worth {silk} gold, spice {spice}.",
    "turn": Plural("{who:seat} has {steps} step.", "{who:seat} has {steps} steps.", "steps"),
    "turn-stuck": "{who:seat} is too heavy to move.",
    "turn-missed": "{who:seat} rests and misses a turn.",
    "dropped": Plural(
        "{who:seat} throws away {amount} {what:ware} and has {steps} step.",
        "{who:seat} throws away {amount} {what:ware} and has {steps} steps.",
        "steps",
    ),
    "moved": "{who:seat} goes to row {row}, column {column}.",
    "stayed": "{who:seat} stays.",
    "stopped": "{who:seat} stops.",
    "stopped-card": "{who:seat} stops and draws a card.",
    "stopped-cards": "{who:seat} stops and draws two cards.",
    "treasure": "{who:seat} finds a treasure chest!",
    "finished": "{who:seat} reaches the finish, worth {wealth} gold.",
    "gained": _plural_amount("{who:seat} gains {amount} {what:ware}."),
    "gained-card": _plural_amount("{who:seat} gets {amount} {what:ware}."),
    "lost": _plural_amount("{who:seat} loses {amount} {what:ware}."),
    "bartered": _plural_amount("{who:seat} gives 1 {gives:ware} for {amount} {gets:ware}."),
    "paid": "{who:seat} pays 1 {gives:ware}.",
    "sold": _plural_amount("{who:seat} sells {amount} {what:ware} for {gold} gold."),
    "bought": _plural_amount("{who:seat} buys {amount} {what:ware} for {gold} gold."),
    "refitted": "{who:seat} pays {gold} gold and gives the {old:gear} for a new {new:gear}.",
    "refitted-back": "{who:seat} gives the {old:gear} for a {new:gear} and gets {gold} gold back.",
    "shuffled": "The cards of the {deck:deck} are shuffled again.",
    "drawn": "{who:seat} meets: {card:card}.",
    "over": "{card:card} is over.",
    "kept": "{who:seat} keeps {card:card}.",
    "ignored": "{who:seat} ignores {card:card}.",
    "spent": "{who:seat} uses {card:card}.",
    "lapsed": "{card:card} lapses.",
    "dried": "The oasis at row {row}, column {column} has run dry.",
    "rest": "{who:seat} will miss a turn.",
    "granted": "{who:seat} may go one step further.",
    "forgone": "{who:seat} goes no further.",
    "asked-oasis": "{who:seat} chooses what to take from the oasis.",
    "asked-fortune": "{who:seat} may ignore the card.",
    "asked-card": "{who:seat} answers the card.",
    "asked-extra": "{who:seat} considers an extra step.",
    "asked-camp": "{who:seat} trades at the camp.",
    "asked-city": "{who:seat} looks around the city.",
    "left": "{who:seat} has done the business here.",
    "ended": "The journey is over.",
}

NAMES: dict[str, Sentence] = {
    "ware-gold": "gold",
    "ware-silk": "silk",
    "ware-spice": "spice",
    "gear-donkey": "donkey",
    "gear-roach": "horse Roach",
    "gear-epona": "horse Epona",
    "gear-fidget": "camel Fidget",
    "gear-basic": "basic caravan",
    "gear-reinforced": "reinforced caravan",
    "deck-grasslands": "grasslands",
    "deck-desert": "desert",
    "deck-mountains": "mountains",
    "deck-oasis": "oases",
    **{f"card-{card.name}": card.name for card in CARDS},
}
"""Nouns inserted into sentences; the key begins with the kind of noun."""

TEXT: dict[str, Sentence] = {**CHOICES, **EVENTS, **FLAWS, **NAMES}
