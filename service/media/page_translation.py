"""Translation of the text in the page's own files.

All other text comes with the app. This text is read where no script runs: when the app is
installed, by search engines, and by browsers without JavaScript or too old for the app.
"""

import json
from collections.abc import Callable
from html import escape

from domain.text.i18n import ENGLISH, N_, Language

PAGE = "index.html"
MANIFEST = "manifest.webmanifest"
ON_THE_PAGE = (
    N_("Caravan board games from a phone: round one table, or far apart."),
    N_("This table is set with JavaScript: please turn it on."),
    N_("A part of the app could not be loaded."),
    N_("Reload the page"),
    N_(
        "This browser cannot show the tables: please bring it up to date,"
        " or open this address in a current Chrome, Edge, Firefox or Safari."
    ),
)
IN_THE_MANIFEST = N_("Caravan board games from a phone")
SHORTCUTS = (N_("Your turn"), N_("Open a table"))
LABELS = (N_("A game on a phone"), N_("A game on a wide screen"))
_LANG = '<html lang="{}"'


def worded(name: str, body: bytes, spoken: Language) -> bytes:
    """Return a file of the frontend translated into a language."""
    return body if spoken is ENGLISH else WITH_WORDS[name](body, spoken)


def _page(body: bytes, spoken: Language) -> bytes:
    said = f'{_LANG.format(spoken.tag)} dir="{spoken.dir}"'
    text = body.decode().replace(_LANG.format("en"), said, 1)
    for sentence in ON_THE_PAGE:
        text = text.replace(sentence, escape(_said(sentence, spoken)), 1)
    return text.encode()


def _manifest(body: bytes, spoken: Language) -> bytes:
    own = {"lang": spoken.tag, "dir": spoken.dir}
    described = {**own, "description": _said(IN_THE_MANIFEST, spoken)}
    found = {**json.loads(body), **described}
    for field, key in (("shortcuts", "name"), ("screenshots", "label")):
        found[field] = [{**each, key: _said(each[key], spoken)} for each in found.get(field, ())]
    return json.dumps(found, ensure_ascii=False).encode()


def _said(sentence: str, spoken: Language) -> str:
    return spoken.format_message("service", sentence, {})


WITH_WORDS: dict[str, Callable[[bytes, Language], bytes]] = {PAGE: _page, MANIFEST: _manifest}
"""Functions that translate the files that contain text, by file name."""
