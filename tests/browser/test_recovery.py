"""Seat recovery after a lost phone, by touch: with the PIN, or with the consent of the others."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.phone import SMALL, Phone, fits
from tests.browser.service import Pass, Program
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser
PIN = "482915"
DAY = 86_400_000
NARROW = {"width": 320, "height": 568}
REFUSED = ("status of 403", "status of 404")
"""What Chromium logs for a forbidden request, which is expected here."""


def put_away(*phones: Phone) -> None:
    """Close the phones; no page may have logged errors except for refused requests."""
    for phone in phones:
        phone.errors = [each for each in phone.errors if not any(r in each for r in REFUSED)]
        phone.close()


def own_seats(page: Page, match_id: str) -> list[int]:
    """Return the seats that this device holds according to the service."""
    script = "id => fetch(`/api/matches/${id}`).then(answer => answer.json())"
    return [seat["seat"] for seat in page.evaluate(script, match_id)["seats"] if seat["you"]]


def opened(ann: Program, seats: int = 2, visibility: str = "private") -> dict[str, str]:
    """Open a hex game of Ann's with open seats."""
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)],
        "options": {"begins": "host"},
        "visibility": visibility,
    }
    match: dict[str, str] = ann.post("/matches", body, 201)
    return match


def at_a_table(base: str, *names: str) -> tuple[list[Program], str]:
    """Start a hex game without time control."""
    people = [Program(base, name) for name in names]
    match = opened(people[0], len(people))
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def menu(page: Page, finger: Finger, name: str) -> None:
    """Open an entry of the match menu by its name."""
    finger.tap_on(page.get_by_role("button", name="Table menu"))
    entry = page.get_by_role("button", name=name)
    expect(entry).to_be_visible()
    assert is_large(entry)
    finger.tap_on(entry)


def is_large(target: Locator) -> bool:
    box = target.bounding_box() or {"height": 0, "width": 0}
    return min(box["height"], box["width"]) >= 48


def test_a_pin_chosen_when_sitting_down_brings_the_seat_back(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    """The others need not act; the old device is informed and can no longer read the match."""
    base, _passes = timed_service
    ann = Program(base, "Ann")
    match = opened(ann)
    old = Phone(browser, base, NARROW)
    page, finger = old.page, Finger(old.page)
    page.goto(f"/join/{match['id']}?invite={match['invite']}")
    sit_down = page.get_by_role("button", name="Join")
    for refused in ("12345", "123456"):  # refused before the seat is taken
        page.get_by_label("Seat PIN").fill(refused)
        finger.tap_on(sit_down)
        expect(page.locator(".problem")).to_contain_text("PIN")
        expect(page.locator(".problem")).to_be_in_viewport(ratio=1)
        assert fits(page)
    assert ann.get(f"/matches/{match['id']}")["status"] == "open"
    page.get_by_label("Seat PIN").fill(PIN)
    assert fits(page)
    finger.tap_on(sit_down)
    expect(page.locator(".game")).to_be_visible()
    menu(page, finger, "Seat PIN")
    expect(page.get_by_text("Your seat has a PIN.")).to_be_visible()
    line = page.get_by_text("Table code:").inner_text()
    code = line.partition("Table code: ")[2].partition(".")[0]
    assert fits(page)

    new = Phone(browser, base, NARROW)
    fresh, touch = new.page, Finger(new.page)
    fresh.goto("/you")
    touch.tap_on(fresh.get_by_role("link", name="Lost your device?"))
    expect(fresh.get_by_label("Table code")).to_be_visible()
    assert fits(fresh)
    fresh.get_by_label("Table code").fill(code.lower())
    fresh.get_by_label("Your seat number").select_option(label="2")
    get_back = fresh.get_by_role("button", name="Get seat back")
    assert is_large(get_back)
    fresh.get_by_label("Seat PIN").fill("135791")
    touch.tap_on(get_back)
    expect(fresh.locator(".problem")).to_contain_text("Wrong PIN. Tries left: 4.")
    expect(fresh.locator(".problem")).to_be_in_viewport(ratio=1)
    assert fits(fresh)
    assert "/m/" not in fresh.url
    fresh.get_by_label("Seat PIN").fill(PIN)
    touch.tap_on(get_back)
    expect(fresh.locator(".game")).to_be_visible()
    assert fresh.url.endswith(f"/m/{match['id']}")
    assert own_seats(fresh, match["id"]) == [1]
    seats = ann.get(f"/matches/{match['id']}")["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human"]

    moved = page.get_by_text("Your seat at this table has moved to another device.")
    expect(moved).to_be_visible()
    expect(page.get_by_role("heading", name="Seat moved")).to_be_visible()
    page.reload()
    expect(moved).to_be_visible()
    expect(page.get_by_role("heading", name="Seat moved")).to_be_visible()
    assert fits(page)
    put_away(old, new)


def test_the_old_device_goes_on_watching_a_public_table(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    """It is informed, and no longer offers what only the seat may do."""
    base, _passes = timed_service
    ann, bob, new = (Program(base, name) for name in ("Ann", "Bob", "Bob again"))
    match = opened(ann, visibility="public")
    path = f"/matches/{match['id']}"
    bob.post(path + "/join", {"invite": match["invite"]})
    pin = bob.put(path + "/pin", {"seat": 1, "pin": PIN})
    old = bob.phone(browser, NARROW)
    page = old.page
    page.goto(f"/m/{match['id']}")
    plan = page.get_by_role("button", name="Plan ahead")
    expect(plan).to_be_visible()
    new.post("/matches/recover", {"table": pin["table"], "seat": 1, "pin": PIN})
    moved = page.get_by_text("Your seat at this table has moved to another device.")
    expect(moved).to_be_visible()
    expect(page.locator(".game")).to_be_visible()
    expect(plan).to_be_hidden()
    assert own_seats(page, match["id"]) == []
    old.close()


def shows_a_code(browser: Browser, base: str) -> tuple[Phone, str]:
    """Open the request on a new device; return its phone and the URL in its QR code."""
    new = Phone(browser, base, NARROW)
    fresh, touch = new.page, Finger(new.page)
    fresh.goto("/back")
    with fresh.expect_response(
        lambda answer: answer.url.endswith("/seat-code") and answer.request.method == "POST"
    ) as made:
        touch.tap_on(fresh.get_by_role("button", name="Show code"))
    expect(fresh.get_by_role("img", name="QR code")).to_be_visible()
    assert fits(fresh)
    answer = made.value.json()
    assert fresh.locator(".link").inner_text() == answer["code"]
    address: str = answer["url"]
    return new, address


def asks(page: Page, finger: Finger) -> None:
    """Ask the others, as Ann with the form of the match open, to let Bob back in."""
    page.get_by_label("Who lost their device?").select_option(label="Bob")
    expect(page.get_by_text("If Bob has a seat PIN")).to_contain_text("seat number 2")
    assert fits(page)
    ask = page.get_by_role("button", name="Let back in", exact=True)
    assert is_large(ask)
    finger.tap_on(ask)
    expect(page.get_by_text("Request sent.")).to_be_visible()


def test_the_others_let_a_player_back_in_after_a_while(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    """One scans the code of the new device, another agrees; then it can only watch for a day."""
    base, passes = timed_service
    (ann, bob, cid), match_id = at_a_table(base, "Ann", "Bob", "Cid")
    new, address = shows_a_code(browser, base)
    host, third = ann.phone(browser, NARROW), cid.phone(browser, NARROW)
    # Scanning the code opens its URL, where the match is chosen.
    page, finger = host.page, Finger(host.page)
    page.goto(address)
    expect(page.get_by_role("heading", name="Let player back in")).to_be_visible()
    assert fits(page)
    table = page.locator(f"a[href*='{match_id}']")
    expect(table).to_contain_text("Caravanserai")
    finger.tap_on(table)
    field = page.get_by_label("Code on the new device")
    expect(field).to_have_value(parse_qs(urlsplit(address).query)["code"][0])
    asks(page, finger)
    assert fits(page)
    assert "back=" not in page.url

    fresh = new.page
    banner = fresh.locator(".recovery")
    expect(banner).to_contain_text("You can only watch until the others let you back in as Bob")
    assert own_seats(fresh, match_id) == []
    other = third.page
    other.goto(f"/m/{match_id}")
    expect(other.locator(".recovery")).to_contain_text("Let Bob back in on another device?")
    agree = other.locator(".recovery").get_by_role("button", name="Agree")
    assert is_large(agree)
    assert fits(other)
    Finger(other).tap_on(agree)
    for screen in (page, other):
        expect(screen.locator(".recovery")).to_contain_text("Bob will play on another device from")
    expect(banner).to_contain_text("You can play as Bob from")
    assert fits(fresh)
    assert own_seats(fresh, match_id) == []

    passes(DAY)
    expect(banner).to_be_empty()
    assert own_seats(fresh, match_id) == [1]
    expect(page.locator(".recovery")).to_be_empty()
    old = bob.phone(browser, NARROW)
    old.page.goto(f"/m/{match_id}")
    moved = old.page.get_by_text("Your seat at this table has moved to another device.")
    expect(moved).to_be_visible()
    put_away(new, host, third, old)


def test_who_still_has_the_device_objects(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    base, passes = timed_service
    (ann, bob), match_id = at_a_table(base, "Ann", "Bob")
    new, _address = shows_a_code(browser, base)
    host = ann.phone(browser, SMALL)
    page, finger = host.page, Finger(host.page)
    page.goto(f"/m/{match_id}")
    menu(page, finger, "Let player back in")
    field = page.get_by_label("Code on the new device")
    field.fill("AAAA-BBBB")
    finger.tap_on(page.get_by_role("button", name="Let back in", exact=True))
    expect(page.locator(".problem")).to_contain_text("Unknown or expired code.")
    expect(page.locator(".problem")).to_be_in_viewport(ratio=1)
    field.fill(new.page.locator(".link").inner_text())
    asks(page, finger)
    expect(new.page.locator(".recovery")).to_contain_text("You can play as Bob from")
    old = bob.phone(browser, NARROW)
    old.page.goto(f"/m/{match_id}")
    banner = old.page.locator(".recovery")
    expect(banner).to_contain_text("Your seat moves to another device unless you object before")
    assert fits(old.page)
    refuse = banner.get_by_role("button", name="Object")
    assert is_large(refuse)
    Finger(old.page).tap_on(refuse)
    expect(banner).to_be_empty()
    expect(page.locator(".recovery")).to_be_empty()
    gone = "You no longer have access to this game."
    expect(new.page.get_by_text(gone)).to_be_visible()
    passes(2 * DAY)
    assert own_seats(old.page, match_id) == [1]
    put_away(new, host, old)
