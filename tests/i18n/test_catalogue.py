"""The catalogues: every message of the code is in the templates, and they compile."""

import json
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from domain.text.i18n import Language, Plural
from frontend import build, message_catalogue
from frontend.placeholders import find_mismatch
from tests.i18n.pseudo import plain_words, strange, translated


def test_every_message_is_in_the_template_of_its_domain() -> None:
    """Run ``make words`` to update the templates."""
    for room, found in message_catalogue.messages().items():
        kept = message_catalogue.read_catalogue(
            message_catalogue.catalogue_folders()[room] / "template.pot"
        )
        ids = {message.id for message in kept if message.id}
        assert ids == found, room


def test_every_domain_has_messages() -> None:
    found = message_catalogue.messages()
    assert set(found) == set(message_catalogue.catalogue_folders())
    assert all(len(some) > 20 for some in found.values()), {r: len(s) for r, s in found.items()}
    assert ("{n} gourd", "{n} gourds") in found["caravane"]
    assert "The match has moved on." in found["service"]
    assert "Open a table" in found["page"]


def test_no_message_is_a_fragment() -> None:
    """Sentences are whole: a fragment cannot be translated."""
    allowed = {": ", ", ", "usage: ", "bale of silk, "}
    for room, found in message_catalogue.messages().items():
        for message in found:
            text = message if isinstance(message, str) else message[0]
            whole = text in allowed or text == text.strip() or text.endswith("\n")
            assert whole, (room, text)


@pytest.mark.parametrize("tag", ["fr", "pl", "ar", "ja", "ru", "cs", "lt", "sl"])
def test_plural_table_matches_the_plural_rule(tag: str) -> None:
    rule = message_catalogue.gettext.c2py(Catalog(tag).plural_expr)
    forms = message_catalogue.forms_of(Catalog(tag).plural_expr)
    count = Catalog(tag).num_plurals
    one = "{n} a"
    told = {one: [f"{{n}} {i}" for i in range(count)]}
    language = Language(tag, {"forms": forms, "rooms": {"x": told}})
    for n in (*range(130), 199, 200, 201, 211, 1_000, 1_002, 1_021, 2_512):
        said = language.format_message("x", Plural(one, "{n} b"), {"n": n})
        assert said == f"{n} {rule(n)}", n


@pytest.mark.parametrize(
    ("tag", "side"), [("ar", "rtl"), ("he", "rtl"), ("fa", "rtl"), ("fr", "ltr")]
)
def test_text_direction_of_a_language(tag: str, side: str) -> None:
    assert message_catalogue.grammar(tag, "0" * 200)["dir"] == side


def test_unsupported_plural_rule_is_rejected() -> None:
    with pytest.raises(ValueError, match="table"):
        message_catalogue.forms_of("n == 1007")


def test_a_language_is_offered_only_when_it_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the translators' file to the sentence; a language with a gap is left out."""
    places = {room: tmp_path / room for room in message_catalogue.catalogue_folders()}
    monkeypatch.setattr(message_catalogue, "catalogue_folders", lambda: places)
    message_catalogue.update_catalogues("fr")
    assert message_catalogue.build() == {}
    for room, found in message_catalogue.messages().items():
        path = places[room] / "fr.po"
        made = message_catalogue.read_catalogue(path, "fr")
        for message in found:
            entry = made.get(message if isinstance(message, str) else message[0], room)
            said = translated(room, message)
            entry.string = said if isinstance(said, str) else [said[1], said[1]]
        message_catalogue._write(path, made)
    built = message_catalogue.build()
    assert sorted(built) == ["fr"]
    assert {"shell", "service", "caravane"} <= set(built["fr"])
    made = message_catalogue.read_catalogue(places["page"] / "fr.po", "fr")
    made.get("Open a table", "page").string = ""
    message_catalogue._write(places["page"] / "fr.po", made)
    assert message_catalogue.build() == {}


LINK = ("{who:seat} offers {n} bale to {whom:seat}", "{who:seat} offers {n} bales to {whom:seat}")
FOUR = message_catalogue.forms_of(
    Catalog("sl").plural_expr
)  # 1, 2, 3 and 4, all others; of each hundred
SIX = message_catalogue.forms_of(Catalog("ar").plural_expr)  # 0, 1, 2, 3-10, 11-99, 100-102


def _slovene(*forms: str) -> list[str]:
    return [f"{{who:seat}} ponudi {form} za {{whom:seat}}" for form in forms]


@pytest.mark.parametrize(
    ("message", "said", "forms", "problem"),
    [
        ("Turn {turn}", "Tour {turn}", FOUR, None),
        ("{a} of {b}", "{b}: {a}, {b}", FOUR, None),
        ("a {colour:colour} piece", "une pièce {colour:colour/f}", FOUR, None),
        ("Turn {turn}", "Tour", FOUR, "lacks {turn}"),
        ("Turn {turn}", "Tour {tour}", FOUR, "has {tour}, which nobody fills"),
        ("Turn {turn}", "Tour {turn} {x}", FOUR, "has {x}, which nobody fills"),
        ("Turn {turn}", "Tour {turn", FOUR, "has a brace alone"),
        ("Turn {turn}", "Tour {turn}}", FOUR, "has a brace alone"),
        ("{a:and}", "{a:or}", FOUR, "has {a:or}, which nobody fills"),
        ("usage: %(prog)s", "emploi : %(x)s", FOUR, "has %(x)s, which nobody fills"),
        ("no such file: %s", "aucun fichier", FOUR, "lacks %s"),
        (LINK, _slovene("{n} balo", "{n} bali", "{n} bale", "{n} bal"), FOUR, None),
        (LINK, _slovene("balo", "{n} bali", "{n} bale", "{n} bal"), FOUR, "lacks {n}, in form 0"),
        (LINK, _slovene("{n} balo", "{n} bali", "{n} bale"), FOUR, "has 3 forms for 4"),
        (LINK, ["{who:seat} {n} {x}"] * 4, FOUR, "has {x}, which nobody fills, in form 0"),
        (LINK, ["{who:seat} {n}"] * 4, FOUR, "lacks {whom:seat}, in form 0"),
        (("{n} bale", "{n} bales"), ["none", "one", "two", "{n}", "{n}", "{n}"], SIX, None),
    ],
)  # fmt: skip
def test_translation_has_the_placeholders_of_its_message(
    message: message_catalogue.Message, said: str | list[str], forms: str, problem: str | None
) -> None:
    """A number may be written as a word only if it is the only number of its form."""
    assert find_mismatch(message, said, forms) == problem


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Return complete translators' files of a language with four plural forms."""
    found = {room: tmp_path / room for room in message_catalogue.catalogue_folders()}
    monkeypatch.setattr(message_catalogue, "catalogue_folders", lambda: found)
    message_catalogue.update_catalogues("sl")
    for room, some in message_catalogue.messages().items():
        made = message_catalogue.read_catalogue(found[room] / "sl.po", "sl")
        for message in some:
            said = translated(room, message)
            key = message if isinstance(message, str) else message[0]
            made.get(key, room).string = said if isinstance(said, str) else [said[1]] * 4
        message_catalogue._write(found[room] / "sl.po", made)
    return found


def _say(path: Path, room: str, key: str, said: str) -> None:
    made = message_catalogue.read_catalogue(path, "sl")
    made.get(key, room).string = said
    message_catalogue._write(path, made)


def test_a_language_with_four_forms_is_built(places: dict[str, Path], tmp_path: Path) -> None:
    built = message_catalogue.build()
    assert list(built) == ["sl"]
    shell = json.loads(built["sl"]["shell"])
    assert shell["forms"] == FOUR
    assert (shell["marks"], shell["joins"]["and"]) == ([".", ","], [" in ", ", ", " in "])


def test_wrong_placeholder_fails_the_build_with_its_location(
    places: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = places["page"] / "sl.po"
    _say(path, "page", "Seat {seat}", "Sedež {sedež}")
    _say(path, "page", "Open a table", "")  # a gap beside it does not hide the error
    with pytest.raises(message_catalogue.InvalidTranslations) as told:
        message_catalogue.build()
    words = "“Sedež {sedež}” has {sedež}, which nobody fills; it is to say “Seat {seat}”"
    assert str(told.value) == f"{path}: {words}"
    monkeypatch.setattr(build, "ROOT", tmp_path)
    (tmp_path / "x" / "po").mkdir(parents=True)
    (tmp_path / "x" / "po" / "sl.po").touch()
    with pytest.raises(build.CannotShip, match="translations to be mended"):
        build.compile_catalogues()


def test_differing_plural_rules_fail_the_build(places: dict[str, Path], tmp_path: Path) -> None:
    path = places["caravane"] / "sl.po"
    other = '"Plural-Forms: nplurals=2; plural=(n != 1);\\\\n"'
    path.write_text(re.sub(r'"Plural-Forms:[^"]*"', other, path.read_text()))
    with pytest.raises(
        message_catalogue.InvalidTranslations, match="Plural-Forms is not that of the other files"
    ):
        message_catalogue.build()


def test_pseudo_language_has_no_plain_words() -> None:
    assert (
        plain_words(strange("Keep {gourds} gourds for stage {stage}").format(gourds=1, stage=2))
        == []
    )
    assert plain_words("Đone at last") == ["one", "last"]
