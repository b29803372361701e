"""The catalogues: complete, valid, brought up to date from English, and compiled."""

import gettext
import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

from domain.text.english import english_messages, parse_messages
from domain.text.i18n import ENGLISH, Language
from frontend import build, message_catalogue
from frontend.message_catalogue import Message
from frontend.placeholders import find_mismatch
from frontend.strip_module import CannotShip
from tests.i18n.message_references import LANGUAGES
from tests.i18n.pseudo import GROWTH, LONG, PSEUDO, PseudoLanguage, lengthen, plain_words, strange

FOLDERS = message_catalogue.catalogue_folders()
ENGLISH_FORMS, SOURCE = LANGUAGES["en"]
TAGS = sorted({path.stem for folder in FOLDERS.values() for path in folder.glob("*.po")})
EVERY = [(tag, text_domain) for tag in TAGS for text_domain in FOLDERS]
WITH_OUTER_SPACE = {
    "cli.argparse.error",
    "cli.argparse.usage",
    "format.list_separator",
    "list.separator",
}
"""Ids of messages that argparse or a list puts before or between other texts."""
SLOVENE = "sl"
"""A language with four plural forms: 1, 2, 3 and 4, and all others, of each hundred."""
FOUR = message_catalogue.forms_of(Catalog(SLOVENE).plural_expr)
SIX = message_catalogue.forms_of(Catalog("ar").plural_expr)  # 0, 1, 2, 3-10, 11-99, 100-102


def forms_of(message: Message) -> list[str]:
    """Return the sentence of a message, or its plural forms."""
    return [message] if isinstance(message, str) else message[1:]


# --- the catalogues as they are ---------------------------------------------------------------


def test_every_text_domain_has_messages() -> None:
    assert set(SOURCE) == set(FOLDERS) == {"kernel", "service", "page", *message_catalogue.games()}
    assert all(len(some) > 20 for some in SOURCE.values()), {r: len(s) for r, s in SOURCE.items()}
    plural = [m for some in SOURCE.values() for m in some.values() if isinstance(m, list)]
    assert len(plural) > 100


def test_every_language_is_complete() -> None:
    assert set(LANGUAGES) == set(TAGS) >= {"en", "fr"}
    for tag, (_, messages) in LANGUAGES.items():
        ids = {text_domain: set(some) for text_domain, some in messages.items()}
        assert ids == {text_domain: set(some) for text_domain, some in SOURCE.items()}, tag


@pytest.mark.parametrize(("tag", "text_domain"), EVERY)
def test_every_entry_has_a_comment_for_translators(tag: str, text_domain: str) -> None:
    file = message_catalogue.read_catalogue(FOLDERS[text_domain] / f"{tag}.po", tag)
    comments = {str(entry.id): " ".join(entry.auto_comments) for entry in file if entry.id}
    assert [key for key, comment in comments.items() if not comment.strip()] == []
    if tag != "en":
        assert [key for key, comment in comments.items() if "English: " not in comment] == []
        assert [key for key, comment in comments.items() if comment.startswith("English: ")] == []


@pytest.mark.parametrize(("tag", "text_domain"), EVERY)
def test_no_message_is_a_fragment(tag: str, text_domain: str) -> None:
    """Sentences are whole: a fragment cannot be translated."""
    fragments = [
        (key, text)
        for key, message in LANGUAGES[tag][1][text_domain].items()
        for text in forms_of(message)
        if text != text.strip() and key not in WITH_OUTER_SPACE
    ]
    assert fragments == []


@pytest.mark.parametrize("text_domain", FOLDERS)
def test_forms_of_an_english_message_have_the_same_placeholders(text_domain: str) -> None:
    found = {
        key: problem
        for key, message in SOURCE[text_domain].items()
        if (problem := find_mismatch(message, message, ENGLISH_FORMS))
    }
    assert found == {}


@pytest.mark.parametrize(("tag", "text_domain"), EVERY)
def test_files_are_read_without_babel(tag: str, text_domain: str) -> None:
    """The program reads English from the translators' files, which Babel writes."""
    text = (FOLDERS[text_domain] / f"{tag}.po").read_text()
    assert dict(parse_messages(text)) == LANGUAGES[tag][1][text_domain]
    if tag == "en" and text_domain != "page":
        import_module("service")  # registers its text domain
        assert english_messages(text_domain) == SOURCE[text_domain]


@pytest.mark.parametrize("package", ["domain", "service"])
def test_english_is_installed_with_the_program(package: str) -> None:
    project = tomllib.loads((message_catalogue.ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"][package]
    folder = message_catalogue.ROOT / package
    installed = {path for pattern in patterns for path in folder.glob(pattern)}
    read = {found / "en.po" for found in FOLDERS.values() if found.is_relative_to(folder)}
    assert read
    assert read <= installed


def test_compiled_english_is_the_built_in_english() -> None:
    head = message_catalogue.grammar("en", ENGLISH_FORMS)
    compiled = Language("en", {**head, "joins": {k: tuple(v) for k, v in head["joins"].items()}})
    for name in ("tag", "_forms", "_joins", "dir"):
        assert getattr(compiled, name) == getattr(ENGLISH, name), name
    assert list(compiled._marks) == list(ENGLISH._marks)


def test_lists_of_english_are_british() -> None:
    """No comma before the last conjunction."""
    compiled = Language("en", message_catalogue.grammar("en", ENGLISH_FORMS))
    for language in (compiled, ENGLISH):
        assert language.join_list(["a", "b", "c"], "and") == "a, b and c"
        assert language.join_list(["a", "b", "c"], "or") == "a, b or c"
        assert language.join_list(["a", "b", "c"]) == "a, b, c"
        assert language.join_list(["a", "b"], "and") == "a and b"


# --- grammar ----------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["en", "fr", "pl", "ar", "ja", "ru", "cs", "lt", "sl"])
def test_plural_table_matches_the_plural_rule(tag: str) -> None:
    rule = gettext.c2py(Catalog(tag).plural_expr)
    forms = message_catalogue.forms_of(Catalog(tag).plural_expr)
    message = ["n", *(f"{{n}} {form}" for form in range(Catalog(tag).num_plurals))]
    language = Language(tag, {"forms": forms, "rooms": {"x": {"item": message}}})
    for n in (*range(130), 199, 200, 201, 211, 1_000, 1_002, 1_021, 2_512):
        assert language.format_message("x", "item", {"n": n}) == f"{n} {rule(n)}", n


@pytest.mark.parametrize(
    ("tag", "direction"),
    [("ar", "rtl"), ("he", "rtl"), ("fa", "rtl"), ("fr", "ltr"), ("en", "ltr")],
)
def test_text_direction_of_a_language(tag: str, direction: str) -> None:
    assert message_catalogue.grammar(tag, "0" * 200)["dir"] == direction


def test_unsupported_plural_rule_is_rejected() -> None:
    with pytest.raises(ValueError, match="table"):
        message_catalogue.forms_of("n == 1007")


# --- placeholders -----------------------------------------------------------------------------

LINK = [
    "n",
    "{who:seat} offers {n} bale to {whom:seat}",
    "{who:seat} offers {n} bales to {whom:seat}",
]
ODD = ["n", "{who:seat} packs a bale", "{who:seat} packs many bales"]
"""A message whose number is shown in no form."""


def _slovene(*forms: str, by: str = "n") -> list[str]:
    return [by, *(f"{{who:seat}} ponudi {form} za {{whom:seat}}" for form in forms)]


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
        ("no value: %(value)r", "aucune valeur", FOUR, "lacks %(value)r"),
        (LINK, _slovene("{n} balo", "{n} bali", "{n} bale", "{n} bal"), FOUR, None),
        (LINK, _slovene("balo", "{n} bali", "{n} bale", "{n} bal"), FOUR, "lacks {n}, in form 0"),
        (LINK, _slovene("{n} balo", "{n} bali", "{n} bale"), FOUR, "has 3 forms for 4"),
        (LINK, _slovene(*["{n}"] * 4, by="m"), FOUR, "is selected by m, not by n"),
        (LINK, ["n", *["{who:seat} {n} {x}"] * 4], FOUR,
         "has {x}, which nobody fills, in form 0"),
        (LINK, ["n", *["{who:seat} {n}"] * 4], FOUR, "lacks {whom:seat}, in form 0"),
        (LINK, LINK[1], FOUR, "has no plural forms"),
        (LINK[1], LINK, FOUR, "has plural forms"),
        (ODD, ["n", *["{who:seat}"] * 4], FOUR, None),
        (ODD, ["n", *["{who:seat} {n}"] * 4], FOUR, "has {n}, which nobody fills, in form 0"),
        (["n", "{n} bale", "{n} bales"], ["n", "none", "one", "two", "{n}", "{n}", "{n}"], SIX,
         None),
    ],
)  # fmt: skip
def test_translation_has_the_placeholders_of_its_message(
    message: Message, said: Message, forms: str, problem: str | None
) -> None:
    """A number may be written as a word only if it is the only number of its form."""
    assert find_mismatch(message, said, forms) == problem


# --- translators' files -----------------------------------------------------------------------


def _entry(file: Catalog, key: str) -> Entry:
    """Return an entry of a translators' file."""
    found = file.get(key)
    assert found
    return found


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Return copies of the folders with the catalogues, by text domain; used instead of them."""
    found = {text_domain: tmp_path / text_domain for text_domain in FOLDERS}
    for text_domain, folder in FOLDERS.items():
        shutil.copytree(folder, found[text_domain])
    monkeypatch.setattr(message_catalogue, "catalogue_folders", lambda: found)
    return found


@pytest.fixture
def slovene(places: dict[str, Path]) -> dict[str, Path]:
    """Return the folders after adding complete translators' files of a language."""
    message_catalogue.update_catalogues(SLOVENE)
    for text_domain, some in SOURCE.items():
        path = places[text_domain] / f"{SLOVENE}.po"
        made = message_catalogue.read_catalogue(path, SLOVENE)
        for key, message in some.items():
            said = PSEUDO.translate(message)
            _entry(made, key).string = said if isinstance(said, str) else (said[2],) * 4
        message_catalogue.write_catalogue(path, made)
    return places


def _say(path: Path, key: str, said: str) -> None:
    """Change a translation; "" removes it."""
    made = message_catalogue.read_catalogue(path, SLOVENE)
    _entry(made, key).string = said
    message_catalogue.write_catalogue(path, made)


def _simple_ids(text_domain: str) -> Iterator[str]:
    """Yield the ids of messages without placeholders and plural forms."""
    for key, message in SOURCE[text_domain].items():
        if isinstance(message, str) and not re.search("[{%]", message):
            yield key


def _contents(places: dict[str, Path]) -> dict[Path, bytes]:
    return {path: path.read_bytes() for folder in places.values() for path in folder.iterdir()}


def test_update_leaves_the_repository_unchanged(places: dict[str, Path]) -> None:
    """Run ``make words`` after changing an English catalogue, and commit the result."""
    before = _contents(places)
    message_catalogue.update_catalogues()
    after = _contents(places)
    assert [
        str(path) for path in before.keys() | after if before.get(path) != after.get(path)
    ] == []


def test_update_adds_a_language(places: dict[str, Path]) -> None:
    before = _contents(places)
    message_catalogue.update_catalogues(SLOVENE)
    after = _contents(places)
    added = {folder / f"{SLOVENE}.po" for folder in places.values()}
    assert after.keys() - before == added
    assert {path: after[path] for path in before} == before
    for text_domain, folder in places.items():
        file = message_catalogue.read_catalogue(folder / f"{SLOVENE}.po", SLOVENE)
        assert {message_catalogue._id_of(e) for e in file if e.id} == set(SOURCE[text_domain])
        assert not any(any(message_catalogue._forms(entry)) for entry in file if entry.id)
        for entry in file:
            if entry.id:
                message = SOURCE[text_domain][message_catalogue._id_of(entry)]
                assert entry.auto_comments[0].strip()
                said = " ".join(entry.auto_comments)
                assert " ".join(f"English: {' / '.join(forms_of(message))}".split()) in said
    message_catalogue.update_catalogues(SLOVENE)
    assert _contents(places) == after


def test_update_keeps_translations_and_drops_messages_without_english(
    slovene: dict[str, Path],
) -> None:
    path = slovene["page"] / f"{SLOVENE}.po"
    made = message_catalogue.read_catalogue(path, SLOVENE)
    doubtful, gap = list(_simple_ids("page"))[:2]
    _entry(made, doubtful).flags.add("fuzzy")
    _entry(made, gap).string = ""
    made.last_translator = "Ana Novak <ana@example.org>"
    message_catalogue.write_catalogue(path, made)
    expected = path.read_text()
    made.add("gone.message", "Zbogom", auto_comments=["a message that English has no more"])
    _entry(made, gap).auto_comments = ["an outdated comment"]
    message_catalogue.write_catalogue(path, made)
    assert "gone.message" in path.read_text()
    message_catalogue.update_catalogues()
    assert path.read_text() == expected


def test_update_clears_a_translation_whose_message_became_plural(
    slovene: dict[str, Path],
) -> None:
    key = next(_simple_ids("page"))
    source = message_catalogue.read_catalogue(slovene["page"] / "en.po", "en")
    source.delete(key)
    source.add((key, "n"), ("{n} bale", "{n} bales"), auto_comments=["a number of bales"])
    message_catalogue.write_catalogue(slovene["page"] / "en.po", source)
    with pytest.raises(message_catalogue.InvalidTranslations, match="has no plural forms"):
        message_catalogue.languages()
    message_catalogue.update_catalogues()
    made = message_catalogue.read_catalogue(slovene["page"] / f"{SLOVENE}.po", SLOVENE)
    assert _entry(made, key).id == (key, "n")
    assert not any(message_catalogue._forms(_entry(made, key)))
    assert list(message_catalogue.languages()) == ["en"]


# --- to the product ---------------------------------------------------------------------------


def test_a_language_is_offered_only_when_it_is_complete(slovene: dict[str, Path]) -> None:
    """A language with a gap, or with a translation marked as doubtful, is left out."""
    assert sorted(message_catalogue.build()) == ["en", "fr", SLOVENE]
    path, key = slovene["page"] / f"{SLOVENE}.po", next(_simple_ids("page"))
    complete = path.read_text()
    _say(path, key, "")
    assert sorted(message_catalogue.build()) == ["en", "fr"]
    path.write_text(complete.replace(f'msgid "{key}"', f'#, fuzzy\nmsgid "{key}"'))
    assert sorted(message_catalogue.build()) == ["en", "fr"]
    path.unlink()
    assert sorted(message_catalogue.build()) == ["en", "fr"]


def test_new_language_is_not_offered(places: dict[str, Path]) -> None:
    message_catalogue.update_catalogues(SLOVENE)
    assert sorted(message_catalogue.build()) == ["en", "fr"]


def test_languages_are_compiled_to_a_file_for_each_loaded_part() -> None:
    built = message_catalogue.build()
    assert set(built) == set(TAGS)
    for tag, files in built.items():
        assert set(files) == {"shell", "service", *message_catalogue.games()}
        loaded = {name: json.loads(text) for name, text in files.items()}
        shell = loaded["shell"]
        assert shell["tag"] == tag
        assert set(shell["rooms"]) == {"kernel", "page"}
        rooms = {room: some for each in loaded.values() for room, some in each["rooms"].items()}
        assert rooms == LANGUAGES[tag][1]
    assert json.loads(built["en"]["shell"])["name"] == "English"
    assert json.loads(built["fr"]["shell"])["name"] == "français"


def test_a_language_with_four_forms_is_built(slovene: dict[str, Path]) -> None:
    shell = json.loads(message_catalogue.build()[SLOVENE]["shell"])
    assert shell["forms"] == FOUR
    assert (shell["marks"], shell["joins"]["and"]) == ([".", ","], [" in ", ", ", " in "])
    lengths = {len(m) for m in shell["rooms"]["page"].values() if isinstance(m, list)}
    assert lengths == {5}


def test_wrong_placeholder_fails_the_build_with_its_location(
    slovene: dict[str, Path], tmp_path: Path
) -> None:
    path = slovene["page"] / f"{SLOVENE}.po"
    gap, key = list(_simple_ids("page"))[:2]
    _say(path, key, "Sedež {sedež}")
    _say(path, gap, "")  # a gap beside it does not hide the error
    with pytest.raises(message_catalogue.InvalidTranslations) as told:
        message_catalogue.build()
    assert str(told.value) == f"{path}: {key}: “Sedež {{sedež}}” has {{sedež}}, which nobody fills"
    with pytest.raises(CannotShip, match=f"translations to be mended:\n.*{key}"):
        build.compile_catalogues()


def test_message_without_english_fails_the_build(slovene: dict[str, Path]) -> None:
    path = slovene["kernel"] / f"{SLOVENE}.po"
    made = message_catalogue.read_catalogue(path, SLOVENE)
    made.add("gone.message", "Zbogom")
    message_catalogue.write_catalogue(path, made)
    with pytest.raises(message_catalogue.InvalidTranslations) as told:
        message_catalogue.build()
    assert str(told.value) == f"{path}: gone.message: “Zbogom” is not in en.po: run `make words`"


def test_differing_plural_rules_fail_the_build(slovene: dict[str, Path]) -> None:
    path = slovene["conquest"] / f"{SLOVENE}.po"
    other = '"Plural-Forms: nplurals=4; plural=(n % 4);\\\\n"'
    path.write_text(re.sub(r'"Plural-Forms:[^"]*"', other, path.read_text()))
    expected = f"{path}: Plural-Forms is not that of the other files"
    with pytest.raises(message_catalogue.InvalidTranslations, match=re.escape(expected)):
        message_catalogue.build()


def test_malformed_file_fails_the_build(slovene: dict[str, Path]) -> None:
    path = slovene["kernel"] / f"{SLOVENE}.po"
    path.write_text(path.read_text() + "\nnonsense\n")
    with pytest.raises(message_catalogue.InvalidTranslations, match=re.escape(str(path))):
        message_catalogue.build()


# --- pseudo-languages -------------------------------------------------------------------------


def test_pseudo_language_has_no_plain_words() -> None:
    for say in (strange, lengthen):
        said = say("Set aside {gourds} gourds for stage {stage}").format(gourds=1, stage=2)
        assert plain_words(said) == []
    assert plain_words("Đone at last") == ["one", "last"]


@pytest.mark.parametrize("pseudo", [PSEUDO, LONG], ids=lambda pseudo: pseudo.tag)
def test_pseudo_languages_have_the_messages_of_english(pseudo: PseudoLanguage) -> None:
    files = [json.loads(text) for text in pseudo.compile(ENGLISH_FORMS, SOURCE).values()]
    rooms = {room: some for each in files for room, some in each["rooms"].items()}
    assert {room: set(some) for room, some in rooms.items()} == {
        room: set(some) for room, some in SOURCE.items()
    }
    for room, some in rooms.items():
        for key, message in some.items():
            assert find_mismatch(SOURCE[room][key], message, ENGLISH_FORMS) is None, key
            text = " ".join(forms_of(message))
            assert plain_words(re.sub(r"\{[^}]*\}|%\(\w+\)\w", "", text)) == [], key
    (shell,) = [each for each in files if "tag" in each]
    assert (shell["tag"], shell["dir"]) == (pseudo.tag, pseudo.direction)


def test_long_pseudo_language_lengthens_every_sentence() -> None:
    for some in SOURCE.values():
        for text in (text for message in some.values() for text in forms_of(message)):
            written = re.sub(r"\{[^}]*\}|%\(\w+\)\w|%s", "", text)
            made = re.sub(r"\{[^}]*\}|%\(\w+\)\w|%s", "", lengthen(text))
            if re.search("[a-zA-Z]", written):
                assert abs(len(made) - GROWTH * len(written)) < 3 + 0.1 * len(made), text
