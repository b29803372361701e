"""A language written from right to left: the page is mirrored, the boards are not."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from domain.contract.registry import TITLES
from tests.browser.phone import Phone, fits
from tests.browser.scenes import branched, kept
from tests.browser.service import Program, unlimited
from tests.browser.text_crawler import SETTLED
from tests.game_contract.moments import telling
from tests.i18n.pseudo import TAG, folder
from tests.service.running import server

pytestmark = pytest.mark.browser

HANDOVER = ".handover-page .primary"
SHAPES = """() => {
  const boards = [...document.querySelectorAll(".game svg")]
  const area = (each) => each.getBoundingClientRect().width * each.getBoundingClientRect().height
  const board = boards.reduce((a, b) => area(a) < area(b) ? b : a)
  const frame = board.getBoundingClientRect()
  return [...board.querySelectorAll("use, circle, rect, polygon")].slice(0, 200).map((each) => {
    const box = each.getBoundingClientRect()
    return [each.getAttribute("href"), Math.round(box.x - frame.x), Math.round(box.y - frame.y)]
  })
}"""
"""Position of the shapes of the largest drawing, relative to it."""
BACK = """() => {
  const back = document.querySelector("svg:has(> use[href='#i-back'])")
  const box = back.getBoundingClientRect()
  const arrow = back.querySelector("use")
  return [box.x + box.width / 2 < innerWidth / 2, getComputedStyle(arrow).transform]
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    built = folder(tmp_path_factory.mktemp("mirrored"))
    with server(unlimited(tmp_path_factory.mktemp("data"), frontend=str(built))) as address:
        yield address


def opened(browser: Browser, person: Program, match_id: str, language: str) -> Phone:
    """Open a match in a language and confirm the hand-over, if there is one."""
    phone = person.phone(browser)
    phone.page.add_init_script(f"localStorage.setItem('language', '{language}')")
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(f"{HANDOVER}, .game .turn")
    phone.page.wait_for_function(SETTLED)
    if phone.page.locator(HANDOVER).count():
        phone.page.locator(HANDOVER).click()
        phone.page.wait_for_function(SETTLED)
    return phone


@pytest.mark.parametrize("game", TITLES)
def test_page_is_mirrored_and_board_is_not(browser: Browser, base: str, game: str) -> None:
    ann = Program(base, "Ann")
    [(path, version), *_] = telling(game, min(n for n in TITLES[game].seats if n > 1))
    match_id = branched(ann, kept(ann, path.name), version)
    plain, mirrored = (opened(browser, ann, match_id, tag) for tag in ("en", TAG))
    assert plain.page.evaluate(BACK) == [True, "none"]
    assert mirrored.page.evaluate(BACK) == [False, "matrix(-1, 0, 0, 1, 0, 0)"]
    assert fits(mirrored.page)
    shapes = plain.page.evaluate(SHAPES)
    assert len(shapes) > 20
    assert mirrored.page.evaluate(SHAPES) == shapes
    plain.close()
    mirrored.close()
