"""Private messages never make a match unverifiable and reach only their recipients."""

from typing import Any

import msgspec
import pytest

from domain.matchfile.verification import verify
from service.matches.options import check_options
from tests.service.people import Client, Person

PHASES = ("while seats are open", "while it is played", "after the end")


class Talkers:
    """Ann, Bea and Cid in a match that Dan can read; Ann and Bea exchange private messages in each
    phase."""

    def __init__(self, client: Client) -> None:
        self.people = [Person(client, name) for name in ("Ann", "Bea", "Cid", "Dan")]
        ann, bea, cid, _dan = self.people
        match = ann.open("me", "open", "open", visibility="public")
        self.id = match["id"]
        bea.post(f"/matches/{self.id}/join", {"seat": 1})
        self._whisper(PHASES[0])
        cid.post(f"/matches/{self.id}/join", {"seat": 2})
        self._whisper(PHASES[1])
        self._play_on()
        self._whisper(PHASES[2])

    def _whisper(self, phase: str) -> None:
        said = {"seat": 1, "text": f"psst {phase}", "to": 0}
        assert self.people[1].post(f"/matches/{self.id}/say", said).status_code == 200
        self.people[0].post(f"/matches/{self.id}/say", {"seat": 0, "text": f"aloud {phase}"})

    def _play_on(self) -> None:
        match = self.people[0].get(f"/matches/{self.id}").json()
        while match["status"] == "playing":
            match = self.people[match["to_act"][0]].step(match)

    def file(self, who: int) -> dict[str, Any]:
        answer = self.people[who].get(f"/matches/{self.id}/export")
        assert answer.status_code == 200
        return dict(answer.json())


@pytest.fixture
def talkers(client: Client) -> Talkers:
    return Talkers(client)


@pytest.mark.parametrize(("who", "hears"), [(0, True), (1, True), (2, False), (3, False)])
def test_every_partys_file_of_a_match_with_whispers_proves(
    talkers: Talkers, who: int, hears: bool
) -> None:
    """Sender and recipient have a message in the file; for others a gap is marked."""
    file = talkers.file(who)
    assert (file["hidden"], file["withheld"]) == (0, 0 if hears else len(PHASES))
    assert verify(file, check_options).latest.status == "finished"
    text = msgspec.json.encode(file).decode()
    for phase in PHASES:
        assert (f"psst {phase}" in text) == hears
        assert f"aloud {phase}" in text


def test_nobody_loses_the_own_words_when_the_match_is_over(talkers: Talkers) -> None:
    for who, person in enumerate(talkers.people):
        events = person.get(f"/matches/{talkers.id}/events", after=0).json()["events"]
        whispers = [e["text"] for e in events if e["type"] == "Said" and "aloud" not in e["text"]]
        own = [f"Bea: psst {phase}" for phase in PHASES]
        assert whispers == (own if who < 2 else ["A private message was sent."] * len(PHASES))


def test_a_file_with_words_left_out_can_be_brought_in_and_taken_home_again(
    talkers: Talkers,
) -> None:
    dan = talkers.people[3]
    brought = dan.post("/matches/import", talkers.file(3))
    assert brought.status_code == 201, brought.text
    again = dan.get(f"/matches/{brought.json()['id']}/export").json()
    assert again["withheld"] == len(PHASES)
    assert verify(again, check_options).latest.status == "finished"


def test_a_whisper_keeps_nobody_from_branching_off(talkers: Talkers) -> None:
    """Messages are not copied to a fork, so none is revealed."""
    dan = talkers.people[3]
    begun = dan.get(f"/matches/{talkers.id}/events", after=0).json()["events"]
    version = next(e["version"] for e in begun if e["type"] == "CamelPlaced")
    forked = dan.post(f"/matches/{talkers.id}/fork", {"at": version})
    assert forked.status_code == 201, forked.text
    assert "psst" not in dan.get(f"/matches/{forked.json()['id']}/export").text
