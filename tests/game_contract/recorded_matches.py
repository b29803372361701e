"""Recorded matches of `tests/recorded_matches`, for tests that need a fixed position."""

from pathlib import Path
from typing import Any

import msgspec

from domain.match.timeline import Timeline
from domain.matchfile.verification import verify
from service.matches.options import check_options

FOLDER = Path(__file__).parent.parent / "recorded_matches"


def file_of(slug: str) -> dict[str, Any] | None:
    """Return the recorded match of a game with the most seats, or None if the game has none."""
    found = sorted(FOLDER.glob(f"{slug}-[0-9]*-v*.json"))
    if not found:
        return None
    document: dict[str, Any] = msgspec.json.decode(max(found, key=_seats).read_bytes())
    return document


def small_file_of(slug: str) -> dict[str, Any]:
    """Return the recorded match of a game with the fewest seats, but more than one."""
    found = [path for path in FOLDER.glob(f"{slug}-[0-9]*-v*.json") if _seats(path)[0] > 1]
    document: dict[str, Any] = msgspec.json.decode(min(found, key=_seats).read_bytes())
    return document


def _seats(path: Path) -> tuple[int, str]:
    return int(path.stem.split("-")[1]), path.stem


def timeline_of(document: dict[str, Any]) -> Timeline:
    """Return the timeline of a match file."""
    return verify(document, check_options)
