"""Names and messages in any script or emoji wherever the service writes them: lists, log, files,
feeds, pictures, pages and the command line."""

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from domain.contract.registry import TITLES
from tests.service.people import Client, Person

WORDS = {
    "astral": "Bob \U0001f42a",
    "script": "\U0001d4d1\U0001d4f8\U0001d4eb",
    "kanji": "\U00020bb7野",
    "joined": "\U0001f937\U0001f3fd\u200d\u2642\ufe0f",
    "sinhala": "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
    "persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "hebrew": "דנה",
    "marks": "x\u0323\u0301y",
    "flag": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
}


def seated(client: Client, game: str, name: str) -> tuple[Person, Person, Any]:
    ann, bob = Person(client, "Ann"), Person(client, name)
    count = min(seats for seats in TITLES[game].seats if seats > 1)
    match = ann.open("me", "open", *["bot"] * (count - 2), game=game, visibility="public")
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    assert joined.status_code == 200, joined.text
    return ann, bob, ann.get(f"/matches/{match['id']}").json()


def run(*arguments: str) -> str:
    command = [sys.executable, "-m", "service.cli", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize("kind", WORDS)
def test_name_and_message_are_preserved(client: Client, tmp_path: Path, kind: str) -> None:
    said = WORDS[kind]
    ann, bob, match = seated(client, "caravanserai", said)
    own = bob.get(f"/matches/{match['id']}").json()
    (seat,) = [each["seat"] for each in own["seats"] if each["you"]]
    assert own["seats"][seat]["name"] == said
    words = f"{said} — {said}"
    answer = bob.post(f"/matches/{match['id']}/say", {"seat": seat, "text": words, "to": None})
    assert answer.status_code == 200, answer.text
    note = client.put(
        f"/api/matches/{match['id']}/note", json={"text": words * 9}, headers=bob.headers
    )
    assert note.json()["note"] == words * 9
    events = ann.get(f"/matches/{match['id']}/events").json()["events"]
    assert any(event["data"].get("text") == words for event in events)
    lists = [ann.get("/matches", scope="mine"), client.get("/api/matches?scope=public")]
    for listed in lists:
        (item,) = [each for each in listed.json()["items"] if each["id"] == match["id"]]
        assert said in [each["name"] for each in item["seats"]]
    feed = ElementTree.fromstring(ann.get(f"/matches/{match['id']}/feed.atom").content)
    assert said in "".join(feed.itertext()).replace("\u2068", "").replace("\u2069", "")
    for picture in ("picture.png", "board.svg"):
        assert ann.get(f"/matches/{match['id']}/{picture}").status_code == 200
    drawing = ann.get(f"/matches/{match['id']}/board.svg")
    ElementTree.fromstring(drawing.content)
    assert client.get(f"/m/{match['id']}", headers=ann.headers).status_code == 200
    file = ann.get(f"/matches/{match['id']}/export")
    assert file.status_code == 200
    again = ann.post("/matches/import", file.json())
    assert again.status_code == 201, again.text
    assert said in [each["name"] for each in again.json()["seats"]]
    if kind in ("joined", "hebrew"):
        path = tmp_path / "match.json"
        path.write_bytes(file.content)
        assert run("verify", str(path))
        told = run("replay", str(path))
        assert all(c == "\n" or c.isprintable() for c in told)
        assert ann.get(f"/matches/{match['id']}/animation.gif").status_code in (200, 404)


@pytest.mark.parametrize("game", TITLES)
def test_every_game_draws_and_exports_such_names(client: Client, game: str) -> None:
    ann, bob, match = seated(client, game, WORDS["joined"])
    for path in ("board.svg", "picture.png"):
        answer = bob.get(f"/matches/{match['id']}/{path}")
        assert answer.status_code == 200, answer.text
    again = bob.post("/matches/import", bob.get(f"/matches/{match['id']}/export").json())
    assert again.status_code == 201, again.text
    assert ann.get(f"/matches/{match['id']}").json()["seats"][1]["name"] == WORDS["joined"]


def test_a_deadline_with_such_names_is_in_the_calendar(client: Client) -> None:
    ann = Person(client, WORDS["joined"] * 6)
    pace = {"kind": "days", "days": 2}
    match = ann.open("me", "open", pace=pace)
    bob = Person(client, WORDS["kanji"])
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    url = ann.post("/players/me/calendar").json()["url"]
    found = client.get("/calendar/" + url.rpartition("/")[2])
    assert found.status_code == 200
    assert all(len(line) <= 75 for line in found.content.split(b"\r\n"))
    for line in found.content.split(b"\r\n"):
        line.decode()  # no character is split by a fold
    whole = found.content.decode().replace("\r\n ", "")
    assert f"{ann.name}" in whole
    assert WORDS["kanji"] in whole


def test_long_name_is_truncated_between_characters(client: Client) -> None:
    shrugs = WORDS["joined"] * 8  # 40 characters
    assert len(shrugs) == 40
    ann = Person(client, shrugs)
    match = ann.open("me", "open")
    bob = Person(client, shrugs)
    joined = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    names = [each["name"] for each in joined.json()["seats"]]
    assert sorted(names) == sorted([shrugs, WORDS["joined"] * 7 + " 2"])


@pytest.mark.parametrize("kind", WORDS)
def test_map_may_have_such_a_name(client: Client, kind: str) -> None:
    ann = Person(client)
    drawn = {"rows": ["BGDF", "MOCS"], "treasure": [[1, 0]], "name": WORDS[kind]}
    options = {"map": "custom", "custom": drawn}
    match = ann.open("me", "me", game="conquest", options=options)
    assert match["view"]["map"]["name"] == WORDS[kind]
    again = ann.post("/matches/import", ann.get(f"/matches/{match['id']}/export").json())
    assert again.status_code == 201, again.text
    assert again.json()["view"]["map"]["name"] == WORDS[kind]
    for picture in ("board.svg", "picture.png"):
        assert ann.get(f"/matches/{match['id']}/{picture}").status_code == 200
