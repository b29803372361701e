"""Rematches: offered with one tap on the finished match, accepted with one tap by the other."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import PROMPT, SMALL, Phone, fits
from tests.browser.short_match import finished
from tests.browser.touch import SETTLED, Finger

pytestmark = pytest.mark.browser


def test_the_other_is_told_where_they_look_and_sits_down_by_one_tap(
    browser: Browser, base: str
) -> None:
    """The other player is notified on the open page, accepts, and both see the new match."""
    people, match_id = finished(base, "Ann", "Bob")
    ann, bob = (person.phone(browser, SMALL) for person in people)
    fingers = {phone: Finger(phone.page) for phone in (ann, bob)}
    for phone in (ann, bob):
        phone.page.goto(f"/m/{match_id}")
        expect(phone.page.get_by_role("button", name="Rematch", exact=True)).to_be_visible()
    bob.page.get_by_role("button", name="Close").tap()
    fingers[ann].tap_on(ann.page.get_by_role("button", name="Rematch", exact=True))
    ann.page.wait_for_selector("text=Waiting for players")
    again = ann.page.url
    assert match_id not in again
    notice = bob.page.locator(".dock .notices .notice")
    expect(notice).to_contain_text("Ann wants a rematch.", timeout=PROMPT)
    expect(bob.page.locator("#live")).to_have_text("Ann wants a rematch.")
    way = notice.get_by_role("button", name="Join rematch")
    assert (way.bounding_box() or {"height": 0})["height"] >= 44
    assert fits(bob.page)
    fingers[bob].tap_on(way)
    bob.page.wait_for_selector(".game")
    bob.page.wait_for_url(again)
    expect(ann.page.locator(".game")).to_be_visible(timeout=PROMPT)
    bob.page.goto(f"/m/{match_id}")
    expect(bob.page.get_by_role("link", name="Go to rematch")).to_be_visible()
    expect(bob.page.locator(".dock .notices .notice")).to_have_count(0)
    ann.close()
    bob.close()


@pytest.mark.soak
def test_on_the_phone_itself_it_begins_at_once(browser: Browser, base: str) -> None:
    """The rematch of a local match is a local match; the service is not involved.

    The board is drawn at random on the device, so a game of random moves may take up to a hundred
    moves; always playing the last move of the list ends it after about thirty.
    """
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/play/caravanserai/alone")
    page.wait_for_url("**/m/phone-*")
    page.wait_for_selector(".game.my-turn")
    first = page.url
    while not phone.over():
        before = phone.version()
        page.get_by_role("button", name="All moves").click()
        page.locator(".moves .button").last.click()
        if phone.asked():  # the move ends the game
            phone.sure()
        page.wait_for_function(
            "before => Number(document.querySelector('.history input').max) > before", arg=before
        )
        phone.settled()
    finger = Finger(page)
    page.wait_for_timeout(1000 * SETTLED)  # until then the result ignores taps
    finger.tap_on(page.get_by_role("button", name="Rematch", exact=True))
    page.wait_for_url(lambda address: "/m/phone-" in address and address != first)
    page.wait_for_selector(".game.my-turn")
    assert not any("/rematch" in sent for sent in finger.sent)
    phone.close()
