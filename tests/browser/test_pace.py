"""Time control on a phone: setup, clocks, the opponents' decision after a timeout, vacations."""

import random
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.match.time_control import DAY_MS
from tests.browser.inspection import AUDIT
from tests.browser.phone import PROMPT, SMALL, Phone, expect_turn, fits, unfold
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
    """Round one phone nobody is hurried."""
    base, _ = timed_service
    phone = Phone(browser, base, SMALL)
    page = phone.page
    page.goto("/new?game=caravanserai")
    unfold(page)
    days = page.get_by_role("radio", name=re.compile("^Correspondence"))
    page.get_by_label("Pass and play (one phone)").check()
    expect(days).to_have_count(0)
    page.get_by_label(re.compile("Each on their own phone")).check()
    page.get_by_label("Your name").fill("Ann")
    days.check()
    expect(page.get_by_role("radio", name="Correspondence 3 days per turn")).to_be_checked()
    page.get_by_text("More time options").click()
    page.get_by_role("group", name="Days per turn").get_by_role("radio", name="5").check()
    page.get_by_role("switch", name=re.compile("Weekends off")).check()
    page.get_by_role("radio", name=re.compile("The others vote")).check()
    expect(page.get_by_role("radio", name="Correspondence 5 days per turn")).to_be_checked()
    looks_right(phone)
    with page.expect_response("**/api/matches") as answered:
        page.get_by_role("button", name="Create game").click()
    clock = answered.value.json()["clock"]
    assert clock["on_end"] == "vote"
    assert (clock["pace"]["days"], clock["pace"]["weekends_off"]) == (5, True)
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
    bob.sign_in(phone)
    phone.page.goto("/")
    expect(phone.page.locator(".table-card .state")).to_contain_text("Waiting for Ann")
    phone.close()


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
    page.get_by_role("button", name="Replace with bot").tap()
    expect(page.get_by_role("button", name="Keep waiting")).to_be_visible()
    cid.post(f"/matches/{match}/vote", {"seat": 2, "about": 0, "bot": True})
    expect(page.locator(".clock.runs")).to_have_text(re.compile("Bob"), timeout=PROMPT)
    assert cid.get(f"/matches/{match}")["seats"][0]["kind"] == "bot"
    phone.close()


def test_a_vacation_is_a_switch(timed_service: tuple[str, Pass], browser: Browser) -> None:
    (ann, bob), match = at_a_table(timed_service[0], "Ann", "Bob")
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.goto("/you")
    switch = page.get_by_role("switch", name=re.compile("On vacation"))
    switch.check()
    expect(page.get_by_text("27 vacation days left this year.")).to_be_visible()
    looks_right(phone)
    assert bob.get(f"/matches/{match}")["clock"]["seats"][0]["away"]
    with page.expect_response("**/vacation*"):
        switch.uncheck()
    assert not bob.get(f"/matches/{match}")["clock"]["seats"][0]["away"]
    phone.close()


def test_a_phone_with_a_wrong_clock_shows_the_right_time(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    """The device clock is hours off; the remaining time follows the clock of the service."""
    (ann, _), match = at_a_table(timed_service[0], "Ann", "Bob", kind="live", bank=1500)
    phone = ann.phone(browser, SMALL)
    phone.page.clock.install()
    for wrong in (-3, 3):
        phone.page.clock.set_system_time(datetime.now(UTC) + timedelta(hours=wrong))
        phone.page.goto(f"/m/{match}")
        shown = phone.page.locator(".clock.runs")
        expect(shown).to_have_text(re.compile("Ann: 2[0-9] minutes left"))
    phone.close()


def test_weekends_off_are_those_of_the_devices_time_zone(
    timed_service: tuple[str, Pass], browser: Browser
) -> None:
    """The browser may use an older alias of the zone, which is equally valid. Without a time zone
    it sends minutes only."""
    phone = Phone(browser, timed_service[0], SMALL)
    page = phone.page
    session = phone.context.new_cdp_session(page)

    def open_table(zone: str) -> Any:
        page.goto("/new?game=caravanserai")
        page.get_by_label("Your name").fill("Ann")
        unfold(page)
        page.get_by_role("radio", name=re.compile("^Correspondence")).check()
        page.get_by_text("More time options").tap()
        expect(page.get_by_text(f"don’t count ({zone})")).to_be_visible()
        page.get_by_role("switch", name=re.compile("Weekends off")).tap()
        page.get_by_role("switch", name=re.compile("^Vacation")).tap()
        looks_right(phone)
        with page.expect_response("**/api/matches") as answered:
            page.get_by_role("button", name="Create game").tap()
        pace = answered.value.json()["clock"]["pace"]
        assert pace["weekends_off"] is True
        assert pace["vacation"] is False
        return pace["time_zone"]

    for device in ("America/New_York", "Asia/Kolkata"):
        session.send("Emulation.setTimezoneOverride", {"timezoneId": device})
        named = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
        sent = open_table(f"time zone: {named}")
        assert sent == (device if device == "America/New_York" else named)
    page.add_init_script(
        "Intl.DateTimeFormat = () => { throw new RangeError('Incorrect locale information') }"
    )
    assert open_table("local time") is None
    phone.close()


def test_a_move_ends_the_vacation(timed_service: tuple[str, Pass], browser: Browser) -> None:
    """Both players see the clock running again at once, as when it is switched off."""
    (ann, bob), match = at_a_table(timed_service[0], "Ann", "Bob")
    phone, other = ann.phone(browser), bob.phone(browser, SMALL)
    for each in (phone, other):
        each.page.goto(f"/m/{match}")
    for away, shown in ((True, "Ann is on vacation"), (False, "Ann: 2 days left")):
        ann.put("/players/me/vacation", {"away": away})
        for each in (phone, other):
            expect(each.page.locator(".clock")).to_have_text([shown], timeout=PROMPT)
    ann.put("/players/me/vacation", {"away": True})
    for each in (phone, other):
        expect(each.page.locator(".clock")).to_have_text(["Ann is on vacation"], timeout=PROMPT)
    expect_turn(phone)
    phone.move(random.Random(3))
    for each in (phone, other):
        expect(each.page.locator(".clock")).to_have_text(
            [re.compile("(Ann|Bob): 2 days left")], timeout=PROMPT
        )
    phone.page.goto("/you")
    switch = phone.page.get_by_role("switch", name=re.compile("On vacation"))
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
    expect(page.get_by_role("button", name="Replace with bot")).to_have_count(1)
    looks_right(phone)
    page.get_by_role("button", name="Replace with bot").tap()
    expect(page.locator(".clock.runs")).to_have_text(re.compile("Bob"), timeout=PROMPT)
    phone.close()
