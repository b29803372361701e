"""axe finds no violations on any page, in light and dark mode."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.inspection import NIGHT, OPTIONS, complaints
from tests.browser.phone import Phone, show_history
from tests.browser.scenes import until
from tests.browser.screens import conquest
from tests.browser.screens.caravanserai import HEX
from tests.browser.service import Program, played, table
from tests.browser.stand import Stand
from tests.browser.test_caravane import bids, choose, race
from tests.browser.test_caravanserail import HOMES, on_the_way, play, programme, seated, settle

pytestmark = pytest.mark.browser

SWEPT = pytest.mark.soak
"""The sweep covers these screens too, each in one setting; here all of a game follow in turn."""


class Inspector:
    """Runs axe on a page in light and dark mode and collects the violations."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.looked = 0

    def look(self, where: str) -> None:
        """Check the page as it is now."""
        for scheme, options in (("light", OPTIONS), ("dark", NIGHT)):
            self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            found = complaints(self.page, options)
            self.looked += 1
            self.complaints += [f"{where}, {scheme}: {each}" for each in found]
        self.page.emulate_media(color_scheme="light")

    def sheet(self, button: str, where: str) -> None:
        """Open a sheet, check it and close it."""
        self.page.get_by_role("button", name=button, exact=True).click()
        expect(self.page.locator("dialog[open]")).to_be_visible()
        self.look(where)
        self.page.locator("dialog[open]").get_by_role("button", name="Close").click()
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def read(self, where: str) -> None:
        """Check the text description of the position."""
        reader = self.page.get_by_role("button", name="Read board")
        reader.focus()
        reader.press("Enter")
        expect(self.page.locator("dialog[open] .reading h3").first).to_be_visible()
        self.look(where)
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog[open]")).to_have_count(0)

    def done(self) -> None:
        """Fail if there are violations."""
        assert self.looked > 0
        assert not self.complaints, "\n".join(self.complaints[:12])


@SWEPT
def test_home_setup_and_waiting_room(browser: Browser, base: str) -> None:
    (ann, *_), _match = played(base, 3, "Ann", "Bob")
    phone = ann.phone(browser)
    page, axe = phone.page, Inspector(phone.page)
    page.goto("/")
    page.wait_for_selector(".table-card")
    axe.look("home")
    for game in ("caravanserai", "caravane", "caravanserail"):
        page.goto(f"/new?game={game}")
        page.get_by_role("button", name="Create game").wait_for()
        axe.look(f"setting a table of {game}")
    phone.open_table(["Ann", ""])
    page.wait_for_selector(".qr")
    axe.look("waiting room")
    invitation = phone.invitation()
    other = Phone(browser, base)
    other.page.goto(invitation)
    other.page.get_by_role("button", name="Join").wait_for()
    joining = Inspector(other.page)
    joining.look("sitting down")
    other.page.goto("/m/nothing")
    other.page.get_by_role("heading", name="Game not available").wait_for()
    joining.look("a table that is not there")
    joining.done()
    axe.done()
    other.errors.clear()  # Chromium logs an error for the missing match
    other.close()
    phone.close()


@SWEPT
def test_the_hex_game_while_it_is_played(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    person = until(people, match_id, 3, HEX["laying"])
    phone = person.phone(browser)
    page, axe = phone.page, Inspector(phone.page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    axe.look("one's turn")
    kind = page.locator(".kind:not([aria-disabled])").first
    kind.click()
    expect(kind).to_have_attribute("aria-pressed", "true")
    axe.look("a kind is chosen")
    axe.sheet("All moves", "the list of moves")
    axe.sheet("Game log", "the log")
    axe.read("the board in words")
    show_history(page)
    page.get_by_role("button", name="Previous move").click()
    axe.look("looking back")
    axe.sheet("Fork from here", "playing on from here")
    page.get_by_role("button", name="Back to latest").click()
    (watcher,) = (each for each in people if each is not person)
    waiting = watcher.phone(browser)
    waiting.page.goto(f"/m/{match_id}")
    waiting.page.wait_for_selector(".game")
    other = Inspector(waiting.page)
    other.look("waiting for the other")
    other.done()
    axe.done()
    waiting.close()
    phone.close()


@SWEPT
def test_the_hex_game_at_its_start_and_its_end(browser: Browser, base: str) -> None:
    people, match_id = played(base, 0, "Ann", "Bob")
    rng = random.Random(2)
    seat = people[0].get(f"/matches/{match_id}")["to_act"][0]
    phone = people[seat].phone(browser)
    page, axe = phone.page, Inspector(phone.page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    axe.look("choosing a start")
    while acting := people[0].get(f"/matches/{match_id}")["to_act"]:
        people[acting[0]].step(match_id, rng)
    page.wait_for_selector(".podium")
    axe.look("the result")
    page.locator("dialog[open]").get_by_role("button", name="Close").click()
    axe.look("a finished game")
    page.goto(f"/m/{match_id}/review")
    page.locator(".chart").first.wait_for()
    axe.look("the review")
    axe.done()
    phone.close()


def at_the_table(browser: Browser, person: Program, match_id: str) -> tuple[Phone, Inspector]:
    """Open the match on the person's phone."""
    phone = person.phone(browser)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game")
    return phone, Inspector(phone.page)


@SWEPT
def test_caravane_before_and_in_the_race(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea", split=True, food=True)
    phone, axe = at_the_table(browser, people[0], match_id)
    cover = phone.page.locator(".cover-button")
    axe.look("before the race")
    cover.click()
    axe.look("putting gourds aside")
    for seat in (0, 1):
        for number in (18, 20, 0):
            choose(people, match_id, seat, number)
    expect(phone.page.locator(".board-sign")).to_contain_text("Stage 1")
    cover.click()
    axe.look("bidding")
    axe.read("the road in words")
    choose(people, match_id, 0, 2, "bid")
    expect(phone.page.locator(".desk")).to_contain_text("It stays hidden")
    axe.look("a bid is made")
    choose(people, match_id, 1, 1, "bid")
    expect(phone.page.locator(".told .headline")).to_be_visible()
    axe.look("after a reveal")
    show_history(phone.page)
    phone.page.get_by_role("button", name="Previous move").click()
    axe.look("looking back")
    phone.page.get_by_role("button", name="Back to latest").click()
    choose(people, match_id, 0, 2, "bid-bag")
    choose(people, match_id, 1, 1, "bid")
    expect(phone.page.locator(".told")).to_contain_text("food bag")
    axe.look("a bag is announced")
    axe.done()
    phone.close()


def test_a_phone_that_goes_round(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea", one_phone=True)
    phone, axe = at_the_table(browser, people[0], match_id)
    phone.page.locator(".handover").wait_for()
    axe.look("between two seats")
    phone.page.get_by_role("button", name="I’m Ann").click()
    phone.page.locator(".cover-button").wait_for()
    axe.look("in hand")
    axe.done()
    phone.close()


@SWEPT
def test_a_race_that_is_over(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    while people[0].get(f"/matches/{match_id}")["to_act"]:
        bids(people, match_id, 0, 0)
    phone, axe = at_the_table(browser, people[0], match_id)
    phone.page.locator(".podium").wait_for()
    axe.look("the result of a race")
    phone.page.locator("dialog[open]").get_by_role("button", name="Close").click()
    axe.look("a race that is over")
    show_history(phone.page)
    phone.page.get_by_role("button", name="Start").click()
    phone.page.locator(".opened-all").wait_for()
    axe.look("what was secret")
    axe.done()
    phone.close()


@SWEPT
def test_caravanserail_in_all_its_phases(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    order = people[0].get(f"/matches/{match_id}")["view"]["order"]
    phone, axe = at_the_table(browser, people[order[0]], match_id)
    seat = order[0]
    page = phone.page
    axe.look("choosing a home")
    settle(people, match_id)
    page.locator(".cover-button").wait_for()
    page.locator(".cover-button").click()
    axe.look("planning")
    page.locator(".way-to").nth(1).click()
    axe.look("a journey is planned")
    page.get_by_role("button", name="Raiders").click()
    axe.look("sending looters")
    page.locator(".cover-button").click()
    axe.read("the map in words")
    plan = programme([HOMES[seat]] * 3, [{}, {}, {}])
    play(people[seat], match_id, seat, *plan)
    expect(page.locator(".sealed")).to_be_visible()
    axe.look("a sealed plan")
    axe.done()
    phone.close()
    people, match_id = seated(base)
    settle(people, match_id)
    phone, axe = at_the_table(browser, people[0], match_id)
    on_the_way(people, match_id)
    expect(phone.page.locator(".board-sign")).to_contain_text("Turn 2")
    axe.look("after the journeys")
    show_history(phone.page)
    phone.page.get_by_role("button", name="Previous move").click()
    expect(phone.page.locator(".board-sign")).to_contain_text("Turn 1")
    axe.look("looking back at business")
    axe.done()
    phone.close()


def test_the_map_of_conquest_in_words(browser: Browser, base: str) -> None:
    stand = Stand(browser, base)
    inspector = Inspector(stand.page)
    camp = next(scene for scene in conquest.scenes(base) if scene.name == "a camp")
    stand.hold(camp, (390, 844))
    inspector.read("the map in words")
    inspector.done()
    stand.phone.close()
