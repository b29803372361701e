"""Nobody can have mail sent to others or inject headers; each mail can be unsubscribed for good.

Through the real service and a real SMTP server.
"""

import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from service.notifications.mailboxes import mailbox_of_address, normalize_address
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.notifications.receivers import eventually
from tests.service.notifications.test_sending import until_turn_of
from tests.service.people import Client, Person, two_at_a_table

ROOT = Path(__file__).parents[2]
PUBLIC = "https://a-rather-long-name-of-a-service.caravans.example.org"


class Post:
    """Received mails as bytes, and their recipients."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], bytes]] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        self.mails.append((envelope.rcpt_tos, envelope.content))
        return "250 OK"

    def wait(self, count: int) -> bytes:
        """Wait for ``count`` mails and return the newest."""
        eventually(lambda: len(self.mails) >= count)
        return self.mails[-1][1]


@pytest.fixture
def post() -> Iterator[Post]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    made = Post()
    controller = Controller(made, hostname="127.0.0.1", port=port)
    controller.start()
    made.url = f"smtp://127.0.0.1:{port}"  # type: ignore[attr-defined]
    try:
        yield made
    finally:
        controller.stop()


@contextmanager
def service(post: Any, folder: Path, **more: object) -> Iterator[Client]:
    """Yield the service with a mail server."""
    mail = {
        "smtp_url": post.url,
        "mail_from": "Caravans <caravans@example.org>",
        "public_url": PUBLIC,
        "notice_delay": 0.0,
    }
    with (
        fresh("sqlite", folder, **{**mail, **more}) as settings,
        run_service(settings) as client,
    ):
        yield client


def ask(person: Person, address: str) -> tuple[int, str]:
    """Request mail notifications; return status and code."""
    answer = person.post("/notices/mail", {"address": address})
    return answer.status_code, answer.json().get("code", "")


def headers_of(mail: bytes) -> dict[str, str]:
    """Return headers as read by a program that does not decode encoded words."""
    head = mail.partition(b"\r\n\r\n")[0].decode("ascii")
    assert not re.search(r"\r(?!\n)|(?<!\r)\n", head)
    fields: dict[str, str] = {}
    for line in head.split("\r\n"):
        if line[0] in " \t":
            fields[list(fields)[-1]] += line
        else:
            name, _, value = line.partition(":")
            assert name.lower() not in fields, f"{name} twice"
            fields[name.lower()] = value.strip()
    return fields


def link(mail: bytes, what: str) -> str:
    """Return the path of a link in the plain text of a mail."""
    text = mail.replace(b"=\r\n", b"").decode()
    found = re.search(rf"{re.escape(PUBLIC)}(/notices/{what}/[\w-]+)", text)
    assert found, text
    return found[1]


SPELLINGS = [
    "victim@example.org",
    "Victim@Example.ORG",
    "VICTIM@example.org",
    "victim+1@example.org",
    "victim+2@example.org",
    "vIcTiM+x+y@example.org",
    "victim@ｅｘａｍｐｌｅ.org",
    "victim@example。org",
]


def test_spellings_of_one_mailbox_meet_one_limit(post: Post, tmp_path: Path) -> None:
    with service(post, tmp_path, address_mail_limit=0) as client:
        statuses = []
        for number in range(50):
            somebody = Person(client, f"P{number}")
            statuses.append(ask(somebody, SPELLINGS[number % len(SPELLINGS)])[0])
    assert statuses == [201] * 5 + [429] * 45
    assert len(post.mails) == 5


@pytest.mark.parametrize(
    ("limit", "distinct_people"),
    [({"mail_limit": 3}, 1), ({"address_mail_limit": 3}, 6), ({"all_mail_limit": 3}, 6)],
)
def test_mails_are_limited_by_player_by_client_address_and_in_all(
    post: Post, tmp_path: Path, limit: dict[str, int], distinct_people: int
) -> None:
    none = {"mail_limit": 0, "address_mail_limit": 0, "all_mail_limit": 0}
    with service(post, tmp_path, **{**none, **limit}) as client:
        people = [Person(client, f"P{n}") for n in range(distinct_people)]
        statuses = [ask(people[n % len(people)], f"somebody{n}@example.org")[0] for n in range(6)]
    assert statuses == [201] * 3 + [429] * 3
    assert len(post.mails) == 3


def test_a_limit_of_0_is_none(post: Post, tmp_path: Path) -> None:
    none = {"mail_limit": 0, "address_mail_limit": 0, "all_mail_limit": 0}
    with service(post, tmp_path, **none) as client:
        person = Person(client)
        assert [ask(person, "me@example.org")[0] for _ in range(8)] == [201] * 8


@pytest.mark.parametrize(
    "address",
    [
        "=?utf-8?q?vic=74im?=@example.org",
        "=?utf-8?q?a=0d=0aBcc:_x?=@example.org",
        "victim@=?utf-8?q?y=0aBcc:x?=.org",
        "victim@y=0aBcc:x.example.org",
        "victim@=?utf-8?q?y=0aBcc=3ax?=.example.org",
        "=?utf-8?q?a=0aBcc=3ax?=@example.org",
        "=?utf-8?q?=40?=@example.org",
        '"vic tim"@example.org',
        '"victim"@example.org',
        "(comment)victim@example.org",
        "victim%example.org@relay.example",
        "example.org!victim@relay.example",
        "victim@[127.0.0.1]",
        "victim@example.org\r\nBcc: x@example.org",
        "victim@example.org\nBcc: x@example.org",
        "Victim <victim@example.org>",
        "victim@example.org,x@example.org",
        "victim@localhost",
        "victïm@example.org",
        "victim\x00@example.org",
        "victim@" + "a" * 300 + ".org",
    ],
)
def test_an_address_that_programs_read_differently_is_refused(
    post: Post, tmp_path: Path, address: str
) -> None:
    with service(post, tmp_path) as client:
        answer = Person(client).post("/notices/mail", {"address": address})
        assert answer.status_code == 422, answer.text
    assert post.mails == []


def test_mailboxes_are_told_apart_as_their_servers_do() -> None:
    assert mailbox_of_address("a.b+c@googlemail.com") == mailbox_of_address("ab@gmail.com")
    assert mailbox_of_address("a.b@example.org") != mailbox_of_address("ab@example.org")
    assert normalize_address("ann@bücher.example.org") == "ann@xn--bcher-kva.example.org"


def test_a_name_in_a_subject_begins_no_header(post: Post, tmp_path: Path, at_once: None) -> None:
    """Python decodes encoded words when a header is set and wrote their line breaks unescaped."""
    evil = "=?utf-8?q?=0aBcc:_x@y?="
    with service(post, tmp_path) as client:
        ann, bob = Person(client, evil), Person(client, "Bob")
        match = ann.open("me", "open")
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        assert ask(bob, "bob@example.org")[0] == 201
        assert client.post(link(post.wait(1), "confirm")).status_code == 200
        until_turn_of(ann, ann.get(f"/matches/{match['id']}").json(), 1)
        headers = headers_of(post.wait(2))
    assert "bcc" not in headers
    assert post.mails[-1][0] == ["bob@example.org"]


def test_programs_read_how_to_unsubscribe_and_one_click_ends_it(
    post: Post, tmp_path: Path, at_once: None
) -> None:
    with service(post, tmp_path) as client:
        ann, bob, match = two_at_a_table(client)
        ask(bob, "bob@example.org")
        client.post(link(post.wait(1), "confirm"))
        until_turn_of(ann, match, 1)
        mail = post.wait(2)
        for each in (post.mails[0][1], mail):
            headers = headers_of(each)
            found = re.fullmatch(r"<(https://[!-~]+)>", headers["list-unsubscribe"])
            assert found, headers["list-unsubscribe"]
            assert b"\r\nList-Unsubscribe: <https://" in each, "in one unencoded line"
            assert headers["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        path = found[1].removeprefix(PUBLIC)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = client.post(path, content=b"List-Unsubscribe=One-Click", headers=form)
        assert answer.status_code == 200
        assert bob.get("/notices").json()["ways"] == []


def test_after_stop_only_the_owner_of_the_mailbox_brings_mails_back(
    post: Post, tmp_path: Path
) -> None:
    with service(post, tmp_path, address_mail_limit=0, mail_limit=0) as client:
        mallory, bob = Person(client, "Mallory"), Person(client, "Bob")
        assert ask(mallory, "bob+junk@example.org")[0] == 201
        first = post.wait(1)
        assert ask(bob, "bob@example.org")[0] == 201
        confirm = link(post.wait(2), "confirm")
        client.post(confirm)
        # Mallory's mail ends all mail to that mailbox, however it is spelled.
        page = client.post(link(first, "stop"))
        assert page.status_code == 200
        assert bob.get("/notices").json()["ways"] == []
        assert mallory.get("/notices").json()["ways"] == []
        for number, spelling in enumerate(["bob@example.org", "BOB+2@example.org"]):
            assert ask(Person(client, f"P{number}"), spelling) == (409, "mail_stopped")
            assert ask(mallory, spelling) == (409, "mail_stopped")
        assert client.post(confirm).status_code == 404
        assert client.post("/notices/allow/" + "0" * 32 + "-AAAA").status_code == 404
        stop_code = link(first, "stop").rpartition("/")[2]
        assert client.post(f"/notices/allow/{stop_code}").status_code == 404
        assert len(post.mails) == 2
        # The page behind the link offers the way back, also later.
        for shown in (page.text, client.get(link(first, "stop")).text):
            allow = re.search(r'action="(/notices/allow/[^"]+)"', shown)
            assert allow, shown
        assert client.get(allow[1]).status_code in (404, 405), "opening the link does nothing"
        assert client.post(allow[1]).status_code == 200
        assert ask(bob, "bob@example.org")[0] == 201
        assert len(post.mails) == 3


@pytest.mark.parametrize("host", ["paypal", "bank.local", "192.0.2.7", "127.0.0.1:81"])
def test_no_mail_names_the_host_of_a_request(post: Post, tmp_path: Path, host: str) -> None:
    with service(post, tmp_path / "none", public_url="") as client:
        person = Person(client)
        assert person.get("/notices").json()["offers"]["mail"] is False
        answer = client.post(
            "/api/notices/mail",
            json={"address": "victim@example.org"},
            headers={**person.headers, "Host": host},
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "not_offered")
        assert "PUBLIC_URL" in answer.json()["detail"], "the caller is told why"
    assert post.mails == []
    with service(post, tmp_path / "set") as client:
        person = Person(client)
        answer = client.post(
            "/api/notices/mail",
            json={"address": "victim@example.org"},
            headers={**person.headers, "Host": host},
        )
        assert answer.status_code == 201
        assert host.encode() not in post.wait(1).partition(b"\r\n\r\n")[2]
        assert PUBLIC.encode() in post.mails[0][1].replace(b"=\r\n", b"")


def test_no_webhook_names_the_host_of_a_request(tmp_path: Path) -> None:
    with (
        fresh("sqlite", tmp_path) as settings,
        run_service(settings) as client,
    ):
        person = Person(client)
        client.post(
            "/api/notices/webhook",
            json={"address": "https://discord.com/api/webhooks/1/abc"},
            headers={**person.headers, "Host": "paypal"},
        )
        (way,) = client.app.services.subscriptions.channels.list_channels(person.id)
    assert "paypal" not in way.base
    assert way.base.startswith("http://")


# mails with each Python version

_PROGRAM = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("mime", sys.argv[1])
mime = importlib.util.module_from_spec(spec)
spec.loader.exec_module(mime)
given = json.load(sys.stdin)
made = []
for to, subject, headers in given:
    try:
        mail = mime.new_mail(("Cäravans", "play@example.org"), to, subject, headers)
        mail.set_content("Hello\\n")
        mail.add_alternative("<p>Hello", subtype="html")
        made.append(mime.serialize_mail(mail).decode("ascii"))
    except mime.UnsafeHeader:
        made.append(None)
print(json.dumps(made))
"""


def _python(version: str) -> str:
    """Return an interpreter of a version; skip if there is none."""
    candidates = sorted(
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(
            f"versions/{version}.*/bin/python"
        )
    )
    found = str(candidates[-1]) if candidates else shutil.which(f"python{version}")
    if not found:
        pytest.skip(f"there is no Python {version} here")
    return found


def _mails(version: str, given: list[tuple[str, str, dict[str, str]]]) -> list[str | None]:
    module = ROOT / "service" / "notifications" / "mime.py"
    ran = subprocess.run(
        [_python(version), "-I", "-c", _PROGRAM, str(module)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(json.loads(ran.stdout))


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_no_text_begins_a_header_with_any_python(version: str) -> None:
    stop = {"List-Unsubscribe": f"<{PUBLIC}/notices/stop/{'k' * 60}>"}
    subjects = [
        "=?utf-8?q?a=0d=0aBcc:_x@y?=",
        "=?utf-8?b?DQpCY2M6IHhAeQ==?= Ünïcode",
        "=?utf-8?q?a=0aBcc:_x@y?=\r\nBcc: z@y",
        "a\rBcc: x\x0bBcc: y\x85Bcc: z\u2028Bcc: w",
        "x" * 300,
        "é" * 300,
        "= ?utf-8?q?=0aBcc:_x@y?=",
        "=\r\n?utf-8?q?=0aBcc:_x@y?=",
        "==??utf-8?q?=0aBcc:_x@y?=",
    ]
    for mail in _mails(version, [("bob@example.org", s, stop) for s in subjects]):
        assert mail is not None
        headers = headers_of(mail.encode())
        assert set(headers) == {
            *("from", "to", "subject", "list-unsubscribe", "mime-version", "content-type")
        }
        assert headers["list-unsubscribe"] == stop["List-Unsubscribe"]
        assert headers["to"] == "bob@example.org"


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_an_address_or_header_with_a_line_break_is_no_mail_with_any_python(version: str) -> None:
    bad = [
        ("bob@y=0aBcc:x.org", "s", {}),
        ("=?utf-8?q?a=0aBcc:_x?=@example.org", "s", {}),
        ("bob@=?utf-8?q?y=0aBcc:x?=.org", "s", {}),
        ("bob@example.org\r\nBcc: x@y.org", "s", {}),
        ('"b b"@example.org', "s", {}),
        ("bob@example.org", "s", {"List-Unsubscribe": "<https://x>\r\nBcc: x@y.org"}),
        ("bob@example.org", "s", {"Auto-Submitted": "é"}),
        ("b" * 1000 + "@example.org", "s", {}),
    ]
    assert _mails(version, bad) == [None] * len(bad)
