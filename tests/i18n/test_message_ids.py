"""Message ids: those in the code exist, every message is used, and ids have a fixed style."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from frontend import message_catalogue
from frontend.message_catalogue import Message
from frontend.placeholders import placeholders_of
from service.http.examples import EXAMPLE_GAME
from service.openapi import ALL_PROBLEMS
from tests.i18n import message_references
from tests.i18n.message_references import LANGUAGES, Code, Reference, code, pattern_of

FOLDERS = message_catalogue.catalogue_folders()
SOURCE = LANGUAGES["en"][1]
DOTTED = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9][a-z0-9_]*)+")
"""A message of a place in the interface: "undo.ask_turn"."""
OF_KIND = re.compile(r"[a-z]+(-\w[\w ]*)*(\.you)?")
"""A message of a kind with a value of the program: "ware-silk", "group-Move", "bid-made.you"."""
MAX_ID_LENGTH = 48
NOT_MESSAGES = re.compile(
    r"http\.(re|route)\S*|error\.type|\w+\.(css|js|json|webmanifest|html|txt)"
)
"""Names of protocols, span attributes and files that look like message ids."""


@cache
def all_references() -> list[Reference]:
    """Return the references in the product's code, read by the first test that needs them.

    Reading them takes seconds, and every process of the tests imports this module.
    """
    return list(message_references.references())


def forms_of(message: Message) -> list[str]:
    """Return the sentence of a message, or its plural forms."""
    return [message] if isinstance(message, str) else message[1:]


def arguments_of(message: Message) -> set[str]:
    """Return the names of the arguments that a message needs."""
    found = {each.partition(":")[0] for form in forms_of(message) for each in placeholders_of(form)}
    return found if isinstance(message, str) else {*found, message[0]}


# --- from the code to the catalogues ----------------------------------------------------------


def test_references_are_found() -> None:
    """In all packages, and of all functions that take messages."""
    places = {reference.place.partition("/")[0] for reference in all_references()}
    assert places == {"domain", "service", "frontend"}
    assert {reference.text_domain for reference in all_references()} == set(FOLDERS)
    taking = {*message_references.MESSAGE_ARGUMENTS, *message_references.MESSAGE_KEYWORDS}
    assert {reference.function for reference in all_references()} == taking
    assert len(all_references()) > 2_500


def test_every_referenced_message_exists() -> None:
    """A composed id must fit at least one message of its text domain."""
    unknown = {
        (each.place, each.text_domain, each.pattern) for each in all_references() if not each.ids()
    }
    assert unknown == set()


def _missing(reference: Reference) -> set[str]:
    """Return arguments that a message needs and the code does not pass."""
    if reference.arguments is None or "(" in reference.pattern:
        return set()
    some = SOURCE[reference.text_domain]
    needed = {name for key in reference.ids() for name in arguments_of(some[key])}
    return {name for name in needed if not name.startswith("%")} - reference.arguments


def test_every_referenced_message_gets_its_arguments() -> None:
    found = {
        (each.place, each.pattern, *_missing(each)) for each in all_references() if _missing(each)
    }
    assert found == set()
    assert sum(each.arguments is not None for each in all_references()) > 1_500


def _unknown_ids(path: Path) -> list[str]:
    """Return the constants of a source file that look like message ids and are none."""
    own = message_references.text_domain_of(path)
    rooms = [own, "kernel"] if own == "service" else [own]
    families = {key.partition(".")[0] for room in rooms for key in SOURCE[room] if "." in key}
    return [
        text
        for text in code([path]).constants
        if DOTTED.fullmatch(text)
        and text.partition(".")[0] in families
        and not any(text in SOURCE[room] for room in rooms)
        and not NOT_MESSAGES.fullmatch(text)
    ]


def test_every_constant_that_looks_like_an_id_is_one() -> None:
    """This includes tables of ids, which no function call refers to."""
    found = {str(path): _unknown_ids(path) for path in message_references.modules()}
    assert {path: ids for path, ids in found.items() if ids} == {}


@pytest.mark.parametrize("problem", ALL_PROBLEMS)
def test_problems_of_the_api_have_messages(problem: str) -> None:
    _, message_id, more = ALL_PROBLEMS[problem]
    rooms = ("service", "kernel", EXAMPLE_GAME.slug)
    found = [SOURCE[room][message_id] for room in rooms if message_id in SOURCE[room]]
    assert found
    assert any(arguments_of(message) == set(more.get("args", {})) for message in found)


# --- from the catalogues to the code ----------------------------------------------------------


def _code_of(text_domain: str) -> Code:
    """Return the code that may use the messages of a text domain."""
    files = message_references.modules()
    package = {path: path.relative_to(message_references.ROOT).parts[0] for path in files}
    games = {path: message_references.game_of(path) for path in files}
    if text_domain in message_references.GAMES:
        own = code([path for path in files if games[path] == text_domain])
        rest = [path for path in files if games[path] is None and package[path] != "service"]
        # Code of all games composes ids ("group-" + name), but of values that a game has.
        return Code(own.constants, own.names, own.patterns | code(rest).patterns)
    packages = {"kernel": ("domain", "frontend"), "service": ("service",), "page": ("frontend",)}
    found = code([p for p in files if games[p] is None and package[p] in packages[text_domain]])
    if text_domain == "service":
        found.constants |= message_references.template_texts()
    return found


def _kinds(text_domain: str) -> set[str]:
    """Return the types of placeholders whose values are messages, in all languages."""
    types = {
        each.partition(":")[2]
        for _, messages in LANGUAGES.values()
        for message in messages[text_domain].values()
        for form in forms_of(message)
        for each in placeholders_of(form)
    }
    return types - {"", "seat", "number", "and", "or"}


@pytest.mark.parametrize("text_domain", FOLDERS)
def test_every_message_is_used(text_domain: str) -> None:
    """As a constant, composed in the code, or as the value of a placeholder's type."""
    used = _code_of(text_domain)
    used.patterns |= {f"{kind}-(.+)" for kind in _kinds(text_domain)}
    unused = [
        key for key in SOURCE[text_domain] if key not in used.constants and not used.composes(key)
    ]
    assert unused == []


# --- the ids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text_domain", FOLDERS)
def test_ids_have_a_fixed_style(text_domain: str) -> None:
    odd = [
        key
        for key in SOURCE[text_domain]
        if len(key) > MAX_ID_LENGTH or not (DOTTED.fullmatch(key) or OF_KIND.fullmatch(key))
    ]
    assert odd == []


@pytest.mark.parametrize(
    "language", sorted({p.stem for f in FOLDERS.values() for p in f.iterdir()})
)
@pytest.mark.parametrize("text_domain", FOLDERS)
def test_ids_are_sorted_and_unique(text_domain: str, language: str) -> None:
    text = (FOLDERS[text_domain] / f"{language}.po").read_text()
    _header, *ids = re.findall(r'^msgid "(.*)"$', text, flags=re.M)
    assert ids == sorted(set(ids))
    assert set(ids) == set(SOURCE[text_domain])


# --- the checks -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "pattern"),
    [
        ('"undo.ask"', r"undo\.ask"),
        ('f"ware-{ware}"', r"ware\-(.+)"),
        ('"why-" + block["why"]', r"why\-(.+)"),
        ('key + "-hidden"', r"(.+)\-hidden"),
        ('f"lay-{colour}-declining"', r"lay\-(.+)\-declining"),
        ("key", None),
        ("a + b", None),
        ("1 + 2", None),
    ],
)
def test_patterns_of_expressions(expression: str, pattern: str | None) -> None:
    (statement,) = ast.parse(expression).body
    found: Any = statement
    assert pattern_of(found.value) == pattern


def test_checks_find_violations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "frontend" / "app" / "undo.py"
    path.parent.mkdir(parents=True)
    path.write_text(
        '"""With "docstring.id"."""\n'
        "from frontend.app.core.i18n import t\n"
        "class Move: ...\n"
        't("undo.ask_turn"); t("undo.none_such" if x else "format.players", m=3)\n'
        't("Take it back?"); t(N_("undo.redo")); t(f"why-{y}"); t(z, n=1); z = "silk"\n'
    )
    monkeypatch.setattr(message_references, "ROOT", tmp_path)
    found = list(message_references.references())
    assert [(each.pattern, each.ids()) for each in found] == [
        (r"undo\.ask_turn", ["undo.ask_turn"]),
        (r"undo\.none_such", []),
        (r"format\.players", ["format.players"]),
        (r"Take\ it\ back\?", []),
        (r"why\-(.+)", []),
        (r"undo\.redo", ["undo.redo"]),
    ]
    assert {each.text_domain for each in found} == {"page"}
    assert _missing(found[2]) == {"n"}
    used = code([path])
    assert "docstring.id" not in used.constants
    assert all(map(used.composes, ("why-silk", "why-Move", "why-3")))
    assert not any(map(used.composes, ("why-salt", "ware-silk")))
