"""The catalogues: nothing in the code is missing from the templates, and they compile."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from domain.words import Language, Plural
from frontend import catalogue
from tests.words.pseudo import plain_words, strange, translated


def test_every_message_of_the_code_is_in_the_template_of_its_room() -> None:
    """``make words`` puts it there."""
    for room, found in catalogue.messages().items():
        kept = catalogue.read(catalogue.rooms()[room] / "template.pot")
        ids = {message.id for message in kept if message.id}
        assert ids == found, room


def test_every_room_has_something_to_say() -> None:
    found = catalogue.messages()
    assert set(found) == set(catalogue.rooms())
    assert all(len(some) > 20 for some in found.values()), {r: len(s) for r, s in found.items()}
    assert ("{n} gourd", "{n} gourds") in found["caravane"]
    assert "The match has moved on." in found["service"]
    assert "Open a table" in found["page"]


def test_no_message_begins_or_ends_as_a_piece_of_another() -> None:
    """Sentences are whole: a translator cannot say a piece."""
    allowed = {": ", ", ", "usage: ", "bale of silk, "}
    for room, found in catalogue.messages().items():
        for message in found:
            text = message if isinstance(message, str) else message[0]
            whole = text in allowed or text == text.strip() or text.endswith("\n")
            assert whole, (room, text)


@pytest.mark.parametrize("tag", ["fr", "pl", "ar", "ja", "ru", "cs", "lt", "sl"])
def test_the_table_of_forms_is_what_the_rule_of_the_language_says(tag: str) -> None:
    rule = catalogue.gettext.c2py(Catalog(tag).plural_expr)
    forms = catalogue.forms_of(Catalog(tag).plural_expr)
    count = Catalog(tag).num_plurals
    one = "{n} a"
    told = {one: [f"{{n}} {i}" for i in range(count)]}
    language = Language(tag, {"forms": forms, "rooms": {"x": told}})
    for n in (*range(130), 199, 200, 201, 211, 1_000, 1_002, 1_021, 2_512):
        said = language.say("x", Plural(one, "{n} b"), {"n": n})
        assert said == f"{n} {rule(n)}", n


def test_a_rule_that_no_table_holds_is_refused() -> None:
    with pytest.raises(ValueError, match="table"):
        catalogue.forms_of("n == 1007")


def test_a_language_is_offered_only_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the translators' file to the sentence, and nothing of one with a gap."""
    places = {room: tmp_path / room for room in catalogue.rooms()}
    monkeypatch.setattr(catalogue, "rooms", lambda: places)
    catalogue.update("fr")
    assert catalogue.build(tmp_path / "none") == {}
    for room, found in catalogue.messages().items():
        path = places[room] / "fr.po"
        made = catalogue.read(path, "fr")
        for message in found:
            entry = made.get(message if isinstance(message, str) else message[0], room)
            entry.string = translated(room, message)
        catalogue._write(path, made)
    built = catalogue.build(tmp_path / "words")
    assert sorted(built) == ["fr"]
    assert {"shell", "service", "caravane"} <= set(built["fr"])
    made = catalogue.read(places["page"] / "fr.po", "fr")
    made.get("Open a table", "page").string = ""
    catalogue._write(places["page"] / "fr.po", made)
    assert catalogue.build(tmp_path / "again") == {}


def test_what_is_strange_has_no_plain_word() -> None:
    assert (
        plain_words(strange("Keep {gourds} gourds for stage {stage}").format(gourds=1, stage=2))
        == []
    )
    assert plain_words("Đone at last") == ["one", "last"]
