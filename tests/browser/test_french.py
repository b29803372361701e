"""French: chosen on the home page, stored on the device, complete, and available offline."""

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from frontend import message_catalogue
from tests.browser.phone import SMALL, fits, until_kept
from tests.browser.service import played
from tests.browser.text_crawler import SETTLED, SHOWN

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]

_HOLE = re.compile(r"\{[^}]*\}")
TELLING = 10  # shortest message that is searched for, in characters without its placeholders


@cache
def told() -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the forms of every English message with its French forms, "" if missing."""
    found = []
    for folder in message_catalogue.catalogue_folders().values():
        said = message_catalogue.read_catalogue(folder / "fr.po", "fr")
        for message in message_catalogue.read_catalogue(folder / "en.po", "en"):
            if message.id:
                entry = said.get(message.id if isinstance(message.id, str) else message.id[0])
                french = "" if entry is None or entry.fuzzy else entry.string
                found.append((_forms(message.string), _forms(french)))
    return found


def _forms(words: Any) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else tuple(words)


@cache
def english() -> list[re.Pattern[str]]:
    """Return patterns of the English messages that differ from their French translation."""
    parts = [_HOLE.split(form) for forms, french in told() for form in set(forms) - set(french)]
    telling = [each for each in parts if len("".join(each)) >= TELLING]
    return [re.compile(".+".join(map(re.escape, each)), re.DOTALL) for each in telling]


def in_french(page: Page) -> None:
    """Check that the page is declared as French and shows no English message."""
    page.wait_for_function(SETTLED)
    assert page.evaluate("document.documentElement.lang") == "fr"
    shown = page.evaluate(SHOWN)
    assert [text for text in shown if any(each.fullmatch(text) for each in english())] == []


def test_french_is_chosen_kept_and_given_back(browser: Browser, base: str) -> None:
    """Every message is translated, main pages and sheets show French, switching works offline."""
    assert [forms for forms, french in told() if not all(french)] == []
    people, match_id = played(base, 12, "Ada", "Ben")
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    page.goto("/settings")
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("heading", name="Réglages")).to_be_visible()
    for address, there in (
        ("/", ".table-card"),
        ("/new", ".primary"),
        ("/you", ".seat-line"),
        ("/settings", ".card"),
        (f"/m/{match_id}", ".game .turn"),
    ):
        page.goto(address)
        page.locator(there).first.wait_for()
        in_french(page)
        assert fits(page), address
    page.goto(f"/m/{match_id}")
    for words in ("Journal de partie", "Lire le plateau"):
        page.get_by_role("button", name=words, exact=True).press("Enter")
        page.locator("dialog[open]").wait_for()
        in_french(page)
        page.keyboard.press("Escape")
    until_kept(page)
    phone.context.set_offline(True)
    page.goto("/settings")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("button", name="Français").click()
    expect(page.get_by_role("heading", name="Réglages")).to_be_visible()
    phone.close()
