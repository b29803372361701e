"""Whole matches: undo at every step, forks, match files, over HTTP.

The game is registered here as long as it has no folder of its own.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.contract.registry import TITLES
from domain.games.conquest import rules
from domain.games.conquest.title import TITLE
from domain.match.commands import Redo, Undo
from domain.match.fork import create_fork
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.schema import BadFile
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from service.matches.options import check_options, fill_options
from tests.domain.conquest.builders import opened, play, play_on, random_moves, thought
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Client, Person

DRAWN = {"rows": ["BMOPSCF", "GDGDGDG"], "treasure": [[1, 3], [0, 1]], "name": "Ödland"}


@pytest.fixture(autouse=True)
def _in_the_register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, TITLE.slug, TITLE)


def json_of(value: Any) -> bytes:
    return msgspec.json.encode(value, order="sorted")


def test_taken_back_to_the_start_at_every_step_and_brought_on_again() -> None:
    """One player on all seats: byte for byte the same, on a custom map."""
    rng = random.Random(1)
    timeline = opened(3, people=1, map="custom", custom=DRAWN)
    begun, start = timeline.version, json_of(timeline.latest.state)
    for _ in range(50):
        choices = rules.choices(timeline.latest.state, timeline.latest.state.seat)
        play(timeline, timeline.latest.state.seat, rng.choice(choices))
        state = json_of(timeline.latest.state)
        play(timeline, 0, Undo(begun))
        assert json_of(timeline.latest.state) == start
        play(timeline, 0, Redo())
        assert json_of(timeline.latest.state) == state


def test_what_chance_decided_is_taken_back_by_consent_only() -> None:
    timeline = opened(2, chance=2, map="short")
    rng = random.Random(2)
    kinds = set()
    for _ in range(120):
        for seat in timeline.to_act(timeline.latest):
            drawn = timeline.latest.drawn
            play(timeline, seat, thought(timeline.latest.state, rng))
            undo = timeline.undo_kind(seat)
            if timeline.latest.drawn > drawn:
                assert undo.kind != "free"
            kinds.add(undo.kind)
    assert {"free", "consent"} <= kinds


def test_a_branch_stands_where_it_began_and_meets_other_cards() -> None:
    """The state holds no order of cards, so a fork has its own future."""
    timeline = opened(2, chance=3, people=1, map="short")
    play_on(timeline, random.Random(3), 12)
    opening = timeline.decisions[0].command
    branch = Timeline(rules, create_fork(timeline, timeline.version, "origin", opening))
    assert branch.latest.state == timeline.latest.state
    cards = set()
    for seed in range(6):
        last = timeline.latest.state
        for last, _ in random_moves(timeline.latest.state, random.Random(seed)):
            if last.turn > timeline.latest.state.turn + 4:
                break
        cards.add(last.discards)
    assert len(cards) > 1


@pytest.mark.parametrize(
    "options",
    [{"map": "custom", "custom": DRAWN}, {"map": "generated", "seed": 77}, {"map": "full"}],
    ids=lambda options: options["map"],
)
def test_a_file_of_a_match_proves_it_with_its_map(options: dict[str, Any]) -> None:
    timeline = opened(2, chance=4, people=1, **options)
    play_on(timeline, random.Random(4))
    document = msgspec.json.decode(msgspec.json.encode(export_match("some-id", timeline, None)))
    proven = verify(document, check_options)
    assert proven.latest.state == timeline.latest.state
    kept = document["decisions"][0]["command"]["options"]
    assert kept == fill_options(TITLE, options)
    assert ("custom" in options) == (kept["custom"] == DRAWN)
    stored = [codec_of("conquest").encode(decision) for decision in timeline.decisions]
    again = Timeline(rules, map(codec_of("conquest").decode, stored))
    assert [moment.state for moment in again.moments] == [m.state for m in timeline.moments]


@pytest.mark.parametrize(
    "change",
    [
        {"rows": ["BMRPSCF", "GDRDGDG"]},
        {"rows": ["BMOPSCG", "GDGDGDG"]},
        {"treasure": [[0, 0]]},
        {"name": "x" * 41},
    ],
)
def test_a_file_with_a_map_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    timeline = opened(2, chance=5, people=1, map="custom", custom=DRAWN)
    play_on(timeline, random.Random(5))
    document = msgspec.json.decode(msgspec.json.encode(export_match("some-id", timeline, None)))
    for part in (document["decisions"][0]["command"], document["decisions"][0]["events"][0]):
        part["options"]["custom"] = {**DRAWN, **change}
    with pytest.raises((BadFile, ValueError)):
        verify(document, check_options)


# --- over HTTP ------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as running:
        yield running


def test_a_table_on_a_drawn_map(client: Client) -> None:
    """Opened, played by two, exported; the map is in the first response and never sent again."""
    ann = Person(client, "Ann")
    options = {"map": "custom", "custom": DRAWN, "patience": 10}
    match = ann.open("me", "me", game="conquest", options=options)
    assert match["options"]["custom"] == DRAWN
    assert match["view"]["tiles"] == DRAWN["rows"]
    assert match["view"]["map"]["name"] == "Ödland"
    rng = random.Random(1)
    while match["status"] == "playing":
        seat = match["to_act"][0]
        choices = ann.choices(match, seat)
        assert all(choice["label"] and "{" not in choice["label"] for choice in choices)
        moves = [each["command"] for each in choices if each["command"]["type"] == "Move"]
        assert all(list(move) == ["type", "to"] and len(move["to"]) == 2 for move in moves)
        answer = ann.play(match, seat, rng.choice(choices)["command"])
        assert answer.status_code == 200, answer.text
        match = answer.json()["match"]
    assert {standing["seat"] for standing in match["standings"]} == {0, 1}
    home = ann.get(f"/matches/{match['id']}/export").json()
    assert ann.post("/matches/import", home).status_code == 201


def test_what_is_wrong_with_a_map_is_answered(client: Client) -> None:
    ann = Person(client, "Ann")
    seats = [{"kind": "me"}] * 2
    for change, reason in (
        ({"rows": ["BRF"]}, "The finish can’t be reached"),
        ({"rows": ["BGF", "GG"]}, "same length"),
        ({"treasure": [[0, 0]]}, "Treasure can’t be in a river, at the start or at the finish"),
    ):
        options = {"map": "custom", "custom": {"rows": ["BGF"], **change}}
        for path, more in (
            ("/matches", {"game": "conquest", "seats": seats}),
            (PREVIEW, {"seats": 2}),
        ):
            answer = ann.post(path, {**more, "options": options})
            assert (answer.status_code, answer.json()["code"]) == (422, "bad_option")
            assert reason in answer.json()["detail"]
            assert answer.json()["field"] == "custom"


PREVIEW = "/games/conquest/preview"


@pytest.mark.slow
def test_a_map_by_a_number_is_shown_before_the_table_opens(client: Client) -> None:
    """Another number draws another map; the match then has the previewed one."""
    ann = Person(client, "Ann")
    shown = []
    for seed in (5, 6):
        options = {"map": "generated", "size": "short", "seed": seed}
        answer = ann.post(PREVIEW, {"seats": 2, "options": options})
        assert answer.status_code == 200
        shown.append(answer.json()["view"]["tiles"])
    assert shown[0] != shown[1]
    match = ann.open("me", "me", game="conquest", options=options)
    assert match["view"]["tiles"] == shown[1]
