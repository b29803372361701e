"""English catalogues: reading the translators' files (PO format)."""

from pathlib import Path

import pytest
from babel.messages import pofile

from domain.text import english
from domain.text.english import english_messages, parse_messages
from frontend.message_catalogue import catalogue_folders

HEADER = """# Messages of a game.
msgid ""
msgstr ""
"Language: en\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


def parsed(text: str) -> dict[str, object]:
    return dict(parse_messages(HEADER + text))


def test_header_is_skipped() -> None:
    assert parsed("") == {}
    assert parsed('msgid "home"\nmsgstr "At home"\n') == {"home": "At home"}


def test_message_has_its_id_and_text() -> None:
    text = """#. log: someone moved
msgid "moved"
msgstr "{who:seat} moves."

#. button
#, python-brace-format
msgid "undo.ask_turn"
msgstr "Undo the turn"
"""
    assert parsed(text) == {"moved": "{who:seat} moves.", "undo.ask_turn": "Undo the turn"}


def test_plural_names_its_argument_before_the_forms() -> None:
    text = """msgid "turn"
msgid_plural "steps"
msgstr[0] "{steps} step"
msgstr[1] "{steps} steps"
"""
    assert parsed(text) == {"turn": ["steps", "{steps} step", "{steps} steps"]}


@pytest.mark.parametrize("count", [1, 3, 6])
def test_language_may_have_any_number_of_plural_forms(count: int) -> None:
    forms = [f"form {number}" for number in range(count)]
    lines = [f'msgstr[{number}] "{form}"' for number, form in enumerate(forms)]
    text = "\n".join(['msgid "turn"', 'msgid_plural "n"', *lines])
    assert parsed(text) == {"turn": ["n", *forms]}


def test_continuation_lines_are_joined() -> None:
    """Of a text, of a plural form, and of an id too long for its line."""
    text = """msgid "long"
msgstr ""
"The first line, "
"the second."

msgid ""
"a-very-long-"
"id"
msgid_plural ""
"n"
msgstr[0] "one "
"thing"
msgstr[1] ""
"many "
"things"
"""
    assert parsed(text) == {
        "long": "The first line, the second.",
        "a-very-long-id": ["n", "one thing", "many things"],
    }


def test_escapes_are_resolved() -> None:
    text = r"""msgid "quoted"
msgstr "\"Yes\"\tor\\no:\n“é”"
"""
    assert parsed(text) == {"quoted": '"Yes"\tor\\no:\n“é”'}


def test_blank_line_in_a_text_does_not_end_it() -> None:
    text = 'msgid "two"\nmsgstr ""\n"one\\n"\n"\\n"\n"two"\n\nmsgid "next"\nmsgstr "after"\n'
    assert parsed(text) == {"two": "one\n\ntwo", "next": "after"}


def test_comments_are_no_messages() -> None:
    text = """# msgid "comment"
# msgstr "comment"

#~ msgid "obsolete"
#~ msgstr "gone"

#. "a quoted comment"
#| msgid "before"
msgid "kept"
msgstr "kept"
"""
    assert parsed(text) == {"kept": "kept"}


@pytest.mark.parametrize(
    "text", ["", "\n\n\n", HEADER, HEADER + '\n\n\nmsgid "home"\nmsgstr "At home"\n\n\n\n']
)
def test_surplus_blank_lines_do_no_harm(text: str) -> None:
    found = dict(parse_messages(text))
    assert found == ({"home": "At home"} if "home" in text else {})


def test_unknown_text_domain_has_no_messages() -> None:
    assert english_messages("no-such-domain") == {}


@pytest.mark.parametrize("text_domain", catalogue_folders())
def test_catalogues_are_read_as_babel_reads_them(text_domain: str) -> None:
    """All texts of every English catalogue: ids, plural arguments, forms; none is empty."""
    path = catalogue_folders()[text_domain] / "en.po"
    with path.open("rb") as file:
        expected = {
            entry.id if isinstance(entry.id, str) else entry.id[0]: entry.string
            if isinstance(entry.id, str)
            else [entry.id[1], *(entry.string or ())]
            for entry in pofile.read_po(file, locale="en", abort_invalid=True)
            if entry.id
        }
    assert dict(parse_messages(path.read_text(encoding="utf-8"))) == expected
    assert len(expected) > 100
    assert all(text and all(text) for text in expected.values())


def test_every_text_domain_of_the_rules_has_its_folder() -> None:
    """The service registers its own; the page's messages are only in the browser."""
    folders = {name: path for name, path in catalogue_folders().items() if name != "page"}
    found = {name: path for name, path in english._folders.items() if isinstance(path, Path)}
    assert {name: found[name] for name in folders if name != "service"} == {
        name: path for name, path in folders.items() if name != "service"
    }
    for text_domain in folders:
        if text_domain != "service":
            assert len(english_messages(text_domain)) > 100
