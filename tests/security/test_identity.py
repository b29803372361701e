"""Player identities cannot be replaced by accident, and lost ones can be recovered."""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.players.identity import TRUST_LIFETIME_S, device_name
from tests.security.real_service import open_house
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person
from tests.service.test_bad_input import problem

ANDROID = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A) AppleWebKit/537.36 (KHTML, like Gecko)"
    " Chrome/126.0.6478.71 Mobile Safari/537.36"
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as running:
        yield running


@pytest.fixture(params=DATABASES)
def two_workers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Client, Client]]:
    """Two workers on one store."""
    with (
        fresh(request.param, tmp_path) as settings,
        run_service(settings) as one,
        run_service(settings) as other,
    ):
        yield one, other


def is_ann(client: Client) -> bool:
    return bool(client.get("/api/players/me").json().get("name") == "Ann")


def sit(client: Client, name: str = "Ann") -> Any:
    """Create a player with a cookie."""
    return client.post("/api/players", json={"name": name}).json()


# --- existing identities are kept ----------------------------------------------------------------


def test_a_new_player_does_not_take_the_place_of_one(client: Client) -> None:
    ann = sit(client)
    made = client.post("/api/players", json={"name": "Eve"})
    assert made.status_code == 201
    assert "set-cookie" not in made.headers
    assert is_ann(client)
    eve = {"Authorization": f"Bearer {made.json()['token']}"}
    assert client.get("/api/players/me", headers=eve).json()["name"] == "Eve"
    assert made.json()["player_id"] != ann["player_id"]


def test_unknown_cookie_is_no_identity(client: Client) -> None:
    client.cookies.set("player", "left-from-a-database-that-is-gone")
    assert "set-cookie" in client.post("/api/players", json={"name": "Ann"}).headers


@pytest.mark.parametrize("way", ["link", "recovery"])
def test_replacing_an_identity_needs_confirmation(client: Client, way: str) -> None:
    bob = Person(client, "Bob")
    path, code = (
        ("/api/players/link/claim", bob.post("/players/link").json()["code"])
        if way == "link"
        else ("/api/players/recover", bob.post("/players/recovery").json()["code"])
    )
    sit(client)
    kept = client.post(path, json={"code": code})
    assert problem(kept) == (409, "already_player")
    assert (kept.json()["present"], kept.json()["offered"]) == ("Ann", "Bob")
    assert "set-cookie" not in kept.headers
    assert is_ann(client)
    # The rejected attempt did not use the link up.
    assert client.post(path, json={"code": code, "replace": True}).status_code == 201
    assert client.get("/api/players/me").json()["name"] == "Bob"


def test_same_identity_needs_no_confirmation(client: Client) -> None:
    sit(client)
    link = client.post("/api/players/link").json()
    assert client.post("/api/players/link/claim", json={"code": link["code"]}).status_code == 201
    assert is_ann(client)


# --- recovery codes ------------------------------------------------------------------------------


def test_a_recovery_code_brings_a_player_back_however_it_is_typed(client: Client) -> None:
    ann = Person(client)
    made = ann.post("/players/recovery")
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    code = made.json()["code"]
    assert re.fullmatch(r"(?:[0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}", code)
    typed = (code, code.lower().replace("-", " "), code.replace("0", "o").replace("1", "l"))
    for spelling in typed:
        client.cookies.clear()
        back = client.post("/api/players/recover", json={"code": f" {spelling} "})
        assert back.status_code == 201
        assert back.json()["player_id"] == ann.id
        assert client.get("/api/players/me").json()["player_id"] == ann.id


def test_only_the_newest_code_works_and_it_is_nowhere_stored(
    client: Client, tmp_path: Path
) -> None:
    ann = Person(client)
    old, new = (ann.post("/players/recovery").json()["code"] for _ in range(2))
    assert problem(client.post("/api/players/recover", json={"code": old})) == (404, "no_such_code")
    assert problem(client.post("/api/players/recover", json={"code": "0" * 20}))[0] == 404
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        for secret in (new, new.replace("-", ""), ann.token):
            assert secret.encode() not in content


def test_guesses_are_counted(tmp_path: Path) -> None:
    with open_house(tmp_path, create_limit=10) as address:
        codes = [
            httpx.post(f"{address}/api/players/recover", json={"code": f"{n:020}"}).status_code
            for n in range(40)
        ]
    assert set(codes) == {404, 429}


# --- devices ----------------------------------------------------------------------------------


def devices(person: Person) -> list[Any]:
    return list(person.get("/players/devices").json()["items"])


def test_devices_are_listed_by_kind_and_day(client: Client, tmp_path: Path) -> None:
    client.headers["User-Agent"] = ANDROID
    ann = Person(client)
    client.headers["User-Agent"] = "python-httpx/0.28"
    link = ann.post("/players/link").json()["code"]
    client.post("/api/players/link/claim", json={"code": link})
    found = {d["name"]: d for d in devices(ann)}
    assert set(found) == {"Chromium on Android", "API client"}
    assert [found[name]["this"] for name in ("Chromium on Android", "API client")] == [True, False]
    for device in found.values():
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", device["last_seen"])
        assert set(device) == {"id", "name", "created", "last_seen", "this"}
    assert ann.get("/players/devices").json()["recovery_code"] is None
    ann.post("/players/recovery")
    assert ann.get("/players/devices").json()["recovery_code"] is not None
    for file in tmp_path.iterdir():
        assert b"Pixel" not in file.read_bytes(), "only the kind is stored"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (ANDROID, "Chromium on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5"
         " Mobile/15E148 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/126.0 Safari/537.36 Edg/126.0",
         "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
         "Firefox on Linux"),
        ("curl/8.5.0", "A program"),
        ("", "A program"),
        ("Firefox/\x7f" + "x" * 5000, "Firefox"),
    ],
)  # fmt: skip
def test_a_device_is_called_by_its_kind(agent: str, name: str) -> None:
    assert device_name(agent) == name


def test_a_device_that_is_signed_out_stops_in_all_workers(
    two_workers: tuple[Client, Client],
) -> None:
    """At once in the worker that did it; elsewhere when the cached trust of a few seconds
    expires."""
    one, other = two_workers
    ann = Person(one)
    link = ann.post("/players/link").json()["code"]
    lost = one.post("/api/players/link/claim", json={"code": link}).json()["token"]
    one.cookies.clear()
    thief = {"Authorization": f"Bearer {lost}"}
    assert one.get("/api/players/me", headers=thief).status_code == 200
    assert other.get("/api/players/me", headers=thief).status_code == 200
    (theirs,) = [d for d in devices(ann) if not d["this"]]
    left = one.delete(f"/api/players/devices/{theirs['id']}", headers=ann.headers)
    assert [d["this"] for d in left.json()["items"]] == [True]
    assert problem(one.get("/api/players/me", headers=thief)) == (401, "unknown_token")
    deadline = time.monotonic() + TRUST_LIFETIME_S
    while other.get("/api/players/me", headers=thief).status_code == 200:
        assert time.monotonic() < deadline + 1
        time.sleep(0.1)
    assert ann.get("/players/me").status_code == 200


def test_all_others_are_signed_out_and_nobody_elses(client: Client) -> None:
    ann, bob = Person(client), Person(client, "Bob")
    for _ in range(3):
        link = ann.post("/players/link").json()["code"]
        client.post("/api/players/link/claim", json={"code": link, "replace": True})
    client.cookies.clear()
    (his,) = devices(bob)
    theft = client.delete(f"/api/players/devices/{his['id']}", headers=ann.headers)
    assert problem(theft) == (404, "no_such_device")
    left = client.delete("/api/players/devices", headers=ann.headers).json()["items"]
    assert [d["this"] for d in left] == [True]
    assert len(devices(ann)) == len(devices(bob)) == 1


def test_signing_out_here_takes_the_cookie_away(client: Client) -> None:
    sit(client)
    (here,) = client.get("/api/players/devices").json()["items"]
    assert client.delete(f"/api/players/devices/{here['id']}").status_code == 200
    assert "player" not in client.cookies
    assert client.get("/api/players/me").status_code == 401


# --- the cookie under TLS ---------------------------------------------------------------------

TLS = "https://testserver.local"


def test_over_tls_the_cookie_belongs_to_this_host_alone(client: Client) -> None:
    made = client.post(f"{TLS}/api/players", json={"name": "Ann"})
    (cookie,) = made.headers.get_list("set-cookie")
    assert cookie.startswith("__Host-player=")
    parts = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"secure", "httponly", "path=/", "samesite=lax"} <= parts
    assert not any(part.startswith("domain") for part in parts)
    assert client.get(f"{TLS}/api/players/me").json()["name"] == "Ann"


def test_the_old_cookie_still_counts_over_tls_and_is_replaced(client: Client) -> None:
    token = Person(client).token
    old = {"Cookie": f"player={token}"}
    seen = client.get(f"{TLS}/api/matches", headers=old)
    assert seen.status_code == 200
    cookies = {c.partition("=")[0]: c for c in seen.headers.get_list("set-cookie")}
    assert f"__Host-player={token}" in cookies["__Host-player"]
    assert "Max-Age=0" in cookies["player"]
    client.cookies.clear()
    assert "set-cookie" not in client.get("/api/matches", headers=old).headers
    new = {"Cookie": f"__Host-player={token}"}
    assert "set-cookie" not in client.get(f"{TLS}/api/matches", headers=new).headers


def test_behind_a_proxy_the_public_address_tells_that_it_is_tls(tmp_path: Path) -> None:
    body = {"name": "Ann"}
    with open_house(tmp_path, public_url="https://play.example.org") as address:
        there = {"Host": "play.example.org"}
        made = httpx.post(f"{address}/api/players", json=body, headers=there)
        assert made.headers["set-cookie"].startswith("__Host-player=")
        # Some proxies call by an internal name; then the page's Origin tells the scheme.
        inner = {"Host": "app:8000", "Origin": "https://play.example.org"}
        made = httpx.post(f"{address}/api/players", json=body, headers=inner)
        assert made.headers["set-cookie"].startswith("__Host-player=")
        # A phone at home uses the machine's address without TLS, where a secure cookie would be
        # lost.
        made = httpx.post(f"{address}/api/players", json=body)
        assert made.headers["set-cookie"].startswith("player=")
        assert "secure" not in made.headers["set-cookie"].lower()


# --- invitations ------------------------------------------------------------------------------


def test_an_invitation_that_is_used_up_opens_nothing(client: Client) -> None:
    ann, bob, eve = (Person(client, name) for name in ("Ann", "Bob", "Eve"))
    match = ann.open("me", "open")
    path, invite = f"/matches/{match['id']}", match["invite"]
    assert eve.get(path, invite=invite).status_code == 200
    assert bob.post(f"{path}/join", {"invite": invite}).status_code == 200
    for more in ("", "/events", "/live"):
        assert problem(eve.get(f"{path}{more}", invite=invite)) == (404, "no_such_match")
    joined = eve.post(f"{path}/join", {"invite": invite})
    assert problem(joined) == (404, "no_such_match")
    assert client.get(f"/m/{match['id']}?share={invite}").text.count("og:") == 0
    assert bob.get(path, invite=invite).status_code == 200, (
        "a player of the match may follow the link"
    )
    share = ann.get(path).json()["share"]
    assert eve.get(path, invite=share).status_code == 200, "a share code grants read access"


def test_a_fork_has_an_invitation_of_its_own_that_is_used_up_too(client: Client) -> None:
    ann, bob, eve = (Person(client, name) for name in ("Ann", "Bob", "Eve"))
    match = ann.open("me", "me")
    seats = [{"kind": "me"}, {"kind": "open"}]
    fork = ann.post(f"/matches/{match['id']}/fork", {"at": match["version"], "seats": seats}).json()
    path, invite = f"/matches/{fork['id']}", fork["invite"]
    assert eve.get(f"/matches/{match['id']}", invite=invite).status_code == 404
    assert bob.post(f"{path}/join", {"invite": invite}).status_code == 200
    assert eve.get(path, invite=invite).status_code == 404


# --- what a signed-out device has created --------------------------------------------------------


PIN = "482915"


class Thief:
    """A thief with a device of Ann's, who creates every kind of access before she signs it out."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.ann = Person(client, "Ann")
        link = self.ann.post("/players/link").json()["code"]
        claimed = client.post("/api/players/link/claim", json={"code": link}).json()
        client.cookies.clear()
        self.headers = {"Authorization": f"Bearer {claimed['token']}"}
        self.link = self._post("/players/link").json()["code"]
        second = self._post("/players/link").json()["code"]
        self.linked = self._claim(second).json()["token"]
        self.recovery = self._post("/players/recovery").json()["code"]
        self.calendar = self._post("/players/me/calendar").json()["url"].partition("/calendar/")[2]
        bob = Person(client, "Bob")
        self.match = self.ann.open("me", "open")
        joined = bob.post(f"/matches/{self.match['id']}/join", {"invite": self.match["invite"]})
        assert joined.status_code == 200, joined.text
        self.table = self.choose_pin(client).json()["table"]

    def _post(self, path: str, body: Any = None) -> Any:
        answer = self.client.post(f"/api{path}", json=body, headers=self.headers)
        assert answer.status_code in (200, 201), answer.text
        return answer

    def choose_pin(self, client: Client, headers: Any = None) -> Any:
        path = f"/api/matches/{self.match['id']}/pin"
        body = {"seat": 0, "pin": PIN}
        return client.put(path, json=body, headers=headers or self.headers)

    def use_pin(self) -> Any:
        body = {"table": self.table, "seat": 0, "pin": PIN}
        return Person(self.client, "Nobody").post("/matches/recover", body)

    def _claim(self, code: str) -> Any:
        answer = self.client.post("/api/players/link/claim", json={"code": code})
        self.client.cookies.clear()
        return answer

    def ways_back(self) -> dict[str, int]:
        recovered = self.client.post("/api/players/recover", json={"code": self.recovery})
        self.client.cookies.clear()
        return {
            "link": self._claim(self.link).status_code,
            "recovery": recovered.status_code,
            "calendar": self.client.get(f"/calendar/{self.calendar}").status_code,
            "seat_pin": self.use_pin().status_code,
        }

    def devices(self) -> Any:
        return self.ann.get("/players/devices").json()

    def stolen(self) -> str:
        """Return the id of the device: one that Ann's own has linked, and that linked another."""
        linked_by = self.devices()["linked_by"]
        return next(maker for maker in linked_by.values() if maker in linked_by)


NO_WAY_BACK = {"link": 404, "recovery": 404, "calendar": 404, "seat_pin": 404}


def test_signed_out_device_cannot_return(any_client: Client) -> None:
    thief = Thief(any_client)
    ann, stolen = thief.ann, thief.stolen()
    out = any_client.delete(f"/api/players/devices/{stolen}", headers=ann.headers)
    assert out.status_code == 200, out.text
    assert thief.ways_back() == NO_WAY_BACK
    # Its owner is told what ended, and shown what it had linked.
    left = out.json()
    assert set(left["revoked"]) == {"recovery_code", "calendar", "seat_pin"}
    assert left["recovery_code"] is None
    (linked,) = [one for one in left["items"] if left["linked_by"].get(one["id"]) == stolen]
    assert any_client.delete(f"/api/players/devices/{linked['id']}", headers=ann.headers).is_success
    gone = {"Authorization": f"Bearer {thief.linked}"}
    assert any_client.get("/api/players/me", headers=gone).status_code == 401
    assert [one["this"] for one in thief.devices()["items"]] == [True]


def test_signing_out_others_revokes_what_they_created(any_client: Client) -> None:
    thief = Thief(any_client)
    out = any_client.delete("/api/players/devices", headers=thief.ann.headers)
    assert set(out.json()["revoked"]) == {"recovery_code", "calendar", "seat_pin"}
    assert thief.ways_back() == NO_WAY_BACK
    assert [one["this"] for one in out.json()["items"]] == [True]


def test_access_created_by_the_owner_stays_valid(any_client: Client) -> None:
    thief = Thief(any_client)
    ann = thief.ann
    code = ann.post("/players/recovery").json()["code"]
    calendar = ann.post("/players/me/calendar").json()["url"].partition("/calendar/")[2]
    assert thief.choose_pin(any_client, ann.headers).status_code == 200
    out = any_client.delete("/api/players/devices", headers=ann.headers).json()
    assert out["revoked"] == []
    assert any_client.get(f"/calendar/{calendar}").status_code == 200
    assert any_client.post("/api/players/recover", json={"code": code}).status_code == 201
    assert thief.use_pin().status_code == 200


def test_signed_out_device_creates_no_access_on_another_worker(
    two_workers: tuple[Client, Client],
) -> None:
    """A worker trusts a secret for two seconds; routes that grant access ask the store."""
    one, other = two_workers
    thief = Thief(one)
    assert other.get("/api/players/me", headers=thief.headers).status_code == 200
    assert one.delete("/api/players/devices", headers=thief.ann.headers).status_code == 200
    for path in ("/players/link", "/players/recovery", "/players/me/calendar"):
        assert other.post(f"/api{path}", headers=thief.headers).status_code == 401, path
    assert thief.choose_pin(other).status_code == 401
