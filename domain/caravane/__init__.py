"""Caravane, the race of secret bids: what a lobby needs to know of it."""

from domain.game import Title

TITLE = Title(
    slug="caravane",
    title="Caravane",
    designer="Bartl, Bernabe, Grill",
    seats=(2, 3, 4, 5),
    options={
        "type": "object",
        "properties": {
            "split": {
                "type": "boolean",
                "default": False,
                "title": "Free split of the gourds",
                "description": "Everybody secretly splits 60 gourds over the three stages "
                "instead of taking 15, 25 and 20.",
            },
            "food": {
                "type": "boolean",
                "default": False,
                "title": "Food bags",
                "description": "A hidden bag worth 1, 2 or 3 gourds for each stage; those who "
                "bid no bag may change their bid when one is announced.",
            },
            "keep_secrets": {
                "type": "boolean",
                "default": False,
                "title": "Keep secrets after the end",
                "description": "What was hidden stays hidden when the race is over.",
            },
        },
        "additionalProperties": False,
    },
    module="domain.caravane.rules",
    rules_version=1,
    about="Race three stages along the silk road. Each round all bid gourds of water in secret; "
    "the thirstier the bid, the further the camel goes. The most bales of silk win.",
)
