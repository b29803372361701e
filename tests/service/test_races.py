"""Several players act at the same instant over real HTTP: nothing is lost and nothing doubled."""

import asyncio
import random
from typing import Any

import httpx
import pytest

from service.settings import Settings
from tests.service.running import server

SEATS = 5
ROUNDS = [100, pytest.param(500, marks=pytest.mark.soak)]


class Person:
    """A player with their own connection."""

    def __init__(self, address: str, seat: int) -> None:
        self.http = httpx.AsyncClient(base_url=address, timeout=30)
        self.seat = seat

    async def enter(self) -> None:
        answer = await self.http.post("/api/players", json={"name": f"P{self.seat}"})
        self.http.headers["Authorization"] = f"Bearer {answer.json()['token']}"

    async def bid(self, match: str, version: int, rng: random.Random) -> httpx.Response:
        return await self.send(match, version, await self.chosen(match, rng))

    async def chosen(self, match: str, rng: random.Random) -> Any:
        choices = await self.http.get(f"/api/matches/{match}/choices?seat={self.seat}")
        return rng.choice(choices.json()["choices"])["command"]

    async def send(self, match: str, version: int, command: Any) -> httpx.Response:
        body = {"seat": self.seat, "expected_version": version, "commands": [command]}
        return await self.http.post(f"/api/matches/{match}/commands", json=body)


async def seated(people: list[Person]) -> str:
    """Start a new match of Caravane with all players seated."""
    body = {"game": "caravane", "seats": [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]}
    match = (await people[0].http.post("/api/matches", json=body)).json()
    for person in people[1:]:
        wish = {"invite": match["invite"], "seat": person.seat}
        answer = await person.http.post(f"/api/matches/{match['id']}/join", json=wish)
        assert answer.status_code == 200
    return str(match["id"])


async def look(person: Person, match: str) -> dict[str, Any]:
    seen: dict[str, Any] = (await person.http.get(f"/api/matches/{match}")).json()
    return seen


async def race(address: str, rounds: int) -> int:
    """Play rounds in which all seats to act bid at once; return the number of rounds."""
    rng = random.Random(7)
    people = [Person(address, seat) for seat in range(SEATS)]
    for person in people:
        await person.enter()
    played = 0
    match = await seated(people)
    while played < rounds:
        before = await look(people[0], match)
        if before["status"] == "finished":
            match = await seated(people)
            continue
        version, acting = before["version"], before["to_act"]
        answers = await asyncio.gather(*(people[s].bid(match, version, rng) for s in acting))
        assert [answer.status_code for answer in answers] == [200] * len(acting)
        events = (await people[0].http.get(f"/api/matches/{match}/events?after={version}")).json()
        bids = sorted(e["seat"] for e in events["events"] if e["type"] == "BidMade")
        reveals = [e for e in events["events"] if e["type"] == "BidsRevealed"]
        assert bids == acting
        assert len(reveals) == 1
        versions = [e["version"] for e in events["events"]]
        assert versions == list(range(version + 1, events["version"] + 1))
        played += 1
    for person in people:
        await person.http.aclose()
    return played


@pytest.mark.slow
@pytest.mark.parametrize("rounds", ROUNDS)
def test_all_seats_bid_in_the_same_instant(tmp_path: Any, rounds: int) -> None:
    settings = Settings(data=str(tmp_path), play_limit=0, create_limit=0)
    with server(settings) as address:
        assert asyncio.run(race(address, rounds)) == rounds


async def tap_twice(address: str) -> list[int]:
    """Bid twice at once for the same seat, both at the same version."""
    people = [Person(address, seat) for seat in range(SEATS)]
    for person in people:
        await person.enter()
    match = await seated(people)
    version = (await look(people[0], match))["version"]
    command = await people[2].chosen(match, random.Random(1))
    answers = await asyncio.gather(*(people[2].send(match, version, command) for _ in range(4)))
    return sorted(answer.status_code for answer in answers)


@pytest.mark.slow
@pytest.mark.parametrize("again", range(5))
def test_a_double_tap_bids_once(tmp_path: Any, again: int) -> None:
    with server(Settings(data=str(tmp_path), play_limit=0, create_limit=0)) as address:
        assert asyncio.run(tap_twice(address)) == [200, 409, 409, 409]
