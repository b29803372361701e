"""The maps that somebody has drawn and kept on this phone."""

from typing import Any

from _native import dumps, parsed, persist, random_key, stored

from domain.conquest.board import LETTERS
from domain.conquest.draft import BARE, Draft, readable
from frontend.app.typed import Data

MAPS, LAST = "conquest-maps", "conquest-draft"
MOST = 40


def value_of(name: str, draft: Draft) -> Data:
    """A map as an option, a file and this phone have it."""
    return {
        "rows": [*draft.rows],
        "treasure": [[*place] for place in draft.treasure],
        "name": name,
    }


def maps() -> list[Data]:
    """The maps that were kept, ``{id, name, rows, treasure}``, the latest first."""
    found = parsed(stored(MAPS) or "[]")
    if not isinstance(found, list | tuple):
        return []
    return [each for each in found if _is_kept(each) and isinstance(each.get("id"), str)]


def _is_kept(value: Any) -> bool:
    """Whether this is a map, perhaps one that is not finished."""
    if not isinstance(value, dict):
        return False
    bare = {name: each for name, each in value.items() if name != "id"}
    return readable(bare, LETTERS + BARE) is not None


def keep(name: str, draft: Draft, number: str | None) -> str | None:
    """Keeps a map, in the place of an earlier one or as a new one; its id, or None when this
    phone keeps nothing or has no room."""
    number = number or random_key()
    others = [each for each in maps() if each["id"] != number]
    if len(others) >= MOST:
        return None
    return number if _write([{"id": number, **value_of(name, draft)}, *others]) else None


def drop(number: str) -> None:
    """Forgets a map."""
    _write([each for each in maps() if each["id"] != number])


def last() -> Data | None:
    """What was drawn last, finished or not."""
    found = parsed(stored(LAST) or "null")
    return found if _is_kept(found) else None


def keep_last(name: str, draft: Draft) -> None:
    """Keeps what is being drawn."""
    stored(LAST, dumps(value_of(name, draft)))


def _write(entries: list[Data]) -> bool:
    text = dumps(entries)
    persist()  # browsers throw away what scripts stored: this is somebody's work
    stored(MAPS, text)
    return stored(MAPS) == text
