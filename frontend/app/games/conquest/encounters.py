"""Encounter cards: their faces, and the lookup of the cards drawn."""

from collections.abc import Iterable, Iterator

from frontend.app.contract.game_screen import ScreenHost
from frontend.app.core.dom import el, picture
from frontend.app.core.types import Event, Node
from frontend.app.games.conquest import phrases

DECK_SIGNS = {"grasslands": "G", "desert": "D", "mountains": "M", "oasis": "O"}
"""The letter of the tile type on which a deck's cards are drawn, by deck."""


ACTIONS = ("CaravanMoved", "CaravanStayed", "LoadDropped")
"""The events that begin a player's turn."""


def card_face(deck: str, name: str, drawn_by: str = "", tone: str = "") -> Node:
    """Return a card with its deck's symbol, its name and its effect.

    ``drawn_by``: the name of the player who drew it; ``tone``: the CSS of that player's colour.
    """
    stamp = el("span", {"class": "stamp"}, picture("cq-" + DECK_SIGNS[deck], 36))
    lines = [el("b", {}, phrases.card_name(name)), el("span", {}, phrases.card_effect(deck, name))]
    drawn = el("small", {}, drawn_by) if drawn_by else None
    told = el("div", {"class": "told"}, drawn, lines)
    return el("div", {"class": "encounter", "style": tone or None}, stamp, told)


def last_drawn_card(host: ScreenHost, version: int, seat: int | None = None) -> Event | None:
    for event in _standing(host, reversed(host.match.events[:version])):
        if event["type"] == "EncounterDrawn" and seat in (None, event["seat"]):
            return dict(event)
    return None


def _standing(host: ScreenHost, events: Iterable[Event]) -> Iterator[Event]:
    """Return the events that have not been undone."""
    undone = host.match.undone_by
    return (event for event in events if event["version"] not in undone)


def has_acted_since(host: ScreenHost, card: Event, version: int) -> bool:
    """Return whether the player of an `EncounterDrawn` event has acted after it.

    Only events up to ``version`` that were not undone count.
    """
    return any(
        event["type"] in ACTIONS and event["seat"] == card["seat"]
        for event in _standing(host, host.match.events[card["version"] : version])
    )


def resting_card(host: ScreenHost, version: int) -> str:
    """Return the card because of which the `TurnMissed` event at a version happened.

    Rests are taken in the order in which they were imposed. Returns "" if the card is unknown.
    """
    seat = host.match.events[version - 1]["seat"]
    drawn, rests = "", []
    for event in _standing(host, host.match.events[: version - 1]):
        if event["seat"] != seat:
            continue
        if event["type"] == "EncounterDrawn":
            drawn = event["data"]["card"]
        elif event["type"] == "RestImposed":
            rests.append(drawn)
        elif event["type"] == "TurnMissed":
            rests = rests[1:]
    return rests[0] if rests else ""


def missed_turn_card(host: ScreenHost) -> str:
    """Return the card that has made the reader miss a turn since their last action, or "".

    Always "" on a device that holds no seat or several.
    """
    own = host.match.own_seats()
    for event in _standing(host, reversed(host.match.events)) if len(own) == 1 else ():
        if event["seat"] == own[0] and event["type"] == "TurnMissed":
            return resting_card(host, event["version"])
        if event["seat"] == own[0] and event["type"] in ACTIONS:
            return ""
    return ""
