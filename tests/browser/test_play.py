"""Matches of the hex game through the page, on phones, against the real service."""

import random
import re
import time

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import PHONE, PROMPT, SMALL, Phone, expect_turn, fits, show_history
from tests.browser.scenes import moment
from tests.browser.service import Program, table

pytestmark = pytest.mark.browser

SHOWS = "version => document.querySelector('.history input')?.max == version"
"""Whether the page shows this version as the latest."""


def test_two_phones_follow_each_other_and_one_is_offline_for_a_while(
    browser: Browser, base: str
) -> None:
    """The opening is played on the phones, the rest over HTTP; both show the same result."""
    people, match_id = table(base, "Ann", "Bob")
    ann, bob = phones = [person.phone(browser) for person in people]
    for phone in phones:
        phone.page.goto(f"/m/{match_id}")
    rng = random.Random(7)
    expect_turn(ann)
    for number in range(10):
        actor, other = (ann, bob) if ann.waits_for_me() else (bob, ann)
        is_offline = 4 <= number < 8
        other.context.set_offline(is_offline)
        actor.move(rng)
        if is_offline:
            expect(other.page.locator(".offline")).to_be_visible()
            other.context.set_offline(False)
        other.page.wait_for_function(SHOWS, arg=actor.version(), timeout=PROMPT)
    while acting := people[0].get(f"/matches/{match_id}")["to_act"]:
        people[acting[0]].step(match_id, rng)
    standings = people[0].get(f"/matches/{match_id}")["standings"]
    for phone in phones:
        scores = phone.page.locator(".podium .score")
        expect(scores).to_have_text([re.compile(rf"\b{each['score']}\b") for each in standings])
        phone.close()


def test_solo_expert_match_to_the_end(browser: Browser, base: str) -> None:
    """Start from the second half of a stored match."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser)
    rng = random.Random(3)
    phone.page.goto(f"/m/{moment(ann, 'caravanserai-1-expert-v1.json', 40)}")
    phone.page.wait_for_selector(".game.my-turn")
    for _ in range(60):
        if phone.over():
            break
        phone.move(rng)
    assert phone.over()
    phone.close()


def test_three_play_on_one_phone(browser: Browser, base: str) -> None:
    """The page fits the screens of a small and a usual phone."""
    phone = Phone(browser, base, SMALL)
    rng = random.Random(5)
    phone.open_table(["Ann", "<b>Bob</b>", "Cleo"], round_one_phone=True)
    phone.page.wait_for_selector(".game.my-turn")
    for step in range(16):
        phone.move(rng)
        if step % 5 == 0:
            for size in (PHONE, SMALL):
                phone.page.set_viewport_size(size)  # type: ignore[arg-type]
                assert fits(phone.page)
    expect(phone.page.locator(".game")).to_contain_text("<b>Bob</b>")
    # A name with tags is shown as text: no element holds only what is between the tags.
    expect(phone.page.get_by_text("Bob", exact=True)).to_have_count(0)
    phone.close()


def test_three_on_one_phone_play_to_the_end(browser: Browser, base: str) -> None:
    """Start from the last turns of a stored match."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser)
    rng = random.Random(5)
    phone.page.goto(f"/m/{moment(ann, 'caravanserai-3-v1.json', 124)}")
    phone.page.wait_for_selector(".game.my-turn")
    for _ in range(200):
        if phone.over():
            break
        phone.move(rng)
    phone.page.wait_for_selector(".podium")
    assert phone.page.locator(".podium .score").count() == 3
    phone.close()


def test_steps_back_replay_and_links_to_a_moment(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    rng = random.Random(11)
    phone.open_table(["Ann", "Bob"], round_one_phone=True)
    page.wait_for_selector(".game.my-turn")
    for _ in range(8):
        phone.move(rng)
    before = phone.version()
    page.get_by_role("button", name="Undo step").click()
    page.wait_for_function(
        "version => document.querySelector('.history input')?.max > version", arg=before
    )
    page.get_by_role("button", name="Game log").click()
    assert page.locator(".log .undone").count() > 0
    page.get_by_role("button", name="Close").first.click()

    show_history(page)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**?v=*")
    first = page.url
    page.get_by_role("button", name="Next move").click()
    page.wait_for_url(lambda url: url != first)
    second = page.url
    assert "?v=" in second
    picture = page.locator(".board-area svg").first.inner_html()
    page.goto(second)
    page.wait_for_selector(".game")
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    assert page.locator(".board-area svg").first.inner_html() == picture
    page.keyboard.press("End")
    page.wait_for_url(lambda url: "?v=" not in url)
    page.keyboard.press("PageUp")
    page.wait_for_url(lambda url: "?v=" in url)
    show_history(page)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("!location.search", timeout=60_000)
    phone.close()


def test_a_move_made_with_no_network_is_sent_once_it_is_back(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    phone.open_table(["Ann", "Bob"], round_one_phone=True)
    phone.page.wait_for_selector(".game.my-turn")
    before = phone.version()
    phone.context.set_offline(True)
    phone.page.get_by_role("button", name="All moves").click()
    phone.page.locator(".moves .button").first.click()
    expect(phone.page.locator(".offline")).to_be_visible()
    time.sleep(1.2)
    assert phone.version() == before
    phone.context.set_offline(False)
    phone.settled()
    assert phone.version() > before
    after = phone.version()
    phone.page.reload()
    phone.page.wait_for_selector(".game.my-turn")
    assert phone.version() == after
    phone.close()


def test_the_other_agrees_to_a_take_back(browser: Browser, base: str) -> None:
    ann, bob = Phone(browser, base), Phone(browser, base)
    rng = random.Random(2)
    ann.open_table(["Ann", ""])
    assert ann.page.locator(".qr img").evaluate("image => image.decode().then(() => true)")
    bob.sit_down(ann.invitation(), "Bob")
    expect_turn(ann)
    ann.move(rng)
    expect_turn(bob)
    before = bob.version()
    bob.move(rng)
    expect_turn(ann)
    ann.page.get_by_role("button", name="Ask to undo").click()
    bob.page.get_by_role("button", name="Agree").click()
    expect(bob.page.get_by_role("button", name="Agree")).to_have_count(0)
    expect(ann.page.locator(".turn")).to_contain_text("choose where to start")
    assert ann.version() > before
    ann.close()
    bob.close()


def test_a_move_with_the_keyboard_alone(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    phone.open_table(["Ann", "Bob"], round_one_phone=True)
    page.wait_for_selector(".game.my-turn")
    before = phone.version()
    page.locator(".board-area svg").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cursor")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    phone.settled()
    page.wait_for_function(
        "version => document.querySelector('.history input')?.max > version", arg=before
    )
    phone.close()


def test_two_taps_in_one_instant_are_one_move(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    phone.open_table(["Ann"])
    page.wait_for_selector(".game.my-turn")
    page.get_by_role("button", name="All moves").click()
    page.evaluate(
        "() => { const tap = document.querySelector('.moves .button'); tap.click(); tap.click() }"
    )
    phone.settled()
    page.get_by_role("button", name="Game log").click()
    assert page.locator(".log").get_by_text("You started a caravan").count() == 1
    assert page.locator(".toast").count() == 0
    phone.close()


def test_a_stale_move_is_refused_plainly_and_nothing_is_lost(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    page.route("**/live*", lambda route: route.abort())
    phone.open_table(["Ann", "Bob"], round_one_phone=True)
    page.wait_for_selector(".game.my-turn")
    page.get_by_role("button", name="All moves").click()
    page.evaluate(
        """async () => {
          const path = location.pathname.replace("/m/", "/api/matches/")
          const { version, choices } = await (await fetch(path + "/choices?seat=0")).json()
          const body = { seat: 0, expected_version: version, commands: [choices[3].command] }
          const headers = { "Content-Type": "application/json" }
          await fetch(path + "/commands", { method: "POST", headers, body: JSON.stringify(body) })
          document.querySelector(".moves .button").click()
        }"""
    )
    expect(page.locator(".toast")).to_contain_text("The game has moved on")
    expect(page.locator(".turn")).to_contain_text("Bob")
    assert phone.errors.pop().startswith("Failed to load resource: the server responded with")
    phone.close()
