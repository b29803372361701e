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


def finished(base: str, *names: str) -> tuple[list[Program], str]:
    """Play a match to its end without anybody finishing; return its players and id."""
    people, match_id = table(base, *names, game="conquest", map="custom", custom=LANE, patience=10)
    match = people[0].get(f"/matches/{match_id}")
    while match["status"] == "playing":
        match = dawdle(people[match["to_act"][0]], match)
    return people, match_id
