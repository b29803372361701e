"""The message catalogues: extraction from the code, translators' files and compilation.

``make words`` collects all messages into the ``po/template.pot`` of their text domain (a game's
folder, ``domain``, ``service`` or ``frontend``) and updates the languages next to it; ``make words
LANGUAGE=fr`` adds a language. The message id is the English sentence; its context is the name of
the text domain, called "room" in this module. `compile_language` builds the JSON that the service
and the page load; only complete languages are offered. Requires Babel, which the service does not
need at run time.
"""

import gettext
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from babel import Locale
from babel.messages import pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file

from domain.contract.guide import Points, Section
from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.text.i18n import MessageTable, Plural, Sentence
from frontend.placeholders import find_mismatch

ROOT = Path(__file__).parent.parent
SHELL = ("kernel", "page")
"""The text domains that the page loads at the start; a game's messages are loaded with the game."""

Message: TypeAlias = str | tuple[str, str]
Translate: TypeAlias = Callable[[str, Message], str | list[str] | None]
"""``translate(room, message)`` returns a sentence or its plural forms, or None if missing."""

_TABLE_MODULES = ("messages", "review", "picture")
_KEYWORDS: dict[str, Any] = {
    "t": None,
    "N_": None,
    "tn": (1, 2),
    "Plural": (1, 2),
    "IllegalMove": (2,),
    "Refused": (2,),
    "ApiProblem": (3,),
    "Fault": (3,),
    "BadFile": (1,),
    "BadPosition": (2,),
    "CommandFailed": (1,),
    "_require": (2,),
    "InvalidDecision": (1,),
    "DrawMismatch": (1,),
}
_PROBE = 3_000


def games() -> list[str]:
    """Return the folder names of all games, including those not yet offered."""
    return sorted(path.parent.name for path in (ROOT / "domain" / "games").glob("*/rules.py"))


def catalogue_folders() -> dict[str, Path]:
    """Return the folder with the translations of each text domain."""
    shared = {"kernel": ROOT / "domain", "service": ROOT / "service", "page": ROOT / "frontend"}
    return {
        **{room: folder / "po" for room, folder in shared.items()},
        **{slug: ROOT / "domain" / "games" / slug / "po" for slug in games()},
    }


# --- from the code ----------------------------------------------------------------------------


@cache
def messages() -> dict[str, set[Message]]:
    """Return all messages in the code, by text domain; read once per process."""
    slugs = games()
    found: dict[str, set[Message]] = {room: set() for room in catalogue_folders()}
    for place in ("domain", "service", "frontend/app"):
        for path in sorted((ROOT / place).rglob("*.py")):
            found[_domain_of(path, slugs)].update(_in_code(path))
    found["kernel"].update(_in_texts(import_module("domain.match.messages").TEXT))
    for slug in slugs:
        found[slug].update(_of_game(slug))
    return found


def _domain_of(path: Path, slugs: Collection[str]) -> str:
    parts = path.relative_to(ROOT).parts
    slug = next((part for part in parts[:-1] if part in slugs), None)
    return slug or {"domain": "kernel", "service": "service", "frontend": "page"}[parts[0]]


def _in_code(path: Path) -> Iterator[Message]:
    for _line, found, _comments, _context in extract_from_file(
        "python", path, keywords=_KEYWORDS, options={"encoding": "utf-8"}
    ):
        if isinstance(found, tuple):
            yield str(found[0]), str(found[1])
        elif found:
            yield found


def _in_texts(text: MessageTable) -> Iterator[Message]:
    for sentence in text.values():
        yield _as_message(sentence)


def _as_message(sentence: Sentence) -> Message:
    return (sentence.one, sentence.other) if isinstance(sentence, Plural) else sentence


def _in_guide(guide: Iterable[Section]) -> Iterator[Message]:
    for each in guide:
        yield each.heading
        for part in each.parts:
            if isinstance(part, str):
                yield part
            elif isinstance(part, Points):
                yield from part.sentences
            else:
                yield part.sentence


def _of_game(slug: str) -> Iterator[Message]:
    """Yield the messages in a game's message tables, guide and lobby entry."""
    for name in _TABLE_MODULES:
        if find_spec(f"domain.games.{slug}.{name}"):
            module = import_module(f"domain.games.{slug}.{name}")
            yield from _in_texts(getattr(module, "TEXT", {}))
    if find_spec(f"domain.games.{slug}.guide"):
        yield from _in_guide(import_module(f"domain.games.{slug}.guide").GUIDE)
    title = TITLES.get(slug)
    if title is None:
        return
    if title.about:
        yield title.about
    for option in schema_of(title)["properties"].values():
        yield from (option[field] for field in ("title", "description") if field in option)
        yield from (*option.get("titles", ()), *option.get("places", ()))


# --- translators' files -----------------------------------------------------------------------


def template(room: str, found: set[Message]) -> Catalog:
    """Return a catalogue of a text domain's messages without translations."""
    made = Catalog(
        project="Caravanserai",
        charset="utf-8",
        creation_date=datetime(2026, 1, 1, tzinfo=UTC),
        header_comment=f"# Messages of {room}.",
    )
    for message in sorted(found, key=str):
        made.add(message, context=room)
    return made


def read_catalogue(path: Path, language: str | None = None) -> Catalog:
    """Read a translators' file (PO format)."""
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language)


def _write(path: Path, made: Catalog) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        pofile.write_po(file, made, no_location=True, width=100, ignore_obsolete=True)


def update_catalogues(language: str | None = None) -> None:
    """Write the templates and update all languages; add ``language`` if it is new."""
    for room, found in messages().items():
        folder = catalogue_folders()[room]
        made = template(room, found)
        _write(folder / "template.pot", made)
        known = {path.stem for path in folder.glob("*.po")}
        for tag in sorted(known | ({language} if language else set())):
            path = folder / f"{tag}.po"
            own = (
                read_catalogue(path, tag) if path.exists() else Catalog(tag, project="Caravanserai")
            )
            own.update(made, no_fuzzy_matching=True)
            _write(path, own)


# --- to the product ---------------------------------------------------------------------------


class InvalidTranslations(Exception):
    """Raised for unusable translations; the message lists one per line."""


def languages() -> dict[str, tuple[str, Translate]]:
    """Return each complete language's plural forms (see `forms_of`) and translations, by tag.

    Raises `InvalidTranslations` if any language, even an incomplete one, has invalid translations.
    """
    begun = {path.stem for folder in catalogue_folders().values() for path in folder.glob("*.po")}
    found: dict[str, tuple[str, Translate]] = {}
    wanted = messages() if begun else {}
    wrong: list[str] = []
    for tag in sorted(begun):
        paths = {room: folder / f"{tag}.po" for room, folder in catalogue_folders().items()}
        files = {room: read_catalogue(path, tag) for room, path in paths.items() if path.exists()}
        forms = forms_of(files[min(files)].plural_expr)
        translate = _translations(files)
        wrong += [
            f"{paths[room]}: {words}" for room, words in _translation_problems(files, forms, wanted)
        ]
        if all(translate(room, each) for room, some in wanted.items() for each in some):
            found[tag] = forms, translate
    if wrong:
        raise InvalidTranslations("\n".join(wrong))
    return found


def _translation_problems(
    files: dict[str, Catalog], forms: str, required: dict[str, set[Message]]
) -> Iterator[tuple[str, str]]:
    """Yield ``(room, problem)`` for each translation that has to be corrected."""
    translate = _translations(files)
    for room, file in files.items():
        if forms_of(file.plural_expr) != forms:
            yield room, f"Plural-Forms is not that of the other files: {file.plural_forms}"
            continue
        for message in sorted(required[room], key=str):
            said = translate(room, message)
            problem = find_mismatch(message, said, forms) if said else None
            if problem:
                told = said if isinstance(said, str) else " / ".join(said or ())
                known = message if isinstance(message, str) else message[1]
                yield room, f"“{told}” {problem}; it is to say “{known}”"


def _translations(files: dict[str, Catalog]) -> Translate:
    def translate(room: str, message: Message) -> str | list[str] | None:
        key = message if isinstance(message, str) else message[0]
        found = files[room].get(key, room) if room in files else None
        if found is None or found.fuzzy:
            return None
        if isinstance(message, str):
            return str(found.string) or None
        forms = [str(each) for each in found.string or ()]
        return forms if all(forms) else None

    return translate


def forms_of(expression: str) -> str:
    """Return the index of the plural form for each number from 0 to 199, as a string of digits.

    ``expression`` is the plural expression of the header ``Plural-Forms``. In every language that
    gettext knows, the form of a number above 99 depends only on its last two digits. Raises
    ValueError for an expression that differs.
    """
    which = gettext.c2py(expression)
    digits = "".join(str(which(n)) for n in range(200))
    if any(which(n) != int(digits[100 + n % 100]) for n in range(200, _PROBE)):
        raise ValueError(f"forms that no table of 200 holds: {expression}")
    return digits


def grammar(tag: str, forms: str) -> dict[str, Any]:
    """Return a language's name, plural forms, list patterns, number separators and direction."""
    locale = Locale.parse(tag, sep="-")
    both = _join(locale.list_patterns["standard"])
    joins = {"unit": [both[1]] * 3, "and": both, "or": _join(locale.list_patterns["or"])}
    symbols = locale.number_symbols["latn"]
    return {
        "tag": tag,
        "name": locale.get_display_name(),
        "forms": forms,
        "joins": joins,
        "marks": [symbols["group"], symbols["decimal"]],
        "dir": "rtl" if locale.character_order == "right-to-left" else "ltr",
    }


def _join(patterns: Any) -> list[str]:
    return [patterns[part][3:-3] for part in ("2", "middle", "end")]


def compile_language(head: dict[str, Any], translate: Translate) -> dict[str, str]:
    """Return the JSON files of a language, by name: "shell", "service" and one per game."""
    told: dict[str, dict[str, Any]] = {}
    for room, found in messages().items():
        told[room] = {}
        for message in sorted(found, key=str):
            key = message if isinstance(message, str) else message[0]
            told[room][key] = translate(room, message)
    files: dict[str, dict[str, Any]] = {
        room: {"rooms": {room: told[room]}} for room in told if room not in SHELL
    }
    files["shell"] = {**head, "rooms": {room: told[room] for room in SHELL}}
    return {name: _json(files[name]) for name in sorted(files)}


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def build() -> dict[str, dict[str, str]]:
    """Return the compiled files of every complete language, by language tag."""
    return {
        tag: compile_language(grammar(tag, forms), translate)
        for tag, (forms, translate) in languages().items()
    }


if __name__ == "__main__":
    update_catalogues(sys.argv[1] if len(sys.argv) > 1 else None)
