"""The scenes of each game's lesson: its start, half-way, a question with replies, and its end."""

from collections.abc import Iterator
from json import dumps

from playwright.sync_api import Page

from domain.contract.registry import TITLES, game_module
from domain.match.lesson import lesson_of
from tests.browser import scenes as scenes_of_all
from tests.browser.lesson_player import Toucher
from tests.browser.scenes import Do, Scene, press
from tests.browser.service import Program

LESSONS = [slug for slug in TITLES if game_module(slug, "lesson")]


def whole(page: Page) -> None:
    """Zoom out to the whole board, so that no tap target is off-screen."""
    button = page.get_by_role("button", name=scenes_of_all.say("Show whole board"))
    if button.count():
        button.press("Enter")


def half_way(slug: str) -> Do:
    """Follow the lesson of a game up to half of its steps, unless it is already there."""

    def done(page: Page) -> None:
        pupil = Toucher(page, slug)
        while pupil.step() < len(pupil.steps) // 2:
            pupil.follow()
        pupil.rest()
        whole(page)

    return done


def ask(slug: str) -> Do:
    """Jump to the first question of a lesson and answer it wrongly, unless already done."""

    def done(page: Page) -> None:
        pupil = Toucher(page, slug)
        if page.locator(".possible-answer").count() == 0:
            kept = {"aside": [*range(len(pupil.steps))], "since": 0}
            store = "([key, kept]) => localStorage.setItem(key, kept)"
            page.evaluate(store, [f"lesson-{slug}", dumps(kept)])
            page.reload()
        page.wait_for_selector(".possible-answer")
        if page.locator("[data-verdict]").count() == 0:
            question = pupil.questions[0]
            pupil.answer((question.right + 1) % len(question.answers))
        page.wait_for_selector(".reply:not(:empty)")

    return done


def skip(page: Page) -> None:
    """Skip the lesson's steps, unless already skipped."""
    if page.locator(".coach-ways .primary[href]").count() == 0:
        press("Skip tutorial")(page)
    page.wait_for_selector(".coach-ways .primary[href]")


def scenes(base: str) -> Iterator[Scene]:
    """Yield each game's scenes in order: progress of a lesson is kept on the phone."""
    ann = Program(base, "Ann")
    for slug in LESSONS:
        at, ready = f"/learn/{slug}", ".game:not([data-rising]) .coach"
        yield Scene(f"the lesson of {slug} begins", ann, at, ready, whole)
        yield Scene(f"half of the lesson of {slug}", ann, at, ready, half_way(slug))
        if lesson_of(slug).questions:
            yield Scene(f"a question about {slug}", ann, at, ready, ask(slug))
        yield Scene(f"the lesson of {slug} is over", ann, at, ready, skip)
