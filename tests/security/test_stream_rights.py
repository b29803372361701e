"""A live stream ends with the right to read its match and says why; it counts for its player's
current seats."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.live import hub
from service.settings import Settings
from tests.service.databases import DATABASES, address_of, fresh
from tests.service.running import server
from tests.service.servers import redis_url

PATIENCE_S = 20


class Caller:
    """A player of a running server."""

    def __init__(self, address: str, name: str) -> None:
        token = httpx.post(f"{address}/api/players", json={"name": name}).json()["token"]
        headers = {"Authorization": f"Bearer {token}"}
        self.http = httpx.Client(base_url=f"{address}/api", headers=headers, timeout=PATIENCE_S)

    def post(self, path: str, body: Any = None) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()


class Stream:
    """A live stream, read in a thread until it ends."""

    def __init__(self, caller: Caller, match: str, query: str = "") -> None:
        self.events: list[tuple[str, Any]] = []
        self.is_open, self.has_ended = threading.Event(), threading.Event()
        self._path = f"/matches/{match}/live{query}"
        self._http = caller.http
        threading.Thread(target=self._read, daemon=True).start()
        assert self.is_open.wait(PATIENCE_S)

    def _read(self) -> None:
        kind = ""
        with self._http.stream("GET", self._path) as answer:
            assert answer.status_code == 200
            for line in answer.iter_lines():
                self.is_open.set()
                if line.startswith("event:"):
                    kind = line[6:].strip()
                elif line.startswith("data:"):
                    self.events.append((kind, json.loads(line[5:])))
                    kind = ""
        self.has_ended.set()

    def versions(self) -> list[int]:
        return [data["version"] for kind, data in self.events if kind == ""]

    def looking(self) -> list[int]:
        """Return the seats in the newest watcher event."""
        told = [data["seats"] for kind, data in [*self.events] if kind == "looking"]
        return told[-1] if told else []

    def until_looking(self, *seats: int) -> None:
        """Wait until exactly these seats are watching."""
        deadline = time.monotonic() + PATIENCE_S
        while self.looking() != [*seats]:
            assert time.monotonic() < deadline, self.events
            time.sleep(0.05)

    def end(self) -> tuple[str, Any]:
        """Return the last event once the stream has ended."""
        assert self.has_ended.wait(PATIENCE_S)
        return self.events[-1]


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with fresh(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    with server(settings) as running:
        yield running


def opened(address: str, seats: int) -> tuple[Caller, Any]:
    ann = Caller(address, "Ann")
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]}
    return ann, ann.post("/matches", body)


def test_a_member_who_left_hears_no_more(address: str) -> None:
    ann, match = opened(address, 2)
    path, bob = f"/matches/{match['id']}", Caller(address, "Bob")
    bob.post(f"{path}/join", {"invite": match["invite"]})
    stream, host = Stream(bob, match["id"]), Stream(ann, match["id"])
    version = bob.http.get(path).json()["version"]
    bob.post(f"{path}/leave", {"stand_in": "bot"})
    assert stream.end() == ("closed", {"reason": "no_access"})
    assert all(seen <= version for seen in stream.versions())
    ann.post(f"{path}/say", {"seat": 0, "text": "still here"})
    after = ann.http.get(path).json()["version"]
    while after not in host.versions():
        assert not host.has_ended.wait(0.05)


def test_an_invitation_that_is_used_up_opens_no_stream_any_more(address: str) -> None:
    _, match = opened(address, 2)
    eve, bob = Caller(address, "Eve"), Caller(address, "Bob")
    stream = Stream(eve, match["id"], f"?invite={match['invite']}")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert stream.end() == ("closed", {"reason": "no_access"})
    assert stream.versions() in ([], [match["version"]])


def test_a_share_code_stays_good(address: str) -> None:
    ann, match = opened(address, 2)
    eve, bob = Caller(address, "Eve"), Caller(address, "Bob")
    stream = Stream(eve, match["id"], f"?invite={match['share']}")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    version = ann.http.get(f"/matches/{match['id']}").json()["version"]
    while version not in stream.versions():
        assert not stream.has_ended.wait(0.05)


def test_who_is_blocked_hears_no_more(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is no event of the match: the right is also checked periodically."""
    monkeypatch.setattr(hub, "_ACCESS_CHECK_INTERVAL_S", 0.3)
    ann, first = opened(address, 2)
    bob = Caller(address, "Bob")
    bob.post(f"/matches/{first['id']}/join", {"invite": first["invite"]})
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    match = ann.post("/matches", body)
    stream = Stream(bob, match["id"], f"?invite={match['invite']}")
    (known,) = ann.http.get("/players/me/people").json()["items"]
    stance = {"muted": False, "blocked": True}
    assert ann.http.put(f"/players/me/people/{known['id']}", json=stance).status_code == 200
    assert stream.end() == ("closed", {"reason": "no_access"})


def test_a_device_that_is_signed_out_is_told_so(address: str) -> None:
    bob = Caller(address, "Bob")
    match = bob.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]})
    link = bob.post("/players/link")
    other = httpx.post(f"{address}/api/players/link/claim", json={"code": link["code"]}).json()
    phone = Caller(address, "Phone")
    phone.http.headers["Authorization"] = f"Bearer {other['token']}"
    stream = Stream(phone, match["id"])
    assert bob.http.delete("/players/devices").status_code == 200
    assert stream.end() == ("closed", {"reason": "signed_out"})


def test_a_worker_checks_what_another_one_changed(tmp_path: Path) -> None:
    """The worker that holds the stream reloads the match before it sends a version."""
    with fresh("postgresql", tmp_path) as settings, server(settings) as one:
        _, match = opened(one, 2)
        bob = Caller(one, "Bob")
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        with server(settings) as two:
            there = Caller(two, "There")
            there.http.headers["Authorization"] = bob.http.headers["Authorization"]
            stream = Stream(there, match["id"])
            bob.post(f"/matches/{match['id']}/leave", {"stand_in": "bot"})
            assert stream.end() == ("closed", {"reason": "no_access"})


# --- the seats that a stream stands for ---------------------------------------------------------


def ask_recovery(asker: Caller, address: str, match: Any) -> Any:
    """Ask to let the person of seat 1 back in on another device."""
    code = Caller(address, "Phone").post("/players/me/seat-code")["code"]
    body = {"seat": 0, "about": 1, "code": code}
    return asker.http.post(f"{address}/api/matches/{match['id']}/recovery", json=body)


def test_a_stream_stands_no_more_for_a_seat_that_was_left(address: str) -> None:
    """Otherwise the former holder prevents the recovery of the seat by its next player."""
    ann, bob, cid = (Caller(address, name) for name in ("Ann", "Bob", "Cid"))
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravanserai", "seats": seats, "visibility": "public"}
    match = ann.post("/matches", body)
    path = f"/matches/{match['id']}"
    bob.post(f"{path}/join", {"invite": match["invite"]})
    streams = [Stream(ann, match["id"]), Stream(bob, match["id"])]
    streams[0].until_looking(0, 1)
    bob.post(f"{path}/leave", {"stand_in": "nobody"})
    cid.post(f"{path}/join", {"invite": ann.http.get(path).json()["invite"]})
    streams[0].until_looking(0)
    assert not streams[1].has_ended.is_set(), "the table is public"
    assert ask_recovery(ann, address, match).status_code == 200


def test_a_stream_that_was_there_before_its_person_sat_down_stands_for_the_seat(
    tmp_path: Path,
) -> None:
    """Also at another worker: the seat of a player who is online does not move."""
    redis = address_of(redis_url)
    with (
        fresh("postgresql", tmp_path, redis_url=redis) as settings,
        server(settings) as one,
        server(settings) as two,
    ):
        ann, match = opened(one, 2)
        bob = Caller(two, "Bob")
        stream = Stream(bob, match["id"], f"?invite={match['invite']}")
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        Stream(ann, match["id"]).until_looking(0, 1)
        answer = ask_recovery(ann, one, match)
        assert (answer.status_code, answer.json()["code"]) == (409, "seat_online")
        assert not stream.has_ended.is_set()
