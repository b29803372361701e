"""The message catalogues: translators' files and their compilation.

Every text domain (a game's folder, ``domain``, ``service`` or ``frontend``) has a folder ``po``
with a file per language (PO format). English is written by hand in ``en.po``; ``make words``
brings the other languages to the same messages, and ``make words LANGUAGE=de`` adds a language. A
message's id names its place and purpose; ``msgid_plural`` is the argument that selects the plural
form. `compile_language` builds the JSON that the service and the page load; only complete
languages are offered. Requires Babel, which the service does not need at run time.
"""

import gettext
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from babel import Locale
from babel.messages import pofile
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry

from frontend.placeholders import find_mismatch

ROOT = Path(__file__).parent.parent
SHELL = ("kernel", "page")
"""The text domains that the page loads at the start; a game's messages are loaded with the game."""
ENGLISH = "en"

Message: TypeAlias = str | list[str]
"""A sentence, or the argument that selects the plural form and the forms."""
Messages: TypeAlias = dict[str, dict[str, Message]]
"""The messages of a language by text domain and id."""

_WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)
"""Creation date in all files, so that it changes no file."""
_PROBE = 3_000
_LOCALES = {ENGLISH: "en-GB"}
"""The locale whose lists and numbers a language has, where it is not its own."""


def games() -> list[str]:
    """Return the folder names of all games, including those not yet offered."""
    return sorted(path.parent.name for path in (ROOT / "domain" / "games").glob("*/rules.py"))


def catalogue_folders() -> dict[str, Path]:
    """Return the folder with the catalogues of each text domain."""
    shared = {"kernel": ROOT / "domain", "service": ROOT / "service", "page": ROOT / "frontend"}
    return {
        **{room: folder / "po" for room, folder in shared.items()},
        **{slug: ROOT / "domain" / "games" / slug / "po" for slug in games()},
    }


# --- translators' files -----------------------------------------------------------------------


def read_catalogue(path: Path, language: str) -> Catalog:
    """Read a translators' file; raises `InvalidTranslations` if it is not one."""
    with path.open("rb") as file:
        try:
            return pofile.read_po(file, locale=language, abort_invalid=True)
        except pofile.PoFileError as error:
            raise InvalidTranslations(f"{path}: {error}") from None


def write_catalogue(path: Path, made: Catalog) -> None:
    """Write a translators' file, with the messages in the order of their ids."""
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        pofile.write_po(file, made, no_location=True, width=100, sort_output=True)


def update_catalogues(language: str | None = None) -> None:
    """Bring all languages to the messages of English; add ``language`` if it is new."""
    for folder in catalogue_folders().values():
        source = read_catalogue(folder / f"{ENGLISH}.po", ENGLISH)
        write_catalogue(folder / f"{ENGLISH}.po", source)
        known = {path.stem for path in folder.glob("*.po")} - {ENGLISH}
        for tag in sorted(known | ({language} if language else set())):
            path = folder / f"{tag}.po"
            own = read_catalogue(path, tag) if path.exists() else Catalog(tag)
            write_catalogue(path, updated(source, own, tag))


def updated(source: Catalog, own: Catalog, tag: str) -> Catalog:
    """Return a language's catalogue with exactly the messages of English, for its translators.

    Each message has the comment and the English wording above it.
    """
    made = Catalog(
        tag,
        project="Caravanserai",
        creation_date=_WRITTEN,
        header_comment=own.header_comment,
        last_translator=own.last_translator,
        language_team=own.language_team,
        revision_date=own.revision_date,
        fuzzy=False,
    )
    for entry in _entries(source):
        english = " / ".join(_forms(entry))
        known = own.get(_id_of(entry))
        made.add(
            entry.id,
            string=known.string
            if known is not None and known.pluralizable == bool(entry.pluralizable)
            else "",
            flags=known.flags if known is not None else (),
            auto_comments=[*entry.auto_comments, f"English: {english}"],
        )
    return made


def _entries(file: Catalog) -> Iterator[Entry]:
    return (entry for entry in file if entry.id)


def _forms(entry: Entry) -> list[str]:
    return [entry.string] if isinstance(entry.string, str) else [*(entry.string or ())]


def _id_of(entry: Entry) -> str:
    return str(entry.id if isinstance(entry.id, str) else entry.id[0])


# --- to the product ---------------------------------------------------------------------------


class InvalidTranslations(Exception):
    """Raised for unusable translations; the message lists one per line."""


def languages() -> dict[str, tuple[str, Messages]]:
    """Return each complete language's plural forms (see `forms_of`) and messages, by tag.

    Raises `InvalidTranslations` if any language, even an incomplete one, has invalid translations.
    """
    folders = catalogue_folders()
    english = {room: _read(folder, ENGLISH) for room, folder in folders.items()}
    source = {room: _messages_of(file) for room, file in english.items()}
    found = {ENGLISH: (forms_of(english["page"].plural_expr), source)}
    wrong: list[str] = []
    begun = {path.stem for folder in folders.values() for path in folder.glob("*.po")} - {ENGLISH}
    for tag in sorted(begun):
        files = {room: _read(folder, tag) for room, folder in folders.items()}
        forms = forms_of(files[min(files)].plural_expr)
        messages = {room: _messages_of(file) for room, file in files.items()}
        for room, file in files.items():
            wrong += [
                f"{folders[room] / tag}.po: {problem}"
                for problem in _translation_problems(file, forms, source[room], messages[room])
            ]
        if all(source[room].keys() <= messages[room].keys() for room in source):
            found[tag] = forms, messages
    if wrong:
        raise InvalidTranslations("\n".join(wrong))
    return found


def _read(folder: Path, tag: str) -> Catalog:
    path = folder / f"{tag}.po"
    return read_catalogue(path, tag) if path.exists() else Catalog(tag)


def _messages_of(file: Catalog) -> dict[str, Message]:
    """Return the messages of a file that are complete and not marked as doubtful ("fuzzy")."""
    found: dict[str, Message] = {}
    for entry in _entries(file):
        forms = _forms(entry)
        if all(forms) and not entry.fuzzy:
            found[_id_of(entry)] = forms[0] if isinstance(entry.id, str) else [entry.id[1], *forms]
    return found


def _translation_problems(
    file: Catalog, forms: str, source: dict[str, Message], messages: dict[str, Message]
) -> Iterator[str]:
    """Yield what has to be corrected in a text domain of a language."""
    if forms_of(file.plural_expr) != forms:
        yield f"Plural-Forms is not that of the other files: {file.plural_forms}"
        return
    for message_id, message in messages.items():
        problem = (
            find_mismatch(source[message_id], message, forms)
            if message_id in source
            else ("is not in en.po: run `make words`")
        )
        if problem:
            yield f"{message_id}: {_quoted(message)} {problem}"


def _quoted(message: Message) -> str:
    return f"“{message if isinstance(message, str) else ' / '.join(message[1:])}”"


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
    locale = Locale.parse(_LOCALES.get(tag, tag), sep="-")
    both = _join(locale.list_patterns["standard"])
    joins = {"unit": [both[1]] * 3, "and": both, "or": _join(locale.list_patterns["or"])}
    symbols = locale.number_symbols["latn"]
    return {
        "tag": tag,
        "name": Locale.parse(tag, sep="-").get_display_name(),
        "forms": forms,
        "joins": joins,
        "marks": [symbols["group"], symbols["decimal"]],
        "dir": "rtl" if locale.character_order == "right-to-left" else "ltr",
    }


def _join(patterns: Any) -> list[str]:
    return [patterns[part][3:-3] for part in ("2", "middle", "end")]


def compile_language(head: dict[str, Any], messages: Messages) -> dict[str, str]:
    """Return the JSON files of a language, by name: "shell", "service" and one per game."""
    files: dict[str, dict[str, Any]] = {
        room: {"rooms": {room: found}} for room, found in messages.items() if room not in SHELL
    }
    files["shell"] = {**head, "rooms": {room: messages[room] for room in SHELL}}
    return {name: to_json(files[name]) for name in sorted(files)}


def to_json(content: dict[str, Any]) -> str:
    """Return the JSON of a catalogue, the same for the same content."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def build() -> dict[str, dict[str, str]]:
    """Return the compiled files of every complete language, by language tag."""
    return {
        tag: compile_language(grammar(tag, forms), messages)
        for tag, (forms, messages) in languages().items()
    }


if __name__ == "__main__":
    update_catalogues(sys.argv[1] if len(sys.argv) > 1 else None)
