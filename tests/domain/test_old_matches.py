"""Old games never break: every match ever kept here verifies and folds, forever.

The files are never made again. For a new game ``python -m tests.domain.test_old_matches`` adds
one match for each table; when the rules of a game get a new version, one of that version.
"""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.draws import Replay
from domain.filed import Signature
from domain.forks import fork
from domain.match import HERE, Say, Timeline, Undo
from domain.matchfile import export, verify
from domain.register import TITLES
from service.matches.options import check
from service.matches.signing import key_id, signature_of
from service.telling import read_aloud
from tests.kit.play import Table, bot_move, opened, play, table_id, tables, to_the_end

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


TOLD = (
    "caravanserai-3-expert-v1",
    "caravane-3-v1",
    "caravanserail-6-v1",
    "conquest-3-v1",
    "courtyard-3-v1",
)


@pytest.mark.parametrize("name", TOLD)
def test_a_playthrough_reads_as_it_was_kept(name: str) -> None:
    """One match of each game in words, for eyes: a change of words or rules shows in the diff.

    ``python -m tests.domain.test_old_matches`` writes the texts again.
    """
    kept = (FOLDER / f"{name}.txt").read_text()
    assert told_whole(FOLDER / f"{name}.json") == kept


LATER = ("caravanserai-3-expert", "caravane-3", "caravanserail-6")
"""The tables of which a match is kept also for later versions of the rules."""


def told_whole(path: Path) -> str:
    return "".join(f"{line}\n" for line in read_aloud(document_of(path)))


@pytest.mark.parametrize("name", [f"{table}-v1" for table in LATER])
def test_a_branch_of_an_old_match_is_played_by_its_rules(name: str) -> None:
    """A fork keeps the version of the rules, so that what came along verifies as it was made."""
    timeline = verify(document_of(FOLDER / f"{name}.json"), check)
    opening = timeline.decisions[0].command
    middle = timeline.decisions[len(timeline.decisions) // 2].last_version
    new = replace(opening, rules_version=TITLES[opening.game].rules_version)
    branch = Timeline(timeline.rules, fork(timeline, middle, "origin", new))
    assert branch.now.opened.rules_version == 1
    for index, decision in enumerate(branch.decisions.tail(1), start=1):
        draw = Replay(decision.draws)
        made = branch.decide(branch.moments[index - 1], decision.seat, decision.command, draw)
        assert made.events == decision.events


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
        play(timeline, seats[0], bot_move(timeline, seats[0], rng))
        if step in (9, 23) and timeline.undo_kind(seats[0]).to_version:
            play(timeline, seats[0], Undo())
    raise AssertionError(f"{table_id(table)} did not end")


def signed_path(slug: str) -> Path:
    return FOLDER / f"{slug}-signed-v{TITLES[slug].rules_version}.json"


@pytest.mark.parametrize("slug", TITLES)
def test_a_kept_signature_holds(slug: str) -> None:
    """A file of before must hold for ever, also what was signed in it and left out of it."""
    document = document_of(signed_path(slug))
    signature = signature_of(document)
    assert signature is not None
    assert signature.public == PUBLIC
    assert document["withheld"] == 1


def sign_for_tests(content: bytes) -> Signature:
    """A key that everybody knows, so that the kept files could be made."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    return Signature("Ed25519", key_id(PUBLIC), PUBLIC, key.sign(content).hex())


PUBLIC = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw().hex()


def signed_match_of(slug: str) -> Any:
    """Two people play it to the end and talk; one word is for the other's ears."""
    table = next(table for table in tables() if table[0] == slug and table[1] > 1)
    timeline = opened(table, 2026, people=2, source=HERE)
    play(timeline, 0, Say("Good luck."), Say("Salt for dates?", 1))
    to_the_end(timeline, random.Random(2026))
    return timeline


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for slug in TITLES:
        if not signed_path(slug).exists():
            timeline = signed_match_of(slug)
            document = export(f"{slug}-signed", timeline, None, sign=sign_for_tests)
            _keep(signed_path(slug), document, timeline)
    for table in tables():
        if table[2].get("keep_secrets"):
            continue  # such a match can never be proved to others
        version = TITLES[table[0]].rules_version
        if version > 1 and table_id(table) not in LATER:
            continue
        path = FOLDER / f"{table_id(table)}-v{version}.json"
        if path.exists():
            continue
        timeline = match_of(table)
        _keep(path, export(table_id(table), timeline, None), timeline)
    for name in TOLD:
        (FOLDER / f"{name}.txt").write_text(told_whole(FOLDER / f"{name}.json"))


def _keep(path: Path, document: dict[str, Any], timeline: Any) -> None:
    path.write_bytes(msgspec.json.encode(document))
    standings = msgspec.json.encode(timeline.standings(timeline.now))
    path.with_suffix(".standings").write_bytes(standings)


if __name__ == "__main__":
    main()
