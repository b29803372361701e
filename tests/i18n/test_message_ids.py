"""The tables of message ids: complete, well-formed, and their texts have the same placeholders."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from frontend import message_catalogue
from frontend.placeholders import find_mismatch

TABLES = Path(message_catalogue.__file__).parent / "message_ids"
ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_-]*)+")
FORMS = {tag: message_catalogue.forms_of(Catalog(tag).plural_expr) for tag in ("en", "fr")}


def as_message(text: str | list[str]) -> message_catalogue.Message:
    return text if isinstance(text, str) else (text[0], text[1])


def entries(room: str) -> list[dict[str, Any]]:
    """Return the entries of a text domain's table; none if there is no table yet."""
    path = TABLES / f"{room}.json"
    loaded: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return loaded


@pytest.mark.parametrize("room", message_catalogue.catalogue_folders())
def test_every_message_has_one_id(room: str) -> None:
    found = entries(room)
    assert {as_message(each["old"]) for each in found} == message_catalogue.messages()[room]
    ids = [each["id"] for each in found]
    assert len(set(ids)) == len(ids)
    assert [each for each in ids if len(each) > 48 or not ID.fullmatch(each)] == []


@pytest.mark.parametrize("room", message_catalogue.catalogue_folders())
def test_new_texts_have_the_placeholders_of_the_old(room: str) -> None:
    wrong = [
        (each["id"], tag, problem)
        for each in entries(room)
        for tag in FORMS
        if tag in each
        and (problem := find_mismatch(as_message(each["old"]), each[tag], FORMS[tag]))
    ]
    assert wrong == []
