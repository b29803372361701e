"""The fast path for commands and Litestar's routing give byte-identical responses."""

from typing import Any

import pytest

from service.observability.metrics import REGISTRY
from tests.service.people import Client, Person, two_at_a_table

LONG = "?view=whole&"
"""What the short way does not know, and the library reads as nothing."""


def asked(
    person: Person, path: str, content: bytes, query: str, **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    """Return status, body and headers without those that differ per response."""
    answer = person.client.post(
        f"/api{path}/commands{query}", content=content, headers={**person.headers, **headers}
    )
    person.client.cookies.clear()
    own = ("x-request-id",)
    return (
        answer.status_code,
        answer.content.replace(query.encode(), b"") if query else answer.content,
        {name: value for name, value in answer.headers.items() if name not in own},
    )


@pytest.mark.parametrize("language", ["en", "fr"])
def test_both_paths_accept_alike(any_client: Client, language: str) -> None:
    """The same request is repeated on the other path, for each seat in turn."""
    ann, bob, match = two_at_a_table(any_client)
    path = f"/matches/{match['id']}"
    for number in range(12):
        seat = match["to_act"][0]
        person = (ann, bob)[seat]
        choices = person.choices(match, seat)
        command = choices[number % len(choices)]["command"]
        body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
        content = any_client.build_request("POST", "/", json=body).content
        headers = {"idempotency-key": f"tap-{number}", "accept-language": language}
        short, long = (asked(person, path, content, query, **headers) for query in ("", LONG))
        assert short == long
        assert short[0] == 200
        part = [
            asked(person, path, content, query, **headers)
            for query in ("?view=changing", "?view=changing&")
        ]
        assert part[0][:2] == (200, part[1][1])
        assert part[0][1] != short[1]
        match = person.get(path).json()


WRONG: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"{",
    "no text": b'{"seat": 0, "expected_version": 1, "commands": [{"type": "\xff"}]}',
    "null": b"null",
    "a list": b"[]",
    "a number": b"7",
    "no seat": b'{"expected_version": 1, "commands": [{}]}',
    "a seat in words": b'{"seat": "0", "expected_version": 1, "commands": [{}]}',
    "a seat that no table has": b'{"seat": 99, "expected_version": 1, "commands": [{}]}',
    "half a version": b'{"seat": 0, "expected_version": 1.5, "commands": [{}]}',
    "a version with a point": b'{"seat": 0, "expected_version": 1.0, "commands": [{}]}',
    "too much": b'{"seat": 0, "expected_version": 1, "commands": [{}], "more": 1}',
    "no commands": b'{"seat": 0, "expected_version": 1, "commands": []}',
    "commands that are none": b'{"seat": 0, "expected_version": 1, "commands": [7]}',
    "a late version": b'{"seat": 0, "expected_version": 999, "commands": [{"type": "Pass"}]}',
    "twice the same": b'{"seat": 7, "seat": 0, "expected_version": 1, "commands": [{}]}',
    "a body that is too large": b'{"seat": 0' + b" " * 300_000 + b"}",
}


@pytest.mark.parametrize("what", WRONG)
def test_both_paths_reject_with_the_same_text(client: Client, what: str) -> None:
    ann, _, match = two_at_a_table(client)
    path = f"/matches/{match['id']}"
    short, long = (asked(ann, path, WRONG[what], query) for query in ("", LONG))
    assert short == long
    assert 400 <= short[0] < 500


def test_both_paths_reject_the_same_callers(client: Client) -> None:
    ann, bob, match = two_at_a_table(client)
    carol = Person(client, "Carol")
    seat = match["to_act"][0]
    acting, other = (ann, bob) if seat == 0 else (bob, ann)
    command = acting.choices(match, seat)[0]["command"]
    body: Any = {"seat": seat, "expected_version": match["version"], "commands": [command]}
    content = client.build_request("POST", "/", json=body).content
    nonsense = client.build_request(
        "POST", "/", json={**body, "commands": [{"type": "Nonsense"}]}
    ).content
    path = f"/matches/{match['id']}"
    nobody = {"authorization": "Bearer nobody"}
    cases: list[tuple[Person, str, bytes, dict[str, str]]] = [
        (other, path, content, {}),
        (carol, path, content, {}),
        (acting, path, content, nobody),
        (acting, path, nonsense, {}),
        (acting, "/matches/nowhere", content, {}),
        (acting, f"/matches/{'x' * 70}", content, {}),
        (acting, path, content, {"idempotency-key": ""}),
        (acting, path, content, {"idempotency-key": "x" * 201}),
        (acting, path, content, {"content-type": "text/plain"}),
        (acting, path, content, {"origin": "http://elsewhere.example"}),
    ]
    codes = []
    for person, where, sent, headers in cases:
        short, long = (asked(person, where, sent, query, **headers) for query in ("", LONG))
        assert short == long
        codes.append(short[0])
    assert codes == [403, 404, 401, 422, 404, 422, 422, 422, 415, 403]
    refused = acting.client.post(
        f"/api{path}/commands?view=null", content=content, headers=acting.headers
    )
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert acting.get(path).json()["version"] == match["version"]


def test_a_command_that_is_passed_on_is_one_request(client: Client) -> None:
    """On either path it is counted once, and its sender gets a single request id."""
    ann, _, match = two_at_a_table(client)
    path = f"/api/matches/{match['id']}"
    calls = (
        ("POST", f"{path}/commands", WRONG["a late version"], "4xx"),
        ("POST", f"{path}/commands", WRONG["no JSON"], "4xx"),
        ("GET", path, b"", "2xx"),
        ("GET", f"/api/matches/{'0' * 8}-0000-4000-8000-{'0' * 12}", b"", "4xx"),
    )
    for method, where, content, status in calls:
        before = counted()
        answer = client.request(method, where, content=content, headers=ann.headers)
        after = counted()
        assert answer.status_code // 100 == int(status[0])
        assert len(answer.headers.get_list("x-request-id")) == 1
        assert {each: after[each] - before[each] for each in after} == {
            each: float(each == status) for each in after
        }


def counted() -> dict[str, float]:
    """Return the number of responses so far by status class."""
    name = "caravanserai_requests_total"
    classes = ("2xx", "4xx", "5xx", "aborted")
    return {each: REGISTRY.get_sample_value(name, {"status": each}) or 0.0 for each in classes}
