"""A pseudo-language: every message with accented letters, so that untranslated English stands out.

Any plain word in the output was not translated. Placeholders keep their names; their values are
names, numbers or texts translated separately.
"""

import json
import re
import shutil
from pathlib import Path

from domain.contract.registry import TITLES
from frontend import message_catalogue
from frontend.build import BUILD, build, digest
from frontend.message_catalogue import Message

TAG = "qps"
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_STRANGE = "áƀçđéƒǧħíĵķłḿñóƥɋřšťúṽŵẋýžÁƁÇĐÉƑǦĦÍĴĶŁḾÑÓƤɊŘŠŤÚṼŴẊÝŽ"
_LETTERS = str.maketrans(_PLAIN, _STRANGE)
_HOLES = re.compile(r"(\{[^}]*\}|%\(\w+\)[sr]|%s)")
_OFFERED = re.compile(r"data-words='[^']*'")
_WORD = re.compile(r"[A-Za-z]{3,}")


def strange(sentence: str) -> str:
    """Return the sentence in the pseudo-language."""
    parts = _HOLES.split(sentence)
    return "".join(p if _HOLES.fullmatch(p) else p.translate(_LETTERS) for p in parts)


def translated(_room: str, message: Message) -> str | list[str]:
    """Return a message as its catalogue has it."""
    return strange(message) if isinstance(message, str) else [strange(each) for each in message]


def folder(place: Path) -> Path:
    """Return a built frontend with the pseudo-language beside English."""
    build()
    made = place / "frontend"
    shutil.copytree(BUILD, made)
    head = {
        "tag": TAG,
        "forms": message_catalogue.forms_of("n != 1"),
        "joins": {"unit": [", "] * 3, "and": [" & ", ", ", " & "], "or": [" / ", ", ", " / "]},
        "marks": ["'", "."],
        "dir": "rtl",
    }
    (made / "words" / TAG).mkdir()
    hashes = {}
    for room, text in message_catalogue.compile_language(head, translated).items():
        hashes[room] = digest(text.encode())
        (made / "words" / TAG / f"{room}.{hashes[room]}.json").write_text(text)
    page = made / "index.html"
    offered = json.dumps({TAG: hashes})
    page.write_text(_OFFERED.sub(f"data-words='{offered}'", page.read_text()))
    return made


NAMES = {"caravanserai", "ada", "ben", "ann", "bob", "cem", "qps"}
"""Names that are the same in every language."""
for _title in TITLES.values():
    NAMES.update(_WORD.findall(f"{_title.title} {_title.designer}".lower()))


QUOTED = re.compile(r"`[^`]*`|\[[^\]]*\]|“[^”]*”|(?<!\w)'[^']*'")
"""What is quoted of a caller, and lists of values, are no words of ours."""


def plain_words(text: str, *names: str) -> list[str]:
    """Return the words of a text that were not translated, apart from ``names``."""
    known = NAMES | {word.lower() for name in names for word in _WORD.findall(name)}
    return [word for word in _WORD.findall(text) if word.lower() not in known]
