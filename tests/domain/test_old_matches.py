"""Old games never break: every match ever kept here verifies and folds, forever.

The files are never made again. When the rules of a game get a new version, ``python -m
tests.domain.test_old_matches`` adds one match for each table that has none of that version yet.
"""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.match import Undo
from domain.matchfile import export, verify
from domain.register import TITLES
from service.cli import told
from service.options import check
from tests.kit.play import Table, opened, play, table_id, tables

FOLDER = Path(__file__).parent.parent / "matches"
FILES = sorted(FOLDER.glob("*.json"))


def document_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return document


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_a_kept_match_verifies(path: Path) -> None:
    document = document_of(path)
    timeline = verify(document, check)
    assert timeline.now.status == document["status"] == "finished"
    kept = msgspec.json.decode(path.with_suffix(".standings").read_bytes())
    assert list(msgspec.to_builtins(timeline.standings(timeline.now) or ())) == kept


TOLD = ("caravanserai-3-expert-v1", "caravane-3-v1", "caravanserail-6-v1")


@pytest.mark.parametrize("name", TOLD)
def test_a_playthrough_reads_as_it_was_kept(name: str) -> None:
    """One match of each game in words, for eyes: a change of words or rules shows in the diff.

    ``python -m tests.domain.test_old_matches`` writes the texts again.
    """
    kept = (FOLDER / f"{name}.txt").read_text()
    assert told_whole(FOLDER / f"{name}.json") == kept


def told_whole(path: Path) -> str:
    return "".join(f"{line}\n" for line in told(document_of(path)))


def test_every_game_and_rules_version_has_kept_matches() -> None:
    kept = {(d["game"], d["rules_version"]) for d in map(document_of, FILES)}
    wanted = {
        (slug, version)
        for slug, title in TITLES.items()
        for version in range(1, title.rules_version + 1)
    }
    assert wanted <= kept


def match_of(table: Table) -> Any:
    """A finished match, a little of it undone on the way, mostly played by the simple bots."""
    timeline = opened(table, 2026, people=1)
    rng = random.Random(2026)
    for step in range(20_000):
        seats = timeline.to_act(timeline.now)
        if not seats:
            return timeline
        state = timeline.now.state
        choices = timeline.rules.choices(state, seats[0])
        choice = timeline.rules.suggest(state, seats[0], choices, rng.randrange)
        play(timeline, seats[0], choice.command)
        if step in (9, 23) and timeline.undo_kind(seats[0]).to_version:
            play(timeline, seats[0], Undo())
    raise AssertionError(f"{table_id(table)} did not end")


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for table in tables():
        if table[2].get("keep_secrets"):
            continue  # such a match can never be proved to others
        version = TITLES[table[0]].rules_version
        path = FOLDER / f"{table_id(table)}-v{version}.json"
        if path.exists():
            continue
        timeline = match_of(table)
        path.write_bytes(msgspec.json.encode(export(table_id(table), timeline, None)))
        standings = msgspec.json.encode(timeline.standings(timeline.now))
        path.with_suffix(".standings").write_bytes(standings)
    for name in TOLD:
        (FOLDER / f"{name}.txt").write_text(told_whole(FOLDER / f"{name}.json"))


if __name__ == "__main__":
    main()
