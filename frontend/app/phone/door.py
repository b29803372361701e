"""The way to matches that are played on this phone itself; see `frontend.app.phone.house`.

Such a match bears its mark in its id. Its calls are the service's, with the same answers, so that
every page works unchanged; what answers them comes when the first of them is opened.
"""

from collections.abc import Callable
from typing import Any

from _native import kept_matches, load_phone, random_key

from frontend.app.newer import retry_unless_gone
from frontend.app.typed import Data, Told, Went

MARK = "phone-"
CALLS = "/api/matches/" + MARK
LESSON = MARK + "lesson-"
"""With which the ids of matches begin in which somebody learns a game; its slug follows."""
TRIAL = MARK + "trial-"
"""With which the ids of private copies of a match begin, in which moves are tried out; its own id
follows. They are kept nowhere."""


def is_here(path: str) -> bool:
    """Whether the phone itself answers this call."""
    return path.startswith(CALLS)


def is_played_here(match_id: str) -> bool:
    """Whether a match is played on this phone itself."""
    return match_id.startswith(MARK)


def is_lesson(match_id: str) -> bool:
    """Whether somebody learns a game in a match."""
    return match_id.startswith(LESSON)


def is_trial(match_id: str) -> bool:
    """Whether a match is a private copy in which moves are tried out."""
    return match_id.startswith(TRIAL)


def ask(then: Told, slug: str | None = None) -> None:
    """Calls ``then(house)`` once what answers is here: with a game, all that plays that game."""

    def ready() -> None:
        from frontend.app.phone.house import HOUSE

        then(HOUSE)

    load_phone(slug, ready, retry_unless_gone(lambda: ask(then, slug)))


def shelf(home: Any, card: Any, went: Went) -> None:
    """Lists the matches of this phone, if there are any."""

    def listed(safe: bool, found: Any) -> None:
        if safe and any(not is_lesson(head["id"]) for head in found[0]):
            ask(opened)

    def opened(_house: Any) -> None:
        from frontend.app.phone.shelf import Shelf

        Shelf(home, card, went)

    kept_matches(listed)


def moved(match_id: str, then: Callable[[str], object]) -> None:
    """Calls ``then(id)`` with the match that goes on at the service what was begun here and handed
    over; "" for any other match."""
    if not is_played_here(match_id):
        then("")
        return

    def found(safe: bool, results: Any) -> None:
        heads = results[0] if safe else ()
        then(next((head["to"] for head in heads if head["id"] == match_id and "to" in head), ""))

    kept_matches(found)


def picture(match_id: str, told: Told | None = None) -> None:
    """Keeps a picture of the board for the list, where the match is played here; then calls
    ``told(picture)``."""

    def ready(_house: Any) -> None:
        from frontend.app.phone.portraits import keep_portrait

        shown = keep_portrait(match_id)
        if told is not None and shown:
            told(shown)

    if is_played_here(match_id) and not is_trial(match_id):
        ask(ready)


def send(path: str, body: Data, done: Told, failed: Told, follows: Any) -> str:
    """Writes something: ``done(data)`` once it is kept, or ``failed(problem)``. Gives its key.

    ``follows``: the key of what this was to come after; it falls with that.
    """
    key = random_key()
    ask(lambda house: house.write(path, body, done, failed, key, follows))
    return key


def follow(path: str, heard: Told) -> tuple[Any, Any]:
    """Calls ``heard(version)`` when a match has grown; gives what stops that, and what asks at
    once, which nobody needs here."""
    ears: list[Any] = []

    def listen(house: Any) -> None:
        ears.append(house)
        house.listen(path, heard)

    ask(listen)
    return (lambda: [house.unlisten(path, heard) for house in ears]), lambda: None
