"""Accepted Host headers, and the host used in links."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from service.http.hosts import Hosts
from service.settings import Settings
from tests.security.real_service import open_house, raw


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with open_house(tmp_path_factory.mktemp("hosts")) as running:
        yield running


class Host:
    """A match that can be viewed by others, and the codes in its links."""

    def __init__(self, address: str) -> None:
        self.address = address
        made = httpx.post(f"{address}/api/players", json={"name": "Ann"}).json()
        self.headers = {"Authorization": f"Bearer {made['token']}"}
        body = {
            "game": "caravanserai",
            "seats": [{"kind": "me"}, {"kind": "bot"}],
            "visibility": "public",
        }
        match = httpx.post(f"{address}/api/matches", json=body, headers=self.headers).json()
        self.page = f"{address}/m/{match['id']}"

    def links(self, host: str) -> list[str]:
        """Return the links in responses to requests with this Host."""
        page = httpx.get(self.page, headers={"Host": host}).text
        found = re.findall(r'property="og:(?:url|image)" content="([^"]+)"', page)
        link = httpx.post(
            f"{self.address}/api/players/link", headers={**self.headers, "Host": host}
        )
        assert len(found) == 2
        return [*found, link.json()["url"]]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "203.0.113.7",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
    ],
)
def test_an_unknown_host_is_not_put_into_links(address: str, host: str) -> None:
    for link in Host(address).links(host):
        assert "evil" not in link
        assert "203.0.113.7" not in link
        assert "nip.io" not in link
        assert link.startswith("http://")


@pytest.mark.parametrize(
    "host",
    [
        "localhost:8000",
        "127.0.0.1:9",
        "laptop.local:8080",
        "192.168.1.5:8080",
        "[::1]:80",
        "laptop",
    ],
)
def test_a_host_of_this_machine_or_network_is(address: str, host: str) -> None:
    assert all(link.startswith(f"http://{host}/") for link in Host(address).links(host))


def test_hosts_that_are_set_are_known(tmp_path: Any) -> None:
    names = "play.example.org, Other.Example.org:8443"
    with open_house(tmp_path, allowed_hosts=names) as address:
        ann = Host(address)
        for host in ("play.example.org", "play.example.org:8000", "other.example.org"):
            assert all(link.startswith(f"http://{host}/") for link in ann.links(host))
            headers = {"Host": host, "Origin": f"http://{host}"}
            answer = httpx.post(f"{address}/api/players", json={"name": "A"}, headers=headers)
            assert answer.status_code == 201
        assert "evil" not in str(ann.links("evil.example"))


def test_the_public_address_is_in_every_link_and_is_home(tmp_path: Any) -> None:
    with open_house(tmp_path, public_url="https://play.example.org/") as address:
        ann = Host(address)
        for host in ("evil.example", "localhost", "play.example.org"):
            assert all(link.startswith("https://play.example.org/") for link in ann.links(host))
        # A proxy may call the service by an internal name.
        headers = {"Host": "app:8000", "Origin": "https://play.example.org"}
        answer = httpx.post(f"{address}/api/players", json={"name": "A"}, headers=headers)
        assert answer.status_code == 201


@pytest.mark.parametrize(
    "host",
    ["x:99999999", "x:y", "a b", "evil.example/path", "user@evil.example", "[::1", "é", "", ":80"],
)
def test_a_host_that_is_none_is_a_bad_request(
    address: str, host: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("/", "/api/games", "/m/abc", "/nix"):
        status, answer = raw(address, f"GET {path} HTTP/1.1", f"Host: {host}")
        assert status == 400 or (status == 200 and host == "") or (path == "/nix" and host == "")
        assert b"Traceback" not in answer
    assert caplog.text == ""


def test_no_line_of_the_log_holds_what_could_steer_a_terminal(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    for path in ("/assets/%00%0aX", "/%0d%0aforged:%20line", "/assets/%1b[2J", "/m/%00", "/%ff"):
        status, _ = raw(address, f"GET {path} HTTP/1.1", "Host: localhost")
        assert status in (200, 404)
    assert caplog.text == ""
    log = logging.getLogger("caravanserai")
    log.error("GET %s", "/a\r\nforged: line\x1b[2J\x9b2J\u2028")
    (record,) = caplog.records
    assert record.getMessage() == r"GET /a\r\nforged: line\x1b[2J\x9b2J\u2028"


def test_names_that_only_look_like_ours() -> None:
    hosts = Hosts(Settings(public_url="https://play.example.org", allowed_hosts="a.example"))
    assert not any(map(hosts.is_rebindable, ["localhost", "a.example:1", "play.example.org", ""]))
    for host in ("xa.example", "play.example.org.evil.example", "mylocal", "x.locale"):
        assert hosts.is_rebindable(host) is ("." in host)
