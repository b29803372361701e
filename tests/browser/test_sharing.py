"""The device's share sheet: when it is cancelled, and when the browser refuses to open it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import Phone
from tests.browser.service import Program, played
from tests.browser.short_match import finished
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

# Replaces the share sheet with one that ends with `outcome`: the name of an error, or "" for
# success. Records the use of the sheet, the clipboard and downloads.
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


def opened(browser: Browser, base: str, place: str) -> tuple[Phone, str]:
    """Open a place with a share button; return the phone and the name of the button."""
    if place == "moment":
        people, match_id = played(base, 4, "Ann", "Bob")
        phone = people[0].phone(browser)
        phone.page.goto(f"/m/{match_id}?v=3")
        phone.page.get_by_role("button", name="Fork from here").tap()
        return phone, "Share this position"
    if place in ("picture", "review"):
        people, match_id = finished(base, "Ann", "Bob")
        phone = people[0].phone(browser)
        phone.page.goto(f"/m/{match_id}" + ("/review" if place == "review" else ""))
        return phone, "Share image" if place == "picture" else "Share"
    ann = Program(base, "Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/matches", {"game": "caravanserai", "seats": seats}, 201)
    phone = ann.phone(browser)
    if place == "invitation":
        phone.page.goto(f"/m/{match['id']}")
    else:
        phone.page.goto("/you")
        phone.page.get_by_role("button", name="Use on another device").tap()
    return phone, "Share"


def tap(page: Page, finger: Finger, name: str) -> None:
    """Tap the button and wait until the share sheet has closed."""
    before = page.evaluate("window.sheets")
    finger.tap_on(page.get_by_role("button", name=name, exact=True))
    page.wait_for_function("before => window.sheets > before", arg=before)
    page.evaluate("new Promise(done => setTimeout(done))")


@pytest.mark.parametrize("place", ["moment", "picture", "review", "invitation", "device"])
def test_cancelled_share_does_nothing(browser: Browser, base: str, place: str) -> None:
    """Cancelling copies nothing, downloads nothing and shows no message."""
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
    """A refused share copies the link instead; a successful one does not touch the clipboard."""
    phone, name = opened(browser, base, "invitation")
    page = phone.page
    finger = Finger(page)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.evaluate(DEVICE, "NotAllowedError")
    tap(page, finger, name)
    expect(page.locator(".toast")).to_have_text("Link copied.")
    assert page.evaluate("window.copied.length") == 1
    page.evaluate(DEVICE, "")
    tap(page, finger, name)
    expect(page.locator(".toast").last).to_have_text("Link shared.")
    assert page.evaluate("window.copied") == []
    phone.close()


def test_picture_is_saved_when_the_sheet_is_refused(browser: Browser, base: str) -> None:
    """A refused picture is downloaded.

    Browsers refuse a share that follows too long after the tap, as when the picture takes time to
    render.
    """
    phone, name = opened(browser, base, "picture")
    page = phone.page
    finger = Finger(page)
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.evaluate(DEVICE, "NotAllowedError")
    tap(page, finger, name)
    expect(page.locator(".toast")).to_have_text("Image saved to Downloads.")
    assert page.evaluate("window.saved") == 1
    phone.close()
