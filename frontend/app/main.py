"""The entry point and the router: which page an address shows."""

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

from frontend.app import client, houses, local_gateway, match_ids, newer, page_frame, people
from frontend.app.becoming import become
from frontend.app.dom import show, toast
from frontend.app.home import HomePage
from frontend.app.words import t

current: list[Any] = [None]
asked_for = [0]
"""The number of pages requested so far; loaders compare it to see if they are outdated."""


def visit(address: str | None) -> None:
    """Go to an address of the app and show its page; None: show the current address again."""
    if address is not None:
        go(address, False)
    page()


def page() -> None:
    """Show the page of the current address."""
    if current[0] is not None:
        current[0].close()
        current[0] = None
    title("")  # drop the title of the previous page
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
    """Show a page whose code is loaded on demand; return False if there is none."""
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
    elif parts[0] == "m" and len(parts) == 2 and match_ids.is_lesson(parts[1]):
        _learn(parts[1][len(match_ids.LESSON) :], query)
    elif parts[0] == "m" and parts[2:] == ["try"]:
        _try(parts[1])
    elif parts[0] == "m" and (len(parts) == 2 or parts[2:] == ["review"]):
        _at_a_table(parts, query)
    else:
        return False
    return True


def _later(part: str, made: Callable[[], Any]) -> None:
    """Load a part of the code, then show the page that ``made()`` builds.

    Does nothing if another page was requested meanwhile.
    """
    asked = asked_for[0]

    def ready() -> None:
        if asked_for[0] == asked:
            current[0] = made()

    houses.load_guides(part, ready)


def _new(query: dict[str, str]) -> None:
    """Show the page to open a table."""

    def made() -> Any:
        from frontend.app.opening import NewTablePage

        return NewTablePage(visit, query.get("game"), query.get("again"), query.get("with"))

    show(page_frame.waits())
    _later("opening", made)


def _join(match_id: str, query: dict[str, str]) -> None:
    """Show the page to join a table."""

    def made() -> Any:
        from frontend.app.join import JoinPage

        return JoinPage(match_id, query, visit)

    show(page_frame.waits())
    _later("opening", made)


def _rules(parts: list[str]) -> None:
    """Show the rules of a game, or the list of games with rules."""

    def made() -> Any:
        from frontend.app.guide import GuidePage, RulesPage

        return GuidePage(parts[0]) if parts else RulesPage()

    _later("guide", made)


def _style() -> None:
    """Show the style guide: every element of the app."""

    def made() -> Any:
        from frontend.app.style_page import StylePage

        return StylePage()

    _later("style", made)


def _you() -> None:
    """Show the page about the player of this device."""

    def made() -> Any:
        from frontend.app.you import YouPage

        return YouPage(visit)

    _later("you", made)


def _back(query: dict[str, str]) -> None:
    """Show the page to get a seat back, or to let another player back in."""

    def made() -> Any:
        from frontend.app.back import BackPage

        return BackPage(query.get("code", ""), visit)

    show(page_frame.waits())
    houses.load_kernel(lambda: _later("back", made))


def _learn(slug: str, query: dict[str, str]) -> None:
    """Show the lesson of a game."""
    asked = asked_for[0]

    def ready() -> None:
        if asked_for[0] == asked:
            from frontend.app.lesson import LessonPage

            current[0] = LessonPage(slug, query, visit)

    if slug in lessons():
        show(page_frame.waits())
        houses.load_lesson(slug, ready)
    else:
        _nothing_here()


def _play(slug: str, alone: bool) -> None:
    """Start a local match at once: with bots, or alone."""
    asked = asked_for[0]

    def ready(_house: Any) -> None:
        from frontend.app.phone.at_once import begin

        begin(slug, alone, lambda: asked_for[0] == asked, visit)

    show(page_frame.waits())
    local_gateway.ask(ready)


def _try(match_id: str) -> None:
    """Show a private copy of a match, to try moves out."""
    asked = asked_for[0]

    def ready(_house: Any) -> None:
        if asked_for[0] == asked:
            from frontend.app.phone.trial import TrialPage

            current[0] = TrialPage(match_id, visit)

    show(page_frame.waits())
    houses.load_kernel(lambda: local_gateway.ask(ready))


def _nothing_here() -> None:
    show(page_frame.message(t("Nothing here"), t("This address leads nowhere.")))


def _at_a_table(parts: list[str], query: dict[str, str]) -> None:
    """Show a match or its review, once the code of the match page is loaded.

    Does nothing if another page was requested meanwhile.
    """
    asked = asked_for[0]

    def ready() -> None:
        local_gateway.moved(parts[1], found)

    def found(elsewhere: str) -> None:
        if asked_for[0] != asked:
            return
        if elsewhere:  # a local match that was handed over to the service
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
    """Become the player of a device link; questions appear over the home page."""
    go("/", True)
    current[0] = HomePage(visit)
    path = "/api/players/link/claim"
    people.find(lambda: become(path, code, page, lambda problem: toast(problem.detail)))


def _sent() -> None:
    """Refresh the home page: the outbox has sent what an earlier page left behind."""
    if isinstance(current[0], HomePage):
        current[0].refresh()


client.on_recovered(_sent)
guard_focus()
intercept_links(visit)
follow_history(page)
for each in (people.begin, newer.begin, page):
    soon(each)
