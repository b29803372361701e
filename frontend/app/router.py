"""The router: which page an address shows."""

from collections.abc import Callable
from typing import Any

from _native import go, lessons, place, title

from frontend.app.api import local_gateway, session
from frontend.app.components import page_frame
from frontend.app.core import match_ids
from frontend.app.core.dom import show, toast
from frontend.app.core.i18n import t
from frontend.app.core.types import Does
from frontend.app.games import loader
from frontend.app.pages.account.claim_identity import become
from frontend.app.pages.home.page import HomePage

current: list[Any] = [None]
navigation_id = [0]
"""The number of pages requested so far; loaders compare it to see if they are outdated."""
ANY = "*"
"""Stands in a route for any one part of a path."""


def navigate(address: str | None) -> None:
    """Go to an address of the app and show its page; None: show the current address again."""
    if address is not None:
        go(address, False)
    show_page()


def show_page() -> None:
    """Show the page of the current address."""
    if current[0] is not None:
        current[0].close()
        current[0] = None
    title("")  # drop the title of the previous page
    navigation_id[0] += 1
    path, query, anchor = place()
    parts = [part for part in path.split("/") if part]
    if parts:
        _open_of(parts)(parts, query)
    elif anchor.startswith("#link="):
        _claim(anchor[6:])
    else:
        current[0] = HomePage(navigate)


def refresh_home() -> None:
    """Refresh the home page if it is shown, as what an earlier page left has been sent."""
    if isinstance(current[0], HomePage):
        current[0].refresh()


# -- pages whose code is loaded on demand --------------------------------------------------------


def _if_current(then: Does) -> Does:
    """Return a function that calls ``then()``, but only until another page is requested."""
    asked = navigation_id[0]

    def ready() -> None:
        if navigation_id[0] == asked:
            then()

    return ready


def _load_then(part: str, build: Callable[[], Any]) -> None:
    """Load a part of the code, then show the page that ``build()`` returns.

    Does nothing if another page was requested meanwhile.
    """

    def ready() -> None:
        current[0] = build()

    loader.load_guides(part, _if_current(ready))


def _new(_parts: list[str], query: dict[str, str]) -> None:
    """Show the page to open a table."""

    def build() -> Any:
        from frontend.app.pages.new_table.page import NewTablePage

        return NewTablePage(navigate, query.get("game"), query.get("again"), query.get("with"))

    show(page_frame.waits())
    _load_then("opening", build)


def _join(parts: list[str], query: dict[str, str]) -> None:
    """Show the page to join a table."""

    def build() -> Any:
        from frontend.app.pages.join import JoinPage

        return JoinPage(parts[1], query, navigate)

    show(page_frame.waits())
    _load_then("opening", build)


def _rules(parts: list[str], _query: dict[str, str]) -> None:
    """Show the rules of a game, or the list of games with rules."""

    def build() -> Any:
        from frontend.app.pages.rules import GuidePage, RulesPage

        return GuidePage(parts[1]) if len(parts) > 1 else RulesPage()

    _load_then("guide", build)


def _style(_parts: list[str], _query: dict[str, str]) -> None:
    """Show the style guide: every element of the app."""

    def build() -> Any:
        from frontend.app.pages.style_guide.page import StylePage

        return StylePage()

    _load_then("style", build)


def _you(_parts: list[str], _query: dict[str, str]) -> None:
    """Show the page about the player of this device."""

    def build() -> Any:
        from frontend.app.pages.account.page import YouPage

        return YouPage(navigate)

    _load_then("you", build)


def _back(_parts: list[str], query: dict[str, str]) -> None:
    """Show the page to get a seat back, or to let another player back in."""

    def build() -> Any:
        from frontend.app.pages.recover_seat import BackPage

        return BackPage(query.get("code", ""), navigate)

    show(page_frame.waits())
    loader.load_kernel(lambda: _load_then("back", build))


def _learn(parts: list[str], query: dict[str, str]) -> None:
    """Show the lesson of a game."""
    _show_lesson(parts[1], query)


def _show_lesson(slug: str, query: dict[str, str]) -> None:
    def ready() -> None:
        from frontend.app.pages.lesson.page import LessonPage

        current[0] = LessonPage(slug, query, navigate)

    if slug in lessons():
        show(page_frame.waits())
        loader.load_lesson(slug, _if_current(ready))
    else:
        _nothing_here([], {})


def _play(parts: list[str], _query: dict[str, str]) -> None:
    """Start a local match at once: with bots, or alone."""
    asked = navigation_id[0]

    def ready(_server: Any) -> None:
        from frontend.app.offline.quick_start import begin

        begin(parts[1], parts[2:] == ["alone"], lambda: navigation_id[0] == asked, navigate)

    show(page_frame.waits())
    local_gateway.ask(ready)


def _try(parts: list[str], _query: dict[str, str]) -> None:
    """Show a private copy of a match, to try moves out."""

    def open_trial() -> None:
        from frontend.app.offline.trial import TrialPage

        current[0] = TrialPage(parts[1], navigate)

    ready = _if_current(open_trial)
    show(page_frame.waits())
    loader.load_kernel(lambda: local_gateway.ask(lambda _server: ready()))


def _match(parts: list[str], query: dict[str, str]) -> None:
    """Show a match, a lesson by the id of its match, or the review of a match."""
    match_id = parts[1]
    if len(parts) == 2 and match_ids.is_lesson(match_id):
        _show_lesson(match_id[len(match_ids.LESSON) :], query)
        return
    asked = navigation_id[0]

    def ready() -> None:
        local_gateway.moved(match_id, found)

    def found(elsewhere: str) -> None:
        if navigation_id[0] != asked:
            return
        if elsewhere:  # a local match that was handed over to the service
            go("/".join(["/m", elsewhere, *parts[2:]]), True)
            show_page()
        elif len(parts) == 2:
            from frontend.app.match.page import MatchPage

            current[0] = MatchPage(match_id, query, navigate)
        else:
            from frontend.app.pages.review import ReviewPage

            current[0] = ReviewPage(match_id, query, navigate)

    loader.load_kernel(ready)


def _nothing_here(_parts: list[str], _query: dict[str, str]) -> None:
    show(page_frame.message(t("Nothing here"), t("This address leads nowhere.")))


def _claim(code: str) -> None:
    """Become the player of a device link; questions appear over the home page."""
    go("/", True)
    current[0] = HomePage(navigate)
    path = "/api/players/link/claim"
    session.find(lambda: become(path, code, show_page, lambda problem: toast(problem.detail)))


Open = Callable[[list[str], dict[str, str]], None]
"""Shows a page, given the parts of its path and the query."""
ROUTES: tuple[tuple[str, Open], ...] = (
    ("new", _new),
    ("join/*", _join),
    ("rules", _rules),
    ("rules/*", _rules),
    ("style", _style),
    ("you", _you),
    ("back", _back),
    ("learn/*", _learn),
    ("play/*", _play),
    ("play/*/*", _play),
    ("m/*", _match),
    ("m/*/review", _match),
    ("m/*/try", _try),
)


def _open_of(parts: list[str]) -> Open:
    """Return the function that shows the page of a path."""
    for pattern, opens in ROUTES:
        route = pattern.split("/")
        if len(route) == len(parts) and all(
            want in (ANY, part) for want, part in zip(route, parts, strict=True)
        ):
            return opens
    return _nothing_here
