"""Language negotiation and translation for the request being handled.

Compiled message catalogues are part of the built frontend, ``words/TAG/ROOM.HASH.json`` (see
`frontend.catalogue`). Internally every message is a sentence or a key with arguments; `t`, `tn` and
`told` translate it into the language of the current request.
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

from domain.text.i18n import ENGLISH, Language, Plural, Sentence, MessageTable

_spoken: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_offered: ContextVar[tuple[Language, ...]] = ContextVar("offered", default=(ENGLISH,))
_WISHED = b"accept-language"
_VARIES = (b"vary", b"Accept-Language")
_SILENT = ("/assets/", "/words/")
"""Path prefixes whose answers contain no translated text, or the same for every caller."""


def language() -> Language:
    """Return the language of the current request; English outside of one."""
    return _spoken.get()


def speak(spoken: Language) -> None:
    """Set the language of the current context."""
    _spoken.set(spoken)


def t(sentence: str, **args: Any) -> str:
    """Translate a sentence of the service into the language of the current request."""
    return language().format_message("service", sentence, args)


def tn(one: str, other: str, **args: Any) -> str:
    """Translate a sentence of the service with plural forms, chosen by its argument ``n``."""
    return language().format_message("service", Plural(one, other), args)


def told(
    room: str,
    sentence: Sentence,
    args: Mapping[str, Any],
    text: MessageTable | None = None,
    names: Sequence[str] = (),
) -> str:
    """Translate a sentence of any message domain into the language of the current request."""
    return language().format_message(room, sentence, args, text, names)


def terminal_language(environment: Mapping[str, str]) -> str:
    """Return the language tag of a terminal, "fr-FR" for "fr_FR.UTF-8".

    Reads the first that is set of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG``; "" if none is.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    said = next((environment[name] for name in names if environment.get(name)), "")
    return said.partition(".")[0].replace("_", "-")


def in_each_language(room: str, sentence: Sentence, args: Mapping[str, Any]) -> set[str]:
    """Return a sentence in every available language."""
    return {each.format_message(room, sentence, args) for each in _offered.get()}


class Languages:
    """The available languages: English, and those compiled in a folder."""

    def __init__(self, folder: Path) -> None:
        self._known = {"en": ENGLISH}
        for path in sorted(folder.glob("*/shell.*.json")):
            found = Language(path.parent.name, json.loads(path.read_bytes()))
            for room in path.parent.glob("*.json"):
                found.add_catalogues(json.loads(room.read_bytes())["rooms"])
            self._known[found.tag] = found
        self.all = tuple(self._known.values())
        # Cached, because almost all requests have one of a few headers.
        self.asked = lru_cache(1024)(self._asked)

    def __getitem__(self, tag: str) -> Language:
        """Return the language of a tag, or of its prefix ("fr" for "fr-CA"); otherwise English."""
        low = tag.strip().lower()
        fits = [each for each in self._known if f"{low}-".startswith(f"{each.lower()}-")]
        return self._known[max(fits, key=len)] if fits else ENGLISH

    def __contains__(self, tag: str) -> bool:
        low = tag.strip().lower()
        return any(
            low == each or low.startswith(each + "-") for each in map(str.lower, self._known)
        )

    def _asked(self, header: str) -> Language:
        """Return the available language preferred by an ``Accept-Language`` header.

        Reads at most 500 characters of the header.
        """
        wishes = []
        for place, part in enumerate(header[:500].split(",")):
            tag, _, rest = part.partition(";")
            weight = _weight(rest)
            if weight > 0 and tag.strip() in self:
                wishes.append((-weight, place, tag))
        return self[min(wishes)[2]] if wishes else ENGLISH


def _weight(rest: str) -> float:
    """Return the weight of a language range (``q=0.8``): 1 without one, 0 if it is not a number."""
    name, _, number = rest.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0


def _in_the_address(scope: Scope) -> str:
    """Return the language in ``?language=``, "" without one.

    Needed for what a browser fetches by itself, such as a picture: such a request has the browser's
    header, whatever language the page is shown in.
    """
    query = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("language", [""])[0] if query else ""


def listen(scope: Scope, languages: Languages) -> list[tuple[bytes, bytes]]:
    """Set the language of a request and return the response headers that declare it."""
    wished = next((value for name, value in scope["headers"] if name == _WISHED), b"")
    spoken = languages.asked(f"{_in_the_address(scope)},{wished.decode('latin-1')}"[:500])
    speak(spoken)
    _offered.set(languages.all)
    if not scope["path"].startswith("/api/"):
        return [_VARIES]
    return [_VARIES, (b"content-language", spoken.tag.encode())]


def answer_in_language(app: ASGIApp, languages: Languages) -> ASGIApp:
    """Wrap the application so that each request is answered in its language.

    Adds ``Vary: Accept-Language``, and ``Content-Language`` below ``/api/``.
    """

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
