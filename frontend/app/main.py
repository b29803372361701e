"""Entry: which page the address asks for."""

from collections.abc import Callable
from typing import Any

from _native import (
    follow_history,
    go,
    guard_focus,
    intercept_links,
    lessons,
    place,
    soon,
    title,
)

from frontend.app import houses, net, newer, people, room
from frontend.app.becoming import become
from frontend.app.dom import show, toast
from frontend.app.home import HomePage
from frontend.app.phone import door
from frontend.app.words import t

current: list[Any] = [None]
asked_for = [0]
"""How many pages were asked for."""


def visit(address: str | None) -> None:
    """Goes to a page of the app; None: the one the address bar says already."""
    if address is not None:
        go(address, False)
    page()


def page() -> None:
    """Shows the page of the address."""
    if current[0] is not None:
        current[0].close()
        current[0] = None
    title("")  # of the page before
    asked_for[0] += 1
    path, query, anchor = place()
    parts = [part for part in path.split("/") if part]
    if not parts:
        if anchor.startswith("#link="):
            _claim(anchor[6:])
            return
        current[0] = HomePage(visit)
    elif not _comes_in_parts(parts, query):
        _nothing_here()


def _comes_in_parts(parts: list[str], query: dict[str, str]) -> bool:
    """Shows a page whose code comes when it is opened; False where there is none."""
    if parts == ["new"]:
        _new(query)
    elif len(parts) == 2 and parts[0] == "join":
        _join(parts[1], query)
    elif parts[0] == "rules" and len(parts) < 3:
        _rules(parts[1:])
    elif parts == ["style"]:
        _style()
    elif parts == ["you"]:
        _you()
    elif parts == ["back"]:
        _back(query)
    elif parts[0] == "learn" and len(parts) == 2:
        _learn(parts[1], query)
    elif parts[0] == "play" and len(parts) in (2, 3):
        _play(parts[1], parts[2:] == ["alone"])
    elif parts[0] == "m" and len(parts) == 2 and door.is_lesson(parts[1]):
        _learn(parts[1][len(door.LESSON) :], query)
    elif parts[0] == "m" and parts[2:] == ["try"]:
        _try(parts[1])
    elif parts[0] == "m" and (len(parts) == 2 or parts[2:] == ["review"]):
        _at_a_table(parts, query)
    else:
        return False
    return True


def _later(part: str, made: Callable[[], Any]) -> None:
    """Shows the page that ``made()`` gives once its part of the code is here; nothing when somebody
    has gone on meanwhile."""
    asked = asked_for[0]

    def ready() -> None:
        if asked_for[0] == asked:
            current[0] = made()

    houses.load_guides(part, ready)


def _new(query: dict[str, str]) -> None:
    """A table to be set."""

    def made() -> Any:
        from frontend.app.opening import NewTablePage

        return NewTablePage(visit, query.get("game"), query.get("again"), query.get("with"))

    show(room.waits())
    _later("opening", made)


def _join(match_id: str, query: dict[str, str]) -> None:
    """A table to sit down at."""

    def made() -> Any:
        from frontend.app.opening import JoinPage

        return JoinPage(match_id, query, visit)

    show(room.waits())
    _later("opening", made)


def _rules(parts: list[str]) -> None:
    """The rules of a game, or of which games there are rules."""

    def made() -> Any:
        from frontend.app.guide import GuidePage, RulesPage

        return GuidePage(parts[0]) if parts else RulesPage()

    _later("guide", made)


def _style() -> None:
    """Every element of the app."""

    def made() -> Any:
        from frontend.app.style_page import StylePage

        return StylePage()

    _later("style", made)


def _you() -> None:
    """Who this device plays as."""

    def made() -> Any:
        from frontend.app.you import YouPage

        return YouPage(visit)

    _later("you", made)


def _back(query: dict[str, str]) -> None:
    """Coming back to a seat on another device, or letting somebody else come back."""

    def made() -> Any:
        from frontend.app.back import BackPage

        return BackPage(query.get("code", ""), visit)

    show(room.waits())
    houses.load_kernel(lambda: _later("back", made))


def _learn(slug: str, query: dict[str, str]) -> None:
    """A first game, in which one learns by doing."""
    asked = asked_for[0]

    def ready() -> None:
        if asked_for[0] == asked:
            from frontend.app.lesson import LessonPage

            current[0] = LessonPage(slug, query, visit)

    if slug in lessons():
        show(room.waits())
        houses.load_lesson(slug, ready)
    else:
        _nothing_here()


def _play(slug: str, alone: bool) -> None:
    """A match on this phone that begins at once: with bots, or alone."""
    asked = asked_for[0]

    def ready(_house: Any) -> None:
        from frontend.app.phone.at_once import begin

        begin(slug, alone, lambda: asked_for[0] == asked, visit)

    show(room.waits())
    door.ask(ready)


def _try(match_id: str) -> None:
    """A private copy of a match, in which moves are tried out."""
    asked = asked_for[0]

    def ready(_house: Any) -> None:
        if asked_for[0] == asked:
            from frontend.app.phone.trial import TrialPage

            current[0] = TrialPage(match_id, visit)

    show(room.waits())
    houses.load_kernel(lambda: door.ask(ready))


def _nothing_here() -> None:
    show(room.message(t("Nothing here"), t("This address leads nowhere.")))


def _at_a_table(parts: list[str], query: dict[str, str]) -> None:
    """A match or its review, once the kernel and all round a board are here; nothing when
    somebody has gone on meanwhile."""
    asked = asked_for[0]

    def ready() -> None:
        door.moved(parts[1], found)

    def found(elsewhere: str) -> None:
        if asked_for[0] != asked:
            return
        if elsewhere:  # an address from before it was handed over
            go("/".join(["/m", elsewhere, *parts[2:]]), True)
            page()
        elif len(parts) == 2:
            from frontend.app.match_page import MatchPage

            current[0] = MatchPage(parts[1], query, visit)
        else:
            from frontend.app.review import ReviewPage

            current[0] = ReviewPage(parts[1], query, visit)

    houses.load_kernel(ready)


def _claim(code: str) -> None:
    """Becomes the player of a device link, shown over the home page."""
    go("/", True)
    current[0] = HomePage(visit)
    path = "/api/players/link/claim"
    people.find(lambda: become(path, code, page, lambda problem: toast(problem.detail)))


def _sent() -> None:
    """What an earlier page left is sent now: the lists tell of it."""
    if isinstance(current[0], HomePage):
        current[0].refresh()


net.outbox.sent_old = _sent
guard_focus()
intercept_links(visit)
follow_history(page)
for each in (people.begin, newer.begin, page):
    soon(each)
