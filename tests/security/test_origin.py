"""Cross-site requests by a browser change nothing."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.security.real_service import open_house, raw
from tests.service.test_bad_input import problem

JSON = {"Content-Type": "application/json"}
ANN = b'{"name": "Ann"}'
CALLS = [
    ("POST", "/api/players"),
    ("POST", "/api/players/link"),
    ("POST", "/api/players/link/claim"),
    ("POST", "/api/matches"),
    ("POST", "/api/matches/import"),
    ("POST", "/api/matches/3f6c1c44-6a0e-4d4e-9a3b-0a6a2f0c9e11/join"),
    ("POST", "/api/matches/3f6c1c44-6a0e-4d4e-9a3b-0a6a2f0c9e11/commands"),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with open_house(tmp_path_factory.mktemp("origin")) as running:
        yield running


def become(address: str, headers: dict[str, str], body: bytes = ANN) -> Any:
    return httpx.post(f"{address}/api/players", content=body, headers=headers)


def welcome(answer: Any) -> bool:
    assert "set-cookie" in answer.headers or answer.status_code != 201
    return bool(answer.status_code == 201)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://evil.example:8000",
        "null",
        "",
        "http://127.0.0.1",
        "http://localhost:8000",
        "file://",
        "http://[::1",
        "http://",
        "chrome-extension://abc",
        "http://127.0.0.1:1, http://127.0.0.1:2",
    ],
)
@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[1])
def test_a_foreign_origin_changes_nothing(address: str, origin: str, call: tuple[str, str]) -> None:
    answer = httpx.request(
        call[0], address + call[1], content=ANN, headers={**JSON, "Origin": origin}
    )
    assert problem(answer) == (403, "foreign_origin")
    assert "set-cookie" not in answer.headers


def test_a_token_does_not_help_a_foreign_page(address: str) -> None:
    token = become(address, JSON).json()["token"]
    headers = {**JSON, "Authorization": f"Bearer {token}", "Origin": "https://evil.example"}
    answer = httpx.post(f"{address}/api/players/link", headers=headers)
    assert problem(answer) == (403, "foreign_origin")


@pytest.mark.parametrize(
    ("site", "passes"),
    [("cross-site", False), ("same-site", False), ("same-origin", True), ("none", True)],
)
def test_fetch_metadata_is_respected(address: str, site: str, passes: bool) -> None:
    """``same-site`` is another port of the same machine or a sibling domain: not our page."""
    answer = become(address, {**JSON, "Sec-Fetch-Site": site})
    assert welcome(answer) is passes
    both = become(address, {**JSON, "Sec-Fetch-Site": site, "Origin": address})
    assert welcome(both) is passes
    assert not welcome(become(address, {**JSON, "Sec-Fetch-Site": site, "Origin": "null"}))


def test_programs_and_our_own_page_pass(address: str) -> None:
    port = address.rpartition(":")[2]
    assert welcome(become(address, JSON))
    assert welcome(become(address, {**JSON, "Origin": address}))
    for host in (f"192.168.178.20:{port}", f"localhost:{port}", "laptop.local:8080", "[::1]:8000"):
        assert welcome(become(address, {**JSON, "Host": host, "Origin": f"http://{host}"})), host


def test_behind_a_proxy_that_ends_tls(address: str) -> None:
    """Whether or not the proxy reports TLS, whether or not the name is configured."""
    there = {"Host": "play.example.org", "Origin": "https://play.example.org", **JSON}
    for more in ({"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}, {}):
        assert welcome(become(address, {**there, **more}))
    assert welcome(become(address, {**there, "Host": "play.example.org:443"}))
    over_tls = {**there, "X-Forwarded-Proto": "https"}
    plain = become(address, {**over_tls, "Origin": "http://play.example.org"})
    assert problem(plain) == (403, "foreign_origin")


def test_dns_rebinding_changes_nothing(address: str) -> None:
    """DNS rebinding: Host and Origin agree, and are an attacker's."""
    headers = {**JSON, "Host": "evil.example:8000", "Origin": "http://evil.example:8000"}
    assert problem(become(address, headers)) == (421, "unknown_host")


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "text/plain; charset=utf-8",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain; application/json",
        "application/jsonp",
        "text/json",
    ],
)
def test_body_must_be_declared_as_json(address: str, kind: str) -> None:
    answer = become(address, {"Content-Type": kind})
    assert problem(answer) == (415, "not_json")


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/x+json",
    ],
)
def test_json_is_taken_under_each_of_its_names(address: str, kind: str) -> None:
    assert welcome(become(address, {"Content-Type": kind}))


def test_body_without_content_type_is_for_programs_only(address: str) -> None:
    """A page can omit the content type (a blob has none), a form cannot."""
    assert welcome(become(address, {}))
    assert problem(become(address, {"Origin": address})) == (415, "not_json")


def test_a_call_without_a_body_needs_no_kind(address: str) -> None:
    token = become(address, JSON).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Origin": address}
    assert httpx.post(f"{address}/api/players/link", headers=headers).status_code == 201


def test_reading_is_allowed_cross_site(address: str) -> None:
    """A link from another site works; reading changes nothing and shows that site nothing."""
    headers = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    answer = httpx.get(f"{address}/api/games", headers=headers)
    assert answer.status_code == 200
    assert "access-control-allow-origin" not in answer.headers
    asked = httpx.options(
        f"{address}/api/players", headers={**headers, "Access-Control-Request-Method": "POST"}
    )
    assert "access-control-allow-origin" not in asked.headers


def test_rejected_requests_do_not_count_against_the_limit(tmp_path: Any) -> None:
    """Another site cannot use up the rate limit of its visitors."""
    with open_house(tmp_path, create_limit=3) as address:
        for _ in range(10):
            become(address, {**JSON, "Origin": "https://evil.example"})
        assert welcome(become(address, JSON))


@pytest.mark.parametrize("name", ["Host", "Origin", "Sec-Fetch-Site"])
@pytest.mark.parametrize("order", [1, -1], ids=["own first", "foreign first"])
@pytest.mark.parametrize(
    "line",
    [
        "POST /api/players HTTP/1.1",
        "GET /api/games HTTP/1.1",
        "POST /api/matches/3f6c1c44-6a0e-4d4e-9a3b-0a6a2f0c9e11/commands HTTP/1.1",
        "GET /api/matches/3f6c1c44-6a0e-4d4e-9a3b-0a6a2f0c9e11 HTTP/1.1",
    ],
)
def test_duplicate_caller_header_is_rejected(
    address: str, name: str, order: int, line: str
) -> None:
    """Proxies and servers disagree on which of two counts; the fast path checks as well."""
    place = urlsplit(address).netloc
    values = {
        "Host": [place, "evil.example"],
        "Origin": [address, "https://evil.example"],
        "Sec-Fetch-Site": ["same-origin", "cross-site"],
    }[name]
    lines = [line, "Content-Type: application/json"]
    if name != "Host":
        lines.append(f"Host: {place}")
    lines += [f"{name}: {value}" for value in values[::order]]
    status, rest = raw(address, *lines, body=ANN)
    assert status == 400
    # The HTTP parser may reject two Host headers before our code runs.
    assert b"duplicate_header" in rest or (name == "Host" and b"Invalid HTTP" in rest)


def test_case_and_blanks_of_these_headers_do_not_count(address: str) -> None:
    place = urlsplit(address).netloc
    for site, passes in (("Same-Origin", True), ("CROSS-SITE", False), ("cross-site\t", False)):
        lines = [
            *("POST /api/players HTTP/1.1", "Content-Type: application/json", f"Host: {place}"),
            *(f"Origin: {address.upper()} ", f"Sec-Fetch-Site:  {site} "),
        ]
        status, _ = raw(address, *lines, body=ANN)
        assert status == (201 if passes else 403), site


def test_over_tls_browsers_are_told_to_come_back_over_tls(address: str) -> None:
    for path in ("/", "/api/games", "/api/players/me"):
        plain = httpx.get(address + path)
        assert "strict-transport-security" not in plain.headers
        over_tls = httpx.get(address + path, headers={"X-Forwarded-Proto": "https"})
        assert over_tls.headers["strict-transport-security"] == "max-age=31536000", path
