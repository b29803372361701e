"""Lessons, played by touches on what is ringed."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect

from domain.lesson import lesson_of
from domain.register import TITLES, part_of
from service.settings import Settings
from tests.browser.fingers import Finger
from tests.browser.phone import PHONE, SMALL, Phone, expect_turn, fits
from tests.service.running import server

pytestmark = pytest.mark.browser

LESSONS = [slug for slug in TITLES if part_of(slug, "lesson")]
MOST = 40
"""Touches for one step."""
ANSWERED = 1500
"""Milliseconds in which the ring goes on after a touch; else it is touched again."""
# Where the ring is, at rest, and what a touch there would reach; null while there is none.
RINGED = """() => {
  const ring = document.querySelector(".coach-ring:not([hidden])")
  const waits = document.querySelector(".game[data-sending='']")
  if (!ring || !waits) { return null }
  const { x, y, width, height } = ring.getBoundingClientRect()
  const middle = [x + width / 2, y + height / 2]
  const card = document.querySelector(".coach")
  const covered = card.contains(document.elementFromPoint(...middle))
  return { middle, size: [width, height], covered }
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("lessons")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


class Pupil:
    """Follows a lesson with a finger."""

    def __init__(self, browser: Browser, base: str, slug: str, size: dict[str, int]) -> None:
        self.phone = Phone(browser, base, size)
        self.page: Page = self.phone.page
        self.finger = Finger(self.page)
        self.steps = lesson_of(slug).steps
        self.slug = slug

    def step(self) -> int:
        """The step that is due, from 0; as many as there are at the end."""
        words = self.page.locator(".coach-side .muted").inner_text()
        return int(words.split()[0]) - 1 if words else len(self.steps)

    def rest(self) -> None:
        """Nothing is on its way, and nothing moves."""
        self.page.wait_for_function(
            "document.querySelector('.game')?.dataset.sending === ''"
            " && document.querySelector('.skip')?.hidden !== false"
        )

    def follow(self) -> None:
        """Does the step that is due."""
        at = self.step()
        if self.steps[at].done is None:
            self.finger.tap_on(self.page.locator(".coach").get_by_role("button", name="Go on"))
        for _ in range(MOST):
            self.rest()
            if self.step() > at:
                return
            self._touch(at)
        raise AssertionError(f"step {at + 1} of {self.slug}: {self.steps[at].words}")

    def _touch(self, at: int) -> None:
        if self.steps[at].move is None:
            if self.phone.waits_for_me():
                self.page.get_by_role("button", name="Every move as a list").click()
                self.page.locator(".moves .button").last.click()
            return
        ringed = self.page.evaluate(RINGED)
        self.page.wait_for_timeout(60)
        if ringed is None or self.page.evaluate(RINGED) != ringed:
            return
        assert not ringed["covered"]
        self.finger.tap(*ringed["middle"])
        with suppress(TimeoutError):  # what lay there before a tap is not tapped by it
            moved = f"was => JSON.stringify(({RINGED})()) !== was"
            was = json.dumps(ringed, separators=(",", ":"))
            self.page.wait_for_function(moved, arg=was, timeout=ANSWERED)


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_by_touch_to_its_end(browser: Browser, base: str, slug: str) -> None:
    pupil = Pupil(browser, base, slug, PHONE)
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


def test_a_lesson_is_left_taken_up_again_and_strayed_from(browser: Browser, base: str) -> None:
    slug = LESSONS[0]
    pupil = Pupil(browser, base, slug, SMALL)
    page, finger = pupil.page, pupil.finger
    card = page.locator(".coach")
    page.goto("/")
    finger.tap_on(page.get_by_role("link", name=TITLES[slug].title, exact=True))
    page.wait_for_url(f"**/learn/{slug}")
    expect(card).to_be_visible()
    pupil.follow()
    pupil.follow()
    words = card.inner_text()
    page.reload()
    expect(card).to_be_visible()
    assert card.inner_text() == words
    # Something else that the rules allow.
    pupil.phone.by_list(random.Random(1))
    expect(card).to_contain_text("That is allowed too.")
    finger.tap_on(page.get_by_role("button", name="Take it back"))
    expect(card).to_have_text(words, use_inner_text=True)
    pupil.phone.by_list(random.Random(1))
    finger.tap_on(card.get_by_role("button", name="Go on"))
    expect(card).not_to_contain_text("That is allowed too.")
    # By the keyboard.
    page.get_by_role("button", name="Skip the lesson").press("Enter")
    expect(card).to_contain_text("You know enough")
    card.get_by_role("button", name="Once more").press("Enter")
    expect(card).to_contain_text(f"1 of {len(pupil.steps)}")
    page.goto("/")
    expect(page.get_by_text("No tables yet.")).to_be_visible()
    expect(page.get_by_role("heading", name="On this phone")).to_be_hidden()
    pupil.phone.close()


def test_a_first_move_with_taps_alone(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    page, finger = phone.page, Finger(phone.page)
    for way, seats in (("Play against the bot", 2), ("Try it alone", 1)):
        page.goto("/")
        finger.tap_on(page.get_by_role("link", name=way))
        page.wait_for_url("**/m/phone-*")
        expect_turn(phone)
        assert page.locator(".reserves .who").count() == seats - 1
        phone.by_list(random.Random(2))
        phone.settled()
        page.go_back()
        page.wait_for_url(base + "/")
    phone.close()
