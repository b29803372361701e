"""The drawn maps saved on this device."""

from typing import Any

from _native import dumps, loads_or_none, local_storage, persist_storage, random_key

from domain.games.conquest.board import LETTERS
from domain.games.conquest.map_draft import BARE, Draft, parse_draft
from frontend.app.core.types import Data

MAPS, LAST = "conquest-maps", "conquest-draft"
MAX_MAPS = 40


def value_of(name: str, draft: Draft) -> Data:
    """Return a map in the form used by the option, by files and by local storage."""
    return {"rows": [*draft.rows], "treasure": [[*place] for place in draft.treasure], "name": name}


def draft_of(kept: Data) -> Draft | None:
    """Return the draft of a saved map, possibly unfinished; None if it is not a map."""
    bare = {name: each for name, each in kept.items() if name != "id"}
    return parse_draft(bare, LETTERS + BARE)


def saved_maps() -> list[Data]:
    """Return the saved maps ``{id, name, rows, treasure}``, most recently saved first."""
    found = loads_or_none(local_storage(MAPS) or "[]")
    if not isinstance(found, list | tuple):
        return []
    return [each for each in found if _is_saved_map(each) and isinstance(each.get("id"), str)]


def _is_saved_map(value: Any) -> bool:
    return isinstance(value, dict) and draft_of(value) is not None


def save_map(name: str, draft: Draft, number: str | None) -> str | None:
    """Save a map under the id ``number``, or a new id if that is None, and return the id.

    Returns None if `MAX_MAPS` other maps are saved, or if the storage is full or unavailable.
    """
    number = number or random_key()
    others = [each for each in saved_maps() if each["id"] != number]
    if len(others) >= MAX_MAPS:
        return None
    return number if _write([{"id": number, **value_of(name, draft)}, *others]) else None


def delete_map(number: str) -> None:
    """Delete the map with the id ``number``."""
    _write([each for each in saved_maps() if each["id"] != number])


def last_draft() -> Data | None:
    """Return the latest draft, finished or not; None if there is none."""
    found = loads_or_none(local_storage(LAST) or "null")
    return found if _is_saved_map(found) else None


def save_last_draft(name: str, draft: Draft) -> None:
    """Store a map as the latest draft."""
    local_storage(LAST, dumps(value_of(name, draft)))


def _write(entries: list[Data]) -> bool:
    text = dumps(entries)
    persist_storage()  # browsers may evict script-written storage, and this is the user's work
    local_storage(MAPS, text)
    return local_storage(MAPS) == text
