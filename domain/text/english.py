"""The English message catalogues, read from the translators' files (PO format) when first needed.

The browser has a replacement that knows none: there English is loaded like any other language.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

_DOMAIN = Path(__file__).parent.parent
_folders = {
    "kernel": _DOMAIN / "po",
    **{path.parent.name: path for path in (_DOMAIN / "games").glob("*/po")},
}


def register_catalogue(text_domain: str, folder: Path) -> None:
    """Register the folder of a text domain that is not part of this package."""
    _folders[text_domain] = folder
    english_messages.cache_clear()  # it may have been looked up before


@cache
def english_messages(text_domain: str) -> dict[str, Any]:
    """Return the English messages of a text domain by id, in the form of a compiled catalogue.

    Empty for an unknown text domain.
    """
    folder = _folders.get(text_domain)
    if folder is None:
        return {}
    return dict(parse_messages((folder / "en.po").read_text(encoding="utf-8")))


def parse_messages(text: str) -> Iterator[tuple[str, Any]]:
    """Yield id and message of each entry of a file in PO format, without its header.

    The message is a sentence, or the list of the argument that selects the plural form
    (``msgid_plural``) and the forms, see `domain.text.i18n.Language`.
    """
    for block in text.split("\n\n"):
        fields: list[str] = []
        for line in block.splitlines():
            if line.startswith("msg"):
                fields.append(json.loads(line.partition(" ")[2]))
            elif line.startswith('"'):
                fields[-1] += json.loads(line)
        if fields and fields[0]:
            yield fields[0], fields[1] if len(fields) == 2 else fields[1:]
