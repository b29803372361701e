"""Previews of a match before it is opened, and options with structured values."""

from io import BytesIO
from typing import Annotated

import msgspec
import pytest
from msgspec import Meta, Struct
from PIL import Image

from domain.contract.game import GameInfo
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from service.matches.options import InvalidOption, check_options, fill_options
from tests.game_contract.play import Table, table_id, tables
from tests.service.people import Client, Person

TABLES = [pytest.param(table, id=table_id(table)) for table in tables()]


@pytest.mark.parametrize("table", TABLES)
def test_every_table_can_be_previewed(table: Table, client: Client) -> None:
    slug, seats, options = table
    body = {"seats": seats, "options": options}
    first = client.post(f"/api/games/{slug}/preview", json=body)
    assert first.status_code == 200, first.text
    answer = first.json()
    assert {*TITLES[slug].layout} <= {*answer["view"]}
    assert answer["options"] == fill_options(TITLES[slug], options)
    assert client.post(f"/api/games/{slug}/preview", json=body).json() == answer


def test_a_preview_opens_nothing(client: Client) -> None:
    ann = Person(client)
    slug = next(iter(TITLES))
    assert ann.post(f"/games/{slug}/preview", {"seats": 2}).status_code == 200
    assert client.app.services.store.recorder.max_notification_id() is None  # type: ignore[attr-defined]
    assert ann.get("/matches", scope="mine").json()["items"] == []


def test_preview_picture(client: Client) -> None:
    slug = next(iter(TITLES))
    answer = client.post(f"/api/games/{slug}/preview.png", json={"seats": 2})
    assert answer.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).size == (1200, 630)


@pytest.mark.parametrize(
    ("slug", "body", "status", "code"),
    [
        ("nix", {"seats": 2}, 404, "no_such_game"),
        (None, {"seats": 16}, 422, "wrong_seats"),
        (None, {"seats": 2, "options": {"nix": 1}}, 422, "bad_option"),
    ],
)
@pytest.mark.parametrize("form", ["preview", "preview.png"])
def test_invalid_table_cannot_be_previewed(
    slug: str | None, body: object, status: int, code: str, form: str, client: Client
) -> None:
    answer = client.post(f"/api/games/{slug or next(iter(TITLES))}/{form}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


class Ground(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand-drawn map."""

    rows: tuple[str, ...] = ()


class Options(Struct, frozen=True):
    ground: Annotated[
        Ground,
        Meta(title="Map", extra_json_schema={"attachment": {"bytes": 60}, "editor": "draw"}),
    ] = Ground()


def test_an_attachment_has_a_strict_shape_and_a_stated_size() -> None:
    title = GameInfo("toy", "Toy", "", (2,), Options)
    told = schema_of(title)["properties"]["ground"]
    assert told["attachment"] == {"bytes": 60}
    assert told["editor"] == "draw"
    fits = {"ground": {"rows": ["#" * 40]}}
    assert len(msgspec.json.encode(fits["ground"])) == 53
    assert fill_options(title, fits) == fits
    check_options(title, fits)
    for wrong in ({"rows": ["#" * 48]}, {"rows": [1]}, {"rows": [], "more": 1}, "#"):
        with pytest.raises(InvalidOption, match="ground"):
            fill_options(title, {"ground": wrong})
