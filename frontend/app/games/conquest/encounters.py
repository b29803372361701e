"""Encounter cards: the face of a card, and the last card drawn."""

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, picture
from frontend.app.core.types import Event, Node
from frontend.app.games.conquest import phrases

DECK_SIGNS = {"grasslands": "G", "desert": "D", "mountains": "M", "oasis": "O"}
"""The tile letter of each deck: the ground on which it is drawn from."""


def card_face(deck: str, name: str, drawn_by: str = "", tone: str = "") -> Node:
    """Return a card: its deck's symbol, its name and its effect; ``drawn_by``: a player's name."""
    return el(
        "div",
        {"class": "encounter", "style": tone or None},
        el("span", {"class": "stamp"}, picture("cq-" + DECK_SIGNS[deck], 36)),
        el(
            "div",
            {"class": "told"},
            el("small", {}, drawn_by) if drawn_by else None,
            el("b", {}, phrases.card_name(name)),
            el("span", {}, phrases.card_effect(deck, name)),
        ),
    )


def last_drawn_card(host: ScreenHost, version: int, seat: int | None = None) -> Event | None:
    """Return the last `EncounterDrawn` up to a version, not undone, by a seat or (None) by any."""
    match = host.match
    for event in reversed(match.events[:version]):
        drawn = event["type"] == "EncounterDrawn" and event["version"] not in match.undone_by
        if drawn and seat in (None, event["seat"]):
            return dict(event)
    return None
