"""The share code of a private match cannot be derived or guessed."""

import random
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from domain.match.commands import Open
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import draws_from_seed
from service.app import create_app
from service.matches.access import invite_of, is_invite
from service.matches.share_codes import derive_code
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.people import Client, Person


def finished_alone(client: Client) -> tuple[Person, Any]:
    """Return a finished private match, whose seed is published."""
    ann = Person(client)
    match = ann.open("me")
    rng = random.Random(1)  # always the first choice would never end on some boards
    while match["status"] != "finished":
        match = ann.step(match, rng.randrange(len(ann.choices(match, 0))))
    return ann, match


def seen_by_a_stranger(client: Client, match: Any, code: str) -> int:
    path = f"/api/matches/{match['id']}"
    return client.get(path, params={"invite": code}).status_code


def from_seed(match: Any) -> str:
    return derive_code(bytes.fromhex(match["fairness"]["seed"]), b"share")


def test_the_code_does_not_follow_from_what_is_published(any_client: Client) -> None:
    _ann, match = finished_alone(any_client)
    assert seen_by_a_stranger(any_client, match, from_seed(match)) == 404
    assert seen_by_a_stranger(any_client, match, match["share"]) == 200
    picture = f"/api/matches/{match['id']}/picture.png"
    assert any_client.get(picture, params={"share": from_seed(match)}).status_code == 404


def test_a_copy_that_came_in_a_file_has_a_code_of_its_own(client: Client) -> None:
    ann, match = finished_alone(client)
    file = ann.get(f"/matches/{match['id']}/export").json()
    eve = Person(client, "Eve")
    copy = eve.post("/matches/import", file).json()
    assert copy["share"] != match["share"]
    assert seen_by_a_stranger(client, match, copy["share"]) == 404


def test_match_without_a_seed_has_no_invite_code() -> None:
    """A code derived from an empty seed would be the same for every such match."""
    seats = (Seat("human", "Ann", "ann"), Seat("open", ""))
    opening = Open("caravanserai", 1, {"expert": False}, seats, "private", "ann", "", "")
    timeline = Timeline(codec_of("caravanserai").rules)
    timeline.play(None, [opening], 1_000, draws_from_seed)
    assert invite_of(timeline) == ""
    assert not is_invite(timeline, "")
    assert not is_invite(timeline, derive_code(b"", b"invite"))


def test_codes_are_the_same_after_a_restart_and_links_from_before_stay_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=str(tmp_path))
    with run_service(settings) as client:
        _ann, match = finished_alone(client)
    app = create_app(settings)
    with TestClient(app) as client:
        assert seen_by_a_stranger(client, match, match["share"]) == 200
        assert seen_by_a_stranger(client, match, from_seed(match)) == 404
        # As in a store in which the match is older than the secret.
        monkeypatch.setattr(app.services.share_codes, "created_ms", 2**53)
        assert seen_by_a_stranger(client, match, from_seed(match)) == 200
