"""Reading a match: the fast path and Litestar's routing give byte-identical responses."""

from pathlib import Path

import pytest

from service.http.tokens import COOKIE
from tests.security.corrupt_rows import POISON, put
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Client, Person, two_at_a_table

LONG = "&"
"""Behind a query: what the short way does not know, and the library reads as nothing."""

Answer = tuple[int, bytes, list[tuple[str, str]]]


def looked(client: Client, path: str, query: str, headers: dict[str, str]) -> Answer:
    """Return status, body and headers in order, without the request id."""
    answer = client.get(f"/api{path}?{query}", headers=headers)
    client.cookies.clear()
    told = [(name, value) for name, value in answer.headers.multi_items() if name != "x-request-id"]
    return answer.status_code, answer.content, told


def both(client: Client, path: str, headers: dict[str, str], view: str = "whole") -> Answer:
    """Return the response of both paths after comparing them."""
    short, long = (
        looked(client, path, query, headers) for query in (f"view={view}", f"view={view}{LONG}")
    )
    assert short[0] == long[0]
    assert short[1].replace(LONG.encode(), b"") == long[1].replace(LONG.encode(), b"")
    lengths = ("content-length",) if short[0] >= 400 else ()  # a problem contains its address
    assert [h for h in short[2] if h[0] not in lengths] == [
        h for h in long[2] if h[0] not in lengths
    ]
    return short


def test_permitted_viewers_get_the_same_from_both_paths(any_client: Client) -> None:
    ann, bob, match = two_at_a_table(any_client)
    carol = Person(any_client, "Carol")
    public = ann.open("me", "me", visibility="public")
    for _ in range(3):
        public = ann.step(public)
        match = (ann, bob)[match["to_act"][0]].step(match)
    fork = ann.post(f"/matches/{public['id']}/fork", {"at": public["version"]})
    assert fork.status_code == 201, fork.text
    cookie = {"cookie": f"{COOKIE}={ann.token}"}
    lookers = [
        (match, ann.headers),
        (match, bob.headers),
        (match, cookie),
        (public, ann.headers),
        (public, carol.headers),
        (public, {}),
    ]
    ways: list[dict[str, str]] = [
        {},
        {"accept-language": "fr"},
        {"accept-encoding": "identity"},
        {"accept-encoding": "gzip"},
        {"if-none-match": "*"},
        {"origin": "http://elsewhere.example"},
        {"accept": "text/html"},
    ]
    for table, headers in lookers:
        for more in ways:
            for view in ("whole", "changing"):
                path = f"/matches/{table['id']}"
                assert both(any_client, path, {**headers, **more}, view)[0] == 200
    seen = ann.get(f"/matches/{public['id']}", view="whole").json()
    assert [each["match"] for each in seen["forks"]] == [fork.json()["id"]]


def test_other_callers_get_the_same_rejection_from_both_paths(any_client: Client) -> None:
    ann, _, match = two_at_a_table(any_client)
    carol = Person(any_client, "Carol")
    poisoned = put(any_client.app.services.store, POISON[next(iter(POISON))]("caravanserai"))
    path = f"/matches/{match['id']}"
    unknown = f"/matches/{'0' * 8}-0000-4000-8000-{'0' * 12}"
    nobody = {"authorization": "Bearer nobody"}
    cases: list[tuple[str, dict[str, str]]] = [
        (path, carol.headers),
        (path, {}),
        (path, nobody),
        (path, {"cookie": f"{COOKIE}=nobody"}),
        (unknown, ann.headers),
        (unknown, {}),
        (f"/matches/{poisoned}", ann.headers),
    ]
    codes = [both(any_client, where, headers)[0] for where, headers in cases]
    assert codes == [404, 404, 401, 404, 404, 404, 409]
    for language in ("en", "fr"):
        both(any_client, path, {"accept-language": language})


def test_both_paths_renew_the_cookie_over_tls(client: Client) -> None:
    ann, _, match = two_at_a_table(client)
    headers = {"cookie": f"{COOKIE}={ann.token}", "origin": f"https://{client.base_url.host}"}
    status, _, told = both(client, f"/matches/{match['id']}", headers)
    assert status == 200
    assert [value for name, value in told if name == "set-cookie" and ann.token in value]


def test_each_read_takes_one_throttle_slot(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """On either path, also one that is rejected."""
    ann, _, match = two_at_a_table(client)
    services = client.app.services
    taken: list[int] = []

    async def counted() -> None:
        taken.append(1)

    monkeypatch.setattr(services.read_throttle, "wait_for_turn", counted)
    path = f"/matches/{match['id']}"
    for headers, query in ((ann.headers, ""), (ann.headers, LONG), ({}, "")):
        taken.clear()
        looked(client, path, query, headers)
        assert len(taken) == 1, (headers, query)


def test_both_paths_share_one_rate_limit(tmp_path: Path) -> None:
    with (
        fresh("sqlite", tmp_path, play_limit=12) as settings,
        run_service(settings) as client,
    ):
        ann = Person(client)
        match = ann.open("me", "me")
        codes = []
        for number in range(20):
            answer = client.get(
                f"/api/matches/{match['id']}?{LONG * (number % 2)}", headers=ann.headers
            )
            codes.append(answer.status_code)
        allowed = codes.index(429)
        assert 9 <= allowed <= 12
        assert set(codes[:allowed]) == {200}
        assert set(codes[allowed:]) == {429}
        short, long = (
            client.get(f"/api/matches/{match['id']}?{query}", headers=ann.headers)
            for query in ("", LONG)
        )
        assert short.json()["code"] == long.json()["code"] == "too_many_requests"
        assert "retry-after" in short.headers
