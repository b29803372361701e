"""The lesson of every game, played by touch on the highlighted elements and by keyboard."""

import random

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.lesson_player import Toucher, Typist
from tests.browser.phone import PHONE, SMALL, Phone, expect_turn, fits
from tests.browser.screens.lessons import LESSONS
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser


class Learner(Toucher):
    """A phone on which a lesson is played by touch."""

    def __init__(self, browser: Browser, base: str, slug: str, size: dict[str, int]) -> None:
        self.phone = Phone(browser, base, size)
        super().__init__(self.phone.page, slug)


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_by_touch_to_its_end(browser: Browser, base: str, slug: str) -> None:
    """Every step fits the screen and can be done by touch; the lesson ends in a local match."""
    pupil = Learner(browser, base, slug, PHONE)
    page = pupil.page
    page.goto(f"/learn/{slug}")
    for number in range(len(pupil.steps)):
        expect(page.locator(".coach")).to_contain_text(f"{number + 1} of {len(pupil.steps)}")
        assert fits(page)
        pupil.follow()
    pupil.finger.tap_on(page.get_by_role("link", name="Play against the bot"))
    page.wait_for_url("**/m/phone-*")
    expect(page.locator(".game")).to_be_visible()
    pupil.phone.close()


@pytest.mark.timeout(300)
@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_by_keys_alone_to_its_end(browser: Browser, base: str, slug: str) -> None:
    """Every step of the lesson can be done with the keyboard alone."""
    phone = Phone(browser, base)
    pupil = Typist(phone.page, slug)
    phone.page.goto(f"/learn/{slug}")
    phone.page.wait_for_selector(".coach")
    for number in range(len(pupil.steps)):
        assert pupil.step() == number
        pupil.follow()
    pupil.press(phone.page.get_by_role("link", name="Play against the bot"))
    phone.page.wait_for_url("**/m/phone-*")
    phone.close()


def test_a_lesson_is_left_taken_up_again_and_strayed_from(browser: Browser, base: str) -> None:
    """A lesson resumes after a reload, allows undoing another move, and can be skipped.

    It leaves no match in the lists of the home page.
    """
    slug = LESSONS[0]
    pupil = Learner(browser, base, slug, SMALL)
    page, finger = pupil.page, pupil.finger
    card = page.locator(".coach")
    page.goto("/")
    finger.tap_on(page.locator(f"a[href='/learn/{slug}']"))
    page.wait_for_url(f"**/learn/{slug}")
    expect(card).to_be_visible()
    pupil.follow()
    pupil.follow()
    words = card.inner_text()
    page.reload()
    expect(card).to_be_visible()
    assert card.inner_text() == words
    # A legal move other than the one that the step asks for.
    pupil.phone.by_list(random.Random(1))
    expect(card).to_contain_text("That is allowed too.")
    finger.tap_on(page.get_by_role("button", name="Take it back"))
    expect(card).to_have_text(words, use_inner_text=True)
    pupil.phone.by_list(random.Random(1))
    finger.tap_on(card.get_by_role("button", name="Go on"))
    expect(card).not_to_contain_text("That is allowed too.")
    # With the keyboard.
    page.get_by_role("button", name="Skip the lesson").press("Enter")
    expect(card).to_contain_text("You know enough")
    card.get_by_role("button", name="Once more").press("Enter")
    expect(card).to_contain_text(f"1 of {len(pupil.steps)}")
    page.goto("/")
    expect(page.get_by_text("No tables yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="On this phone")).to_be_hidden()
    pupil.phone.close()


def test_a_first_move_with_taps_alone(browser: Browser, base: str) -> None:
    """Each link of the home page's introduction starts a match in which a move can be made."""
    phone = Phone(browser, base, SMALL)
    page, finger = phone.page, Finger(phone.page)
    for way, seats in (("Play against the bot", 2), ("Try it alone", 1)):
        page.goto("/")
        finger.tap_on(page.locator(".hero").get_by_role("link", name=way))
        page.wait_for_url("**/m/phone-*")
        expect_turn(phone)
        assert page.locator(".reserves .who").count() == seats - 1
        phone.by_list(random.Random(2))
        phone.settled()
        page.go_back()
        page.wait_for_url(base + "/")
    phone.close()
