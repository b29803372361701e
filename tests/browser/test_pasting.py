"""Pasting a link or a code on the home page: it is followed, or an error says why it cannot be."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.inspection import complaints
from tests.browser.phone import Phone
from tests.browser.service import Program

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}


def paste(page: Page, text: str) -> None:
    """Enter the text on the home page, which is opened if another page is shown."""
    if page.url.rstrip("/").count("/") != 2:
        page.goto("/")
    field = page.get_by_label("Have a link or code?")
    field.fill(text)
    field.press("Enter")


def test_every_link_of_this_site_leads_on(browser: Browser, base: str) -> None:
    """Invitations, shared links and match codes are followed, also inside other text."""
    ann = Program(base, "Ann")
    body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = ann.post("/matches", body, 201)
    solo = ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]}, 201)
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto("/")
    invitation = f"{base}/join/{match['id']}?invite={match['invite']}"
    host = base.partition("://")[2]
    for text in (invitation, f"Come and play: <{invitation}>.", invitation.replace(base, host)):
        paste(page, text)
        page.wait_for_url(f"**/join/{match['id']}?invite=*")
        expect(page.get_by_role("heading", name="Join")).to_be_visible()
    shared = f"/m/{solo['id']}?v=1&share={solo['share']}"
    for text in (base + shared, shared):
        paste(page, text)
        page.wait_for_url("**" + shared.replace("?", r"\?"))
        expect(page.locator(".game")).to_be_visible()
    paste(page, f"  {solo['id'].upper()} ")
    page.wait_for_url(f"**/m/{solo['id']}")
    # A code alone does not open a private match.
    expect(page.get_by_role("heading", name="Game not available")).to_be_visible()
    assert all("404" in error for error in phone.errors)
    phone.errors.clear()
    phone.close()


def test_codes_make_this_device_somebody(browser: Browser, base: str) -> None:
    """A recovery code or a device link signs this device in as its player."""
    bea = Program(base, "Bea")
    code = bea.post("/players/recovery", None, 201)["code"]
    link = bea.post("/players/link", None, 201)["url"]
    for text in (code.lower().replace("-", " "), link):
        phone = Phone(browser, base, SMALL)
        page = phone.page
        page.goto("/")
        paste(page, text)
        expect(page.locator(".toast")).to_contain_text("You’re now Bea on this device.")
        expect(page.get_by_role("heading", name="Your games")).to_be_visible()
        phone.close()


def test_what_it_is_not_is_said(browser: Browser, base: str) -> None:
    """Text that cannot be followed stays in the focused field, with an error message."""
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto("/")
    said = page.locator("form .problem")
    for text, words in (
        ("https://example.org/m/1", "This link is for example.org"),
        (base + "/health/live", "This address doesn’t exist. Check the link."),
        ("abcdef123456", "Paste the whole link"),
        ("hello there", "Paste the whole link"),
    ):
        paste(page, text)
        expect(said).to_contain_text(words)
        expect(page.get_by_label("Have a link or code?")).to_be_focused()
        expect(page.get_by_label("Have a link or code?")).to_have_value(text)
    assert complaints(page) == []
    paste(page, "A" * 20)
    expect(said).to_contain_text("Unknown recovery code.")
    phone.errors.clear()
    phone.close()
