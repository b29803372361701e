"""Recorded matches of all rules versions still verify and fold.

The files are never regenerated. For a new game ``python -m tests.domain.test_old_matches`` adds one
match for each table; for a new rules version of a game, one of that version.
"""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.contract.registry import TITLES, rules_of
from domain.match.commands import Redo, Say, Undo
from domain.match.fork import create_fork
from domain.match.rematch import rematch_options
from domain.match.seats import HERE
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.schema import Signature
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from domain.toolkit.randomness import RecordedDraws
from service.cli.transcript import transcript
from service.matches.options import check_options
from service.matches.signing import key_id, verify_signature
from tests.game_contract.play import Table, bot_move, opened, play, table_id, tables, to_the_end

FOLDER = Path(__file__).parent.parent / "recorded_matches"
FILES = sorted(FOLDER.glob("*.json"))


def document_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    return document


@pytest.mark.slow
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_recorded_match_verifies(path: Path) -> None:
    document = document_of(path)
    timeline = verify(document, check_options)
    assert timeline.latest.status == document["status"] == "finished"
    kept = msgspec.json.decode(path.with_suffix(".standings").read_bytes())
    assert list(msgspec.to_builtins(timeline.standings(timeline.latest) or ())) == kept


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_decisions_written_again_are_read_unchanged(path: Path) -> None:
    """A match file has the current shapes under the old rules version: upcasts are idempotent."""
    document = document_of(path)
    codec, version = codec_of(document["game"]), document["rules_version"]
    for plain in document["decisions"]:
        decision = codec.from_plain(plain, version)
        again = msgspec.json.decode(msgspec.json.encode(codec.to_plain(decision)))
        assert codec.from_plain(again, version) == decision


TOLD = (
    "caravanserai-3-expert-v1",
    "caravane-3-v1",
    "caravanserail-6-v1",
    "conquest-3-v1",
    "courtyard-3-v1",
)


@pytest.mark.parametrize("name", TOLD)
def test_playthrough_matches_the_recorded_text(name: str) -> None:
    """One match of each game as text, so that a change of texts or rules shows in the diff.

    ``python -m tests.domain.test_old_matches`` writes the texts again.
    """
    kept = (FOLDER / f"{name}.txt").read_text()
    assert told_whole(FOLDER / f"{name}.json") == kept


LATER = (
    "caravanserai-3-expert",
    "caravanserai-3-long_games_end",
    "caravane-3",
    "caravanserail-6",
    "conquest-3",
    "courtyard-3",
    "courtyard-3-long_games_end",
)
"""The tables of which a match is kept also for later versions of the rules."""


def told_whole(path: Path) -> str:
    return "".join(f"{line}\n" for line in transcript(document_of(path)))


@pytest.mark.parametrize("name", [f"{table}-v1" for table in LATER if "long" not in table])
def test_fork_of_an_old_match_keeps_its_rules(name: str) -> None:
    """A fork keeps the rules version, so that inherited decisions verify as they were made."""
    timeline = verify(document_of(FOLDER / f"{name}.json"), check_options)
    opening = timeline.decisions[0].command
    middle = timeline.decisions[len(timeline.decisions) // 2].last_version
    new = replace(opening, rules_version=TITLES[opening.game].rules_version)
    branch = Timeline(timeline.rules, create_fork(timeline, middle, "origin", new))
    assert branch.latest.opened.rules_version == 1
    for index, decision in enumerate(branch.decisions.tail(1), start=1):
        draw = RecordedDraws(decision.draws)
        made = branch.decide(branch.moments[index - 1], decision.seat, decision.command, draw)
        assert made.events == decision.events


@pytest.mark.parametrize("slug", TITLES)
def test_a_rematch_of_an_old_match_has_all_options(slug: str) -> None:
    """It uses the newest rules, and its file verifies: no option is missing."""
    old = verify(document_of(FOLDER / f"{slug}-signed-v1.json"), check_options).latest.opened
    again = rematch_options(rules_of(slug), old.options)
    check_options(TITLES[slug], msgspec.json.decode(msgspec.json.encode(again)))
    assert {name: again[name] for name in old.options} == old.options
    check_options(TITLES[slug], again)


BY_ROUNDS = {"caravanserai-2-unchanged-v3": 20, "courtyard-2-without-end-v2": 60}
"""Kept matches that the limit of rounds ended."""


@pytest.mark.parametrize("name", BY_ROUNDS)
def test_undo_across_rounds_restores_the_count(name: str) -> None:
    """Undo over several rounds and the announcement of the end, and redo."""
    timeline = verify(document_of(FOLDER / f"{name}.json"), check_options)
    rules = timeline.rules
    assert rules.view(timeline.latest.state, None)["round_limit"] == BY_ROUNDS[name]
    played = Timeline(rules, [*timeline.decisions][:-1])
    end, last = played.version, played.latest.state
    assert rules.view(last, None)["rounds_left"] == 1
    seats = played.to_act(played.latest)
    for back in (60, 15, 30):
        to = played.decisions[len(timeline.decisions) - back].last_version
        then = played.at(to).state
        play(played, seats[0], Undo(to))
        assert played.latest.state == then
        assert rules.view(then, None)["rounds_left"] != 1
        play(played, seats[0], Redo())
        assert played.latest.state == last
    assert played.version > end
    over = timeline.decisions[len(timeline.decisions) - 1]
    play(played, over.seat, over.command)
    assert played.latest.status == "finished"
    assert played.standings(played.latest) == timeline.standings(timeline.latest)


def test_a_fork_of_an_old_courtyard_still_accepts_an_exchange_that_changes_nothing() -> None:
    """Ruling 49 applies to matches opened with the second version of the rules or later."""
    timeline = verify(document_of(FOLDER / "courtyard-2-v1.json"), check_options)
    opening = timeline.decisions[0].command
    new = replace(opening, rules_version=TITLES["courtyard"].rules_version)
    middle = timeline.decisions[len(timeline.decisions) // 2].last_version
    branch = Timeline(timeline.rules, create_fork(timeline, middle, "origin", new))
    assert branch.latest.opened.rules_version == 1
    assert branch.latest.state.idle_exchanges


def test_every_game_and_rules_version_has_kept_matches() -> None:
    kept = {(d["game"], d["rules_version"]) for d in map(document_of, FILES)}
    wanted = {
        (slug, version)
        for slug, title in TITLES.items()
        for version in range(1, title.rules_version + 1)
    }
    assert wanted <= kept


def match_of(table: Table) -> Any:
    """Return a finished match with some undos, mostly played by the simple bots."""
    timeline = opened(table, 2026, people=1)
    rng = random.Random(2026)
    for step in range(20_000):
        seats = timeline.to_act(timeline.latest)
        if not seats:
            return timeline
        play(timeline, seats[0], bot_move(timeline, seats[0], rng))
        if step in (9, 23) and timeline.undo_kind(seats[0]).to_version:
            play(timeline, seats[0], Undo())
    raise AssertionError(f"{table_id(table)} did not end")


def signed_path(slug: str) -> Path:
    return FOLDER / f"{slug}-signed-v{TITLES[slug].rules_version}.json"


@pytest.mark.parametrize("slug", TITLES)
def test_recorded_signature_is_valid(slug: str) -> None:
    """Old files must stay valid, including what was signed in them and what was left out."""
    document = document_of(signed_path(slug))
    signature = verify_signature(document)
    assert signature is not None
    assert signature.public == PUBLIC
    assert document["withheld"] == 1


def sign_for_tests(content: bytes) -> Signature:
    """Sign with a publicly known key, which the recorded files use."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    return Signature("Ed25519", key_id(PUBLIC), PUBLIC, key.sign(content).hex())


PUBLIC = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw().hex()


def signed_match_of(slug: str) -> Any:
    """Return a match of two players with chat, one message of it private."""
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
            document = export_match(f"{slug}-signed", timeline, None, sign=sign_for_tests)
            _keep(signed_path(slug), document, timeline)
    for table in tables():
        if table[2].get("keep_secrets"):
            continue  # such a match can never be verified by others
        version = TITLES[table[0]].rules_version
        if version > 1 and table_id(table) not in LATER:
            continue
        path = FOLDER / f"{table_id(table)}-v{version}.json"
        if path.exists():
            continue
        timeline = match_of(table)
        _keep(path, export_match(table_id(table).replace("_", "-"), timeline, None), timeline)
    for name in TOLD:
        (FOLDER / f"{name}.txt").write_text(told_whole(FOLDER / f"{name}.json"))


def _keep(path: Path, document: dict[str, Any], timeline: Any) -> None:
    path.write_bytes(msgspec.json.encode(document))
    standings = msgspec.json.encode(timeline.standings(timeline.latest))
    path.with_suffix(".standings").write_bytes(standings)


if __name__ == "__main__":
    main()
