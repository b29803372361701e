"""Caravansérail, the game of secret journeys and deals: what a lobby needs to know of it."""

from domain.game import Title

TITLE = Title(
    slug="caravanserail",
    title="Caravansérail",
    designer="Bruno Faidutti",
    seats=(6, 8),
    options={
        "type": "object",
        "properties": {
            "business_minutes": {
                "type": "integer",
                "minimum": 0,
                "maximum": 60,
                "default": 0,
                "title": "Minutes for business",
                "description": "How long each business phase may last; 0 for no limit.",
            },
            "diplomacy": {
                "type": "boolean",
                "default": False,
                "title": "Diplomacy first",
                "description": "All may talk before the first journeys are planned.",
            },
            "keep_secrets": {
                "type": "boolean",
                "default": False,
                "title": "Keep secrets after the end",
                "description": "What was hidden stays hidden when somebody has won.",
            },
        },
        "additionalProperties": False,
    },
    module="domain.caravanserail.rules",
    rules_version=1,
    about="Each sheikh secretly plans the ways of three caravans and a band of looters, then all "
    "move at once. Trade in secret, pay for lodging, raid the trails: the first whose treasure "
    "holds all the wares on the secret card wins.",
)
