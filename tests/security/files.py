"""Match files as an attacker would make them: real ones of every game, changed and resealed."""

import hashlib
import random
from pathlib import Path
from typing import Any

import msgspec

from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from tests.game_contract.play import opened, random_steps

FOLDER = Path(__file__).parent.parent / "recorded_matches"
GAMES = tuple(TITLES)
_KEPT = {
    "caravanserai": "caravanserai-3-expert-v1",
    "caravane": "caravane-3-v1",
    "caravanserail": "caravanserail-6-v1",
    "conquest": "conquest-3-v1",
    "courtyard": "courtyard-3-v1",
}


def plain(value: Any) -> Any:
    """Return the value as decoded from a file."""
    return msgspec.json.decode(msgspec.json.encode(value))


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with a matching digest, which anybody can compute."""
    body = {key: part for key, part in document.items() if key != "digest"}
    digest = hashlib.sha256(msgspec.json.encode(body, order="sorted")).hexdigest()
    return {**body, "digest": digest}


def finished_file(game: str) -> dict[str, Any]:
    """Return the file of a whole match."""
    document: dict[str, Any] = msgspec.json.decode((FOLDER / f"{_KEPT[game]}.json").read_bytes())
    return document


def running(game: str, people: int = 1, steps: int = 40) -> Timeline:
    """Return a running match after some moves."""
    title = TITLES[game]
    options = {name: part["default"] for name, part in schema_of(title)["properties"].items()}
    timeline = opened((game, title.seats[min(1, len(title.seats) - 1)], options), 5, people)
    for _ in random_steps(timeline, random.Random(5), steps):
        pass
    assert timeline.latest.status == "playing"
    return timeline


def unfinished_file(game: str) -> dict[str, Any]:
    """Return the file of a running match with one player on all seats, as that player may export
    it."""
    document = plain(export_match("some-match", running(game), 0))
    if document["hidden"]:
        # An attacker knows all cards of the match and writes them down.
        document = plain(_all_seeing(running(game)))
    return sealed(document)


def _all_seeing(timeline: Timeline) -> dict[str, Any]:
    """Return a file with every hidden fact and without the seed."""
    from domain.matchfile import writer
    from domain.matchfile.codec import codec_of

    codec = codec_of(timeline.latest.opened.game)
    anonymous = writer._Anonymizer()
    decisions = [anonymous(codec.to_plain(decision)) for decision in timeline.decisions]
    for part in (decisions[0]["command"], decisions[0]["events"][0]):
        part["seed"] = ""
    head = export_match("some-match", timeline, 0)
    return {**head, "hidden": 0, "decisions": decisions}


def moves(document: dict[str, Any]) -> list[int]:
    """Return the indexes of the decisions after the game was set up."""
    return list(range(2, len(document["decisions"])))
