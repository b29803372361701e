"""Match files: a whole match verifies, and any change is rejected with a reason."""

import random
from typing import Any

import msgspec
import pytest

from domain.match.commands import Undo
from domain.match.fork import create_fork
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.matchfile.verification import BadFile, verify
from domain.matchfile.writer import compute_digest as digest_of
from domain.matchfile.writer import export_match
from tests.game_contract.play import opened, play, random_steps
from tests.game_contract.strict_english import STRICT_ENGLISH
from tests.game_contract.test_games import accept_any_options, finished

HEX = ("caravanserai", 2, {"expert": False})


def plain(document: dict[str, Any]) -> dict[str, Any]:
    return msgspec.json.decode(msgspec.json.encode(document))


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return plain(export_match("match", finished(HEX), None))


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with a matching digest, as an attacker would write it."""
    body = {key: value for key, value in document.items() if key != "digest"}
    return {**body, "digest": digest_of(body)}


def test_a_file_names_no_player_and_no_seed_while_the_match_runs() -> None:
    timeline = opened(HEX, 1)
    text = msgspec.json.encode(export_match("match", timeline, 0)).decode()
    assert timeline.latest.opened.seed not in text
    assert "player0" not in text
    assert "player-1" in text
    assert (
        verify(plain(export_match("match", timeline, 0)), accept_any_options).latest.status
        == "playing"
    )


def test_undone_moves_stay_in_the_file_and_verify() -> None:
    timeline = opened(HEX, 2)
    for step, _ in enumerate(random_steps(timeline, random.Random(1), 40)):
        seat = timeline.to_act(timeline.latest)[0]
        if step % 5 == 0 and timeline.undo_kind(seat).kind == "free":
            play(timeline, seat, Undo())
    again = verify(plain(export_match("match", timeline, None)), accept_any_options)
    assert again.latest.state == timeline.latest.state
    assert again.undone_indexes() == timeline.undone_indexes() != set()


def test_a_fork_verifies_although_its_first_draws_are_another_seeds() -> None:
    timeline = opened(HEX, 3, people=1)
    for _ in random_steps(timeline, random.Random(1), 30):
        pass
    opening = timeline.decisions[0].command
    branch = Timeline(
        timeline.rules, create_fork(timeline, timeline.version - 9, "parent", opening)
    )
    for _ in random_steps(branch, random.Random(2), 10_000):
        pass
    document = plain(export_match("branch", branch, None))
    assert document["status"] == "finished"
    assert verify(document, accept_any_options).latest.opened.forked_from.match == "parent"
    with pytest.raises(Refused):
        create_fork(timeline, 1, "parent", opening)
    with pytest.raises(Refused):
        create_fork(branch, branch.version, "branch", opening)


def test_the_first_decision_that_does_not_hold_is_named(document: dict[str, Any]) -> None:
    forged = plain(document)
    moves = [i for i, d in enumerate(forged["decisions"]) if d["command"]["type"] == "LayBlock"]
    block = next(e for e in forged["decisions"][moves[3]]["events"] if e["type"] == "BlockLaid")
    block["omitted"] = not block["omitted"]
    with pytest.raises(BadFile) as error:
        verify(sealed(forged), accept_any_options)
    assert error.value.decision == moves[3]
    assert "the events don’t match the rules" in str(error.value)


def test_wrong_draws_are_rejected(document: dict[str, Any]) -> None:
    """Other draws, even with matching setup events, do not follow from the seed."""
    forged = plain(document)
    other = plain(export_match("match", finished_with_seed(99), None))
    forged["decisions"][1] = other["decisions"][1]
    with pytest.raises(BadFile, match="draw 0 doesn’t match the seed"):
        verify(sealed({**forged, "decisions": forged["decisions"][:2]}), accept_any_options)


def finished_with_seed(seed: int) -> Timeline:
    return opened(HEX, seed, people=1)


def test_seed_must_match_its_commitment(document: dict[str, Any]) -> None:
    forged = plain(document)
    forged["fairness"]["seed"] = "00" * 32
    forged["decisions"][0]["command"]["seed"] = "00" * 32
    forged["decisions"][0]["events"][0]["seed"] = "00" * 32
    with pytest.raises(BadFile, match="commitment"):
        verify(sealed(forged), accept_any_options)


@pytest.mark.parametrize("garbage", [None, [], "x", {}, {"format": "caravanserai-match"}, 7])
def test_garbage_is_refused(garbage: Any) -> None:
    with pytest.raises(BadFile):
        verify(garbage, accept_any_options)


def test_a_thousand_mutated_files_are_refused_with_a_reason(document: dict[str, Any]) -> None:
    """Half of them have a matching digest: then only the rules, draws and seed can tell."""
    rng = random.Random(5)
    accepted, reasons = [], []
    for number in range(1000):
        mutant, path = mutate(plain(document), rng)
        if number % 2:
            mutant = sealed(mutant)
        try:
            verify(mutant, accept_any_options)
        except BadFile as error:
            reasons.append(error.translate(STRICT_ENGLISH))
        else:
            accepted.append(path)
    assert all(reasons)
    # A change can go unnoticed only where the rules do not check: messages and clocks.
    harmless = {"at", "id", "name", "player", "owner", "visibility"}
    assert [path for path in accepted if not set(path) & harmless] == []


def mutate(document: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], list[Any]]:
    """Change one place of the file; return the file and the path of the change."""
    node: Any = document
    path: list[Any] = []
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = rng.choice([k for k in keys if k != "digest"])
        path.append(key)
        if isinstance(node[key], dict | list) and node[key] and rng.random() < 0.9:
            node = node[key]
            continue
        old = node[key]
        while node[key] == old:
            node[key] = rng.choice([None, 0, 1, -1, 17, "red", "", [], {}, True, "00" * 32, 2**70])
        return document, path
