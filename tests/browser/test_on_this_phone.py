"""Offline, the phone itself opens, plays and stores matches, and uploads them to the service."""

import random

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.phone import Phone, open_menu, unfold, until_kept

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]


def installed(browser: Browser, base: str) -> Phone:
    """Open a phone that has cached the app, then take it offline."""
    phone = Phone(browser, base)
    phone.page.goto("/")
    until_kept(phone.page)
    expect(phone.page.get_by_text("No games yet.")).to_be_visible()
    phone.context.set_offline(True)
    phone.page.goto("/")
    return phone


def another_life(phone: Phone) -> Page:
    """Kill the page, as a phone may do at any time, and reopen the app."""
    before = phone.page
    phone.page = phone.context.new_page()
    phone.page.on("console", phone._hear)
    before.close(run_before_unload=False)
    phone.page.goto("/")
    return phone.page


def open_table(page: Page, game: str, players: int, *names: str) -> None:
    page.get_by_role("link", name="New game").click()
    page.get_by_role("radio", name=game, exact=True).check()
    page.locator("input[name=gPlayers]").nth(players).check()
    page.get_by_label("Your name").fill(names[0])
    for number, name in enumerate(names[1:], start=2):
        page.get_by_label(f"Name of player {number}").fill(name)
    unfold(page)
    expect(page.get_by_role("switch", name="On this device only")).to_be_checked()
    page.get_by_role("button", name="Create game").click()
    page.wait_for_url("**/m/phone-*")


def test_a_solo_game_is_played_offline_and_handed_over_once(browser: Browser, base: str) -> None:
    phone = installed(browser, base)
    phone.page.goto("/learn/caravanserai")
    expect(phone.page.locator(".coach")).to_be_visible()
    phone.page.goto("/")
    open_table(phone.page, "Caravanserai", 0, "Ann")
    phone.page.wait_for_selector(".game.my-turn")
    expect(phone.page.locator(".lineages")).to_be_empty()
    menu = open_menu(phone.page)
    expect(menu).to_contain_text("Played offline: the random draws were made")
    phone.page.keyboard.press("Escape")
    address = phone.page.url
    rng = random.Random(5)
    for _ in range(3):
        phone.move(rng)
    phone.page.get_by_role("button", name="Undo step").click()
    redo = phone.page.get_by_role("button", name="Redo")
    expect(redo).to_be_visible()
    version = phone.version()
    page = another_life(phone)
    page.get_by_role("link", name="Ann").click()
    page.wait_for_selector(".game.my-turn")
    assert phone.version() == version
    page.get_by_role("button", name="Redo").click()
    phone.settled()
    phone.move(rng)
    slider = page.locator(".history input")
    slider.focus()
    slider.press("Home")
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    version = phone.version()

    page.get_by_role("link", name="Home").click()
    # Without a network the list shows the board all the same.
    page.wait_for_function("document.querySelector('.small-board img')?.naturalWidth > 0")
    phone.context.set_offline(False)
    imports = lose_the_first_answer(page)
    way = page.get_by_role("button", name="Move online")
    way.click()
    expect(page.get_by_text("Still saved on this device. Try again later.")).to_be_visible()
    way.dblclick()
    page.wait_for_url(lambda address: "/m/" in address and "phone-" not in address)
    page.wait_for_selector(".game.my-turn")
    expect(page.locator(".lineages")).to_contain_text("Played offline: the random draws were made")
    assert phone.version() < version  # what was taken back stays behind
    phone.move(rng)
    assert len({key for key, _ in imports}) == 1
    # Its old address, kept somewhere, leads to where it goes on.
    there = page.url
    page.goto(address)
    page.wait_for_url(there)
    page.wait_for_selector(".game .turn")
    page.goto(address + "/review")
    page.wait_for_url(there + "/review")
    page.goto(base + "/m/phone-unknown")
    expect(page.get_by_text("This table doesn’t exist or isn’t open to you")).to_be_visible()
    page.goto("/")
    expect(page.locator(".table-card")).to_have_count(1)
    expect(page.get_by_role("heading", name="On this device")).to_be_hidden()
    phone.close()


def lose_the_first_answer(page: Page) -> list[tuple[str | None, str]]:
    """Lose the first answer to an import; return the idempotency keys and URLs of all requests."""
    sent: list[tuple[str | None, str]] = []

    def lose(route: Route) -> None:
        sent.append((route.request.headers.get("idempotency-key"), route.request.url))
        answer = route.fetch()
        assert answer.status == 201
        if len(sent) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    page.context.route("**/api/matches/import", lose)
    return sent


def test_a_secret_game_goes_round_one_phone_offline(browser: Browser, base: str) -> None:
    phone = installed(browser, base)
    open_table(phone.page, "Caravane", 0, "Ann", "Bo")
    page = phone.page
    for name in ("Ann", "Bo"):
        page.get_by_role("button", name=f"I’m {name}").click()
        page.get_by_role("button", name="All moves").click()
        page.locator(".moves .button").nth(2).click()
        phone.settled()
    version = phone.version()
    page = another_life(phone)
    page.get_by_role("link", name="Ann, Bo").click()
    expect(page.get_by_role("button", name="I’m Ann")).to_be_visible()
    assert phone.version() == version
    phone.close()
