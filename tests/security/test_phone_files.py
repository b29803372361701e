"""Imported phone matches: their claimed players and results do not count here."""

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
from tests.service.people import Client, Person, two_at_a_table

GAME = "caravanserai"


def forged() -> Any:
    """Return the file of a finished match between its importer and an invented player."""
    seats = (Seat("human", "Ann", "player-1"), Seat("human", "Nobody", "player-2"))
    seed = random.Random(5).randbytes(32)
    title = TITLES[GAME]
    options = {name: each["default"] for name, each in schema_of(title)["properties"].items()}
    head = (GAME, title.rules_version, options, seats, "private", "player-1")
    timeline = Timeline(codec_of(GAME).rules)
    opening = Open(*head, compute_commitment(seed), seed.hex(), source=PHONE)
    timeline.play(None, [opening], 1_700_000_000_000, draws_from_seed)
    rng = random.Random(5)
    while timeline.latest.status == "playing":
        seat = rng.choice(timeline.to_act(timeline.latest))
        play(timeline, seat, rng.choice(timeline.rules.choices(timeline.latest.state, seat)))
    return export_match("phone-1", timeline, ALL_SEEING, range(2))


def brought(person: Person) -> Any:
    answer = person.post("/matches/import", forged())
    assert answer.status_code == 201, answer.text
    match = answer.json()
    assert (match["phone"], match["status"]) == (True, "finished")
    return match


def test_made_up_people_are_nobody_one_has_sat_with(client: Client) -> None:
    ann = Person(client, "Ann")
    brought(ann)
    assert ann.get("/players/me/people").json()["items"] == []


def test_it_opens_no_rematch(client: Client) -> None:
    ann = Person(client, "Ann")
    match = brought(ann)
    assert "rematch" not in ann.get(f"/matches/{match['id']}").json()
    answer = ann.post(f"/matches/{match['id']}/rematch")
    assert (answer.status_code, answer.json()["code"]) == (409, "imported")


def test_a_fork_of_it_holds_no_seat_for_somebody_made_up(client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = brought(ann)
    body = {"at": match["version"] - 2, "seats": [{"kind": "same"}, {"kind": "same"}]}
    forked = ann.post(f"/matches/{match['id']}/fork", body)
    assert forked.status_code == 201, forked.text
    seat = forked.json()["seats"][1]
    assert (seat["kind"], seat.get("held_for")) == ("open", None)
    joined = bob.post(f"/matches/{forked.json()['id']}/join", {"invite": forked.json()["invite"]})
    assert joined.status_code == 200, joined.text


def test_imports_count_in_no_statistics_however_often(client: Client) -> None:
    """Neither a phone's file nor one signed by this service, imported five times."""
    ann, bob, match = two_at_a_table(client)
    people = [ann, bob]
    while match["status"] == "playing":
        match = people[match["to_act"][0]].step(match)
    signed = ann.get(f"/matches/{match['id']}/export").json()
    for _ in range(5):
        assert ann.post("/matches/import", signed).json()["signed"] is True
    brought(ann)
    (game,) = ann.get("/players/me/history").json()["games"]
    assert (game["game"], game["matches"]) == ("caravanserai", 1)
    (known,) = ann.get("/players/me/people").json()["items"]
    assert (known["name"], known["matches"]) == ("Bob", 1)
