"""Matches on a hand-drawn map and on a previewed random map, over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.matchfile.writer import compute_digest
from service.cli import main
from tests.service.people import Client, Person

DRAWN: dict[str, Any] = {"rows": ["BGDF", "MOCS"], "treasure": [[1, 0]], "name": "Oase 7"}


def table(person: Person, **options: Any) -> Any:
    return person.open("me", "me", game="conquest", options=options)


def test_drawn_map_is_kept_in_options_and_match_file(
    client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, bob = Person(client), Person(client, "Bob")
    match = table(ann, map="custom", custom=DRAWN)
    assert match["options"]["custom"] == DRAWN
    assert match["view"]["tiles"] == DRAWN["rows"]
    assert match["view"]["treasure"] == DRAWN["treasure"]
    assert match["view"]["map"]["name"] == "Oase 7"
    for _ in range(3):
        match = ann.step(match)
    file = ann.get(f"/matches/{match['id']}/export").json()
    path = tmp_path / "drawn.json"
    path.write_text(json.dumps(file))
    assert main(["verify", str(path)]) == 0
    capsys.readouterr()
    brought = bob.post("/matches/import", file)
    assert brought.status_code == 201, brought.text
    again = brought.json()
    assert again["options"]["custom"] == DRAWN
    assert again["view"]["tiles"] == match["view"]["tiles"]
    assert again["view"]["map"] == match["view"]["map"]


@pytest.mark.parametrize("row", ["BDDF", "BRRF", "BXDF"])
def test_file_with_another_map_is_rejected(row: str, client: Client) -> None:
    """Neither one that can be played nor one that cannot."""
    ann = Person(client)
    match = ann.step(table(ann, map="custom", custom=DRAWN))
    file = ann.get(f"/matches/{match['id']}/export").json()
    file["decisions"][0]["command"]["options"]["custom"]["rows"][0] = row
    file.pop("signature", None)
    file["digest"] = compute_digest({name: each for name, each in file.items() if name != "digest"})
    answer = ann.post("/matches/import", file)
    assert answer.status_code == 422
    assert "decision 0" in answer.json()["detail"]


def test_match_gets_the_previewed_map(client: Client) -> None:
    ann = Person(client)
    options = {"map": "generated", "size": "short", "seed": 4711}
    body = {"seats": 2, "options": options}
    shown = client.post("/api/games/conquest/preview", json=body).json()["view"]
    opened = table(ann, **options)["view"]
    assert opened["map"] == shown["map"]
    assert opened["treasure"] == shown["treasure"]
    other = client.post(
        "/api/games/conquest/preview", json={**body, "options": {**options, "seed": 4712}}
    ).json()["view"]
    assert other["map"]["rows"] != shown["map"]["rows"]


@pytest.mark.parametrize("name", ["a\u202eb", "\u2800", "e" + "\u0301" * 9, " x", "x" * 41])
def test_map_names_follow_the_rules_of_player_names(name: str, client: Client) -> None:
    body = {"seats": 2, "options": {"map": "custom", "custom": {**DRAWN, "name": name}}}
    answer = client.post("/api/games/conquest/preview", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_option")
    assert answer.json()["detail"].startswith("custom")


@pytest.mark.parametrize("name", ["", "Oase", "Wüste 王", "❤\ufe0f"])
def test_names_that_maps_may_have(name: str, client: Client) -> None:
    body = {"seats": 2, "options": {"map": "custom", "custom": {**DRAWN, "name": name}}}
    answer = client.post("/api/games/conquest/preview", json=body)
    assert answer.status_code == 200, answer.text
    assert answer.json()["view"]["map"]["name"] == name
