"""Kept matches of `tests/recorded_matches`, for tests that need a position that stays as it is."""

from pathlib import Path
from typing import Any

import msgspec

from domain.match import Timeline
from domain.matchfile.verification import verify
from service.matches.options import check_options

FOLDER = Path(__file__).parent.parent / "recorded_matches"


def file_of(slug: str) -> dict[str, Any] | None:
    """The kept match of a game with the most seats; None for a game without one."""
    found = sorted(FOLDER.glob(f"{slug}-[0-9]*-v*.json"))
    if not found:
        return None
    document: dict[str, Any] = msgspec.json.decode(max(found, key=_seats).read_bytes())
    return document


def small_file_of(slug: str) -> dict[str, Any]:
    """The kept match of a game with the fewest seats, but more than one."""
    found = [path for path in FOLDER.glob(f"{slug}-[0-9]*-v*.json") if _seats(path)[0] > 1]
    document: dict[str, Any] = msgspec.json.decode(min(found, key=_seats).read_bytes())
    return document


def _seats(path: Path) -> tuple[int, str]:
    return int(path.stem.split("-")[1]), path.stem


def timeline_of(document: dict[str, Any]) -> Timeline:
    """The match of a file."""
    return verify(document, check_options)
