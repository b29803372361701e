"""Language negotiation and translation for the request being handled.

Compiled message catalogues are files of the built frontend,
``words/LANGUAGE/TEXT_DOMAIN.HASH.json`` (see `frontend.message_catalogue`). Internally every
message is an id with arguments; `t` and `translate` translate it into the language of the current
request.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from domain.text.i18n import ENGLISH, Language

_language: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_available_languages: ContextVar[tuple[Language, ...]] = ContextVar("offered", default=(ENGLISH,))
_ACCEPT_LANGUAGE = b"accept-language"
_VARY_HEADER = (b"vary", b"Accept-Language")
_UNTRANSLATED_PREFIXES = ("/assets/", "/words/")
"""Path prefixes of responses that do not depend on the client's language."""


def current_language() -> Language:
    """Return the language of the current request; English outside a request."""
    return _language.get()


def set_language(chosen: Language) -> None:
    """Set the language of the current request or task."""
    _language.set(chosen)


def t(message_id: str, **args: Any) -> str:
    """Translate a message of the service into the language of the current request."""
    return current_language().format_message("service", message_id, args)


def translate(
    domain: str, message_id: str, args: Mapping[str, Any], names: Sequence[str] = ()
) -> str:
    """Translate a message of any text domain into the language of the current request.

    ``names``: the names of the seats.
    """
    return current_language().format_message(domain, message_id, args, names)


def terminal_language(environment: Mapping[str, str]) -> str:
    """Return the language tag of a terminal, for example "fr-FR" for "fr_FR.UTF-8".

    The first of ``LC_ALL``, ``LC_MESSAGES`` and ``LANG`` that is set counts; "" if none is set.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    tag = next((environment[name] for name in names if environment.get(name)), "")
    return tag.partition(".")[0].replace("_", "-")


def translate_to_all(domain: str, message_id: str, args: Mapping[str, Any]) -> set[str]:
    """Return the translations of a message into all available languages."""
    return {each.format_message(domain, message_id, args) for each in _available_languages.get()}


class Languages:
    """The available languages: English, and those with compiled catalogues in a folder."""

    def __init__(self, folder: Path) -> None:
        self._by_tag = {"en": ENGLISH}
        for path in sorted(folder.glob("*/shell.*.json")):
            shell = json.loads(path.read_bytes())
            found = ENGLISH if shell["tag"] == "en" else Language(shell["tag"], shell)
            found.add_catalogues(shell["rooms"])
            for room in path.parent.glob("*.json"):
                found.add_catalogues(json.loads(room.read_bytes())["rooms"])
            self._by_tag[found.tag] = found
        self.all = tuple(self._by_tag.values())
        # Cached, because almost all requests have one of a few headers.
        self.preferred = lru_cache(1024)(self._preferred)

    def __getitem__(self, tag: str) -> Language:
        """Return the language of a tag, of its longest known prefix ("fr" for "fr-CA"), or English.

        Ignores case.
        """
        low = tag.strip().lower()
        fits = [each for each in self._by_tag if f"{low}-".startswith(f"{each.lower()}-")]
        return self._by_tag[max(fits, key=len)] if fits else ENGLISH

    def __contains__(self, tag: str) -> bool:
        low = tag.strip().lower()
        return any(
            low == each or low.startswith(each + "-") for each in map(str.lower, self._by_tag)
        )

    def _preferred(self, header: str) -> Language:
        """Return the available language that an ``Accept-Language`` header prefers, or English.

        Only the first 500 characters of the header count.
        """
        wishes = []
        for place, part in enumerate(header[:500].split(",")):
            tag, _, rest = part.partition(";")
            weight = _parse_quality(rest)
            if weight > 0 and tag.strip() in self:
                wishes.append((-weight, place, tag))
        return self[min(wishes)[2]] if wishes else ENGLISH


def _parse_quality(rest: str) -> float:
    """Return the weight of a language range (``q=0.8``): 1 if absent, 0 if it is not a number."""
    name, _, number = rest.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0


def _language_parameter(scope: Scope) -> str:
    """Return the value of the query parameter ``language``, or "" if there is none.

    Needed for requests that a browser makes by itself, for example for a picture: their
    ``Accept-Language`` header has the language of the browser, not that of the page.
    """
    query = scope.get("query_string", b"")
    if b"language" not in query:
        return ""
    return parse_qs(query.decode("latin-1")).get("language", [""])[0]


def negotiate_language(scope: Scope, languages: Languages) -> list[tuple[bytes, bytes]]:
    """Set the language of a request and return the response headers that declare it."""
    header = next((value for name, value in scope["headers"] if name == _ACCEPT_LANGUAGE), b"")
    spoken = languages.preferred(f"{_language_parameter(scope)},{header.decode('latin-1')}"[:500])
    set_language(spoken)
    _available_languages.set(languages.all)
    if not scope["path"].startswith("/api/"):
        return [_VARY_HEADER]
    return [_VARY_HEADER, (b"content-language", spoken.tag.encode())]


def language_middleware(app: ASGIApp, languages: Languages) -> ASGIApp:
    """Wrap the application so that each request is handled in its language.

    Adds the response header ``Vary: Accept-Language`` and, below ``/api/``, ``Content-Language``.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != ScopeType.HTTP or path.startswith(_UNTRANSLATED_PREFIXES):
            await app(scope, receive, send)
            return
        headers = negotiate_language(scope, languages)

        async def varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await app(scope, receive, varying)

    return answer
