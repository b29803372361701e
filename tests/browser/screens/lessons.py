"""The scenes of each game's lesson: how it begins, half-way, and what it says when it is over."""

from collections.abc import Iterator

from playwright.sync_api import Page

from domain.contract.registry import TITLES, game_module
from tests.browser import scenes as scenes_of_all
from tests.browser.lesson_player import Toucher
from tests.browser.scenes import Do, Scene, press
from tests.browser.service import Program

LESSONS = [slug for slug in TITLES if game_module(slug, "lesson")]


def whole(page: Page) -> None:
    """The board as a whole: nothing that is tapped lies outside."""
    button = page.get_by_role("button", name=scenes_of_all.say("Show the whole board"))
    if button.count():
        button.press("Enter")


def half_way(slug: str) -> Do:
    """Follows the lesson of a game through half of its steps, unless it has come so far."""

    def done(page: Page) -> None:
        pupil = Toucher(page, slug)
        while pupil.step() < len(pupil.steps) // 2:
            pupil.follow()
        pupil.rest()
        whole(page)

    return done


def skip(page: Page) -> None:
    """Puts all steps aside, unless that is done."""
    if page.locator(".coach-ways .primary[href]").count() == 0:
        press("Skip the lesson")(page)
    page.wait_for_selector(".coach-ways .primary[href]")


def scenes(base: str) -> Iterator[Scene]:
    """Lessons live on the phone: the scenes of a game come in this order."""
    ann = Program(base, "Ann")
    for slug in LESSONS:
        at, ready = f"/learn/{slug}", ".game:not([data-rising]) .coach"
        yield Scene(f"the lesson of {slug} begins", ann, at, ready, whole)
        yield Scene(f"half of the lesson of {slug}", ann, at, ready, half_way(slug))
        yield Scene(f"the lesson of {slug} is over", ann, at, ready, skip)
