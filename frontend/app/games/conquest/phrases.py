"""Texts about tiles, cards, caravans, turns and the position."""

from collections.abc import Sequence
from typing import Any

from domain.games.conquest.cards import CARDS, FORTUNE, HEALING, NOMAD, NUMBERS
from domain.games.conquest.equipment import SLOW, SPEEDS
from domain.games.conquest.move_preview import StopPreview
from domain.text.i18n import N_
from frontend.app.core.i18n import join_and, join_list, join_sentences
from frontend.app.core.types import Data
from frontend.app.games.conquest.i18n import t

TILES = {
    "D": N_("tile.desert"),
    "O": N_("tile.oasis"),
    "M": N_("tile.mountains"),
    "G": N_("tile.grasslands"),
    "R": N_("tile.river"),
    "C": N_("tile.city"),
    "S": N_("tile.silk_camp"),
    "P": N_("tile.spice_camp"),
    "B": N_("tile.start"),
    "F": N_("tile.finish"),
}


def tile_name(letter: str) -> str:
    """Return the name of a tile."""
    return t(TILES[letter])


def place_name(row_: int, column: int) -> str:
    """Return the name of a place on the map, with rows and columns counted from 1."""
    return t("tile.place", row=row_ + 1, column=column + 1)


def amount(what: str, n: int) -> str:
    """Return a gain of a resource as a text."""
    return t("effect.gain", n=n, what=what)


# --- result of stopping -----------------------------------------------------------------------


def describe_stop(stop: StopPreview) -> str:
    """Return a line about what ending a turn on a tile brings."""
    if stop.wealth is not None:
        return t("stop.finish", wealth=stop.wealth)
    parts = []
    if stop.chest:
        parts.append(t("review.treasure"))
    if stop.gain is not None:
        parts.append(amount(*stop.gain))
    if stop.chosen:
        parts.append(t("stop.oasis", n=stop.chosen))
    if stop.camp and stop.price:
        parts.append(t("stop.camp", good=stop.camp, price=stop.price))
    if stop.city:
        parts.append(t("stop.city"))
    if stop.cards:
        parts.append(t("stop.cards", n=stop.cards))
    return join_list(parts) if parts else t("stop.nothing")


def describe_next_turn(stop: StopPreview, capacity: int) -> str:
    """Return a line about speed and excess load of the next turn; "" at the finish."""
    if stop.wealth is not None:
        return ""
    if stop.over:
        return t("stop.next_turn_over", load=stop.load, capacity=capacity, speed=stop.speed)
    return t("stop.next_turn", speed=stop.speed)


# --- load and speed ---------------------------------------------------------------------------


def describe_load(player: Data) -> str:
    """Return a line with load and capacity and, if overloaded, the steps lost."""
    load, most = player["load"], player["capacity"]
    if load > most:
        return t("ledger.load_over", load=load, most=most, n=1 + (load - most) // 10)
    return t("ledger.load", load=load, most=most)


def speed_of(player: Data, letter: str, bonus: int) -> str:
    """Return how the speed of a turn is calculated; ``letter`` is the tile where it begins."""
    slowest = min(player["animals"], key=lambda name: SPEEDS[name] - SLOW[name].get(letter, 0))
    parts = [t("panel.speed_animal", animal=slowest, n=SPEEDS[slowest])]
    slow = SLOW[slowest].get(letter, 0)
    if slow:
        parts.append(t("panel.speed_tile", tile=tile_name(letter), n=slow))
    over = player["load"] - player["capacity"]
    if over > 0:
        parts.append(t("panel.speed_load", n=1 + over // 10))
    if bonus:
        parts.append(t("panel.speed_card", n=bonus))
    return join_list(parts)


def describe_team(player: Data) -> str:
    """Return a text with a player's animals and caravan type."""
    one, other = player["animals"]
    caravan = player["caravan"]
    if one == other:
        return t("ledger.team_pair", animal=one, caravan=caravan)
    return t("ledger.team", one=one, other=other, caravan=caravan)


# --- cards ------------------------------------------------------------------------------------

SPECIAL = {
    NOMAD: N_("effect.desert_nomad"),
    HEALING: N_("effect.healing_waters"),
    FORTUNE: N_("effect.fortune_teller"),
}


def card_name(name: str) -> str:
    """Return the name of a card."""
    return t("picture.meets", card=name)


def card_effect(deck: str, name: str) -> str:
    """Return a line about the effect of a card."""
    if name in SPECIAL:
        return t(SPECIAL[name])
    card = CARDS[NUMBERS[deck, name]]
    parts = []
    if card.climbs:
        parts.append(t("effect.climb"))
    parts += _either([t("effect.loss", n=n, what=what) for what, n in card.loses])
    parts += [amount(*each) for each in card.gains]
    parts += _either([amount(*each) for each in card.takes])
    if card.gets is not None:
        what, n = card.gets
        gives = [t("effect.ware", what=name) for name in card.gives]
        parts.append(t("effect.trade", gives=gives, n=n, what=what))
    if card.rests:
        parts.append(t("effect.miss_turn"))
    if card.steps:
        parts.append(t("effect.extra_step"))
    return join_list(parts)


def _either(parts: list[str]) -> list[str]:
    return [t("effect.either", parts=parts)] if parts else []


# --- others' moves ----------------------------------------------------------------------------

EVENTS_LEFT_OUT = ("CaravanMoved", "CaravanStopped", "TurnOpened", "EncounterOver")


def describe_turn(events: list[Any]) -> str:
    """Describe a turn in sentences: its last move, then its other events."""
    moved = [event for event in events if event["type"] == "CaravanMoved"]
    return join_sentences([*[event["text"] for event in moved[-1:]], *_other_texts(events)])


def summarise_turn(events: list[Any]) -> str:
    """Describe a turn in sentences without its moves, unless there is nothing else."""
    return join_sentences(_other_texts(events)) or describe_turn(events)


def _other_texts(events: list[Any]) -> list[str]:
    return [event["text"] for event in events if event["type"] not in EVENTS_LEFT_OUT]


# --- the position -----------------------------------------------------------------------------


def describe_player(player: Data, name: str) -> str:
    """Describe a player's possessions, cards, missed turns and place in sentences."""
    held = {what: player[what] for what in ("wealth", "gold", "silk", "spice")}
    load, team = describe_load(player), describe_team(player)
    lines = [t("position.player", name=name, load=load, team=team, **held)]
    if player["treasure"]:
        lines.append(t("position.chests", n=player["treasure"]))
    if player["kept"]:
        lines.append(t("position.kept", cards=join_and([card_name(c) for c in player["kept"]])))
    if player["skip"]:
        lines.append(t("position.misses", n=player["skip"]))
    if player["finished"]:
        lines.append(t("position.finished", round=player["finished"]))
    else:
        lines.append(t("position.at", place=place_name(*player["at"]), speed=player["speed"]))
    return join_sentences(lines)


def describe_position(view: Data, names: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Describe the market, the players, the treasure and the map (row by row)."""
    market = [t("position.prices", **view["prices"]), t("position.round", round=view["round"])]
    if view["last_round"]:
        market.append(t("position.last_round", round=view["last_round"]))
    chests = [place_name(*place) for place in view["treasure"]] or [t("position.no_chests")]
    rows = [join_list([tile_name(letter) for letter in letters]) for letters in view["tiles"]]
    lines = [t("position.map_row", row=n + 1, tiles=tiles) for n, tiles in enumerate(rows)]
    merchants = [describe_player(player, names[player["seat"]]) for player in view["players"]]
    return [
        (t("position.market"), market),
        (t("position.merchants"), merchants),
        (t("map_editor.treasure"), chests),
        (t("position.map"), lines),
    ]
