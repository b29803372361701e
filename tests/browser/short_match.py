"""A match that ends quickly: a short map, and players who do as little as possible."""

from typing import Any

from tests.browser.service import Program, table

IDLE = ("Stop", "Done", "Stay", "Decline", "Ignore")
LANE = {"rows": ["BSSF", "SSSS"]}


def dawdle(player: Program, match: Any) -> Any:
    """Play the most passive legal move; return the match."""
    (seat,) = match["to_act"]
    listed = player.get(f"/matches/{match['id']}/choices?seat={seat}")["choices"]
    commands = [choice["command"] for choice in listed]
    idle = [command for command in commands if command["type"] in IDLE]
    chosen = idle[0] if idle else min(commands, key=lambda move: sum(move.get("to", (9, 9))))
    body = {"seat": seat, "expected_version": match["version"], "commands": [chosen]}
    return player.post(f"/matches/{match['id']}/commands", body)["match"]


def begun(base: str, *names: str) -> tuple[list[Program], str]:
    """Start a match that ends after ten rounds; return its players and id."""
    return table(base, *names, game="conquest", map="custom", custom=LANE, patience=10)


def in_the_last_turn(base: str, *names: str) -> tuple[Program, str]:
    """Play a match up to its last turn; return the player to act and its id."""
    people, match_id = begun(base, *names)
    match = people[0].get(f"/matches/{match_id}")
    last = (match["to_act"][0] - 1) % len(people)
    while match["view"]["round"] < 10 or match["to_act"] != [last]:
        match = dawdle(people[match["to_act"][0]], match)
    return people[last], match_id


def finished(base: str, *names: str) -> tuple[list[Program], str]:
    """Play a match to its end without anybody finishing; return its players and id."""
    people, match_id = begun(base, *names)
    match = people[0].get(f"/matches/{match_id}")
    while match["status"] == "playing":
        match = dawdle(people[match["to_act"][0]], match)
    return people, match_id
