"""Texts of the game: turns, ranks, and the position for screen readers."""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from domain.text.i18n import N_
from frontend.app.core.dom import join_names
from frontend.app.core.i18n import join_list
from frontend.app.core.types import Event, View
from frontend.app.games.caravanserai.i18n import t

DEEDS = {
    "CaravanStarted": N_("history.started"),
    "BlockLaid": N_("history.laid"),
    "CamelLaidDown": N_("history.laid_camel_down"),
    "CamelPlaced": N_("history.placed_camel"),
    "TailReturned": N_("history.took_back"),
    "GoodSetOnBoard": N_("history.placed_good"),
}
SHORT_DEEDS = {
    "CaravanStarted": t("history.short_start"),
    "CamelLaidDown": t("history.short_lying"),
    "CamelPlaced": t("history.short_camel"),
}


def describe_turn(events: list[Event], places: Any, name: str) -> str:
    """Describe a turn in a sentence.

    ``places``: the names of the cells; ``name``: the name of the seat that moved.
    """
    if events[0]["type"] == "TurnSkipped":
        return t("history.skipped", name=name)
    parts = []
    for event in events:
        data = event["data"]
        args = {"place": places[data["cell"]] if "cell" in data else "", **data}
        if event["type"] == "BlockLaid":
            cells = " ".join([str(places[cell]) for cell in data["path"]])
            args |= {"path": len(data["path"]), "cells": cells}
        elif event["type"] == "TailReturned":
            args["pieces"] = data["pieces"] - data["omitted"]
        if event["type"] in DEEDS:
            parts.append(t(DEEDS[event["type"]], **args))
    return t("history.turn", name=name, deeds=join_names(parts, len(parts)))


def summarise_turn(events: list[Event], name: str) -> str:
    """Describe a turn in a few words: what was laid, placed and taken back.

    ``name``: the name of the seat that moved.
    """
    if events[0]["type"] == "TurnSkipped":
        return t("history.skipped", name=name)
    parts = []
    for event in events:
        data = event["data"]
        kind = event["type"]
        if kind == "BlockLaid":
            said = {"n": len(data["path"]), "colour": data["colour"]}
            is_free = data["omitted"]
            parts.append(
                t("history.short_free", **said) if is_free else t("history.short_laid", **said)
            )
        elif kind == "GoodSetOnBoard":
            parts.append(t("history.short_good", colour=data["colour"]))
        elif kind == "TailReturned" and data["pieces"] > data["omitted"]:
            parts.append(t("history.took_back", pieces=data["pieces"] - data["omitted"]))
        elif kind in SHORT_DEEDS:
            parts.append(SHORT_DEEDS[kind])
    return t("history.short", name=name, deeds=join_list(parts))


def describe_position(
    view: View, index: dict[tuple[int, int], int], names: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """Describe the position as ``[(heading, lines)]``: market, players, then the board by row.

    ``index`` gives a cell's number by ``(q, r)``.
    """
    cells = _contents(view, index, names)
    parts = [(t("picture.market"), [_goods(view["market"])])]
    for player in view["players"]:
        at = [
            t("position.piece", cell=view["names"][index[(q, r)]], piece=kind)
            for q, r, kind in player["caravan"]
        ]
        camels = t("board.camels", n=player["camels"])
        lines = [
            t("position.caravan", pieces=join_list(at)) if at else t("position.no_caravan"),
            t("position.reserve", goods=_goods(player["goods"]), camels=camels),
        ]
        parts.append((names[player["seat"]], lines))
    rows: dict[str, list[str]] = {}
    for name, what in zip(view["names"], cells, strict=True):
        text = t("position.named_cell", name=name, what=what)
        rows.setdefault(name.strip("0123456789"), []).append(text)
    parts.append((t("position.board"), [join_list(line) for line in rows.values()]))
    return parts


def _contents(view: View, index: dict[tuple[int, int], int], names: Sequence[str]) -> list[str]:
    """Return a description of each cell's content, by cell number."""
    sand = t("position.sand")
    colours = [cell[2] for cell in view["cells"]]
    found = [t("position.caravanserai", colour=each) if each else sand for each in colours]
    for q, r in view["standing"]:
        place = index[(q, r)]
        found[place] = t("position.cell_good", cell=found[place])
    for player in view["players"]:
        for q, r, kind in player["caravan"]:
            place, name = index[(q, r)], names[player["seat"]]
            found[place] = t("position.cell_piece", cell=found[place], name=name, piece=kind)
    return found


def _goods(goods: Any) -> str:
    """Return a list of goods with their numbers, in a fixed order."""
    return join_list([t("board.goods", n=goods[colour], colour=colour) for colour in COLOURS])
