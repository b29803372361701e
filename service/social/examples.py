"""Example request and response bodies of the personal data routes, by operation id."""

from typing import Any

from service.http.examples import EXAMPLE_GAME

_PERSON_EXAMPLE = {
    "id": "2f1c7e0b9a3d4c5e6f708192",
    "name": "Bob",
    "matches": 4,
    "last": "2026-01-31T18:20:11.042Z",
    "muted": False,
    "blocked": False,
}
_OWN_EXAMPLE = {"seen": 17, "note": "She collects purple."}

REQUESTS: dict[str, Any] = {
    "setSeen": {"version": 17},
    "setNote": {"text": "She collects purple."},
    "setPerson": {"muted": True, "blocked": False},
}
ANSWERS: dict[str, Any] = {
    "getOwn": _OWN_EXAMPLE,
    "setSeen": _OWN_EXAMPLE,
    "setNote": _OWN_EXAMPLE,
    "getHistory": {"games": [{"game": EXAMPLE_GAME.slug, "matches": 12, "won": 5, "best": 48}]},
    "listPeople": {"items": [_PERSON_EXAMPLE]},
    "setPerson": {**_PERSON_EXAMPLE, "muted": True},
    "getCalendar": {"since": "2026-01-31T18:20:11.042Z", "url": None},
    "makeCalendar": {
        "since": "2026-01-31T18:20:11.042Z",
        "url": "https://example.org/calendar/7Yh2o5Kq0Zl1xv9BvTnC3bE4uWmR8sPd.ics",
    },
    "getFeed": {"reader": "b5x2kq7d3mzt4ahw"},
    "endCalendar": {"since": None, "url": None},
}
