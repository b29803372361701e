"""A game's styles and icons: loaded before anything of the game is drawn, removed with it."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from domain.contract.registry import TITLES
from frontend.build import BUILD
from frontend.bundles import modules
from frontend.translator import Translator
from tests.browser.chromium import build
from tests.browser.phone import unfold
from tests.browser.service import Program

GAMES = Path(__file__).parents[2] / "frontend" / "app" / "games"
# A game without a screen of its own is a guest in the house for any game.
HOUSES = {slug: slug if (GAMES / slug).is_dir() else "generic" for slug in TITLES}
HELD = """() => {
  const sheets = [...document.querySelectorAll("link[rel=stylesheet][href*='/look-']")]
  const looks = sheets.map(node => node.href)
  const ids = [...document.querySelectorAll("symbol")].map(node => node.id)
  return [looks.map(href => href.match(/look-(\\w+)/)[1]), new Set(ids).size === ids.length]
}"""


def _match(person: Program, slug: str) -> str:
    seats = [{"kind": "me"}] + [{"kind": "bot"}] * (TITLES[slug].seats[-1] - 1)
    return str(person.post("/matches", {"game": slug, "seats": seats}, 201)["id"])


@pytest.mark.browser
def test_one_game_at_a_time_and_none_at_home(browser: Browser, base: str) -> None:
    """Also when one goes from game to game without loading the page anew."""
    ann = Program(base, "Ann")
    tables = {slug: _match(ann, slug) for slug in TITLES}
    phone = ann.phone(browser)
    page = phone.page
    page.goto("/")
    expect(page.locator(".table-card")).to_have_count(len(tables))
    assert page.evaluate(HELD) == [[], True]
    for slug, match_id in [*tables.items(), *tables.items()]:
        page.locator(f".table-card[href='/m/{match_id}']").click()
        page.wait_for_selector(".game .dock")
        assert page.evaluate(HELD) == [[HOUSES[slug]], True]
        page.evaluate("history.back()")
        page.wait_for_selector(".table-card")
    phone.close()


def test_no_package_imports_its_modules() -> None:
    """Else it would run all of them in one task, which a slow phone feels."""
    packages = {name: each for name, each in modules().items() if each.is_package}
    assert "domain.match" in packages
    for name, package in packages.items():
        assert not [other for other in package.first if other.startswith(f"{name}.")], name


@pytest.mark.browser
def test_modules_run_after_their_package(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(browser)
    phone.page.goto(f"/m/{_match(ann, 'caravanserai')}")
    phone.page.wait_for_selector(".game .dock")
    ran = phone.page.evaluate("Object.keys(__BRYTHON__.imported)")
    place = {name: i for i, name in enumerate(ran)}
    parts = [name for name in ran if name.startswith("domain.match.")]
    assert len(parts) > 5
    assert all(place["domain.match"] < place[name] for name in parts)
    phone.close()


@pytest.mark.browser
def test_nothing_of_a_game_is_drawn_before_its_style_is_there(browser: Browser, base: str) -> None:
    """Requests that fail on the network are retried."""
    ann = Program(base, "Ann")
    slug = next(iter(TITLES))
    at = f"/m/{_match(ann, slug)}"
    phone = ann.phone(browser)
    page = phone.page
    lost: list[Route] = []
    # Asked for again it comes: from the service, or from the service worker.
    page.route("**/assets/look-*.css", lambda route: lost.append(route), times=1)
    with page.expect_request("**/assets/look-*.css"):
        page.goto(at, wait_until="commit")
    page.wait_for_selector(".first-board")
    page.wait_for_timeout(500)
    assert page.locator(".game").count() == 0
    (route,) = lost
    route.abort()
    page.wait_for_selector(".game .dock")
    assert page.evaluate(HELD) == [[slug], True]
    phone.close()


def test_the_service_worker_keeps_every_game() -> None:
    build()
    kept = (BUILD / "sw.js").read_text()
    shell = (BUILD / "index.html").read_text()
    for house in HOUSES.values():
        assert f"/assets/look-{house}." in kept
        assert f"look-{house}." not in shell


EDITOR = """
from frontend.app.contract import game_screen
from frontend.app.core.dom import button

class OptionEditor(game_screen.OptionEditor):
    def __init__(self, option, value, changed):
        super().__init__(option, value, changed)
        self.node = button("Draw " + option["title"], lambda _e: changed("a map"))
"""


@pytest.mark.browser
def test_an_option_that_is_a_whole_thing_is_made_by_the_games_own_editor(
    browser: Browser, base: str
) -> None:
    """A game that names one, and a module of its folder, stand in for a game of the register."""
    slug = next(iter(TITLES))
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    name = f"frontend.app.games.{slug}.drawing"
    with Translator() as translate:
        code = f"function () {{\n{translate(name, EDITOR)}\nreturn locals\n}}"

    def with_editor(route: Route) -> None:
        answer = route.fetch()
        extra = f";slices.push(() => __BRYTHON__.defineModules({{'{name}': {code}}}, []))"
        route.fulfill(response=answer, body=answer.text() + extra)

    def with_option(route: Route) -> None:
        games = route.fetch().json()
        games[0]["options"]["properties"]["map"] = {"title": "the map", "editor": "drawing"}
        route.fulfill(json=games)

    page.route("**/assets/app.*.js", with_editor)
    page.route("**/api/games", with_option)
    page.goto("/new")
    unfold(page)
    page.get_by_role("button", name="Draw the map").click()
    with page.expect_request("**/api/matches") as sent:
        page.get_by_role("button", name="Create game").click()
    assert sent.value.post_data_json["options"]["map"] == "a map"
    phone.context.close()  # the service knows no such option
