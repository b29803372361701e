"""The lesson of every game, played by touch on the highlighted elements and by keyboard in turn."""

import random
from collections import Counter
from json import dumps

import pytest
from playwright.sync_api import Browser, expect

from domain.match.lesson import lesson_of
from tests.browser.lesson_player import Pupil, Toucher, Typist
from tests.browser.phone import PHONE, SMALL, Phone, expect_turn, fits
from tests.browser.screens.lessons import LESSONS
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

TOPS = "nodes => nodes.map(node => node.offsetTop)"


class Learner(Toucher):
    """A phone on which a lesson is played by touch."""

    def __init__(self, browser: Browser, base: str, slug: str, size: dict[str, int]) -> None:
        self.phone = Phone(browser, base, size)
        super().__init__(self.phone.page, slug)


def kind_of_step(pupil: Pupil, number: int) -> str:
    """Return what a step of a lesson needs: "read", "move" or "answer"."""
    if number >= len(pupil.steps):
        return "answer"
    return "read" if pupil.steps[number].is_done is None else "move"


@pytest.mark.timeout(300)
@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_by_touch_and_keys_to_its_end(browser: Browser, base: str, slug: str) -> None:
    """Every step fits the screen and can be done; the lesson ends in a local match.

    Steps of one kind are done by touch and with the keyboard alone in turn; every second game
    begins with the keyboard.
    """
    toucher = Learner(browser, base, slug, PHONE)
    page = toucher.page
    typist = Typist(page, slug)
    page.goto(f"/learn/{slug}")
    done: Counter[str] = Counter()
    for number in range(toucher.total):
        expect(page.locator(".coach")).to_contain_text(f"{number + 1} of {toucher.total}")
        assert fits(page)
        kind = kind_of_step(toucher, number)
        by_keys = (done[kind] + LESSONS.index(slug)) % 2
        done[kind] += 1
        (typist if by_keys else toucher).follow()
        # Not even a script can scroll the page away; the live region is one pixel high.
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 1
    assert min(done[kind] for kind in ("read", "move", "answer")) > 1
    link = page.get_by_role("link", name="Play vs easy bot")
    (toucher if LESSONS.index(slug) % 2 else typist).press(link)
    page.wait_for_url("**/m/phone-*")
    expect(page.locator(".game")).to_be_visible()
    toucher.phone.close()


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
    for _ in range(3):
        pupil.follow()
    words = card.inner_text()
    page.reload()
    expect(card).to_be_visible()
    assert card.inner_text() == words
    # A legal move other than the one that the step asks for.
    pupil.phone.by_list(random.Random(1))
    expect(card).to_contain_text("That’s legal too.")
    finger.tap_on(page.get_by_role("button", name="Undo", exact=True))
    expect(card).to_have_text(words, use_inner_text=True)
    pupil.phone.by_list(random.Random(1))
    finger.tap_on(card.get_by_role("button", name="Next"))
    expect(card).not_to_contain_text("That’s legal too.")
    # With the keyboard.
    page.get_by_role("button", name="Skip tutorial").press("Enter")
    expect(card).to_contain_text("You’re ready to play.")
    card.get_by_role("button", name="Restart tutorial").press("Enter")
    expect(card).to_contain_text(f"1 of {pupil.total}")
    page.goto("/")
    expect(page.get_by_text("No games yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="On this device")).to_be_hidden()
    pupil.phone.close()


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 568}], ids=["usual", "small"])
def test_wrong_answer_is_explained_and_another_chosen(
    browser: Browser, base: str, size: dict[str, int]
) -> None:
    """A reply never moves the answers; the answered questions are kept on the device."""
    slug = next(each for each in LESSONS if lesson_of(each).questions)
    pupil = Learner(browser, base, slug, size)
    page, card = pupil.page, pupil.page.locator(".coach")
    page.goto(f"/learn/{slug}")
    expect(card).to_be_visible()
    kept = {"aside": [*range(len(pupil.steps))], "since": 0}
    page.evaluate(
        "([key, kept]) => localStorage.setItem(key, kept)", [f"lesson-{slug}", dumps(kept)]
    )
    page.reload()
    question = pupil.questions[0]
    answers = page.locator(".possible-answer")
    expect(answers).to_have_count(len(question.answers))
    tops = answers.evaluate_all(TOPS)
    pupil.answer((question.right + 1) % len(question.answers))
    expect(card.locator(".reply")).to_contain_text("Not quite. Try again.")
    expect(card.get_by_role("button", name="Next")).to_have_count(0)
    assert fits(page)
    pupil.answer(question.right)
    expect(card.locator(".reply")).to_contain_text("Right.")
    assert answers.evaluate_all(TOPS) == tops
    expect(card.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)
    pupil.go_on()
    expect(card).to_contain_text(f"{len(pupil.steps) + 2} of {pupil.total}")
    page.reload()
    expect(card).to_contain_text(f"{len(pupil.steps) + 2} of {pupil.total}")
    pupil.finger.tap_on(page.get_by_role("button", name="Skip tutorial"))
    expect(card).to_contain_text("You’re ready to play.")
    pupil.phone.close()


def test_a_first_move_with_taps_alone(browser: Browser, base: str) -> None:
    """Each link of the home page's introduction starts a match in which a move can be made."""
    phone = Phone(browser, base, SMALL)
    page, finger = phone.page, Finger(phone.page)
    for way, seats in (("Play vs bot", 2), ("Play solo", 1)):
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
