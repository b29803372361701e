"""A seat whose phone is lost, by touches: back with the PIN, and let back in by the others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.settings import Settings
from tests.browser.fingers import Finger
from tests.browser.phone import SMALL, Phone, fits
from tests.browser.service import Program
from tests.service.running import server

pytestmark = pytest.mark.browser
PIN = "482915"
DELAY_S = 8


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("recovery")
    settings = Settings(data=str(folder), play_limit=0, create_limit=0, recovery_delay=DELAY_S)
    with server(settings) as address:
        yield address


def opened(ann: Program) -> dict[str, str]:
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "options": {"begins": "host"},
    }
    match: dict[str, str] = ann.post("/matches", body, 201)
    return match


def menu(page: Page, finger: Finger, name: str) -> None:
    """Opens what the table's menu offers under a name."""
    finger.tap_on(page.locator("summary", has_text="This table"))
    entry = page.get_by_role("button", name=name)
    expect(entry).to_be_visible()
    assert (entry.bounding_box() or {"height": 0})["height"] >= 48
    finger.tap_on(entry)


def is_large(target: Locator) -> bool:
    return (target.bounding_box() or {"height": 0})["height"] >= 48


def test_a_pin_chosen_when_sitting_down_brings_the_seat_back(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    match = opened(ann)
    old = Phone(browser, base, SMALL)
    page, finger = old.page, Finger(old.page)
    page.goto(f"/join/{match['id']}?invite={match['invite']}")
    page.get_by_label("Seat PIN").fill(PIN)
    assert fits(page)
    finger.tap_on(page.get_by_role("button", name="Sit down"))
    expect(page.locator(".game")).to_be_visible()
    menu(page, finger, "Seat PIN")
    expect(page.get_by_text("Your seat has a PIN.")).to_be_visible()
    line = page.get_by_text("Table code:").inner_text()
    code = line.partition("Table code: ")[2].partition(".")[0]
    assert fits(page)

    new = Phone(browser, base, SMALL)
    fresh, touch = new.page, Finger(new.page)
    fresh.goto("/")
    touch.tap_on(fresh.get_by_role("link", name="My device is lost"))
    expect(fresh.get_by_label("Table code")).to_be_visible()
    assert fits(fresh)
    fresh.get_by_label("Table code").fill(code)
    fresh.get_by_label("Your seat number").select_option(label="2")
    get_back = fresh.get_by_role("button", name="Get my seat back")
    assert is_large(get_back)
    fresh.get_by_label("Seat PIN").fill("135791")
    touch.tap_on(get_back)
    expect(fresh.locator(".problem")).not_to_be_empty()
    assert "/m/" not in fresh.url
    fresh.get_by_label("Seat PIN").fill(PIN)
    touch.tap_on(get_back)
    expect(fresh.locator(".game")).to_be_visible()
    assert fresh.url.endswith(f"/m/{match['id']}")
    seats = ann.get(f"/matches/{match['id']}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human"]
    # The device before has the seat no more, and its page says so.
    expect(page.get_by_text("You no longer have access to this game.")).to_be_visible()
    for phone in (old, new):
        phone.errors.clear()
        phone.close()


def at_a_table(browser: Browser, base: str) -> tuple[Program, Program, str]:
    ann, bob = Program(base, "Ann"), Program(base, "Bob")
    match = opened(ann)
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return ann, bob, match["id"]


def asks(browser: Browser, base: str, ann: Program, match_id: str) -> tuple[Phone, Phone]:
    """Somebody on a new device shows a code; Ann, at the table, types it. Gives both phones."""
    new, host = Phone(browser, base, SMALL), ann.phone(browser, SMALL)
    fresh, touch = new.page, Finger(new.page)
    fresh.goto("/back")
    touch.tap_on(fresh.get_by_role("button", name="Show a code"))
    expect(fresh.get_by_role("img", name="QR code")).to_be_visible()
    assert fits(fresh)
    code = fresh.locator(".link").inner_text()
    page, finger = host.page, Finger(host.page)
    page.goto(f"/m/{match_id}")
    menu(page, finger, "Let a player back in")
    page.get_by_label("Who lost their device?").select_option(label="Bob")
    page.get_by_label("Code on the new device").fill(code)
    assert fits(page)
    finger.tap_on(page.get_by_role("button", name="Let back in", exact=True))
    expect(page.get_by_text("Request sent.")).to_be_visible()
    # The new device goes to the table by itself, and watches.
    expect(fresh.locator(".recovery")).to_contain_text("You get the seat of Bob")
    assert fits(fresh)
    return new, host


def test_the_others_let_a_player_back_in_after_a_while(browser: Browser, base: str) -> None:
    ann, _bob, match_id = at_a_table(browser, base)
    new, host = asks(browser, base, ann, match_id)
    expect(host.page.locator(".recovery")).to_contain_text("Bob is let back in on another device")
    expect(new.page.locator(".recovery")).to_be_empty()
    me = new.page.evaluate(f"fetch('/api/matches/{match_id}').then(a => a.json())")
    assert [seat["you"] for seat in me["seats"]] == [False, True]
    for phone in (new, host):
        phone.errors.clear()
        phone.close()


def test_who_still_has_the_device_objects(browser: Browser, base: str) -> None:
    ann, bob, match_id = at_a_table(browser, base)
    old = bob.phone(browser, SMALL)
    new, host = asks(browser, base, ann, match_id)
    page = old.page
    page.goto(f"/m/{match_id}")
    banner = page.locator(".recovery")
    expect(banner).to_contain_text("Your seat moves to another device unless you object")
    assert fits(page)
    refuse = banner.get_by_role("button", name="Object")
    assert is_large(refuse)
    Finger(page).tap_on(refuse)
    expect(banner).to_be_empty()
    seats = bob.get(f"/matches/{match_id}")["seats"]
    assert [seat["you"] for seat in seats] == [False, True]
    for phone in (new, host, old):
        phone.errors.clear()
        phone.close()
