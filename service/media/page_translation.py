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
    N_("page.description"),
    N_("page.no_javascript"),
    N_("page.load_failed"),
    N_("page.reload"),
    N_("page.old_browser"),
)
MANIFEST_MESSAGE = N_("manifest.description")
SHORTCUT_MESSAGES = (N_("manifest.your_turn"), N_("manifest.new_game"))
SCREENSHOT_LABELS = (N_("manifest.screenshot_phone"), N_("manifest.screenshot_wide"))
_LANG = '<html lang="{}"'


def translate_page(name: str, body: bytes, language: Language) -> bytes:
    """Return the body of a file translated into a language; ``name``: one of `TRANSLATORS`."""
    return body if language is ENGLISH else TRANSLATORS[name](body, language)


def _translate_html(body: bytes, language: Language) -> bytes:
    attributes = f'{_LANG.format(language.tag)} dir="{language.dir}"'
    text = body.decode().replace(_LANG.format("en"), attributes, 1)
    for message_id in PAGE_MESSAGES:
        text = text.replace(_html_text(message_id, ENGLISH), _html_text(message_id, language), 1)
    return text.encode()


def _html_text(message_id: str, language: Language) -> str:
    return escape(_text(message_id, language))


def _translate_manifest(body: bytes, language: Language) -> bytes:
    own = {"lang": language.tag, "dir": language.dir}
    found = {**json.loads(body), **own, "description": _text(MANIFEST_MESSAGE, language)}
    known = {
        _text(message_id, ENGLISH): _text(message_id, language)
        for message_id in (*SHORTCUT_MESSAGES, *SCREENSHOT_LABELS)
    }
    for field, key in (("shortcuts", "name"), ("screenshots", "label")):
        found[field] = [{**each, key: known[each[key]]} for each in found.get(field, ())]
    return json.dumps(found, ensure_ascii=False).encode()


def _text(message_id: str, language: Language) -> str:
    return language.format_message("service", message_id, {})


TRANSLATORS: dict[str, Callable[[bytes, Language], bytes]] = {
    PAGE_FILE: _translate_html,
    MANIFEST_FILE: _translate_manifest,
}
"""Functions for translating the files that contain text, by file name."""
