"""Addresses of strangers: only the public internet, as it was looked at, and no redirects."""

import asyncio
import socket
from typing import Any

import pytest

from service.base.problems import Fault
from service.notices.outside import Outside, is_public
from tests.service.notices.receivers import Receiver
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
    "::ffff:127.0.0.1",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
)


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_the_public_internet_is_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_the_public_internet_is_known(address: str) -> None:
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
    ],
)
def test_an_address_that_will_never_be_called_is_refused(client: Client, url: str) -> None:
    answer = Person(client).post("/notices/webhook", {"address": url})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_address"), answer.text


def sent(outside: Outside, url: str) -> Any:
    async def send() -> Any:
        try:
            return await outside.send(url, {}, b"{}")
        finally:
            await outside.aclose()

    return asyncio.run(send())


def test_a_name_that_leads_to_a_private_network_is_not_called(
    taking: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's own resolver is asked: its hosts file names this machine."""
    name = next(n for n in (socket.gethostname(), "localhost") if socket.gethostbyname(n))
    outside = Outside()
    # A name with a dot, as a stranger's is, that leads here.
    resolve = asyncio.base_events.BaseEventLoop.getaddrinfo

    async def leads_here(self: Any, host: str, port: int, **more: Any) -> Any:
        return await resolve(self, name if host == "rebound.example.org" else host, port, **more)

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", leads_here)
    port = taking.place.rpartition(":")[2]
    answer = sent(outside, f"https://rebound.example.org:{port}/")
    assert answer.refused
    assert not answer.passing
    assert taking.got == []


def test_a_name_is_resolved_once_and_that_address_called(
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
    answer = sent(Outside([f"hook.example.org:{port}"]), f"http://hook.example.org:{port}/x")
    assert answer.good
    assert asked.count("hook.example.org") == 1
    assert taking.got[0].headers["host"] == f"hook.example.org:{port}"


def test_nobody_there_is_no_error(taking: Receiver) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        place = f"127.0.0.1:{closed.getsockname()[1]}"
    answer = sent(Outside([place]), f"http://{place}/")
    assert (answer.status, answer.passing) == (0, True)


def test_check_gives_the_address_without_what_is_not_sent() -> None:
    assert Outside().check("https://example.org/x?y=1#z") == "https://example.org/x?y=1"
    with pytest.raises(Fault):
        Outside().check("https://[::ffff:10.0.0.1]/")
