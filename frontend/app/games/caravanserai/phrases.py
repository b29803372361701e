"""Texts of the game: turns, ranks, and the position for screen readers."""

from collections.abc import Sequence
from typing import Any

from domain.games.caravanserai.pieces import COLOURS
from frontend.app.core.dom import join_names
from frontend.app.core.i18n import join_list
from frontend.app.core.types import Data, Event, View
from frontend.app.games.caravanserai.i18n import t, tn


def describe_turn(events: list[Event], places: Any, name: str) -> str:
    """Describe a turn in a sentence.

    ``places``: the names of the cells; ``name``: the name of the seat that moved.
    """
    parts = []
    for event in events:
        data = event["data"]
        kind = event["type"]
        cells = " ".join([str(places[cell]) for cell in data.get("path", ())])
        place = places[data["cell"]] if "cell" in data else ""
        if kind == "CaravanStarted":
            parts.append(t("started on {place}", place=place))
        elif kind == "BlockLaid":
            parts.append(
                t(
                    "laid {path} {colour:colour} on {cells}",
                    path=len(data["path"]),
                    colour=data["colour"],
                    cells=cells,
                )
            )
        elif kind == "CamelLaidDown":
            parts.append(t("laid a camel down on {place}", place=place))
        elif kind == "CamelPlaced":
            parts.append(t("placed the camel on {place}", place=place))
        elif kind == "TailReturned":
            parts.append(t("took {pieces} back", pieces=data["pieces"] - data["omitted"]))
        elif kind == "GoodSetOnBoard":
            parts.append(t("set {colour:colour} on {place}", colour=data["colour"], place=place))
    return t("{name} {deeds}.", name=name, deeds=join_names(parts, len(parts)))


def describe_position(
    view: View, index: dict[tuple[int, int], int], names: Sequence[str]
) -> list[tuple[str, list[str]]]:
    """Describe the position as ``[(heading, lines)]``: market, players, then the board by row.

    ``index`` gives a cell's number by ``(q, r)``.
    """
    cells = _contents(view, index, names)
    parts = [(t("Market"), [_goods(view["market"])])]
    for player in view["players"]:
        at = [
            t("{cell} {piece:colour}", cell=view["names"][index[(q, r)]], piece=kind)
            for q, r, kind in player["caravan"]
        ]
        camels = tn("{n} camel", "{n} camels", n=player["camels"])
        lines = [
            t("Caravan from tail to head: {pieces}", pieces=join_list(at))
            if at
            else t("Caravan from tail to head: not on the board yet"),
            t("In reserve: {goods}, {camels}", goods=_goods(player["goods"]), camels=camels),
        ]
        parts.append((names[player["seat"]], lines))
    rows: dict[str, list[str]] = {}
    for number, name in enumerate(view["names"]):
        rows.setdefault(name.strip("0123456789"), []).append(
            t("{name} {what}", name=name, what=cells[number])
        )
    parts.append((t("The board, row by row"), [join_list(line) for line in rows.values()]))
    return parts


def _contents(view: View, index: dict[tuple[int, int], int], names: Sequence[str]) -> list[str]:
    """Return a description of each cell's content, by cell number."""
    found = [_ground(cell[2]) for cell in view["cells"]]
    for q, r in view["standing"]:
        place = index[(q, r)]
        found[place] = t("{cell} with its good", cell=found[place])
    for player in view["players"]:
        for q, r, kind in player["caravan"]:
            place, name = index[(q, r)], names[player["seat"]]
            found[place] = t(
                "{cell} with a piece of {name}: {piece:colour}",
                cell=found[place],
                name=name,
                piece=kind,
            )
    return found


def _ground(colour: str | None) -> str:
    if colour is None:
        return t("sand")
    return t("{colour:colour} caravanserai", colour=colour)


def _goods(goods: Any) -> str:
    """Return a list of goods with their numbers, in a fixed order."""
    return join_list(
        [t("{n} {colour:colour}", n=goods[colour], colour=colour) for colour in COLOURS]
    )


def explain_rank(place: Data) -> str:
    """Return the reason for a place: the caravan's length and the reserve, or the solo level."""
    detail = place["detail"]
    caravan = tn("A caravan of {n} piece", "A caravan of {n} pieces", n=detail["length"])
    if detail.get("level"):
        return t("{caravan}: {level}.", caravan=caravan, level=t(detail["level"]))
    return tn(
        "{caravan}, and {n} piece left in reserve.",
        "{caravan}, and {n} pieces left in reserve.",
        caravan=caravan,
        n=detail["reserve"],
    )
