"""A match played on a phone without the service, imported from a file."""

import random
from typing import Any

from domain.contract.game import ALL_SEEING
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.commands import Open
from domain.match.seats import PHONE, Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.writer import export_match
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from tests.game_contract.play import play
from tests.service.people import Client, Person

GAME = "caravane"


def on_a_phone(moves: int) -> Timeline:
    """Return a match of a player against two bots in a game with secrets, after this many moves."""
    seats = (Seat("human", "Ann", "player-1"), Seat("bot", "Bot 1"), Seat("bot", "Bot 2"))
    options = {
        name: each["default"] for name, each in schema_of(TITLES[GAME])["properties"].items()
    }
    seed = random.Random(3).randbytes(32)
    head = (GAME, TITLES[GAME].rules_version, options, seats, "private", "player-1")
    opening = Open(*head, compute_commitment(seed), seed.hex(), source=PHONE)
    timeline = Timeline(codec_of(GAME).rules)
    timeline.play(None, [opening], 1_700_000_000_000, draws_from_seed)
    rng = random.Random(3)
    for _ in range(moves):
        seat = rng.choice(timeline.to_act(timeline.latest))
        play(timeline, seat, rng.choice(timeline.rules.choices(timeline.latest.state, seat)))
    return timeline


def test_importer_plays_on_against_the_same_bots(client: Client) -> None:
    timeline = on_a_phone(7)
    file: Any = export_match("phone-1", timeline, ALL_SEEING, range(3))
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    brought = ann.post("/matches/import", file, "import").json()
    assert (brought["imported"], brought["phone"], brought["signed"]) == (True, True, False)
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "bot", "level": "easy"}] * 2]
    path, body = f"/matches/{brought['id']}/fork", {"at": brought["version"], "seats": seats}
    assert bob.post(path, body).status_code == 404
    forked = ann.post(path, body, "fork")
    assert forked.status_code == 201, forked.text
    again = ann.post(path, body, "fork").json()
    match = forked.json()
    assert match["id"] == again["id"]
    # The service makes the draws from now on, but the earlier ones remain the phone's.
    assert match["phone"] is True
    assert match["status"] == "playing"
    answer = ann.play(
        ann.get(f"/matches/{match['id']}").json(), 0, ann.choices(match, 0)[0]["command"]
    )
    assert answer.status_code == 200, answer.text


def test_strangers_cannot_join_a_match_with_known_secrets(client: Client) -> None:
    file: Any = export_match("phone-1", on_a_phone(7), ALL_SEEING, range(3))
    ann = Person(client, "Ann")
    brought = ann.post("/matches/import", file).json()
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}]
    body = {"at": brought["version"], "seats": seats}
    answer = ann.post(f"/matches/{brought['id']}/fork", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "secrets_known")
