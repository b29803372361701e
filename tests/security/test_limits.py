"""Rate limits per address as well as per player; behind a proxy each client counts separately."""

import asyncio
import random
from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from service.http.rate_limits import MemoryCounter, client_network
from service.settings import Settings
from tests.security.process import process
from tests.service.apps import run_service
from tests.service.people import Client, Person, two_at_a_table

PHONES = 10
PLACES = 5
MOVES = 12
TABS = 3


def limited(tmp_path: Path, **limits: Any) -> AbstractContextManager[Client]:
    return run_service(Settings(data=str(tmp_path), **limits))


def test_new_players_of_an_address_share_what_it_may_use(tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=30, address_players=3) as client:
        served = 0
        for _ in range(20):
            answers: Counter[int] = Counter()
            if client.get("/api/games").status_code == 429:
                break
            person = Person(client)
            for _ in range(40):
                answers[person.get("/players/me").status_code] += 1
            served += answers[200]
            assert answers[429] > 0
        assert served <= 30 * 3
        assert client.get("/api/games").status_code == 429


def test_rejected_requests_do_not_use_up_the_limit_of_others(tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=30, address_players=3) as client:
        ann, bob = Person(client, "Ann"), Person(client, "Bob")
        ann.get("/players/me")  # by now the player is known
        answers = [ann.get("/players/me").status_code for _ in range(200)]
        assert answers.count(429) == 170
        assert {bob.get("/players/me").status_code for _ in range(20)} == {200}


def test_after_the_last_picture_a_new_player_gets_none(tmp_path: Path) -> None:
    with limited(tmp_path, draw_limit=5) as client:
        ann = Person(client)
        match = ann.open("me", visibility="public")
        path = f"/matches/{match['id']}/picture.png"
        assert [ann.get(path).status_code for _ in range(6)] == [200] * 5 + [429]
        new = Person(client, "New")
        refused = [new.get(path) for _ in range(20)]
        assert {answer.status_code for answer in refused} == {429}
        assert 1 <= int(refused[0].headers["retry-after"]) <= 60


@pytest.mark.parametrize(
    ("path", "units"),
    [("/players/me", 1), ("/matches/{id}/review", 10), ("/matches/{id}/export", 5)],
)
def test_expensive_requests_cost_more(path: str, units: int, tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=100) as client:
        ann = Person(client)
        address = path.format(id=ann.open("me")["id"])  # by now the player is known
        served = 0
        while ann.get(address).status_code == 200:
            served += 1
        assert served == 100 // units


def test_a_film_costs_five_pictures(tmp_path: Path) -> None:
    with limited(tmp_path, draw_limit=12) as client:
        ann = Person(client)
        match = ann.open("me")
        film = f"/matches/{match['id']}/animation.gif"
        assert [ann.get(film).status_code for _ in range(3)] == [200, 200, 429]


def test_zero_turns_limits_off(tmp_path: Path) -> None:
    with limited(tmp_path, play_limit=0, create_limit=0) as client:
        ann = Person(client)
        assert {ann.get("/players/me").status_code for _ in range(50)} == {200}
        assert len(client.app.services.limiter.local_counter) == 0  # type: ignore[attr-defined]


def test_networks_of_addresses() -> None:
    assert client_network("192.0.2.7") == "192.0.2.7"
    assert client_network("::ffff:192.0.2.7") == "192.0.2.7"
    assert (
        client_network("2001:db8:0:1::7")
        == client_network("2001:db8:0:1:ffff::1")
        == "2001:db8:0:1::"
    )
    assert client_network("2001:db8:0:2::7") != client_network("2001:db8:0:1::7")
    assert client_network("testclient") == "testclient"


def test_a_caller_with_very_many_addresses_cannot_fill_the_memory() -> None:
    memory = MemoryCounter(max_keys=100)
    for number in range(2000):
        memory.add(client_network(f"2001:db8:{number // 500:x}:{number % 500:x}::1"), 60)
        memory.add(f"seat:{number}", 3600)
    assert len(memory) <= 200


# --- behind a proxy ---------------------------------------------------------------------------


def asked(base: str, client: str, times: int) -> list[int]:
    with httpx.Client(base_url=base, headers={"X-Forwarded-For": client}) as http:
        return [http.get("/api/games").status_code for _ in range(times)]


def test_behind_a_trusted_proxy_each_client_is_its_own(tmp_path: Path) -> None:
    limits = {"play_limit": 2, "address_players": 2, "trusted_proxies": "127.0.0.0/8, 10.0.0.0/8"}
    with process(tmp_path, **limits) as base:
        assert asked(base, "192.0.2.1", 5) == [200] * 4 + [429]
        assert asked(base, "192.0.2.2", 4) == [200] * 4
        # What the client wrote itself stands further left and is not trusted.
        assert asked(base, "198.51.100.9, 192.0.2.1", 1) == [429]
        assert asked(base, "2001:db8:0:1::1", 4) == [200] * 4
        assert asked(base, "2001:db8:0:1::2", 1) == [429]


def test_forwarded_header_of_an_untrusted_peer_is_ignored(tmp_path: Path) -> None:
    limits = {"play_limit": 2, "address_players": 2, "trusted_proxies": "10.0.0.0/8"}
    with process(tmp_path, **limits) as base:
        answers = [asked(base, f"192.0.2.{number}", 1)[0] for number in range(8)]
        assert answers == [200] * 4 + [429] * 4


# --- ten phones behind one address ------------------------------------------------------------


class Phone:
    """A phone that plays fast, with several tabs, pictures and a bad network."""

    def __init__(self, base: str, number: int) -> None:
        self.http = httpx.AsyncClient(base_url=f"{base}/api", timeout=60)
        self.number = number
        self.answers: Counter[int] = Counter()
        self.path = ""
        self.tabs: list[httpx.Response] = []

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        answer = await self.http.request(method, path, json=body)
        self.answers[answer.status_code] += 1
        return answer.json() if "json" in answer.headers["content-type"] else None

    async def enter(self) -> None:
        made = await self.ask("POST", "/players", {"name": f"P{self.number}"})
        self.http.headers["Authorization"] = f"Bearer {made['token']}"

    async def reconnect(self) -> None:
        await self.leave()
        for _ in range(TABS):
            request = self.http.build_request("GET", f"{self.path}/live")
            self.tabs.append(await self.http.send(request, stream=True))
            self.answers[self.tabs[-1].status_code] += 1

    async def leave(self) -> None:
        for tab in self.tabs:
            await tab.aclose()
        self.tabs.clear()

    async def look(self) -> Any:
        """Send what each tab requests after a change."""
        for _ in range(TABS - 1):
            await self.ask("GET", self.path)
            await self.ask("GET", f"{self.path}/events?after=1")
        return await self.ask("GET", self.path)

    async def move(self, match: Any, rng: random.Random) -> None:
        seat = match["to_act"][0]
        choices = await self.ask("GET", f"{self.path}/choices?seat={seat}")
        command = rng.choice(choices["choices"])["command"]
        body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        await self.ask("POST", f"{self.path}/commands", body)


async def an_evening(base: str) -> Counter[int]:
    """Play two matches of five in one minute: every move read by all tabs, pictures, reconnects."""
    phones = [Phone(base, number) for number in range(PHONES)]
    for phone in phones:
        await phone.enter()
    tables = [phones[:PLACES], phones[PLACES:]]
    await asyncio.gather(*(a_table(people) for people in tables))
    for phone in phones:
        await phone.leave()
        await phone.http.aclose()
    return sum((phone.answers for phone in phones), Counter())


async def a_table(people: list[Phone]) -> None:
    rng = random.Random(people[0].number)
    host = people[0]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (PLACES - 1)]
    match = await host.ask(
        "POST", "/matches", {"game": "caravanserai", "seats": seats, "options": {"begins": "host"}}
    )
    for phone in people:
        phone.path = f"/matches/{match['id']}"
        if phone is not host:
            await phone.ask("POST", f"{phone.path}/join", {"invite": match["invite"]})
        await phone.reconnect()
    for number in range(MOVES):
        seen = await asyncio.gather(*(phone.look() for phone in people))
        acting = next(i for i, seat in enumerate(seen[0]["seats"]) if i in seen[0]["to_act"])
        mover = next(
            phone
            for phone, match in zip(people, seen, strict=True)
            if match["seats"][acting]["you"]
        )
        await mover.move(seen[0], rng)
        if number % 6 == 0:
            await asyncio.gather(*(phone.reconnect() for phone in people))
            await asyncio.gather(
                *(phone.ask("GET", f"{phone.path}/picture.png") for phone in people)
            )


def test_ten_phones_behind_one_address_never_meet_a_limit(tmp_path: Path) -> None:
    with process(tmp_path) as base:
        answers = asyncio.run(an_evening(base))
    assert set(answers) <= {200, 201}
    assert answers.total() > 700


def test_a_small_bound_of_bodies_holds_for_commands_too(tmp_path: Path) -> None:
    """Commands use the fast path, which bypasses Litestar's own limit."""
    with limited(tmp_path, play_limit=0, create_limit=0, max_body=2_000) as client:
        ann, _bob, match = two_at_a_table(client)
        command = ann.choices(match, 0)[0]["command"]
        body = msgspec.json.encode(
            {"seat": 0, "expected_version": match["version"], "commands": [command]}
        )
        path = f"/api/matches/{match['id']}/commands"
        large = client.post(path, content=body + b" " * 2_000, headers=ann.headers)
        assert (large.status_code, large.json()["code"]) == (413, "too_large")
        assert client.post(path, content=body, headers=ann.headers).status_code == 200
