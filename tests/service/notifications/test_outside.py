"""Requests to addresses given by users: only the public internet, the resolved address, no
redirects."""

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from service.http.problems import ApiProblem
from service.notifications import addresses as addresses_module
from service.notifications.addresses import is_public
from service.notifications.safe_http import SafeHttpClient
from tests.service.notifications.nameserver import Nameserver, nameserver
from tests.service.notifications.receivers import Receiver
from tests.service.people import Client, Person

PRIVATE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "fec0::1",
    "5f00::1",
    "3fff::1",
    "::127.0.0.1",
    "64:ff9b:1::7f00:1",
    "::ffff:127.0.0.1",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_recognised(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_public_addresses_are_recognised(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "ftp://example.org/",
        "https://",
        "https://user:secret@example.org/",
        "https://localhost/",
        "https://intranet/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "javascript:alert(1)",
        "https://１２７.0.0.1/",
        "https://①②⑦.⓪.⓪.①/",
        "https://[fec0::1]/",
        "https://[fe80::1%25eth0]/",
        "https://localhost./",
        "https://127.1/",
        "https://0x7f.0.0.1/",
        "https://2130706433/",
        "https://a..b/",
    ],
)
def test_forbidden_url_is_rejected(any_client: Client, url: str) -> None:
    answer = Person(any_client).post("/notices/webhook", {"address": url})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_address"), answer.text


def sent(outside: SafeHttpClient, url: str) -> Any:
    return asyncio.run(outside.send(url, {}, b"{}"))


@pytest.fixture
def names() -> Iterator[Nameserver]:
    with nameserver() as made:
        yield made


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["93.184.216.34", "::1"]]
)
def test_name_resolving_to_a_private_network_is_not_called(
    taking: Receiver, names: Nameserver, addresses: list[str]
) -> None:
    names.names["rebound.example.org"] = addresses
    port = taking.place.rpartition(":")[2]
    answer = sent(SafeHttpClient(resolver=names.resolver), f"https://rebound.example.org:{port}/")
    assert answer.refused
    assert not answer.is_temporary
    assert taking.got == []


def test_a_name_is_resolved_once_and_that_address_called(
    taking: Receiver, names: Nameserver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses_module, "is_public", lambda _address: True)
    names.names["hook.example.org"] = ["127.0.0.1"]
    port = taking.place.rpartition(":")[2]
    answer = sent(SafeHttpClient(resolver=names.resolver), f"https://hook.example.org:{port}/x")
    assert not answer.is_success, "the receiver speaks no TLS"
    assert not answer.refused
    assert sorted(names.asked) == [("hook.example.org", "A"), ("hook.example.org", "AAAA")]


def test_a_name_of_the_settings_is_resolved_once_by_the_machine(
    taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    resolve = asyncio.base_events.BaseEventLoop.getaddrinfo

    async def noted(self: Any, host: str, port: int, **more: Any) -> Any:
        asked.append(host)
        place = "127.0.0.1" if host == "hook.example.org" else host
        return await resolve(self, place, port, **more)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", noted)
    port = taking.place.rpartition(":")[2]
    answer = sent(SafeHttpClient([f"hook.example.org:{port}"]), f"http://hook.example.org:{port}/x")
    assert answer.is_success
    assert asked.count("hook.example.org") == 1
    assert taking.got[0].headers["host"] == f"hook.example.org:{port}"


def test_unreachable_host_is_no_error(taking: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        place = f"127.0.0.1:{closed.getsockname()[1]}"
    answer = sent(SafeHttpClient([place]), f"http://{place}/")
    assert (answer.status, answer.is_temporary) == (0, True)


def test_check_returns_the_url_without_unsent_parts() -> None:
    assert SafeHttpClient().check_url("https://example.org/x?y=1#z") == "https://example.org/x?y=1"
    with pytest.raises(ApiProblem):
        SafeHttpClient().check_url("https://[::ffff:10.0.0.1]/")
