"""A move whose undo would need consent is confirmed first, so that no accidental tap plays it.

Real touches in a match of several players; a single player confirms nothing but the last move.
"""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.courtyard import seated, settle
from tests.browser.inspection import AUDIT
from tests.browser.phone import SMALL, Phone, fits
from tests.browser.service import Program, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser


READING_MS = 1_000
"""Time a person needs to read the question; a tap before that is taken for a double tap."""


def _tap(finger: Finger, node: Locator) -> None:
    node.scroll_into_view_if_needed()
    box = node.bounding_box()
    assert box is not None
    finger.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def _question(page: Page) -> Locator:
    return page.locator("dialog.sure[open]")


class Table:
    """The phone of the player to act in a match of two, and a finger on it."""

    def __init__(self, browser: Browser, people: list[Program], match_id: str) -> None:
        match = people[0].get(f"/matches/{match_id}")
        self.person = people[match["to_act"][0]]
        self.path = f"/matches/{match_id}"
        self.phone: Phone = self.person.phone(browser, SMALL)
        self.page = self.phone.page
        self.finger = Finger(self.page)
        self.page.goto(f"/m/{match_id}")
        self.page.locator(".game.my-turn").wait_for()

    def version(self) -> Any:
        return self.person.get(self.path)["version"]


def _courtyard(browser: Browser, base: str) -> Table:
    people, match_id = seated(base, "Ann", "Bea")
    settle(people, match_id)
    return Table(browser, people, match_id)


def test_the_die_is_not_rolled_by_one_tap(browser: Browser, base: str) -> None:
    """The question names the action; "Not yet" changes nothing; two taps suffice to confirm."""
    table = _courtyard(browser, base)
    before = table.version()
    roll = table.page.locator("[name=do-Roll]")
    _tap(table.finger, roll)
    expect(_question(table.page)).to_contain_text("You can’t undo this on your own.")
    expect(_question(table.page).locator(".confirm")).to_have_text("roll the die", ignore_case=True)
    assert fits(table.page)
    assert table.page.evaluate(AUDIT) == {"small": [], "fine": []}
    _tap(table.finger, _question(table.page).get_by_role("button", name="Not yet"))
    expect(_question(table.page)).to_have_count(0)
    assert table.version() == before
    assert table.finger.sent == []
    _tap(table.finger, roll)
    expect(_question(table.page)).to_have_count(1)
    table.page.wait_for_timeout(READING_MS)
    _tap(table.finger, _question(table.page).locator(".confirm"))
    table.phone.settled()
    assert table.version() > before
    assert table.finger.strays() == []
    table.phone.close()


def test_a_double_tap_does_not_confirm(browser: Browser, base: str) -> None:
    """The second half of a double tap hits nothing that the first has opened."""
    table = _courtyard(browser, base)
    before = table.version()
    roll = table.page.locator("[name=do-Roll]")
    roll.scroll_into_view_if_needed()
    box = roll.bounding_box()
    assert box is not None
    table.finger.double_tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(_question(table.page)).to_have_count(1)
    assert table.version() == before
    table.phone.close()


def test_the_list_of_moves_asks_too(browser: Browser, base: str) -> None:
    table = _courtyard(browser, base)
    before = table.version()
    _tap(table.finger, table.page.get_by_role("button", name="All moves"))
    _tap(table.finger, table.page.locator(".moves .button", has_text="die"))
    expect(_question(table.page)).to_have_count(1)
    assert table.version() == before
    table.phone.close()


def test_by_keys_the_question_has_the_focus_and_escape_leaves_it(
    browser: Browser, base: str
) -> None:
    table = _courtyard(browser, base)
    before = table.version()
    table.page.locator("[name=do-Roll]").press("Enter")
    expect(_question(table.page).locator(".confirm")).to_be_focused()
    table.page.keyboard.press("Escape")
    expect(_question(table.page)).to_have_count(0)
    expect(table.page.locator("[name=do-Roll]")).to_be_focused()
    assert table.version() == before
    table.page.keyboard.press("Enter")
    table.page.keyboard.press("Enter")
    table.phone.settled()
    assert table.version() > before
    table.phone.close()


def test_moves_with_free_undo_are_played_at_once(browser: Browser, base: str) -> None:
    """To move in the courtyard before anything is drawn: chosen, confirmed, not asked again."""
    table = _courtyard(browser, base)
    before = table.version()
    _tap(table.finger, table.page.locator(".tap.legal").first)
    _tap(table.finger, table.page.locator("[name=go]"))
    table.phone.settled()
    expect(_question(table.page)).to_have_count(0)
    assert table.version() > before
    table.phone.close()


def test_a_single_player_is_not_asked(browser: Browser, base: str) -> None:
    """With all seats on one phone, every move can be undone at once."""
    people, match_id = seated(base, "Ann", "Bea", one_phone=True)
    settle(people, match_id)
    table = Table(browser, people, match_id)
    before = table.version()
    _tap(table.finger, table.page.locator("[name=do-Roll]"))
    table.phone.settled()
    assert table.version() > before
    table.phone.close()


def test_a_secret_is_not_read_out_by_the_question(browser: Browser, base: str) -> None:
    """The last bid reveals all bids. A default bid is confirmed without showing its number; a
    selected one is confirmed by its own button."""
    people, match_id = table_of_caravane(base)
    at = Table(browser, people, match_id)
    (seat,) = people[0].get(f"/matches/{match_id}")["to_act"]
    before = at.version()
    _tap(at.finger, at.page.locator(".desk .cover-button"))
    _tap(at.finger, at.page.locator(".desk .confirm"))
    question = _question(at.page)
    expect(question.locator(".confirm")).to_have_text("Yes")
    expect(at.page.locator(".covered:not(:empty)")).to_have_count(0)
    _tap(at.finger, question.get_by_role("button", name="Not yet"))
    assert at.version() == before
    _tap(at.finger, at.page.locator(".desk .cover-button"))
    _tap(at.finger, at.page.get_by_role("button", name="One more"))
    _tap(at.finger, at.page.locator(".desk .confirm"))
    at.phone.settled()
    assert at.version() > before
    assert seat == 1
    at.phone.close()


def table_of_caravane(base: str) -> tuple[list[Program], str]:
    """A race of two in which Ann has bid."""
    people, match_id = table(base, "Ann", "Bea", game="caravane")
    path = f"/matches/{match_id}"
    while len(match := people[0].get(path)["to_act"]) == 2 or match != [1]:
        seat = match[0]
        choice = people[seat].get(f"{path}/choices?seat={seat}")["choices"][0]["command"]
        body = {
            "seat": seat,
            "expected_version": people[seat].get(path)["version"],
            "commands": [choice],
        }
        people[seat].post(f"{path}/commands", body)
    return people, match_id
