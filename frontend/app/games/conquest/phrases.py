"""Texts about tiles, cards, caravans, turns and the position."""

from collections.abc import Sequence
from typing import Any

from domain.games.conquest.cards import CARDS, FORTUNE, HEALING, NOMAD, NUMBERS, Amount
from domain.games.conquest.equipment import SLOW, SPEEDS
from domain.games.conquest.move_preview import StopPreview
from domain.text.i18n import N_
from frontend.app.core.i18n import join_and, join_list, join_sentences
from frontend.app.core.types import Data
from frontend.app.games.conquest.i18n import t, tn

TILES = {
    "D": N_("Desert"),
    "O": N_("Oasis"),
    "M": N_("Mountains"),
    "G": N_("Grasslands"),
    "R": N_("River"),
    "C": N_("City"),
    "S": N_("Silk camp"),
    "P": N_("Spice camp"),
    "B": N_("Start"),
    "F": N_("Finish"),
}


def tile_name(letter: str) -> str:
    """Return the name of a tile."""
    return t(TILES[letter])


def place_name(row_: int, column: int) -> str:
    """Return the name of a place on the map, with rows and columns counted from 1."""
    return t("row {row}, column {column}", row=row_ + 1, column=column + 1)


def amount(what: str, n: int) -> str:
    """Return a gain of a resource as a text."""
    return tn("+{n} {what:ware}", "+{n} {what:ware}", n=n, what=what)


# --- result of stopping -----------------------------------------------------------------------


def describe_stop(stop: StopPreview) -> str:
    """Return a line about what ending a turn on a tile brings."""
    if stop.wealth is not None:
        return t("The end of the journey, worth {wealth} gold for good", wealth=stop.wealth)
    parts = []
    if stop.chest:
        parts.append(t("a treasure chest"))
    if stop.gain is not None:
        parts.append(amount(*stop.gain))
    if stop.chosen:
        parts.append(t("+{n} gold, silk or spice", n=stop.chosen))
    if stop.camp and stop.price:
        parts.append(t("trade {good:ware} at {price} gold", good=stop.camp, price=stop.price))
    if stop.city:
        parts.append(t("exchange animals and caravan"))
    if stop.cards:
        parts.append(tn("{n} card", "{n} cards", n=stop.cards))
    return join_list(parts) if parts else t("nothing")


def describe_next_turn(stop: StopPreview, capacity: int) -> str:
    """Return a line about speed and excess load of the next turn; "" at the finish."""
    if stop.wealth is not None:
        return ""
    if stop.over:
        return t(
            "Then load {load} of {capacity}, speed {speed}",
            load=stop.load,
            capacity=capacity,
            speed=stop.speed,
        )
    return t("Then speed {speed}", speed=stop.speed)


# --- load and speed ---------------------------------------------------------------------------


def describe_load(player: Data) -> str:
    """Return a line with load and capacity and, if overloaded, the steps lost."""
    load, most = player["load"], player["capacity"]
    if load > most:
        return t("{load} of {most}: {n} slower", load=load, most=most, n=1 + (load - most) // 10)
    return t("{load} of {most}", load=load, most=most)


def speed_of(player: Data, letter: str, bonus: int) -> str:
    """Return how the speed of a turn is calculated; ``letter`` is the tile where it begins."""
    slowest = min(player["animals"], key=lambda name: SPEEDS[name] - SLOW[name].get(letter, 0))
    parts = [t("{animal:gear} {n}", animal=slowest, n=SPEEDS[slowest])]
    slow = SLOW[slowest].get(letter, 0)
    if slow:
        parts.append(t("{tile} −{n}", tile=tile_name(letter), n=slow))
    over = player["load"] - player["capacity"]
    if over > 0:
        parts.append(t("load −{n}", n=1 + over // 10))
    if bonus:
        parts.append(t("card +{n}", n=bonus))
    return join_list(parts)


def describe_team(player: Data) -> str:
    """Return a text with a player's animals and caravan type."""
    one, other = player["animals"]
    caravan = player["caravan"]
    if one == other:
        return t("2 × {animal:gear}, {caravan:gear}", animal=one, caravan=caravan)
    return t("{one:gear}, {other:gear}, {caravan:gear}", one=one, other=other, caravan=caravan)


# --- cards ------------------------------------------------------------------------------------

SPECIAL = {
    NOMAD: N_("kept: two cards at the next stop on open ground"),
    HEALING: N_("kept: +2 steps next turn"),
    FORTUNE: N_("pay 1 gold to keep it; given away, it cancels a card"),
}


def card_name(name: str) -> str:
    """Return the name of a card."""
    return t("{card:card}", card=name)


def card_effect(deck: str, name: str) -> str:
    """Return a line about the effect of a card."""
    if name in SPECIAL:
        return t(SPECIAL[name])
    card = CARDS[NUMBERS[deck, name]]
    parts = []
    if card.climbs:
        parts.append(t("−1 gold beside mountains, else +1 silk"))
    parts += _either([_less(each) for each in card.loses])
    parts += [amount(*each) for each in card.gains]
    parts += _either([amount(*each) for each in card.takes])
    if card.gets is not None:
        what, n = card.gets
        parts.append(
            tn(
                "1 {gives:or} for {n} {what:ware}, if you like",
                "1 {gives:or} for {n} {what:ware}, if you like",
                gives=_wares(card.gives),
                n=n,
                what=what,
            )
        )
    if card.rests:
        parts.append(t("miss a turn"))
    if card.steps:
        parts.append(t("one more step, if you like"))
    return join_list(parts)


def _less(each: Amount) -> str:
    what, n = each
    return tn("−{n} {what:ware}", "−{n} {what:ware}", n=n, what=what)


def _wares(names: Sequence[str]) -> list[str]:
    return [t("{what:ware}", what=name) for name in names]


def _either(parts: list[str]) -> list[str]:
    return [t("{parts:or}", parts=parts)] if parts else []


# --- others' moves ----------------------------------------------------------------------------

EVENTS_LEFT_OUT = ("CaravanMoved", "CaravanStopped", "TurnOpened", "EncounterOver")


def describe_turn(events: list[Any]) -> str:
    """Describe a turn in sentences: its last move, then its other events."""
    moved = [event for event in events if event["type"] == "CaravanMoved"]
    rest = [event["text"] for event in events if event["type"] not in EVENTS_LEFT_OUT]
    return join_sentences([*[event["text"] for event in moved[-1:]], *rest])


# --- the position -----------------------------------------------------------------------------


def describe_player(player: Data, name: str) -> str:
    """Describe a player's possessions, cards, missed turns and place in sentences."""
    lines = [
        t(
            "{name}: worth {wealth}; {gold} gold, {silk} silk, {spice} spice, load {load}; {team}.",
            name=name,
            wealth=player["wealth"],
            gold=player["gold"],
            silk=player["silk"],
            spice=player["spice"],
            load=describe_load(player),
            team=describe_team(player),
        )
    ]
    if player["treasure"]:
        lines.append(tn("{n} treasure chest.", "{n} treasure chests.", n=player["treasure"]))
    if player["kept"]:
        lines.append(t("Keeps {cards}.", cards=join_and([card_name(c) for c in player["kept"]])))
    if player["skip"]:
        lines.append(tn("Misses {n} turn.", "Misses {n} turns.", n=player["skip"]))
    if player["finished"]:
        lines.append(t("At the finish since round {round}.", round=player["finished"]))
    else:
        lines.append(
            t("At {place}, speed {speed}.", place=place_name(*player["at"]), speed=player["speed"])
        )
    return join_sentences(lines)


def describe_position(view: Data, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Describe the market, the players, the treasure and the map (row by row)."""
    market = [
        t("Silk is worth {silk} gold, spice {spice}.", **view["prices"]),
        t("Round {round}.", round=view["round"]),
    ]
    if view["last_round"]:
        market.append(t("The last round is {round}.", round=view["last_round"]))
    chests = [place_name(*place) for place in view["treasure"]] or [t("none is left")]
    lines = []
    for number, letters in enumerate(view["tiles"]):
        tiles = join_list([tile_name(letter) for letter in letters])
        lines.append(t("Row {row}: {tiles}", row=number + 1, tiles=tiles))
    merchants = [describe_player(player, names[player["seat"]]) for player in view["players"]]
    return [
        (t("Market"), market),
        (t("Merchants"), merchants),
        (t("Treasure"), chests),
        (t("The map, from the west"), lines),
    ]
