"""The share sheet: putting it away does nothing, wherever it was opened; the clipboard keeps what
it had, and nothing is said to be shared."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.service import Program, played
from tests.browser.short_match import finished
from tests.browser.touch import Finger
from tests.service.running import server

pytestmark = pytest.mark.browser

# A device whose share sheet ends in `outcome`: the name of the error, or "" when it was shared.
# What reaches the sheet, the clipboard and the downloads is noted.
DEVICE = """outcome => {
  Object.assign(window, { sheets: 0, copied: [], saved: 0 })
  const ended = async () => {
    window.sheets += 1
    if (outcome) { throw new DOMException("", outcome) }
  }
  Object.defineProperty(navigator, "share", { value: ended, configurable: true })
  Object.defineProperty(navigator, "canShare", { value: () => true, configurable: true })
  const copy = async text => { window.copied.push(text) }
  Object.defineProperty(navigator, "clipboard", { value: { writeText: copy }, configurable: true })
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function () {
    if (this.download) { window.saved += 1 } else { click.call(this) }
  }
}"""
PUT_AWAY = ("AbortError", "InvalidStateError")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("sharing")
    limits = {"play_limit": 0, "create_limit": 0, "draw_limit": 0}
    with server(Settings(data=str(folder), **limits)) as address:  # type: ignore[arg-type]
        yield address


def opened(browser: Browser, base: str, place: str) -> tuple[Phone, str]:
    """A phone at a place from which something is shared, and the name of the button there."""
    if place == "moment":
        people, match_id = played(base, 4, "Ann", "Bob")
        phone = people[0].phone(browser)
        phone.page.goto(f"/m/{match_id}?v=3")
        phone.page.get_by_role("button", name="Play on from here").tap()
        return phone, "Share this moment"
    if place in ("picture", "review"):
        people, match_id = finished(base, "Ann", "Bob")
        phone = people[0].phone(browser)
        phone.page.goto(f"/m/{match_id}" + ("/review" if place == "review" else ""))
        return phone, "Share the picture" if place == "picture" else "Share"
    ann = Program(base, "Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/matches", {"game": "caravanserai", "seats": seats}, 201)
    phone = ann.phone(browser)
    if place == "invitation":
        phone.page.goto(f"/m/{match['id']}")
    else:
        phone.page.goto("/")
        expect(phone.page.locator("[data-slot=mine] .table-card")).to_have_count(1)
        phone.page.get_by_role("button", name="Play on another device").tap()
    return phone, "Share"


def tap(page: Page, finger: Finger, name: str) -> None:
    """Taps the button, and waits until the sheet has ended."""
    before = page.evaluate("window.sheets")
    finger.tap_on(page.get_by_role("button", name=name, exact=True))
    page.wait_for_function("before => window.sheets > before", arg=before)
    page.evaluate("new Promise(done => setTimeout(done))")


@pytest.mark.parametrize("place", ["moment", "picture", "review", "invitation", "device"])
def test_cancelled_share_does_nothing(browser: Browser, base: str, place: str) -> None:
    phone, name = opened(browser, base, place)
    page = phone.page
    finger = Finger(page)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    for outcome in PUT_AWAY:
        page.evaluate(DEVICE, outcome)
        tap(page, finger, name)
        assert page.evaluate("[window.copied, window.saved]") == [[], 0], outcome
        assert page.locator(".toast").all_inner_texts() == [], outcome
    phone.close()


def test_share_that_the_browser_refuses_copies_the_link(browser: Browser, base: str) -> None:
    phone, name = opened(browser, base, "invitation")
    page = phone.page
    finger = Finger(page)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.evaluate(DEVICE, "NotAllowedError")
    tap(page, finger, name)
    expect(page.locator(".toast")).to_have_text("The link is copied.")
    assert page.evaluate("window.copied.length") == 1
    page.evaluate(DEVICE, "")
    tap(page, finger, name)
    expect(page.locator(".toast").last).to_have_text("Link shared.")
    assert page.evaluate("window.copied") == []
    phone.close()


def test_picture_is_saved_when_the_sheet_is_refused(browser: Browser, base: str) -> None:
    """A picture that took long to draw comes after the tap has run out."""
    phone, name = opened(browser, base, "picture")
    page = phone.page
    finger = Finger(page)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.evaluate(DEVICE, "NotAllowedError")
    tap(page, finger, name)
    expect(page.locator(".toast")).to_have_text("The picture is among your downloads.")
    assert page.evaluate("window.saved") == 1
    phone.close()
