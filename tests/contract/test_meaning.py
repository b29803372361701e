"""Incompatible API changes are detected, and compatible ones are not reported."""

import copy
from typing import Any

import pytest

from service import openapi
from tests.contract.meaning import broken

DOCUMENT = openapi.build_document()
PLAY = "/api/matches/{match_id}/commands"
GET = "/api/matches/{match_id}"


def changed() -> Any:
    return copy.deepcopy(DOCUMENT)


def test_same_document_is_compatible() -> None:
    assert broken(DOCUMENT, changed()) == []


def test_additions_and_descriptions_are_compatible() -> None:
    new = changed()
    new["paths"]["/api/new"] = new["paths"][GET]
    new["paths"][GET]["get"]["description"] = "Otherwise."
    new["paths"][GET]["get"]["parameters"].reverse()
    new["paths"][GET]["get"]["responses"]["418"] = {}
    new["components"]["schemas"]["Problem"]["properties"]["code"]["enum"].append("new")
    new["components"]["schemas"]["MatchAnswer"]["properties"]["more"] = {}
    new["components"]["schemas"]["MatchAnswer"]["required"].append("more")
    assert broken(DOCUMENT, new) == []


def drop_path(new: Any) -> None:
    del new["paths"][PLAY]


def drop_status(new: Any) -> None:
    del new["paths"][PLAY]["post"]["responses"]["409"]


def drop_parameter(new: Any) -> None:
    new["paths"][GET]["get"]["parameters"].pop()


def ask_for_a_parameter(new: Any) -> None:
    parameter = {"name": "more", "in": "query", "required": True, "schema": {}}
    new["paths"][GET]["get"]["parameters"].append(parameter)


def drop_field(new: Any) -> None:
    del new["components"]["schemas"]["MatchAnswer"]["properties"]["seats"]


def ask_for_a_field(new: Any) -> None:
    new["components"]["schemas"]["NewMatch"]["required"].append("visibility")


def change_a_type(new: Any) -> None:
    new["components"]["schemas"]["MatchAnswer"]["properties"]["version"]["type"] = "string"


def drop_a_code(new: Any) -> None:
    new["components"]["schemas"]["Problem"]["properties"]["code"]["enum"].remove("not_your_turn")


@pytest.mark.parametrize(
    "change",
    [
        drop_path,
        drop_status,
        drop_parameter,
        ask_for_a_parameter,
        drop_field,
        ask_for_a_field,
        change_a_type,
        drop_a_code,
    ],
)
def test_incompatible_change_is_reported(change: Any) -> None:
    new = changed()
    change(new)
    assert len(broken(DOCUMENT, new)) == 1
