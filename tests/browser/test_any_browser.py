"""Browsers that lack features: a message if the app cannot run, otherwise play without them."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import LAN
from tests.browser.phone import Phone, unfold
from tests.browser.service import Program

pytestmark = pytest.mark.browser

NO_SELECTORS = "CSS.supports = () => false"
NO_DIALOGS = "delete window.HTMLDialogElement"
# A browser on a system without a language reports the locale "C", which `Intl` rejects.
ODD_LANGUAGE = """
Object.defineProperty(Navigator.prototype, "language", { get: () => "C" })
Object.defineProperty(Navigator.prototype, "languages", { get: () => ["C"] })
const Plain = Intl.DateTimeFormat
Intl.DateTimeFormat = function (tag, ...more) { return new Plain(tag || "C", ...more) }
Intl.DateTimeFormat.supportedLocalesOf = Plain.supportedLocalesOf
"""
PUBLIC = {"game": "caravanserai", "seats": [{"kind": "me"}], "visibility": "public"}
ENGLISH = "Your browser is too old for this app"
FRENCH = "Votre navigateur est trop ancien"


def regrets(page: Page, language: str, words: str) -> None:
    """Check that the message is shown in this language and that nothing covers it."""
    sentence = page.locator("#unable")
    expect(sentence).to_be_visible()
    expect(sentence).to_contain_text(words)
    expect(sentence).to_have_attribute("lang", language)
    expect(page.locator(".skeleton, .first-board")).to_have_count(0)
    sentence.click(trial=True)  # fails if something covers it


def test_a_browser_that_cannot_run_it_gets_a_sentence(browser: Browser, public_base: str) -> None:
    """The browser lacks a CSS or DOM feature, or fails to parse one of the scripts."""
    match = Program(public_base, "Ann").post("/matches", PUBLIC, 201)
    lacks = ((NO_SELECTORS, "/"), (NO_DIALOGS, "/m/nothing"), (NO_DIALOGS, f"/m/{match['id']}"))
    for lack, path in lacks:
        page = browser.new_page(base_url=public_base, locale="fr-FR")
        page.add_init_script(lack)
        page.goto(path)
        regrets(page, "fr", FRENCH)
        page.close()
    for script in ("brython", "app"):
        page = browser.new_page(base_url=public_base, service_workers="block")
        page.route(f"**/assets/{script}.*", lambda route: route.fulfill(body="newer than := this"))
        page.goto("/new")
        regrets(page, "en", ENGLISH)
        page.close()


def test_an_odd_language_stops_nothing(browser: Browser, base: str) -> None:
    """A match and the home page open although `Intl` rejects the locale of the browser."""
    phone = Phone(browser, base)
    phone.page.add_init_script(ODD_LANGUAGE)
    phone.open_table(["Ann"])
    phone.page.wait_for_selector(".game.my-turn")
    assert phone.page.evaluate("navigator.language") == "C"
    expect(phone.page.locator("#unable")).to_be_hidden()
    phone.page.goto("/")  # shows dates and times
    expect(phone.page.get_by_role("link", name="Ann")).to_be_visible()
    phone.close()


def test_on_plain_http_all_is_played(browser: Browser, base: str) -> None:
    """Without a secure context: share an invitation, play moves, and play a local match."""
    phone = Phone(browser, base.replace("127.0.0.1", LAN))
    page = phone.page
    phone.open_table(["Ann", ""])
    assert not page.evaluate("isSecureContext || 'clipboard' in navigator || 'subtle' in crypto")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    link = phone.invitation()
    bob = Phone(browser, phone.page.url.rpartition("/m/")[0])
    bob.sit_down(link, "Bob")
    page.wait_for_selector(".game.my-turn")
    rng = random.Random(2)
    phone.move(rng)
    bob.page.wait_for_selector(".game.my-turn")
    bob.move(rng)
    page.goto("/new")
    page.locator("input[name=gPlayers]").first.check()
    unfold(page)
    page.get_by_role("switch", name="On this device only").check()
    field = page.get_by_label("Your name")
    field.fill("")
    field.press("Control+V")
    expect(field).to_have_value(link[: len(field.input_value())])
    assert field.input_value()
    field.fill("Ann")
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game.my-turn")
    phone.move(rng)
    page.reload()
    page.wait_for_selector(".game.my-turn")
    for each in (bob, phone):
        # Chromium logs that it ignores Cross-Origin-Opener-Policy on plain HTTP.
        each.errors = [error for error in each.errors if "Opener-Policy" not in error]
        each.close()
