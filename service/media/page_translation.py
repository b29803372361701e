"""Translation of the text in the HTML page and the web app manifest.

All other text is part of the app. This text is used where the app does not run: when it is being
installed, by search engines, and in browsers that have no JavaScript or are too old for the app.
"""

import json
from collections.abc import Callable
from html import escape

from domain.text.i18n import ENGLISH, N_, Language

PAGE_FILE = "index.html"
MANIFEST_FILE = "manifest.webmanifest"
PAGE_MESSAGES = (
    N_("Caravan board games from a phone: round one table, or far apart."),
    N_("This table is set with JavaScript: please turn it on."),
    N_("A part of the app could not be loaded."),
    N_("Reload the page"),
    N_(
        "This browser cannot show the tables: please bring it up to date,"
        " or open this address in a current Chrome, Edge, Firefox or Safari."
    ),
)
MANIFEST_MESSAGE = N_("Caravan board games from a phone")
SHORTCUT_MESSAGES = (N_("Your turn"), N_("Open a table"))
SCREENSHOT_LABELS = (N_("A game on a phone"), N_("A game on a wide screen"))
_LANG = '<html lang="{}"'


def translate_page(name: str, body: bytes, language: Language) -> bytes:
    """Return the body of a file translated into a language; ``name``: one of `TRANSLATORS`."""
    return body if language is ENGLISH else TRANSLATORS[name](body, language)


def _translate_html(body: bytes, language: Language) -> bytes:
    attributes = f'{_LANG.format(language.tag)} dir="{language.dir}"'
    text = body.decode().replace(_LANG.format("en"), attributes, 1)
    for sentence in PAGE_MESSAGES:
        text = text.replace(sentence, escape(_translate_sentence(sentence, language)), 1)
    return text.encode()


def _translate_manifest(body: bytes, language: Language) -> bytes:
    own = {"lang": language.tag, "dir": language.dir}
    localized = {**own, "description": _translate_sentence(MANIFEST_MESSAGE, language)}
    found = {**json.loads(body), **localized}
    for field, key in (("shortcuts", "name"), ("screenshots", "label")):
        found[field] = [
            {**each, key: _translate_sentence(each[key], language)} for each in found.get(field, ())
        ]
    return json.dumps(found, ensure_ascii=False).encode()


def _translate_sentence(sentence: str, language: Language) -> str:
    return language.format_message("service", sentence, {})


TRANSLATORS: dict[str, Callable[[bytes, Language], bytes]] = {
    PAGE_FILE: _translate_html,
    MANIFEST_FILE: _translate_manifest,
}
"""Functions for translating the files that contain text, by file name."""
