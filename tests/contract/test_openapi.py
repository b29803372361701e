"""The OpenAPI document: committed, served, complete."""

import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from litestar.testing import TestClient

from service import __version__, openapi
from service.api_modules import HANDLERS
from service.app import create_app
from service.matches import schema
from service.players.schema import NewPlayer
from service.settings import Settings

COMMITTED = Path(__file__).parent.parent.parent / "openapi" / "openapi.json"
DOCUMENT = openapi.build_document()
OPERATIONS = [
    pytest.param(operation, id=operation["operationId"])
    for item in DOCUMENT["paths"].values()
    for operation in item.values()
]


def test_committed_document_is_served(tmp_path: Path) -> None:
    """After an API change, run: caravanserai openapi > openapi/openapi.json"""
    with TestClient(create_app(Settings(data=str(tmp_path)))) as client:
        served = client.get("/schema/openapi.json")
    assert served.headers["content-type"] == "application/json"
    assert served.content == COMMITTED.read_bytes()


def test_package_and_document_have_one_version() -> None:
    project = tomllib.loads((COMMITTED.parent.parent / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "service.__version__"}
    assert DOCUMENT["info"]["version"] == __version__


def test_document_is_independent_of_the_games() -> None:
    assert "caravane" not in str(DOCUMENT["components"]["schemas"]).replace("caravanserai", "")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operation_is_complete(operation: Any) -> None:
    """Every route has an operation id, a description, valid examples and all its problems."""
    assert operation["summary"]
    assert operation["description"]
    assert operation["tags"]
    assert "security" in operation
    for parameter in operation["parameters"]:
        assert parameter["description"]
    if "requestBody" in operation:
        assert_examples_fit(operation["requestBody"]["content"])
    for status, response in operation["responses"].items():
        assert response["description"]
        assert ("content" in response) == (status != "204")
        assert_examples_fit(response.get("content", {}))
        if status >= "400":
            assert list(response["content"]) == ["application/problem+json"]
            for code, example in response["content"]["application/problem+json"][
                "examples"
            ].items():
                assert example["value"]["code"] == code
                assert example["value"]["status"] == int(status)
    assert "429" in operation["responses"]


def assert_examples_fit(content: Any) -> None:
    for media in content.values():
        validator = jsonschema_rs.validator_for(
            {**media["schema"], "components": DOCUMENT["components"]}
        )
        for example in media.get("examples", {}).values():
            validator.validate(example["value"])


def test_operation_ids_are_unique_and_all_calls_are_there() -> None:
    names = [parameter.values[0]["operationId"] for parameter in OPERATIONS]
    assert len(set(names)) == len(names) == len(HANDLERS)
    assert set(openapi.ALL_ERRORS) == set(names)


def test_unknown_fields_are_documented_as_rejected() -> None:
    """The library's own generator omits this."""
    for body in (
        NewPlayer,
        schema.NewMatch,
        schema.NewSeat,
        schema.PlayCommands,
        schema.UndoMoves,
        schema.ForkMatch,
    ):
        assert DOCUMENT["components"]["schemas"][body.__name__]["additionalProperties"] is False
