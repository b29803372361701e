"""Pseudo-languages: English with accented letters, so that untranslated text stands out.

Any plain word in the output was not translated. Placeholders keep their names; their values are
names, numbers or texts translated separately. `TAG` is written from right to left; `LONG_TAG` from
left to right, with messages `GROWTH` times as long, to test layouts.
"""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from domain.contract.registry import TITLES
from frontend import message_catalogue
from frontend.build import BUILD, build, digest
from frontend.message_catalogue import ENGLISH, Message, Messages

TAG = "qps"
LONG_TAG = "qpl"
GROWTH = 1.4
"""The length of a message of `LONG_TAG`, as a multiple of the English length."""
_GROWTH_OF_LETTER, _START_OF_WORD = 0.5, 0.3
"""The growth of a letter, and what a word begins with: spaces and punctuation do not grow."""
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STRANGE = "áƀçđéƒǧħíĵķłḿñóƥɋřšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁḾÑÓƤɊŘŠŤÚṼŴẊÝŽ"
_LETTERS = str.maketrans(_PLAIN, _STRANGE)
_HOLES = re.compile(r"(\{[^}]*\}|%\(\w+\)[sdr]|%[sdr]|\|\w+=)")
"""Placeholders, and the names of inflected forms."""
_OFFERED = re.compile(r"data-words='([^']*)'")
_WORD = re.compile(r"[A-Za-z]{3,}")


def strange(sentence: str) -> str:
    """Return a sentence in the pseudo-language `TAG`."""
    parts = _HOLES.split(sentence)
    return "".join(p if _HOLES.fullmatch(p) else p.translate(_LETTERS) for p in parts)


def lengthen(sentence: str) -> str:
    """Return a sentence in the pseudo-language `LONG_TAG`.

    Letters are doubled throughout, so that each of its words is longer too, and alike wherever it
    stands. Placeholders do not count.
    """
    made, missing = [], _START_OF_WORD
    for part in _HOLES.split(sentence):
        made.append(part if _HOLES.fullmatch(part) else "")
        for letter in part if not _HOLES.fullmatch(part) else "":
            missing = missing + _GROWTH_OF_LETTER if letter.isalpha() else _START_OF_WORD
            is_doubled = missing > 0.5
            missing -= is_doubled
            made[-1] += letter * (1 + is_doubled)
    return strange("".join(made))


@dataclass(frozen=True)
class PseudoLanguage:
    """A pseudo-language; ``say`` returns a sentence in it. ``direction``: "ltr" or "rtl"."""

    tag: str
    direction: str
    say: Callable[[str], str]

    def translate(self, message: Message) -> Message:
        """Return a message as the language's catalogue has it."""
        if isinstance(message, str):
            return self.say(message)
        return [message[0], *map(self.say, message[1:])]

    def compile(self, forms: str, messages: Messages) -> dict[str, str]:
        """Return the compiled catalogues, by name, of the English plural forms and messages."""
        head = {
            "tag": self.tag,
            "forms": forms,
            "joins": {"unit": [", "] * 3, "and": [" & ", ", ", " & "], "or": [" / ", ", ", " / "]},
            "marks": ["'", "."],
            "dir": self.direction,
        }
        translated = {
            text_domain: {key: self.translate(message) for key, message in some.items()}
            for text_domain, some in messages.items()
        }
        return message_catalogue.compile_language(head, translated)


PSEUDO = PseudoLanguage(TAG, "rtl", strange)
LONG = PseudoLanguage(LONG_TAG, "ltr", lengthen)


def folder(place: Path) -> Path:
    """Return a built frontend with English and the pseudo-language `TAG`."""
    return _built_frontend(place, PSEUDO, others=(ENGLISH,))


def long_folder(place: Path) -> Path:
    """Return a built frontend with English and the pseudo-language `LONG_TAG`."""
    return _built_frontend(place, LONG, others=(ENGLISH,))


def folder_of_all(place: Path) -> Path:
    """Return a built frontend with all languages and both pseudo-languages."""
    return _built_frontend(place, PSEUDO, LONG)


def _built_frontend(
    place: Path, *pseudo_languages: PseudoLanguage, others: Sequence[str] | None = None
) -> Path:
    """Return a built frontend with pseudo-languages. ``others``: its other languages, or all."""
    build()
    made = place / "frontend"
    shutil.copytree(BUILD, made)
    page = made / "index.html"
    known = _OFFERED.search(page.read_text())
    assert known
    offered = {
        tag: hashes
        for tag, hashes in json.loads(known[1]).items()
        if others is None or tag in others
    }
    for pseudo in pseudo_languages:
        (made / "words" / pseudo.tag).mkdir()
        offered[pseudo.tag] = {}
        for name, text in pseudo.compile(*message_catalogue.languages()[ENGLISH]).items():
            offered[pseudo.tag][name] = digest(text.encode())
            path = made / "words" / pseudo.tag / f"{name}.{offered[pseudo.tag][name]}.json"
            path.write_text(text)
    page.write_text(_OFFERED.sub(f"data-words='{json.dumps(offered)}'", page.read_text()))
    return made


NAMES = {"caravanserai", "ada", "ben", "ann", "bob", "cem", TAG, LONG_TAG}
"""Names that are the same in every language."""
for _title in TITLES.values():
    NAMES.update(_WORD.findall(f"{_title.title} {_title.designer}".lower()))


QUOTED = re.compile(r"`[^`]*`|\[[^\]]*\]|“[^”]*”|(?<!\w)'[^']*'")
"""What is quoted of a caller, and lists of values, are no words of ours."""


def plain_words(text: str, *names: str) -> list[str]:
    """Return the words of a text that were not translated, apart from ``names``."""
    known = NAMES | {word.lower() for name in names for word in _WORD.findall(name)}
    return [word for word in _WORD.findall(text) if word.lower() not in known]
