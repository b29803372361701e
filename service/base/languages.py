"""The language of an answer: what is on offer, what the caller asks for, who speaks now.

Catalogues lie compiled in the built frontend, ``words/TAG/ROOM.HASH.json`` (see
`frontend.catalogue`). Inside, everything told is a sentence or a key with arguments; it becomes
words in `t` and `told`, in the language of the request that is being answered.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.words import ENGLISH, Language, Plural, Sentence, Text

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_offered: ContextVar[tuple[Language, ...]] = ContextVar("offered", default=(ENGLISH,))
_WISHED = b"accept-language"
_VARIES = (b"vary", b"Accept-Language")
_SILENT = ("/assets/", "/words/")
"""Addresses whose answers hold no words of ours, or always the same."""


def language() -> Language:
    """The language of the request that is being answered; English where there is none."""
    return _spoken.get()


def speak(spoken: Language) -> None:
    """Answers in this language from now on."""
    _spoken.set(spoken)


def t(sentence: str, **args: Any) -> str:
    """A sentence of the service in the language of the answer."""
    return language().say("service", sentence, args)


def tn(one: str, other: str, **args: Any) -> str:
    """A sentence of the service that bends with its argument ``n``."""
    return language().say("service", Plural(one, other), args)


def told(
    room: str,
    sentence: Sentence,
    args: Mapping[str, Any],
    text: Text | None = None,
    names: Sequence[str] = (),
) -> str:
    """A sentence of any room in the language of the answer."""
    return language().say(room, sentence, args, text, names)


def terminal_language(environment: Mapping[str, str]) -> str:
    """The language of a terminal: "fr_FR.UTF-8" in ``LC_ALL``, ``LC_MESSAGES`` or ``LANG``."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    said = next((environment[name] for name in names if environment.get(name)), "")
    return said.partition(".")[0].replace("_", "-")


def in_each_language(room: str, sentence: Sentence, args: Mapping[str, Any]) -> set[str]:
    """A sentence in every language on offer where this request is answered."""
    return {each.say(room, sentence, args) for each in _offered.get()}


class Languages:
    """The languages on offer: English, and those compiled in a folder."""

    def __init__(self, folder: Path) -> None:
        self._known = {"en": ENGLISH}
        for path in sorted(folder.glob("*/shell.*.json")):
            found = Language(path.parent.name, json.loads(path.read_bytes()))
            for room in path.parent.glob("*.json"):
                found.learn(json.loads(room.read_bytes())["rooms"])
            self._known[found.tag] = found
        self.all = tuple(self._known.values())
        # The same few headers come with almost every request.
        self.asked = lru_cache(1024)(self._asked)

    def __getitem__(self, tag: str) -> Language:
        """The language of a tag, or the one it is a kind of ("fr-CA"); else English."""
        low = tag.strip().lower()
        fits = [each for each in self._known if f"{low}-".startswith(f"{each.lower()}-")]
        return self._known[max(fits, key=len)] if fits else ENGLISH

    def __contains__(self, tag: str) -> bool:
        low = tag.strip().lower()
        return any(
            low == each or low.startswith(each + "-") for each in map(str.lower, self._known)
        )

    def _asked(self, header: str) -> Language:
        """What an ``Accept-Language`` header (500 characters of it) asks for first of what is on
        offer."""
        wishes = []
        for place, part in enumerate(header[:500].split(",")):
            tag, _, rest = part.partition(";")
            weight = _weight(rest)
            if weight > 0 and tag.strip() in self:
                wishes.append((-weight, place, tag))
        return self[min(wishes)[2]] if wishes else ENGLISH


def _weight(rest: str) -> float:
    """The weight ``q=0.8`` of a wish, 1 without it; what is no number counts for nothing."""
    name, _, number = rest.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0


def _in_the_address(scope: Scope) -> str:
    """The language that ``?language=`` names: what a browser fetches by itself, such as a picture,
    brings the header of the browser, whatever the page is shown in."""
    query = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("language", [""])[0] if query else ""


def listen(scope: Scope, languages: Languages) -> list[tuple[bytes, bytes]]:
    """Answers a request in its language from now on; gives the headers that say so."""
    wished = next((value for name, value in scope["headers"] if name == _WISHED), b"")
    spoken = languages.asked(f"{_in_the_address(scope)},{wished.decode('latin-1')}"[:500])
    speak(spoken)
    _offered.set(languages.all)
    if not scope["path"].startswith("/api/"):
        return [_VARIES]
    return [_VARIES, (b"content-language", spoken.tag.encode())]


def answer_in_language(app: ASGIApp, languages: Languages) -> ASGIApp:
    """The application answering each request in its language, and saying that it depends on it."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != ScopeType.HTTP or path.startswith(_SILENT):
            await app(scope, receive, send)
            return
        saying = listen(scope, languages)

        async def varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = cast(Message, {**message, "headers": [*message["headers"], *saying]})
            await send(message)

        await app(scope, receive, varying)

    return answer
