"""Changing one's own name in the settings: touch, keyboard, French, without a connection."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.inspection import AUDIT
from tests.browser.phone import PHONE, Phone, fits
from tests.browser.service import Program, played
from tests.browser.test_axe import Inspector
from tests.browser.test_french import in_french
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

SHORT = {"width": 320, "height": 568}


def open_settings(page: Page) -> None:
    page.goto("/settings")
    page.wait_for_selector("#own-name")


@pytest.mark.parametrize("size", [SHORT, PHONE], ids=["320", "390"])
def test_name_is_changed_by_touch(browser: Browser, base: str, size: dict[str, int]) -> None:
    """New tables have the new name; the running game keeps the old one."""
    (ann, _), match_id = played(base, 2, "Ann", "Bob")
    phone = ann.phone(browser, size)
    page, finger, axe = phone.page, Finger(phone.page), Inspector(phone.page)
    open_settings(page)
    field = page.get_by_label("Your name")
    expect(field).to_have_value("Ann")
    expect(field).to_have_accessible_description(
        "Shown at new tables. Your current tables keep the old name."
    )
    finger.tap_on(field)
    field.fill("  Zoé\u200b ")
    finger.tap_on(page.get_by_role("button", name="Save name"))
    expect(page.get_by_text("Name saved.")).to_be_visible()
    expect(field).to_have_value("Zoé")
    assert page.evaluate(AUDIT) == {"small": [], "fine": []}
    assert fits(page)
    axe.look("name saved")
    page.reload()
    expect(field).to_have_value("Zoé")
    page.goto("/you")
    expect(page.get_by_role("heading", name="Zoé", exact=True)).to_be_visible()
    page.goto("/new?game=conquest")
    expect(page.get_by_label("Your name")).to_have_value("Zoé")
    assert [s["name"] for s in ann.get(f"/matches/{match_id}")["seats"]] == ["Ann", "Bob"]
    assert ann.get("/players/me")["name"] == "Zoé"
    axe.done()
    phone.close()


def test_name_is_changed_by_keyboard_in_french(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SHORT)
    page = phone.page
    page.goto("/settings")
    page.get_by_role("button", name="Français").click()
    page.get_by_role("heading", name="Réglages").wait_for()
    field, problem = page.get_by_label("Votre nom"), page.locator("#own-name-problem")
    for text, expected in (
        ("  ", "Saisissez un nom."),
        ("\u200b\u3164", "Le nom doit compter de 1 à 40 caractères visibles."),
    ):
        field.fill(text)
        field.press("Enter")
        expect(problem).to_have_text(expected)
        expect(field).to_be_focused()
        in_french(page)
        assert fits(page)
        assert ann.get("/players/me")["name"] == "Ann"
    field.fill("Zoé")
    field.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nom enregistré.")).to_be_visible()
    expect(problem).to_be_empty()
    assert ann.get("/players/me")["name"] == "Zoé"
    line = "Failed to load resource"  # Chromium logs the rejected name
    phone.errors[:] = [error for error in phone.errors if not error.startswith(line)]
    phone.close()


def test_name_cannot_be_changed_without_a_connection(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SHORT)
    page, finger = phone.page, Finger(phone.page)
    open_settings(page)
    field = page.get_by_label("Your name")
    expect(field).to_have_value("Ann")
    phone.context.set_offline(True)
    field.fill("Zoé")
    save = page.get_by_role("button", name="Save name")
    finger.tap_on(save)
    text = "No connection. Change your name when you’re online again."
    expect(page.get_by_role("alert").filter(has_text=text)).to_be_visible()
    expect(field).to_have_value("Zoé")
    phone.context.set_offline(False)
    finger.tap_on(save)
    expect(page.get_by_text("Name saved.")).to_be_visible()
    expect(page.locator("#own-name-problem")).to_be_empty()
    assert ann.get("/players/me")["name"] == "Zoé"
    phone.close()


def test_device_without_a_player_gets_one_with_the_name(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SHORT)
    page, finger = phone.page, Finger(phone.page)
    open_settings(page)
    expect(page.get_by_label("Your name")).to_have_value("")
    page.get_by_label("Your name").fill("Cleo")
    finger.tap_on(page.get_by_role("button", name="Save name"))
    expect(page.get_by_text("Name saved.")).to_be_visible()
    page.goto("/you")
    expect(page.get_by_role("heading", name="Cleo", exact=True)).to_be_visible()
    phone.close()
