"""The router, which shows the page of an address."""

from collections.abc import Callable
from typing import Any

from _native import current_location, go, lessons, set_title

from frontend.app.api import local_gateway, session
from frontend.app.components import page_frame
from frontend.app.core import match_ids
from frontend.app.core.dom import show
from frontend.app.core.i18n import t
from frontend.app.core.problem import show_problem
from frontend.app.core.types import Action
from frontend.app.games import loader
from frontend.app.pages.account.claim_identity import claim_player
from frontend.app.pages.home.page import HomePage

current_page: list[Any] = [None]
navigation_id = [0]
"""The number of navigations so far; a loader is outdated if it has changed meanwhile."""
ANY = "*"
"""The wildcard in a route for a single part of a path."""

OpenPage = Callable[[list[str], dict[str, str]], None]
"""A function that shows a page, given the parts of its path and the query."""
BuildPage = Callable[[list[str], dict[str, str]], Any]
"""A function that builds a page, given the same."""


def navigate(address: str | None) -> None:
    """Go to an address of the app and show its page; None reloads the current page."""
    if address is not None:
        go(address, False)
    show_page()


def show_page() -> None:
    """Close the current page and show the page of the address in the address bar."""
    if current_page[0] is not None:
        current_page[0].close()
        current_page[0] = None
    set_title("")  # drop the title of the previous page
    navigation_id[0] += 1
    path, query, anchor = current_location()
    parts = [part for part in path.split("/") if part]
    if parts:
        _find_route(parts)(parts, query)
    elif anchor.startswith("#link="):
        _open_device_link(anchor[6:])
    else:
        current_page[0] = HomePage(navigate)


def refresh_home() -> None:
    """Reload the lists of the home page if it is shown."""
    if isinstance(current_page[0], HomePage):
        current_page[0].refresh()


# -- pages whose code is loaded on demand --------------------------------------------------------


def _if_current(then: Action) -> Action:
    """Return a function that calls ``then()`` unless another page has been requested meanwhile."""
    asked = navigation_id[0]

    def on_ready() -> None:
        if navigation_id[0] == asked:
            then()

    return on_ready


def _load_then(part: str, build: Callable[[], Any]) -> None:
    """Load the bundle ``part``, then show the page that ``build()`` returns.

    The page is not shown if another page has been requested meanwhile.
    """

    def on_ready() -> None:
        current_page[0] = build()

    loader.load_bundle(part, _if_current(on_ready))


def _in_bundle(part: str, build: BuildPage) -> OpenPage:
    """Return a function that loads the bundle ``part``, then shows the page that ``build`` returns.

    The pages in the part "opening" have a placeholder until then.
    """

    def open_page(parts: list[str], query: dict[str, str]) -> None:
        if part == "opening":
            show(page_frame.loading_page())
        _load_then(part, lambda: build(parts, query))

    return open_page


def _build_new_table(_parts: list[str], query: dict[str, str]) -> Any:
    """Build the page for opening a table."""
    from frontend.app.pages.new_table.page import NewTablePage

    return NewTablePage(navigate, query.get("game"), query.get("again"), query.get("with"))


def _build_join(parts: list[str], query: dict[str, str]) -> Any:
    """Build the page for joining a match."""
    from frontend.app.pages.join import JoinPage

    return JoinPage(parts[1], query, navigate)


def _build_rules(parts: list[str], _query: dict[str, str]) -> Any:
    """Build the rules page of a game, or the index of all rules pages."""
    from frontend.app.pages.rules import GameRulesPage, RulesIndexPage

    return GameRulesPage(parts[1]) if len(parts) > 1 else RulesIndexPage()


def _build_settings(_parts: list[str], _query: dict[str, str]) -> Any:
    """Build the settings of this device."""
    from frontend.app.pages.settings.page import SettingsPage

    return SettingsPage(navigate)


def _build_account(_parts: list[str], _query: dict[str, str]) -> Any:
    """Build the account page of this device's player."""
    from frontend.app.pages.account.page import AccountPage

    return AccountPage(navigate)


def _open_tables(_parts: list[str], _query: dict[str, str]) -> None:
    """Show the page of tables."""
    current_page[0] = HomePage(navigate, only_tables=True)


def _open_style_guide(_parts: list[str], _query: dict[str, str]) -> None:
    """Show the style guide, which displays the interface elements of the app."""

    def build() -> Any:
        from frontend.app.pages.style_guide.page import StyleGuidePage

        return StyleGuidePage()

    # The part "review" has the charts.
    loader.load_bundle("review", _if_current(lambda: _load_then("style", build)))


def _open_recover_seat(_parts: list[str], query: dict[str, str]) -> None:
    """Show the page for recovering a seat, or for letting another player back in."""

    def build() -> Any:
        from frontend.app.pages.recover_seat import RecoverSeatPage

        return RecoverSeatPage(query.get("code", ""), navigate)

    show(page_frame.loading_page())
    loader.load_kernel(lambda: _load_then("back", build))


def _open_lesson(parts: list[str], query: dict[str, str]) -> None:
    """Show the lesson of a game."""
    slug = parts[1]

    def on_ready() -> None:
        from frontend.app.pages.lesson.page import LessonPage

        current_page[0] = LessonPage(slug, query, navigate)

    if slug in lessons():
        show(page_frame.loading_page())
        loader.load_lesson(slug, _if_current(on_ready))
    else:
        _show_not_found([], {})


def _open_quick_start(parts: list[str], _query: dict[str, str]) -> None:
    """Start a local match without further questions: against bots, or alone if the path says so."""
    asked = navigation_id[0]

    def on_ready(_server: Any) -> None:
        from frontend.app.offline.quick_start import start_quick_game

        start_quick_game(
            parts[1], parts[2:] == ["alone"], lambda: navigation_id[0] == asked, navigate
        )

    show(page_frame.loading_page())
    local_gateway.load_server(on_ready)


def _open_trial(parts: list[str], _query: dict[str, str]) -> None:
    """Show a private copy of a match for trying out moves."""

    def open_trial() -> None:
        from frontend.app.offline.trial import TrialPage

        current_page[0] = TrialPage(parts[1], navigate)

    ready = _if_current(open_trial)
    show(page_frame.loading_page())
    loader.load_kernel(lambda: local_gateway.load_server(lambda _server: ready()))


def _open_match(parts: list[str], query: dict[str, str]) -> None:
    """Show a match or its review; if the match is a lesson, show the lesson.

    A local match that was handed over to the service is shown at its new address.
    """
    match_id = parts[1]
    if len(parts) == 2 and match_ids.is_lesson(match_id):
        _open_lesson(["learn", match_id[len(match_ids.LESSON_PREFIX) :]], query)
        return
    asked = navigation_id[0]

    def on_ready() -> None:
        local_gateway.find_handed_over(match_id, on_found)

    def on_found(elsewhere: str) -> None:
        if navigation_id[0] != asked:
            return
        if elsewhere:  # a local match that was handed over to the service
            go("/".join(["/m", elsewhere, *parts[2:]]), True)
            show_page()
        elif len(parts) == 2:
            from frontend.app.match.page import MatchPage

            current_page[0] = MatchPage(match_id, query, navigate)
        else:
            show(page_frame.loading_page())
            _load_then("review", build_review)

    def build_review() -> Any:
        from frontend.app.pages.review import ReviewPage

        return ReviewPage(match_id, query, navigate)

    loader.load_kernel(on_ready)


def _show_not_found(_parts: list[str], _query: dict[str, str]) -> None:
    show(page_frame.message_page(t("error.page_not_found"), t("error.address_unknown")))


def _open_device_link(code: str) -> None:
    """Make this device play as the player of a device link, with questions over the home page."""
    go("/", True)
    current_page[0] = HomePage(navigate)
    session.load(lambda: claim_player("/api/players/link/claim", code, show_page, show_problem))


ROUTES: tuple[tuple[str, OpenPage], ...] = (
    ("new", _in_bundle("opening", _build_new_table)),
    ("join/*", _in_bundle("opening", _build_join)),
    ("rules", _in_bundle("guide", _build_rules)),
    ("rules/*", _in_bundle("guide", _build_rules)),
    ("style", _open_style_guide),
    ("you", _in_bundle("you", _build_account)),
    ("tables", _open_tables),
    ("settings", _in_bundle("you", _build_settings)),
    ("back", _open_recover_seat),
    ("learn/*", _open_lesson),
    ("play/*", _open_quick_start),
    ("play/*/*", _open_quick_start),
    ("m/*", _open_match),
    ("m/*/review", _open_match),
    ("m/*/try", _open_trial),
)


def _find_route(parts: list[str]) -> OpenPage:
    """Return the function that shows the page of a path; unknown paths get the "not found" page."""
    for pattern, opens in ROUTES:
        route = pattern.split("/")
        if len(route) == len(parts) and all(
            want in (ANY, part) for want, part in zip(route, parts, strict=True)
        ):
            return opens
    return _show_not_found
