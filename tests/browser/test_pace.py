"""Time control on a phone: setup, clocks, the opponents' decision after a timeout, vacations."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.match.time_control import DAY_MS
from tests.browser.inspection import AUDIT
from tests.browser.phone import PROMPT, SMALL, Phone, expect_turn, fits
from tests.browser.service import Pass, Program

pytestmark = pytest.mark.browser


def at_a_table(base: str, *names: str, **pace: Any) -> tuple[list[Program], str]:
    """Start a hex game of two days per turn."""
    people = [Program(base, name) for name in names]
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])]
    body = {
        "game": "caravanserai",
        "seats": seats,
        "options": {"begins": "host"},
        "pace": {"kind": "days", "days": 2, **pace},
    }
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def looks_right(phone: Phone) -> None:
    """Check that nothing overflows sideways and that tap targets are large enough."""
    assert fits(phone.page)
    assert phone.page.evaluate(AUDIT) == {"small": [], "fine": []}


def test_a_table_is_opened_with_a_pace(timed_service: tuple[str, Pass], browser: Browser) -> None:
    base, _ = timed_service
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto("/new?game=caravanserai")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("radio", name=re.compile("^Days")).check()
    expect(page.get_by_role("radio", name="Days 3 days a turn")).to_be_checked()
    page.get_by_text("More about time").click()
    page.get_by_role("group", name="Days for each turn").get_by_role("radio", name="5").check()
    page.get_by_role("switch", name=re.compile("Weekends off")).check()
    page.get_by_role("radio", name=re.compile("The others decide")).check()
    expect(page.get_by_role("radio", name="Days 5 days a turn")).to_be_checked()
    looks_right(phone)
    with page.expect_response("**/api/matches") as answered:
        page.get_by_role("button", name="Open the table").click()
    clock = answered.value.json()["clock"]
    assert clock["on_end"] == "vote"
    assert (clock["pace"]["days"], clock["pace"]["weekends_off"]) == (5, True)
    phone.close()


def test_round_one_phone_nobody_is_hurried(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    phone = Phone(browser, timed_service[0])
    phone.page.goto("/new?game=caravanserai")
    phone.page.get_by_label(re.compile("Pass one phone round")).check()
    expect(phone.page.get_by_role("radio", name=re.compile("^Days"))).to_have_count(0)
    phone.close()


def test_clocks_are_seen_at_the_table_and_on_the_first_page(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    (ann, bob), match = at_a_table(timed_service[0], "Ann", "Bob")
    phone = ann.phone(browser, SMALL)
    phone.page.goto(f"/m/{match}")
    expect(phone.page.locator(".clock")).to_have_text(["Ann: 2 days left"])
    looks_right(phone)
    phone.page.goto("/")
    expect(phone.page.locator(".table-card .state")).to_contain_text("2 days left")
    other = bob.phone(browser)
    other.page.goto("/")
    expect(other.page.locator(".table-card .state")).to_contain_text("Waiting for Ann")
    phone.close()
    other.close()


def test_the_others_give_the_seat_to_a_bot(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    base, passes = timed_service
    (_ann, bob, cid), match = at_a_table(base, "Ann", "Bob", "Cid", on_end="vote")
    phone = bob.phone(browser, SMALL)
    page = phone.page
    page.goto(f"/m/{match}")
    expect(page.locator(".clock.runs")).to_have_text("Ann: 2 days left")
    passes(2 * DAY_MS)
    expect(page.locator(".clock.out")).to_have_text("Ann: time is up", timeout=PROMPT)
    looks_right(phone)
    page.get_by_role("button", name="Give the seat to a bot").tap()
    expect(page.get_by_role("button", name="Wait after all")).to_be_visible()
    cid.post(f"/matches/{match}/vote", {"seat": 2, "about": 0, "bot": True})
    expect(page.locator(".clock.runs")).to_have_text(re.compile("Bob"), timeout=PROMPT)
    assert cid.get(f"/matches/{match}")["seats"][0]["kind"] == "bot"
    phone.close()


def test_a_vacation_is_a_switch(timed_service: tuple[str, Pass], browser: Browser) -> None:
    (ann, bob), match = at_a_table(timed_service[0], "Ann", "Bob")
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.goto("/you")
    switch = page.get_by_role("switch", name=re.compile("I am on vacation"))
    switch.check()
    expect(page.get_by_text("27 days of vacation are left this year.")).to_be_visible()
    looks_right(phone)
    assert bob.get(f"/matches/{match}")["clock"]["seats"][0]["away"]
    other = bob.phone(browser)
    other.page.goto(f"/m/{match}")
    expect(other.page.locator(".clock")).to_have_text(["Ann is on vacation"])
    switch.uncheck()
    expect(other.page.locator(".clock")).to_have_text(["Ann: 2 days left"], timeout=PROMPT)
    phone.close()
    other.close()


@pytest.mark.parametrize("wrong", [-3, 3])
def test_a_phone_with_a_wrong_clock_shows_the_right_time(
    timed_service: tuple[str, Pass], browser: Browser, wrong: int
) -> None:
    """The device clock is hours off; the remaining time follows the clock of the service."""
    (ann, _), match = at_a_table(timed_service[0], "Ann", "Bob", kind="live", bank=1500)
    phone = ann.phone(browser, SMALL)
    phone.page.clock.install(time=datetime.now(UTC) + timedelta(hours=wrong))
    phone.page.goto(f"/m/{match}")
    expect(phone.page.locator(".clock.runs")).to_have_text(re.compile("Ann: 2[0-9] minutes left"))
    phone.close()


@pytest.mark.parametrize(
    ("device", "sent"), [("America/New_York", "America/New_York"), ("Asia/Kolkata", None)]
)
def test_weekends_off_are_those_of_the_devices_time_zone(
    timed_service: tuple[str, Pass], browser: Browser, device: str, sent: str | None
) -> None:
    """The browser may use an older alias of the zone, which is equally valid."""
    phone = Phone(browser, timed_service[0], SMALL)
    page = phone.page
    zone = {"timezoneId": device}
    phone.context.new_cdp_session(page).send("Emulation.setTimezoneOverride", zone)
    page.goto("/new?game=caravanserai")
    named = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("radio", name=re.compile("^Days")).check()
    page.get_by_text("More about time").tap()
    switch = page.get_by_role("switch", name=re.compile("Weekends off"))
    expect(page.get_by_text(f"don't count (time zone: {named})")).to_be_visible()
    switch.tap()
    page.get_by_role("switch", name=re.compile("^Vacation")).tap()
    looks_right(phone)
    with page.expect_response("**/api/matches") as answered:
        page.get_by_role("button", name="Open the table").tap()
    pace = answered.value.json()["clock"]["pace"]
    assert (pace["weekends_off"], pace["time_zone"]) == (True, sent or named)
    assert pace["vacation"] is False
    phone.close()


def test_a_browser_without_a_time_zone_sends_minutes(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    phone = Phone(browser, timed_service[0], SMALL)
    page = phone.page
    page.add_init_script(
        "Intl.DateTimeFormat = () => { throw new RangeError('Incorrect locale information') }"
    )
    page.goto("/new?game=caravanserai")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("radio", name=re.compile("^Days")).check()
    page.get_by_text("More about time").tap()
    expect(page.get_by_text("don't count (local time)")).to_be_visible()
    page.get_by_role("switch", name=re.compile("Weekends off")).tap()
    with page.expect_response("**/api/matches") as answered:
        page.get_by_role("button", name="Open the table").tap()
    pace = answered.value.json()["clock"]["pace"]
    assert (pace["weekends_off"], pace["time_zone"]) == (True, None)
    phone.close()


def test_a_move_ends_the_vacation(timed_service: tuple[str, Pass], browser: Browser) -> None:
    """Both players see the clock running again at once."""
    (ann, bob), match = at_a_table(timed_service[0], "Ann", "Bob")
    ann.put("/players/me/vacation", {"away": True})
    phone, other = ann.phone(browser), bob.phone(browser, SMALL)
    for each in (phone, other):
        each.page.goto(f"/m/{match}")
        expect(each.page.locator(".clock")).to_have_text(["Ann is on vacation"])
    expect_turn(phone)
    phone.move(random.Random(3))
    for each in (phone, other):
        expect(each.page.locator(".clock")).to_have_text(
            [re.compile("(Ann|Bob): 2 days left")], timeout=PROMPT
        )
    phone.page.goto("/you")
    switch = phone.page.get_by_role("switch", name=re.compile("I am on vacation"))
    expect(switch).not_to_be_checked()
    phone.close()
    other.close()


def test_the_clock_of_a_free_seat_is_seen(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    base, passes = timed_service
    (ann, bob), match = at_a_table(base, "Ann", "Bob", on_end="vote")
    ann.post(f"/matches/{match}/leave", {"stand_in": "nobody"})
    phone = bob.phone(browser, SMALL)
    page = phone.page
    page.goto(f"/m/{match}")
    expect(page.locator(".clock.runs")).to_have_text("Seat 1: 2 days left")
    passes(2 * DAY_MS)
    expect(page.locator(".clock.out")).to_have_text("Seat 1: time is up", timeout=PROMPT)
    expect(page.get_by_role("button", name="Give the seat to a bot")).to_have_count(1)
    looks_right(phone)
    page.get_by_role("button", name="Give the seat to a bot").tap()
    expect(page.locator(".clock.runs")).to_have_text(re.compile("Bob"), timeout=PROMPT)
    phone.close()
