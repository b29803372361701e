"""Routing of calls about local matches to `frontend.app.phone.house`.

The id of a local match begins with `MARK`. Its calls and their answers are the same as the
service's, so that every page works unchanged. The code that answers them is loaded when the first
local match is opened.
"""

from collections.abc import Callable
from typing import Any

from _native import kept_matches, load_phone, random_key

from frontend.app.newer import retry_unless_gone
from frontend.app.typed import Data, Told, Went

MARK = "phone-"
CALLS = "/api/matches/" + MARK
LESSON = MARK + "lesson-"
"""Prefix of the ids of matches in which somebody learns a game; its slug follows."""
TRIAL = MARK + "trial-"
"""Prefix of the ids of private copies in which moves are tried out.

The id of the copied match follows. They are not stored.
"""


def is_here(path: str) -> bool:
    """Return whether this device itself answers a call."""
    return path.startswith(CALLS)


def is_played_here(match_id: str) -> bool:
    """Return whether a match is local: played on this device itself."""
    return match_id.startswith(MARK)


def is_lesson(match_id: str) -> bool:
    """Return whether a match is a lesson."""
    return match_id.startswith(LESSON)


def is_trial(match_id: str) -> bool:
    """Return whether a match is a private copy in which moves are tried out."""
    return match_id.startswith(TRIAL)


def ask(then: Told, slug: str | None = None) -> None:
    """Load the local server and, given ``slug``, a game's rules; then call ``then(house)``."""

    def ready() -> None:
        from frontend.app.phone.house import HOUSE

        then(HOUSE)

    load_phone(slug, ready, retry_unless_gone(lambda: ask(then, slug)))


def shelf(home: Any, card: Any, went: Went) -> None:
    """List the local matches in ``home``, if there are any besides lessons."""

    def listed(safe: bool, found: Any) -> None:
        if safe and any(not is_lesson(head["id"]) for head in found[0]):
            ask(opened)

    def opened(_house: Any) -> None:
        from frontend.app.phone.shelf import Shelf

        Shelf(home, card, went)

    kept_matches(listed)


def moved(match_id: str, then: Callable[[str], object]) -> None:
    """Call ``then(id)`` with the service's id of a local match that was handed over, else ""."""
    if not is_played_here(match_id):
        then("")
        return

    def found(safe: bool, results: Any) -> None:
        heads = results[0] if safe else ()
        then(next((head["to"] for head in heads if head["id"] == match_id and "to" in head), ""))

    kept_matches(found)


def picture(match_id: str, told: Told | None = None) -> None:
    """Store a picture of a local match for the list; if there is one, call ``told(picture)``."""

    def ready(_house: Any) -> None:
        from frontend.app.phone.portraits import keep_portrait

        shown = keep_portrait(match_id)
        if told is not None and shown:
            told(shown)

    if is_played_here(match_id) and not is_trial(match_id):
        ask(ready)


def send(path: str, body: Data, done: Told, failed: Told, follows: Any) -> str:
    """Send a write call to a local match; returns its key.

    Calls ``done(data)`` once the change is stored, or ``failed(problem)``. ``follows``: the key of
    the call that this one builds on; if that was refused, this one is refused too.
    """
    key = random_key()
    ask(lambda house: house.write(path, body, done, failed, key, follows))
    return key


def follow(path: str, heard: Told) -> tuple[Any, Any]:
    """Call ``heard(version)`` whenever a local match grows.

    Returns a function that stops that, and one that asks for news at once, which does nothing here.
    """
    ears: list[Any] = []

    def listen(house: Any) -> None:
        ears.append(house)
        house.listen(path, heard)

    ask(listen)
    return (lambda: [house.unlisten(path, heard) for house in ears]), lambda: None
