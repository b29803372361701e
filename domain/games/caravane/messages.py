"""Messages of Caravane in English, by key. Ships to the browser."""

from domain.text.i18n import Plural, Sentence

TEXT: dict[str, Sentence] = {
    # choices
    "allot": Plural(
        "Keep {gourds} gourd for stage {stage}", "Keep {gourds} gourds for stage {stage}", "gourds"
    ),
    "allot-rest": Plural(
        "Keep {gourds} gourd for stage {stage}, {rest} for stage 3",
        "Keep {gourds} gourds for stage {stage}, {rest} for stage 3",
        "gourds",
    ),
    "pack": "Bags of {first}, {second} and {third} for stages 1, 2 and 3",
    "bid": "Bid {gourds}",
    "bid-bag": "Bid {gourds} and the food bag",
    "stay": "Stay at {gourds}",
    "change": "Change to {gourds}",
    # groups of choices
    "group-Allot": "Split the gourds",
    "group-PackBags": "Pack the food bags",
    "group-Bid": "Bid water",
    "group-Revise": "Change the bid",
    # events
    "laid-out": "The camels stand at the start.",
    "allotted": Plural(
        "{who:seat} kept {gourds} gourd for stage {stage}.",
        "{who:seat} kept {gourds} gourds for stage {stage}.",
        "gourds",
    ),
    "allotted-hidden": "{who:seat} secretly put gourds aside for stage {stage}.",
    "packed": "{who:seat} packed food bags of {first}, {second} and {third}.",
    "packed-hidden": "{who:seat} secretly packed the food bags.",
    "stage-begun": "Stage {stage} begins.",
    "round-begun": "Round {number}: bids, please.",
    "bid-made": "{who:seat} bid {gourds}.",
    "bid-made-bag": "{who:seat} bid {gourds} and a food bag.",
    "bid-hidden": "{who:seat} is ready.",
    "gourds-revealed": "Gourds on the table, in seat order: {bids}; a bag adds a secret amount.",
    "bid-revised": "{who:seat} made it {gourds}.",
    "revised-hidden": "{who:seat} is ready again.",
    "withdrawn": "{who:seat} is thinking again.",
    "bids-revealed": "The bids, in seat order: {bids}.",
    "advanced": "{who:seat} goes on to square {square}.",
    "water-found": Plural(
        "{who:seat} finds {gourds} gourd of water.",
        "{who:seat} finds {gourds} gourds of water.",
        "gourds",
    ),
    "water-leaked": Plural(
        "{who:seat} loses {gourds} gourd to a leak.",
        "{who:seat} loses {gourds} gourds to a leak.",
        "gourds",
    ),
    "leak-hidden": "{who:seat} loses two gourds to a leak, or what is left.",
    "bale-found": "{who:seat} finds a bale of silk.",
    "bale-damaged": "A bale of {owner:seat} is damaged and lost.",
    "bale-unharmed": "{who:seat} has no bale that could be damaged.",
    "arrived": "{who:seat} reaches the palace in place {place}.",
    "rewarded": "Silk at palace {stage}, in seat order: {bales}.",
    "ended": "The race is over.",
    # entries in lists of bids: with an added bag; a dash for a camel that has arrived
    "shown-bag": "{gourds}+bag",
    "shown-added": "{gourds}+{bag}",
    "shown-rest": "–",
    # pending choices
    "phase-allotment": "how to split the gourds",
    "phase-bags": "the food bags",
    "phase-bid": "a bid",
    "phase-revision": "whether to change the bid",
    "phase-None": "nothing",
}
