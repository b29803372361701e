"""The constant part of a view is sent once; clients that do not ask for it get the whole view."""

import msgspec
import pytest

from domain.contract.registry import TITLES
from tests.service.people import Client, Person


@pytest.mark.parametrize("slug", TITLES)
def test_layout_and_what_changes_make_the_view(slug: str, client: Client) -> None:
    ann = Person(client)
    seats = ["me", *["bot"] * (min(TITLES[slug].seats) - 1)]
    match = ann.open(*seats, game=slug)
    path = f"/matches/{match['id']}"
    whole = ann.get(path).json()["view"]
    changing = ann.get(path, view="changing").json()["view"]
    layout = ann.get(f"{path}/layout").json()["layout"]
    assert set(layout) == {*TITLES[slug].layout}
    assert not set(layout) & set(changing)
    assert {**layout, **changing} == whole
    command = ann.get(f"{path}/choices").json()["choices"][0]["command"]
    version = ann.get(path).json()["version"]
    body = {"seat": 0, "expected_version": version, "commands": [command]}
    played = ann.post(f"{path}/commands?view=changing", body).json()["match"]
    assert played["version"] > version
    assert set(played["view"]) == set(changing)


def test_most_of_the_first_view_is_layout(client: Client) -> None:
    """Measured: four fifths of what the board game sends is constant."""
    ann = Person(client)
    path = f"/matches/{ann.open('me')['id']}"
    whole, changing = (
        len(msgspec.json.encode(ann.get(path, view=part).json()["view"]))
        for part in ("whole", "changing")
    )
    assert changing * 4 < whole


def test_layout_is_requested_once(client: Client) -> None:
    ann = Person(client)
    path = f"/matches/{ann.open('me')['id']}/layout"
    first = ann.get(path)
    assert "immutable" in first.headers["cache-control"]
    again = client.get(
        f"/api{path}", headers={**ann.headers, "If-None-Match": first.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_open_match_has_no_layout_and_strangers_get_none(client: Client) -> None:
    ann = Person(client)
    match = ann.open("me", "open")
    answer = ann.get(f"/matches/{match['id']}/layout")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_started")
    eve = Person(client, "Eve")
    assert eve.get(f"/matches/{match['id']}/layout").status_code == 404
    assert eve.get(f"/matches/{match['id']}/layout", invite=match["invite"]).status_code == 409
