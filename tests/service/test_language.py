"""Texts are in the language the caller asks for, and responses send `Vary` accordingly."""

import json
from pathlib import Path
from typing import Any

import pytest

from domain.text.i18n import ENGLISH
from domain.text.msgspec_errors import translate_error
from service.http.i18n import Languages
from tests.service.people import Client, Person


def folder(place: Path, *tags: str) -> Path:
    """Return a folder of compiled catalogues that know one message; it begins with the tag."""
    for tag in tags:
        (place / tag).mkdir(parents=True)
        words = {"error.no_such_match": f"{tag}: nichts"}
        shell = {"tag": tag, "forms": "01" * 100, "rooms": {"kernel": {}}}
        (place / tag / "shell.0123456789.json").write_text(json.dumps(shell))
        service = json.dumps({"rooms": {"service": words}})
        (place / tag / "service.0123456789.json").write_text(service)
    return place


@pytest.mark.parametrize(
    ("header", "tag"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT, fr", "de"),
        ("fr;q=0.5, de;q=0.9", "de"),
        ("fr, de;q=0.9", "fr"),
        ("nl, en;q=0.9, de;q=0.8", "en"),
        ("en-GB, de", "en"),
        ("*", "en"),
        ("de;q=0", "en"),
        ("de;q=x, fr", "fr"),
        ("nonsense;;;, ,", "en"),
        ("DE", "de"),
        ("zh-Hant-TW, zh", "zh-Hant"),
        ("zh", "en"),
    ],
)
def test_the_first_wish_that_is_on_offer(tmp_path: Path, header: str, tag: str) -> None:
    assert Languages(folder(tmp_path, "de", "fr", "zh-Hant")).preferred(header).tag == tag


def test_what_is_not_translated_stays_english(tmp_path: Path) -> None:
    german = Languages(folder(tmp_path, "de"))["de"]
    assert german.format_message("service", "error.no_such_match", {}) == "de: nichts"
    english = ENGLISH.format_message("service", "error.unknown_token", {})
    assert english == "Invalid or expired sign-in token."
    assert german.format_message("service", "error.unknown_token", {}) == english
    assert german.format_message("service", "error.none_such", {}) == "error.none_such"


def test_without_a_folder_there_is_english(tmp_path: Path) -> None:
    assert Languages(tmp_path / "none").preferred("de") is ENGLISH


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("Expected `int`, got `str`", {"wanted": "int", "got": "str"}),
        ("Expected `int` >= 0", {"wanted": "int", "sign": ">=", "limit": "0"}),
        ("Expected `str` of length <= 40", {"wanted": "str", "sign": "<=", "limit": "40"}),
        ("Object missing required field `seat`", {"name": "seat"}),
        ("Invalid enum value 'x'", {"value": "'x'"}),
        ("Expected `array` of length 2 to 5", {"wanted": "array", "low": "2", "high": "5"}),
        ("Expected `str` matching regex '^[0-9]$'", {"wanted": "str", "pattern": "'^[0-9]$'"}),
        ("JSON is malformed: invalid character (byte 8)", {"byte": "8"}),
        ("Input data was truncated", {}),
        ("JSON is malformed: object keys must be strings (byte 1)", {"byte": "1"}),
        ("Integer value out of range", {}),
        ("Number out of range", {}),
    ],
)
def test_messages_of_the_library_become_sentences_again(message: str, args: Any) -> None:
    """In English they are unchanged, including their position."""
    message_id, found = translate_error(message)
    assert message_id.startswith("schema.")
    assert found == args
    assert ENGLISH.format_message("kernel", message_id, found) == message
    for place in ("`$.seats[0]`", "`key` in `$.options`"):
        placed = f"{message} - at {place}"
        placed_id, placed_args = translate_error(placed)
        assert placed_args["what"] == {"key": message_id, "args": args}
        assert ENGLISH.format_message("kernel", placed_id, placed_args) == placed


def test_unknown_message_of_the_library_is_passed_through() -> None:
    message = "What the library will say tomorrow"
    assert translate_error(message) == ("file.error", {"what": message})
    assert ENGLISH.format_message("kernel", *translate_error(message)) == message


def test_a_list_is_in_the_language_that_the_caller_asks_for(client: Client) -> None:
    """The list is built in a thread without a request context."""
    client.headers["Accept-Language"] = "fr"
    player = Person(client, "Player 3")
    match = player.open("me", "bot")
    (item,) = player.get("/matches").json()["items"]
    names = [seat["name"] for seat in item["seats"]]
    assert names == [seat["name"] for seat in match["seats"]]
    client.headers["Accept-Language"] = "en"
    (item,) = player.get("/matches").json()["items"]
    assert [seat["name"] for seat in item["seats"]] != names
