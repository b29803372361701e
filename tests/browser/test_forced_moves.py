"""Forced moves: the page plays the only legal move after a moment, and can be stopped."""

from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.phone import Phone
from tests.browser.scenes import until
from tests.browser.service import Program, table
from tests.browser.touch import Finger

DELAY_MS = 2000
REPORT_MS = 5000
"""As in `frontend.app.match.forced_moves`, which only a browser can import."""


def at_a_forced_move(browser: Browser, base: str) -> tuple[Phone, Program, str, int]:
    """Open a hex game at a moment with one legal choice; return its player, id and version."""
    people, match_id = table(base, "Ann", "Bob")

    def is_forced(match: Any, _view: Any) -> bool:
        if match["version"] < 20:
            return False
        seat = match["to_act"][0]
        answer = people[seat].get(f"/matches/{match_id}/choices?seat={seat}")
        return len(answer["choices"]) == 1

    person = until(people, match_id, 5, is_forced)
    version = int(person.get(f"/matches/{match_id}")["version"])
    phone = person.phone(browser)
    phone.page.add_init_script("localStorage.removeItem('forced-moves')")
    phone.page.clock.install()
    return phone, person, match_id, version


def test_the_only_legal_move_is_announced_and_played(browser: Browser, base: str) -> None:
    phone, person, match_id, version = at_a_forced_move(browser, base)
    page = phone.page
    page.goto(f"/m/{match_id}")
    bar = page.locator(".forced")
    expect(bar).to_contain_text("Only move: ")
    expect(page.locator("#live")).to_contain_text("Only move: ")
    strip, board = page.locator(".strip").bounding_box(), page.locator(".board-area").bounding_box()
    assert bar.bounding_box() == strip, "it covers the strip, so that nothing moves"
    page.clock.fast_forward(DELAY_MS)
    expect(bar).to_contain_text("Your only move was played: ")
    expect(bar.get_by_role("button")).to_have_count(0)
    phone.settled()
    assert person.get(f"/matches/{match_id}")["version"] > version
    page.clock.fast_forward(REPORT_MS)
    expect(bar).to_be_hidden()
    assert page.locator(".board-area").bounding_box() == board
    # After an undo it is not played again.
    before = person.get(f"/matches/{match_id}")["version"]
    page.get_by_role("button", name="Undo step").click()
    expect(page.locator(".history input")).to_have_attribute("max", str(before + 1))
    page.clock.fast_forward(2 * DELAY_MS)
    expect(bar).to_be_hidden()
    assert person.get(f"/matches/{match_id}")["version"] == before + 1
    phone.close()


def test_a_forced_move_is_stopped_or_played_at_once(browser: Browser, base: str) -> None:
    phone, person, match_id, version = at_a_forced_move(browser, base)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    bar = page.locator(".forced")
    finger.tap_on(bar.get_by_role("button", name="Stop"))
    expect(bar).to_be_hidden()
    page.clock.fast_forward(2 * DELAY_MS)
    assert person.get(f"/matches/{match_id}")["version"] == version
    page.reload()
    finger.tap_on(bar.get_by_role("button", name="Play"))
    phone.settled()
    assert person.get(f"/matches/{match_id}")["version"] > version
    assert finger.strays() == []
    phone.close()


def test_forced_moves_can_be_turned_off(browser: Browser, base: str) -> None:
    phone, person, match_id, version = at_a_forced_move(browser, base)
    page = phone.page
    page.add_init_script("localStorage.setItem('forced-moves', 'off')")
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    page.clock.fast_forward(2 * DELAY_MS)
    expect(page.locator(".forced")).to_be_hidden()
    assert person.get(f"/matches/{match_id}")["version"] == version
    phone.close()


def test_a_camel_forced_by_a_block_from_the_list_is_announced(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    blocks: list[int] = []

    def is_forcing(match: Any, view: Any) -> bool:
        seat = match["to_act"][0]
        answer = people[seat].get(f"/matches/{match_id}/choices?seat={seat}")
        goods = view["players"][seat]["goods"].values()
        blocks[:] = [
            number
            for number, choice in enumerate(answer["choices"])
            if len(choice["command"].get("path", ())) > max(goods) - 2
        ]
        return view["step"] == "place" and match["version"] > 20 and bool(blocks)

    person = until(people, match_id, 5, is_forcing)
    phone = person.phone(browser)
    page = phone.page
    page.add_init_script("localStorage.removeItem('forced-moves')")
    page.clock.install()
    page.goto(f"/m/{match_id}")
    page.get_by_role("button", name="All moves").click()
    page.locator(".moves .button").nth(blocks[-1]).click()
    phone.settled()
    version = person.get(f"/matches/{match_id}")["version"]
    bar = page.locator(".forced")
    expect(bar).to_contain_text("Only move: ")
    page.clock.fast_forward(DELAY_MS // 2)
    assert person.get(f"/matches/{match_id}")["version"] == version
    bar.get_by_role("button", name="Stop").click()
    page.clock.fast_forward(2 * DELAY_MS)
    assert person.get(f"/matches/{match_id}")["version"] == version
    phone.close()
