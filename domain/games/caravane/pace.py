"""How to spread gourds over the rest of a stage, for bots and suggestions. Ships to the browser."""

from typing import Any


def rounds_left(distance: int, racing: int) -> int:
    """Return the expected number of rounds a camel needs for the rest of the stage, at least 1.

    With n racing camels the average pace is (n + 1) / 2 steps per round.
    """
    pace = racing + 1
    return max(1, (2 * distance + pace - 1) // pace)


def suggest_gourds(view: dict[str, Any], seat: int) -> int:
    """Return a sensible bid for a seat, from what its own view shows: about an even share of its
    gourds.

    Gourds left at the end of the stage are lost (ruling 11), so the last round gets all of them;
    the only racing camel moves one step with any bid (ruling 8). A bid a little off the share is
    better if the share would lead to a square that costs silk or water, provided that the others
    bid as in the last round.
    """
    mine = view["racers"][seat]
    racing = len([racer for racer in view["racers"] if not racer["place"]])
    if racing == 1:
        return 0
    distance = view["track"][view["stage"] - 1]["length"] - mine["square"]
    share = int(mine["stock"] // rounds_left(distance, racing))
    last = view["last"]
    if last is None or last["stage"] != view["stage"]:
        return share
    others = [
        last["gourds"][racer["seat"]] + last["bags"][racer["seat"]]
        for racer in view["racers"]
        if racer["seat"] != seat and not racer["place"]
    ]
    special = view["track"][view["stage"] - 1]["special"]
    for bid in (share, share + 1, share + 2, share - 1):
        steps = racing - len([other for other in others if other > bid])
        effect = special.get(str(mine["square"] + steps))
        if 0 <= bid <= mine["stock"] and effect not in ("damage", "leak"):
            return bid
    return share
