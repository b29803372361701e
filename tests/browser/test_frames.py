"""Performance of the match page: no paints while idle, no long tasks or layout shift at start."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from domain.contract.registry import TITLES
from tests.browser.phone import PHONE, Phone
from tests.browser.service import Program, table
from tests.browser.tracing import CATEGORIES, TASK, events_of_the_page, worked

MAX_SHARE = 0.2
"""Largest share of one task in all work until a table is shown: usually 0.07 to 0.1; 0.31 to 0.35
when a table was drawn at once. Unlike milliseconds it does not depend on the machine."""
ENDLESS = """() => document.getAnimations()
  .filter((each) => each.effect.getComputedTiming().endTime === Infinity)
  .map((each) => each.animationName)"""
STANDS = """() => document.querySelector(".game:not([data-rising])")
  && !document.querySelector(".first-board")"""
OVER = "document.getAnimations().forEach((each) => each.finish())"
# Must be visible, or the checks below would be meaningless.
BLINK = """document.querySelector(".turn").animate(
  [{ letterSpacing: "0" }, { letterSpacing: "3px" }], { duration: 400, iterations: Infinity })"""


def _table_of(ada: Program, slug: str, others: str) -> str:
    """Return the address of a new match of a player and others, who are bots or the player too."""
    count = next(count for count in TITLES[slug].seats if count > 1)
    body = {"game": slug, "seats": [{"kind": "me"}, *[{"kind": others}] * (count - 1)]}
    return "/m/" + ada.post("/matches", body, 201)["id"]


def _page_of(browser: Browser, player: Program) -> Page:
    context = browser.new_context(viewport=PHONE, base_url=player.base, service_workers="block")
    context.add_cookies([{"name": "player", "value": player.token, "url": player.base}])
    return context.new_page()


def _at_a_table(browser: Browser, base: str) -> tuple[Page, str]:
    """A page of somebody who holds all seats of a hex game, and the table's address."""
    ada = Program(base, "Ada")
    return _page_of(browser, ada), _table_of(ada, "caravanserai", "me")


def _painted(browser: Browser, page: Page) -> int:
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.wait_for_timeout(800)
    return len(events_of_the_page(browser, "Paint", "Layout", "UpdateLayoutTree"))


def _comes_to_rest(browser: Browser, page: Page) -> bool:
    """Return whether the page paints nothing for a while; a busy machine draws later than others.

    What moves for ever has been looked for by `ENDLESS`.
    """
    page.evaluate(OVER)
    page.wait_for_timeout(500)
    return any(_painted(browser, page) == 0 for _ in range(3))


@pytest.mark.browser
def test_a_table_starts_in_short_tasks_and_rests_without_painting(
    browser: Browser, base: str
) -> None:
    page, address = _at_a_table(browser, base)
    browser.start_tracing(page=page, categories=CATEGORIES)
    page.goto(address)
    page.locator(".legal").first.wait_for()
    tasks = events_of_the_page(browser, TASK)
    work = [worked(task) for task in tasks]
    assert len(tasks) > 20
    share = max(work) / sum(work)
    assert share < MAX_SHARE, f"a task of {max(work):.0f} ms, {share:.0%} of all work"
    assert page.evaluate(ENDLESS) == []
    page.wait_for_timeout(1000)  # the lists and the camera have settled
    assert _comes_to_rest(browser, page)
    page.evaluate(BLINK)
    assert _painted(browser, page) > 2
    page.context.close()


@pytest.mark.browser
@pytest.mark.parametrize("slug", TITLES)
def test_every_game_rests_without_painting_and_comes_without_a_jump(
    browser: Browser, base: str, slug: str
) -> None:
    """No layout shift, also on a shared phone; a static board costs nothing per frame."""
    ada = Program(base, "Ada")
    page = _page_of(browser, ada)
    for others in ("me", "bot"):
        page.goto(_table_of(ada, slug, others))
        page.wait_for_function(STANDS)
        page.wait_for_timeout(1000)
        assert page.evaluate(SHIFTED) == 0, others
    assert page.evaluate(ENDLESS) == []
    assert _comes_to_rest(browser, page)
    page.context.close()


# Whether the board sent with the page was shown exactly until the app's board appeared.
NOTED = """new MutationObserver(() => {
  const first = document.querySelector(".first-board"), game = document.querySelector(".game")
  window.stood = window.stood || !!first && !!game
  window.gone = !first && !!game && !game.matches("[data-rising]")
}).observe(document, { subtree: true, childList: true, attributes: true })"""
SHIFTED = """() => new Promise((told) => {
  new PerformanceObserver((list) => told(list.getEntries().length))
    .observe({ type: "layout-shift", buffered: true })
  setTimeout(told, 300, 0)
})"""


FETCHED = """() => performance.getEntriesByType("resource")
  .map((each) => [new URL(each.name).pathname, each.startTime])"""
STARTED = "() => performance.getEntriesByName('start')[0].startTime"


@pytest.mark.browser
def test_a_table_comes_with_its_board_which_the_app_puts_another_in_the_place_of(
    browser: Browser, base: str
) -> None:
    """It shows without scripts, in the same place as the app's, without layout shift or remains.

    Match, code and styles of the game are preloaded, and the app fetches none of them again.
    """
    page, address = _at_a_table(browser, base)
    cookies = page.context.cookies(base)
    bare = browser.new_context(viewport=PHONE, base_url=base, java_script_enabled=False)
    bare.add_cookies(
        [{"name": each["name"], "value": each["value"], "url": base} for each in cookies]
    )
    still = bare.new_page()
    still.goto(address)
    first = still.locator(".first-board > svg")
    expect(first).to_be_visible()
    assert first.locator("> *").count() > 10
    place = first.bounding_box()
    bare.close()
    warnings: list[str] = []
    page.on("console", lambda said: warnings.append(said.text))
    page.add_init_script(NOTED)
    page.goto(address)
    page.locator(".legal").first.wait_for()
    assert page.evaluate("[window.stood, window.gone]") == [True, True]
    assert page.evaluate(SHIFTED) == 0
    assert page.locator("#app > main").count() == 1
    then = page.locator(".board-area > svg").bounding_box()
    assert place is not None
    assert then is not None
    assert (place["x"], place["y"]) == (then["x"], then["y"])

    page.wait_for_timeout(4000)  # the browser reports unused preloads after a while
    fetched, started = page.evaluate(FETCHED), page.evaluate(STARTED)
    names = [name for name, _ in fetched]
    early = {name for name, at in fetched if at < started}
    assert sorted(names) == sorted(set(names))
    assert {f"/api/matches/{address.removeprefix('/m/')}", "/api/games"} <= early
    assert sum("/assets/game-caravanserai" in name for name in early) >= 2
    assert sum("/assets/look-caravanserai" in name for name in early) == 2
    assert warnings == ["Service Worker registration blocked by Playwright"]
    page.context.close()


@pytest.mark.browser
@pytest.mark.parametrize("by_link", [False, True])
def test_events_of_a_match_with_secrets_are_preloaded_once(
    browser: Browser, base: str, by_link: bool
) -> None:
    """This holds for a player with one seat, and for a spectator with the link."""
    (ann, _), match_id = table(base, "Ann", "Bob", game="caravane")
    phone = Phone(browser, base) if by_link else ann.phone(browser)
    link = ann.get(f"/matches/{match_id}")["share"] if by_link else ""
    page = phone.page
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if "/events" in each.url else None)
    held: list[Route] = []
    page.route("**/assets/app.*.js", lambda route: held.append(route))
    with page.expect_request("**/events?*"):
        page.goto(f"/m/{match_id}" + (f"?share={link}" if link else ""), wait_until="commit")
    for each in held:
        each.continue_()
    page.locator(".history input[type=range]").wait_for()
    phone.settled()
    wanted = f"after=0&invite={link}" if by_link else "seat=0&after=0"
    assert asked == [f"{base}/api/matches/{match_id}/events?{wanted}"]
    phone.close()
