"""Caravanserai, the hex game: what a lobby needs to know of it."""

from domain.game import Title

TITLE = Title(
    slug="caravanserai",
    title="Caravanserai",
    designer="unknown",
    seats=(1, 2, 3, 4, 5, 6),
    options={
        "type": "object",
        "properties": {
            "expert": {
                "type": "boolean",
                "default": False,
                "title": "Expert rules",
                "description": "Series start with one good; once a placement a lying camel "
                "may stand for a block.",
            },
        },
        "additionalProperties": False,
    },
    module="domain.caravanserai.rules",
    rules_version=1,
    about="Lead your caravan from oasis to oasis. Blocks of goods that cross a caravanserai of "
    "their own colour stay behind you; everything else comes back from the tail. "
    "The longest caravan wins.",
    review="domain.caravanserai.review",
)
