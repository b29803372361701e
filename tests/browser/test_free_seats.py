"""Leaving a running match without ending it: the remaining players decide who takes the seat."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.inspection import AUDIT
from tests.browser.phone import PROMPT, SMALL, Phone, fits
from tests.browser.service import Program, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser


def leave_free(browser: Browser, who: Program) -> None:
    """Leave the only match in the list of tables and keep the seat open, by touch."""
    phone = who.phone(browser, SMALL)
    finger = Finger(phone.page)
    phone.page.goto("/")
    finger.tap_on(phone.page.get_by_role("button", name="Table menu").first)
    way = phone.page.get_by_role("button", name=re.compile("Leave and open seat"))
    finger.tap_on(way)
    expect(phone.page.get_by_role("button", name="Stay")).to_be_focused()
    finger.tap_on(way)
    expect(phone.page.get_by_text("You left the table.")).to_be_visible()
    phone.close()


def test_the_other_gives_the_seat_to_a_bot_and_the_game_goes_on(
    browser: Browser, base: str
) -> None:
    """The question appears on the open page once the seat is free, and a bot takes the seat."""
    (ann, bob), match = table(base, "Ann", "Bob")
    phone = bob.phone(browser, SMALL)
    phone.page.goto(f"/m/{match}")
    question = phone.page.get_by_text(re.compile("has left. Who takes over?"))
    expect(phone.page.locator(".game")).to_be_visible()
    expect(question).to_have_count(0)
    leave_free(browser, ann)
    expect(question).to_be_visible(timeout=PROMPT)
    assert fits(phone.page)
    assert phone.page.evaluate(AUDIT) == {"small": [], "fine": []}
    give = phone.page.get_by_role("button", name="Replace with bot")
    Finger(phone.page).tap_on(give)
    expect(question).to_be_hidden()
    expect(phone.page.locator(".game.my-turn")).to_be_visible(timeout=PROMPT)
    phone.close()


def test_somebody_else_sits_down_by_the_link(browser: Browser, base: str) -> None:
    """A new player takes the free seat through the invitation of the remaining player."""
    (ann, bob), match = table(base, "Ann", "Bob")
    leave_free(browser, ann)
    phone = bob.phone(browser, SMALL)
    phone.page.goto(f"/m/{match}")
    ask = phone.page.get_by_role("button", name="Invite")
    Finger(phone.page).tap_on(ask)
    # The link is also shown as text, for browsers that can neither share nor copy.
    sheet = phone.page.get_by_role("dialog", name="Invite")
    expect(sheet.get_by_role("img", name="QR code for the invitation")).to_be_visible()
    assert fits(phone.page)
    assert phone.page.evaluate(AUDIT) == {"small": [], "fine": []}
    link = sheet.locator(".link").inner_text()
    new = Phone(browser, base, SMALL)
    new.sit_down(base + link[link.index("/join/") :], "Cid")
    expect(new.page.locator(".game.my-turn")).to_be_visible(timeout=PROMPT)
    expect(sheet).to_be_hidden(timeout=PROMPT)
    expect(ask).to_be_hidden()
    new.close()
    phone.close()


def test_who_only_looks_is_offered_the_seat_at_a_table_open_to_all(
    browser: Browser, public_base: str
) -> None:
    """A spectator of a public match is offered the free seat and takes it."""
    ann, bob = Program(public_base, "Ann"), Program(public_base, "Bob")
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravanserai", "seats": seats, "visibility": "public"}
    match = ann.post("/matches", body, 201)["id"]
    bob.post(f"/matches/{match}/join", {})
    new = Phone(browser, public_base, SMALL)
    new.page.goto(f"/m/{match}")
    expect(new.page.locator(".game:not([data-rising])")).to_be_visible()
    offer = new.page.get_by_role("link", name="Join")
    expect(offer).to_have_count(0)
    leave_free(browser, ann)
    expect(offer).to_be_visible(timeout=PROMPT)
    assert fits(new.page)
    assert new.page.evaluate(AUDIT) == {"small": [], "fine": []}
    Finger(new.page).tap_on(offer)
    new.page.get_by_label("What’s your name?").fill("Cid")
    Finger(new.page).tap_on(new.page.get_by_role("button", name="Join"))
    expect(new.page.locator(".game:not([data-rising])")).to_be_visible(timeout=PROMPT)
    expect(offer).to_have_count(0)
    held = bob.get(f"/matches/{match}")["seats"]
    assert [seat["kind"] for seat in held] == ["human", "human"]
    new.close()


def test_where_there_are_secrets_it_is_not_offered(browser: Browser, base: str) -> None:
    """In a game with hidden information a seat cannot be passed on to somebody else."""
    (ann, _), _match = table(base, "Ann", "Bob", game="caravane")
    phone = ann.phone(browser, SMALL)
    phone.page.goto("/")
    phone.page.get_by_role("button", name="Table menu").first.tap()
    expect(phone.page.get_by_role("button", name=re.compile("Leave game"))).to_be_visible()
    expect(phone.page.get_by_role("button", name=re.compile("Leave and open"))).to_have_count(0)
    phone.close()
