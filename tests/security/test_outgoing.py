"""Hostile webhooks do not delay notifications to other receivers."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.notifications import bulkheads, safe_http
from service.notifications.addresses import Resolver
from service.notifications.safe_http import DeliveryResult, SafeHttpClient, parse_retry_after
from tests.security.process import process
from tests.security.receivers import HOSTILE, Receivers, hang, honest, receivers
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.notifications.nameserver import Nameserver, nameserver
from tests.service.notifications.receivers import Receiver, eventually, receiver
from tests.service.notifications.test_sending import told_by, until_turn_of
from tests.service.people import Client, Person, two_at_a_table

MANY = 500
SOON_S = 3.0
"""The one bound in seconds: an honest receiver is called within, whatever others do."""
PATIENCE_S = 120.0
"""Deadline in seconds of calls that hang until a test ends them."""
UNLIMITED = {
    "play_limit": 0,
    "create_limit": 0,
    "address_tests": 0,
    "address_test_limit": 0,
    "target_test_limit": 0,
}


@pytest.fixture
def others() -> Iterator[Receivers]:
    with receivers() as made:
        yield made


@pytest.fixture
def names() -> Iterator[Nameserver]:
    with nameserver() as made:
        yield made


# -- the client ------------------------------------------------------------------------------


def webhook_calls(client: SafeHttpClient) -> int:
    """Return the number of calls of webhooks that hold a slot."""
    return len(client._pools["webhook"]._calls)


def bulkhead_count(client: SafeHttpClient) -> int:
    """Return the number of players and targets with calls that hold or wait for a slot."""
    return len(client._players._bulkheads) + len(client._targets._bulkheads)


def _hostile_urls(others: Receivers, names: Nameserver) -> tuple[list[str], list[str]]:
    """Return the URLs of hostile receivers of every kind, and those of them allowed by the
    settings."""
    names.names["private.example.org"] = ["10.0.0.1"]
    named = ["https://silent.example.org/", "https://private.example.org/"]
    kinds = [*HOSTILE.values()]
    urls, places = [], []
    for number in range(MANY):
        kind = number % (len(kinds) + len(named) + 1)
        if kind < len(named):
            urls.append(named[kind].replace("//", f"//n{number}.", 1) if kind == 0 else named[kind])
        elif kind == len(named):
            places.append(others.add(hang))
            urls.append(f"https://{places[-1]}/")
        else:
            places.append(others.add(kinds[kind - len(named) - 1]))
            urls.append(f"http://{places[-1]}/")
    return urls, places


def test_an_honest_receiver_is_called_amid_hundreds_of_hostile_ones(
    others: Receivers, names: Nameserver
) -> None:
    urls, places = _hostile_urls(others, names)
    good = others.add(honest)
    outside = SafeHttpClient([*places, good], resolver=names.resolver)

    async def run() -> tuple[list[DeliveryResult], float]:
        calls = [
            asyncio.create_task(outside.send(url, {}, b"{}", player=f"stranger {number}"))
            for number, url in enumerate(urls)
        ]
        await asyncio.sleep(0.5)
        longest = 0.0
        # While they hang, and until the last of them times out.
        while not all(call.done() for call in calls):
            began = time.monotonic()
            answer = await outside.send(f"http://{good}/", {}, b"{}", player="honest")
            longest = max(longest, time.monotonic() - began)
            assert answer.is_success
            await asyncio.sleep(0.1)
        assert (await outside.send(f"http://{good}/", {}, b"{}", player="honest")).is_success
        return [call.result() for call in calls], longest

    answers, longest = asyncio.run(run())
    assert longest < SOON_S
    assert not any(answer.is_success for answer in answers)
    assert webhook_calls(outside) == 0, "no slot was leaked"
    assert bulkhead_count(outside) == 0
    assert others.most_open <= 256 + 1
    eventually(lambda: others.open == 0)


@pytest.fixture
def patient_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let calls hang for two minutes, also while others wait, so that none ends during a test."""
    monkeypatch.setattr(bulkheads, "CONTENDED_TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr(safe_http, "_DELIVERY_TIMEOUT_S", PATIENCE_S)


async def until(check: Callable[[], bool]) -> None:
    """Wait until the check holds, for at most half a minute."""
    async with asyncio.timeout(30):
        while not check():
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("patient_calls")
def test_hanging_webhooks_do_not_delay_push_and_chats(others: Receivers) -> None:
    places = [others.add(hang) for _ in range(20)]
    good = others.add(honest)
    outside = SafeHttpClient([*places, good], max_connections=10)

    async def run() -> None:
        calls = [
            asyncio.create_task(outside.send(f"http://{place}/", {}, b"", player=place))
            for place in places
        ]
        await until(lambda: webhook_calls(outside) == 10)
        for pool in ("push", "chat"):
            began = time.monotonic()
            answer = await outside.send(f"http://{good}/", {}, b"", player="me", pool=pool)
            assert answer.is_success
            assert time.monotonic() - began < PATIENCE_S / 2, "it did not wait for others"
        assert webhook_calls(outside) == 10
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    asyncio.run(run())
    assert webhook_calls(outside) == 0


def test_a_subscription_at_any_address_does_not_share_the_pool_of_push() -> None:
    outside = SafeHttpClient(["127.0.0.1:9000"])
    assert outside.push_pool("https://fcm.googleapis.com/fcm/send/x") == "push"
    assert outside.push_pool("https://eu.push.services.mozilla.com/x") == "push"
    assert outside.push_pool("http://127.0.0.1:9000/x") == "push"
    assert outside.push_pool("https://evil.example.org/x") == "webhook"
    assert outside.push_pool("https://evilpush.services.mozilla.com.example.org/") == "webhook"


@pytest.mark.usefixtures("patient_calls")
def test_one_player_and_one_target_have_a_few_connections(others: Receivers) -> None:
    places = [others.add(hang) for _ in range(12)]
    outside = SafeHttpClient(places, max_per_player=3, max_per_target=5)

    async def most_open(urls_of_players: list[tuple[str, str]], expected: int) -> int:
        others.most_open = 0
        calls = [
            asyncio.create_task(outside.send(f"http://{place}/", {}, b"", player=player))
            for place, player in urls_of_players
        ]
        await until(lambda: others.most_open >= expected)
        await asyncio.sleep(0.3)  # for more than expected
        most = others.most_open
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        eventually(lambda: others.open == 0)
        return most

    assert asyncio.run(most_open([(place, "one") for place in places], 3)) == 3
    assert asyncio.run(most_open([(places[0], f"p{n}") for n in range(12)], 5)) == 5


def test_a_call_that_is_cancelled_anywhere_leaves_nothing(others: Receivers) -> None:
    """As when the service stops, or a timeout falls into a handshake."""
    place = others.add(hang)
    outside = SafeHttpClient([place], max_connections=4, max_per_target=2)

    async def run() -> None:
        for scheme in ("http", "https"):
            for wait in (0, 0.001, 0.005, 0.02, 0.1):
                url = f"{scheme}://{place}/"
                calls = [
                    asyncio.create_task(outside.send(url, {}, b"", player=str(n)))
                    for n in range(12)
                ]
                await asyncio.sleep(wait)
                for call in calls:
                    call.cancel()
                await asyncio.gather(*calls, return_exceptions=True)
        assert webhook_calls(outside) == 0
        assert bulkhead_count(outside) == 0

    asyncio.run(run())
    eventually(lambda: others.open == 0)


def test_endless_response_is_cut_off(others: Receivers) -> None:
    for kind in ("endless head", "interim", "huge body"):
        place = others.add(HOSTILE[kind])
        began = time.monotonic()
        answer = asyncio.run(SafeHttpClient([place]).send(f"http://{place}/", {}, b""))
        assert not answer.is_success
        assert time.monotonic() - began < SOON_S, f"{kind} was listened to"


@pytest.mark.parametrize(
    "said",
    [
        "Fri, 01 Jan 9999 00:00:00 +9999999999",
        "Fri, 01 Jan 0001 00:00:00 +2359",
        "Fri, 31 Dec 9999 23:59:59 -2359",
        "Mon, 00 Foo 0000 99:99:99 GMT",
        "9" * 5000,
        "-1",
        "٣",
        "\x00",
        "()" * 40,
        "",
    ],
)
def test_an_absurd_retry_after_is_bounded_or_nothing(said: str) -> None:
    wait = parse_retry_after(said)
    assert wait is None or 0 <= wait <= 6 * 3600


# -- the service -----------------------------------------------------------------------------


async def _players(client: httpx.AsyncClient, places: list[str]) -> list[tuple[Any, str]]:
    """Create a player with a webhook for each place; return headers and the path that tests it."""
    gate = asyncio.Semaphore(20)

    async def one(number: int, place: str) -> tuple[Any, str]:
        async with gate:
            made = (await client.post("/api/players", json={"name": f"P{number}"})).json()
            headers = {"Authorization": f"Bearer {made['token']}"}
            body = {"address": f"http://{place}/"}
            way = await client.post("/api/notices/webhook", json=body, headers=headers)
            assert way.status_code == 201, way.text
            return headers, f"/api/notices/ways/{way.json()['id']}/test"

    return await asyncio.gather(*[one(n, place) for n, place in enumerate(places)])


def test_notices_go_on_while_hundreds_of_webhooks_hang(others: Receivers, tmp_path: Path) -> None:
    places = [others.add(hang) for _ in range(10)]
    places += [others.add(talk) for talk in HOSTILE.values()]
    good = others.add(honest)
    hosts = ",".join([*places, good])

    async def run(base: str) -> tuple[list[int], float]:
        limits = httpx.Limits(max_connections=300, max_keepalive_connections=0)
        # No cookies: each request carries its own token.
        async with (
            httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as client,
            httpx.AsyncClient(base_url=base, timeout=60) as mine,
        ):
            hostile = await _players(client, [places[n % len(places)] for n in range(240)])
            ((headers, path),) = await _players(mine, [good])
            client.cookies.clear()
            mine.cookies.clear()
            calls = [
                asyncio.create_task(client.post(test, headers=theirs)) for theirs, test in hostile
            ]
            await asyncio.sleep(1)
            began = time.monotonic()
            first = await mine.post(path, headers=headers)
            lasted = time.monotonic() - began
            statuses = [(await call).status_code for call in calls]
            last = await mine.post(path, headers=headers)
            assert (first.status_code, last.status_code) == (200, 200), last.text
            return statuses, lasted

    with process(tmp_path, notice_hosts=hosts, **UNLIMITED) as base:
        statuses, lasted = asyncio.run(run(base))
    assert set(statuses) == {409}, "each is told that nobody answers, none is an error"
    assert lasted < SOON_S


@pytest.fixture
def taking() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


def test_dead_webhooks_of_many_do_not_hold_up_the_notice_of_another(
    others: Receivers, taking: Receiver, tmp_path: Path, at_once: None
) -> None:
    place = others.add(hang)
    hosts = f"{place},{taking.place}"
    with (
        fresh("sqlite", tmp_path, notice_delay=0.0, notice_hosts=hosts) as settings,
        run_service(settings) as client,
    ):
        tables = [two_at_a_table(client) for _ in range(30)]
        ann, bob, match = two_at_a_table(client)
        for _dead_ann, dead_bob, _match in tables:
            answer = dead_bob.post("/notices/webhook", {"address": f"http://{place}/"})
            assert answer.status_code == 201, answer.text
        told_by(bob, taking)
        for dead_ann, _dead_bob, theirs in tables:
            until_turn_of(dead_ann, theirs, 1)
        eventually(lambda: others.open > 0)
        calls = others.calls
        until_turn_of(ann, match, 1)
        taking.wait(1)
        gone = others.calls - others.open
        assert gone == 0, f"{gone} of {calls} hostile calls were given up before"


def test_a_webhook_that_fails_again_and_again_is_paused_and_can_be_resumed(
    taking: Receiver, tmp_path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.notifications.channels.FAILURE_WINDOW_MS", 0)
    with (
        receiver() as dead,
        fresh(
            "sqlite",
            tmp_path,
            notice_delay=0.0,
            notice_hosts=f"{taking.place},{dead.place}",
            pause_after=2,
        ) as settings,
        run_service(settings) as client,
    ):
        ann, bob, match = two_at_a_table(client)
        told_by(bob, dead)
        told_by(bob, taking)
        dead.answers = [(500, {})] * 100
        until_turn_of(ann, match, 1)
        got = taking.wait(2)
        assert [each.json["type"] for each in got] == ["turn", "paused"], (
            "reported on another channel"
        )
        assert dead.place in got[1].json["title"]
        paused, other = bob.get("/notices").json()["ways"]
        assert paused["problem"] == "500"
        assert "paused_until" in paused
        assert "paused_until" not in other
        called = len(dead.got)
        ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "hello"})
        assert taking.wait(3)[2].json["type"] == "word"
        assert len(dead.got) == called, "nothing is sent to one that is paused"
        dead.answers = []
        resumed = bob.post(f"/notices/ways/{paused['id']}/resume")
        assert resumed.status_code == 200, resumed.text
        assert "paused_until" not in resumed.json()
        assert "problem" not in resumed.json()
        bob.step(ann.get(f"/matches/{match['id']}").json())
        ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "again"})
        dead.wait(called + 1)
        stranger = Person(client, "Cid")
        assert stranger.post(f"/notices/ways/{paused['id']}/resume").status_code == 404


def test_paused_only_channel_is_retried_after_the_pause(
    taking: Receiver, tmp_path: Path, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.notifications.channels.FAILURE_WINDOW_MS", 0)
    settings: Any
    with (
        fresh(
            "sqlite", tmp_path, notice_delay=0.0, notice_hosts=taking.place, pause_after=1
        ) as settings,
        run_service(settings) as client,
    ):
        ann, bob, match = two_at_a_table(client)
        told_by(bob, taking)
        taking.answers = [(500, {})]
        until_turn_of(ann, match, 1)
        eventually(lambda: "paused_until" in bob.get("/notices").json()["ways"][0])
        store = client.app.services.store

        def held() -> bool:
            with store.transaction(commit=False) as sql:
                row = sql.one(
                    "SELECT n.due, w.paused FROM {0}notices n, {0}notice_ways w WHERE n.tries = 1"
                )
            return bool(row) and row["due"] == row["paused"]

        eventually(held)
        assert len(taking.got) == 1
        with store.transaction(commit=True) as sql:
            sql.run("UPDATE {0}notice_ways SET paused = 1")
            sql.run("UPDATE {0}notices SET due = 0")
        taking.wait(2)
        eventually(lambda: "problem" not in bob.get("/notices").json()["ways"][0])


# -- limits of test messages -----------------------------------------------------------------


def _limited(client: Client, count: int, url: str, names: int = 1) -> list[int]:
    """Return the statuses of webhook tests at an address, by this many players in turn."""
    people = [Person(client, f"P{n}") for n in range(names)]
    ways = [p.post("/notices/webhook", {"address": url}).json()["id"] for p in people]
    return [
        people[n % names].post(f"/notices/ways/{ways[n % names]}/test").status_code
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("limits", "people"),
    [
        ({"test_limit": 3}, 1),
        ({"address_test_limit": 3}, 6),
        ({"target_test_limit": 3}, 6),
    ],
)
def test_test_messages_are_limited(
    taking: Receiver, tmp_path: Path, limits: dict[str, int], people: int
) -> None:
    none = {"test_limit": 0, "address_test_limit": 0, "target_test_limit": 0}
    with (
        fresh("sqlite", tmp_path, notice_hosts=taking.place, **{**none, **limits}) as settings,
        run_service(settings) as client,
    ):
        assert _limited(client, 6, f"{taking.url}/x", people) == [200] * 3 + [429] * 3
    assert len(taking.got) == 3
    with (
        fresh("sqlite", tmp_path / "none", notice_hosts=taking.place, **none) as settings,
        run_service(settings) as client,
    ):
        assert _limited(client, 6, f"{taking.url}/x", people) == [200] * 6, "0 turns each off"


def test_concurrent_tests_per_address_are_limited(others: Receivers, tmp_path: Path) -> None:
    place = others.add(hang)

    async def run(base: str) -> list[int]:
        async with httpx.AsyncClient(base_url=base, timeout=60) as client:
            hostile = await _players(client, [place] * 20)
            client.cookies.clear()
            calls = [client.post(test, headers=theirs) for theirs, test in hostile]
            return [answer.status_code for answer in await asyncio.gather(*calls)]

    settings = {**UNLIMITED, "address_tests": 3, "target_connections": 0}
    with process(tmp_path, notice_hosts=place, **settings) as base:
        statuses = asyncio.run(run(base))
    assert sorted(statuses) == [409] * 3 + [429] * 17
    assert others.calls == 3


def test_a_receiver_that_asks_for_an_absurd_pause_is_no_error(
    taking: Receiver, tmp_path: Path
) -> None:
    dates = ["Fri, 01 Jan 9999 00:00:00 +9999999999", "Fri, 01 Jan 0001 00:00:00 +2359"]
    with (
        fresh("sqlite", tmp_path, notice_hosts=taking.place) as settings,
        run_service(settings) as client,
    ):
        person = Person(client)
        way = person.post("/notices/webhook", {"address": f"{taking.url}/x"}).json()["id"]
        for date in dates:
            taking.answers = [(503, {"Retry-After": date})]
            answer = person.post(f"/notices/ways/{way}/test")
            assert (answer.status_code, answer.json()["code"]) == (409, "not_delivered")


def test_a_name_of_digits_that_look_alike_is_refused_not_an_error(tmp_path: Path) -> None:
    urls = ["https://１２７.0.0.1/", "https://①②⑦.⓪.⓪.①/", "https://[fec0::1]/"]
    with (
        fresh("sqlite", tmp_path) as settings,
        run_service(settings) as client,
    ):
        person = Person(client)
        for url in urls:
            answer = person.post("/notices/webhook", {"address": url})
            assert (answer.status_code, answer.json()["code"]) == (422, "bad_address"), url
        kelvin = person.post("/notices/webhook", {"address": "https://\u212aelvin.example.org/"})
        assert kelvin.status_code == 201
        assert kelvin.json()["name"] == "kelvin.example.org"
        client.app.services.subscriptions.transports.http_client._resolver = Resolver(
            [("127.0.0.1", 9)]
        )
        tested = person.post(f"/notices/ways/{kelvin.json()['id']}/test")
        assert (tested.status_code, tested.json()["code"]) == (409, "not_delivered")
