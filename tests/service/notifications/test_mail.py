"""Mail through a real SMTP server, including the links in it."""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes, policy
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiosmtpd.controller import Controller
from PIL import Image

from service.notifications.channels import Channel, ChannelStore
from service.notifications.delivery import sender
from service.store_setup import open_store
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.notifications.receivers import eventually, wait_until_sent
from tests.service.notifications.test_sending import QUIET_PAUSE, until_turn_of
from tests.service.people import Client, Person, two_at_a_table


class Box:
    """Received mail; ``says`` replaces the next "250 OK"."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mails: list[EmailMessage] = []
        self.says: list[str] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.says:
            return self.says.pop(0)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        return "250 OK"

    def wait(self, count: int) -> EmailMessage:
        """Wait for ``count`` mails and return the newest."""
        eventually(lambda: len(self.mails) >= count)
        return self.mails[-1]


@pytest.fixture
def box() -> Iterator[Box]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    box = Box(port)
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box
    finally:
        controller.stop()


@pytest.fixture(params=DATABASES)
def client(request: pytest.FixtureRequest, tmp_path: Path, box: Box) -> Iterator[Client]:
    mail = {
        "smtp_url": f"smtp://127.0.0.1:{box.port}",
        "mail_from": "Caravans <caravans@example.org>",
        "public_url": "http://testserver.local",
        "notice_delay": 0.0,
    }
    with (
        fresh(request.param, tmp_path, **mail) as settings,
        run_service(settings) as running,
    ):
        yield running


def plain(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def path_of(mail: EmailMessage, what: str) -> str:
    """Return the path of a link in a mail."""
    found = re.search(rf"http://\S+/notices/{what}/\S+", plain(mail))
    assert found, plain(mail)
    return urlsplit(found[0]).path


def confirmed(client: Client, person: Person, box: Box) -> None:
    answer = person.post("/notices/mail", {"address": f"{person.name}@example.org"})
    assert answer.status_code == 201, answer.text
    assert answer.json()["confirmed"] is False
    path = path_of(box.wait(1), "confirm")
    page = client.get(path)
    assert page.status_code == 200
    assert "<form" in page.text
    assert not person.get("/notices").json()["ways"][0]["confirmed"], "opening does nothing"
    assert client.post(path).status_code == 200
    assert person.get("/notices").json()["ways"][0]["confirmed"]
    box.mails.clear()


def test_turn_mail_has_text_and_picture(client: Client, box: Box) -> None:
    ann, bob, match = two_at_a_table(client)
    confirmed(client, bob, box)
    until_turn_of(ann, match, 1)
    mail = box.wait(1)
    assert mail["To"] == "Bob@example.org"
    assert mail["From"] == "Caravans <caravans@example.org>"
    assert "It’s your turn." in mail["Subject"]
    text = plain(mail)
    assert f"http://testserver.local/m/{match['id']}" in text
    assert "- Ann" in text, "the last moves are told in words"
    page = mail.get_body(("html",))
    assert page is not None
    assert 'src="cid:position"' in page.get_content()
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert picture["Content-ID"] == "<position>"
    assert Image.open(BytesIO(picture.get_content())).size == (1200, 630)
    wait_until_sent(client)
    assert len(box.mails) == 1


@pytest.mark.slow
def test_one_click_unsubscribe_stops_mail(client: Client, box: Box) -> None:
    ann, bob, match = two_at_a_table(client)
    confirmed(client, bob, box)
    match = until_turn_of(ann, match, 1)
    mail = box.wait(1)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    assert path_of(mail, "stop") == urlsplit(link).path
    assert client.get(urlsplit(link).path).status_code == 200
    assert bob.get("/notices").json()["ways"], "opening does nothing"
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"List-Unsubscribe=One-Click"
    assert client.post(urlsplit(link).path, content=body, headers=form).status_code == 200
    assert bob.get("/notices").json()["ways"] == []
    until_turn_of(ann, until_turn_of(bob, match, 0), 1)
    wait_until_sent(client)
    assert len(box.mails) == 1


def test_unconfirmed_address_gets_no_mail(client: Client, box: Box) -> None:
    ann, bob, match = two_at_a_table(client)
    answer = bob.post("/notices/mail", {"address": "bob@example.org"})
    box.wait(1)
    until_turn_of(ann, match, 1)
    tested = bob.post(f"/notices/ways/{answer.json()['id']}/test")
    assert (tested.status_code, tested.json()["code"]) == (409, "not_confirmed")
    wait_until_sent(client)
    assert len(box.mails) == 1


@pytest.mark.slow
@pytest.mark.parametrize("code", ["nonsense", "0123456789abcdef-AAAA", "é", "%00"])
def test_unknown_code_is_rejected(client: Client, code: str) -> None:
    assert client.get(f"/notices/confirm/{code}").status_code == 404
    assert client.post(f"/notices/confirm/{code}").status_code == 404
    assert client.post(f"/notices/stop/{code}").status_code == 200


def test_confirmation_code_does_not_unsubscribe(client: Client, box: Box) -> None:
    bob = Person(client, "Bob")
    bob.post("/notices/mail", {"address": "bob@example.org"})
    code = path_of(box.wait(1), "confirm").rpartition("/")[2]
    client.post(f"/notices/stop/{code}")
    assert len(bob.get("/notices").json()["ways"]) == 1


def test_confirmation_mails_are_limited_per_address(client: Client, box: Box) -> None:
    answers = []
    for number in range(7):
        somebody = Person(client, f"Person {number}")
        answer = somebody.post("/notices/mail", {"address": "victim@example.org"})
        answers.append(answer.status_code)
    assert answers == [201] * 5 + [429] * 2
    assert len(box.mails) == 5


INVALID = ("bob", "bob@", "@example.org", "a@b@c.org", "bob@example.org\nBcc: x@y.org", "b b@x.org")


def test_invalid_address_is_rejected(client: Client, box: Box) -> None:
    person = Person(client)
    for address in INVALID:
        answer = person.post("/notices/mail", {"address": address})
        assert answer.status_code == 422, address
    assert box.mails == []


def test_busy_server_is_retried_and_rejecting_server_is_not(client: Client, box: Box) -> None:
    ann, bob, match = two_at_a_table(client)
    confirmed(client, bob, box)
    box.says = ["451 try later"]
    match = until_turn_of(ann, match, 1)
    box.wait(1)
    box.says = ["554 no"]
    until_turn_of(ann, until_turn_of(bob, match, 0), 1)
    eventually(lambda: "problem" in bob.get("/notices").json()["ways"][0])
    wait_until_sent(client)
    assert len(box.mails) == 1


@pytest.mark.slow
def test_names_are_escaped_in_mail(client: Client, box: Box) -> None:
    ann, bob = Person(client, "<b>Ann</b>"), Person(client, "Bob")
    match = ann.open("me", "open")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    confirmed(client, bob, box)
    until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
    page = box.wait(1).get_body(("html",))
    assert page is not None
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page.get_content()
    assert "<b>Ann" not in page.get_content()


@pytest.mark.slow
def test_mail_about_several_matches_names_and_links_each(
    client: Client, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the one the player was notified of before: three matches wait, not two."""
    ann, bob, first = two_at_a_table(client)
    confirmed(client, bob, box)
    until_turn_of(ann, first, 1)
    box.wait(1)
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 600)
    time.sleep(QUIET_PAUSE)
    tables = [first]
    for _ in range(2):
        match = ann.open("me", "open")
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        match = ann.get(f"/matches/{match['id']}").json()
        tables.append(until_turn_of(ann, match, 1))
    client.blocking_portal.call(client.app.services.sender.start_batch)
    mail = box.wait(2)
    assert mail["Subject"].startswith("It’s your turn in 3 games")
    for kind in ("plain", "html"):
        part = mail.get_body((kind,))
        assert part is not None
        for match in tables:
            assert f"/m/{match['id']}" in part.get_content(), kind


def test_without_a_server_mail_is_not_offered(tmp_path: Path) -> None:
    with (
        fresh("sqlite", tmp_path) as settings,
        run_service(settings) as client,
    ):
        bob = Person(client, "Bob")
        assert bob.get("/notices").json()["offers"]["mail"] is False
        answer = bob.post("/notices/mail", {"address": "bob@example.org"})
        assert (answer.status_code, answer.json()["code"]) == (409, "not_offered")


def test_mailbox_stopped_while_its_channel_is_added_stays_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, True])
    address = "bob@example.org"
    channel = Channel("id", "bob", "mail", address, "", address, "", "", "en", 1, None, "")
    with fresh("sqlite", tmp_path) as settings, closing(open_store(settings)) as store:
        channels = ChannelStore(store)
        monkeypatch.setattr(channels, "is_stopped", lambda _mailbox: next(answers))
        assert channels.add_mail(channel, "hash") is None
        assert channels.list_channels("bob") == []
