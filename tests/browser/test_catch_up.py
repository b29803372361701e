"""Remote play by real touches: catching up, known players, notes, muting, the next match."""

import random
import re

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import PROMPT, SMALL, fits
from tests.browser.service import Program, played, table
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser
PUT_AWAY = """(away) => {
  Object.defineProperty(document, "hidden", { value: away, configurable: true })
  const visibilityState = away ? "hidden" : "visible"
  Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true })
  document.dispatchEvent(new Event("visibilitychange"))
}"""


def put(person: Program, path: str, body: object) -> None:
    answer = person._http.put(f"/api{path}", json=body)
    assert answer.status_code == 200, answer.text


def until_turn_of(people: list[Program], match_id: str, seat: int) -> None:
    """Play until it is the seat's turn."""
    rng = random.Random(4)
    while (acting := people[0].get(f"/matches/{match_id}")["to_act"]) != [seat]:
        people[acting[0]].step(match_id, rng)


def test_what_happened_since_is_told_on_another_device_and_noted_as_seen(
    browser: Browser, base: str
) -> None:
    people, match_id = played(base, 6, "Ann", "Bob")
    until_turn_of(people, match_id, 1)
    seen = people[0].get(f"/matches/{match_id}")["version"]
    put(people[0], f"/matches/{match_id}/seen", {"version": seen})
    until_turn_of(people, match_id, 0)
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{match_id}")
    since = page.locator(".notice.since")
    expect(since).to_contain_text("since your last visit")
    expect(since.locator("li").first).to_be_hidden()
    finger.tap_on(since.locator("summary"))
    expect(since.locator("li").first).to_contain_text("Bob")
    assert fits(page)
    finger.tap_on(since.get_by_role("button", name="OK"))
    expect(since).to_have_count(0)
    # With reduced motion nothing is animated, and no replay is offered.
    expect(page.locator(".skip")).to_be_hidden()
    now = people[0].get(f"/matches/{match_id}")["version"]
    page.wait_for_timeout(200)
    page.get_by_role("link", name="Home").first.tap()
    page.wait_for_selector(".table-card")
    page.wait_for_timeout(500)
    assert people[0].get(f"/matches/{match_id}/own")["seen"] == now
    phone.close()


def test_who_puts_the_phone_away_has_seen_what_was_shown_and_comes_back_to_new_lists(
    browser: Browser, base: str
) -> None:
    """In most turns a player looks, moves and locks the phone within a few seconds."""
    people, match_id = played(base, 6, "Ann", "Bob")
    until_turn_of(people, match_id, 1)
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    with page.expect_response("**/own"):
        page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game")
    with page.expect_request("**/seen") as noted:
        page.evaluate(PUT_AWAY, True)
    assert noted.value.post_data_json == {
        "version": people[0].get(f"/matches/{match_id}")["version"]
    }
    page.evaluate(PUT_AWAY, False)
    page.get_by_role("link", name="Home").first.tap()
    state = page.locator(f".table-card[href='/m/{match_id}'] .state")
    expect(state).to_contain_text("Waiting for Bob")
    page.evaluate(PUT_AWAY, True)
    until_turn_of(people, match_id, 0)
    page.evaluate(PUT_AWAY, False)
    expect(state).to_contain_text("your turn")
    expect(page).to_have_title("(1) Caravanserai")
    phone.close()


def test_a_note_to_oneself_is_kept_and_found_on_another_device(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{match_id}")
    finger.tap_on(page.locator(".own-note summary"))
    with page.expect_response("**/note") as kept:
        page.locator(".own-note textarea").fill("Bob hoards purple.")
    assert kept.value.status == 200
    assert people[0].get(f"/matches/{match_id}/own")["note"] == "Bob hoards purple."
    assert people[1].get(f"/matches/{match_id}/own")["note"] == ""
    page.reload()
    expect(page.locator(".own-note textarea")).to_have_value("Bob hoards purple.")
    phone.close()


def test_after_a_move_the_next_table_is_one_tap_away(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    bob = Program(base, "Bob")
    ids = []
    for _ in range(2):
        body = {
            "game": "conquest",
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "options": {"map": "short"},
        }
        match = ann.post("/matches", body, 201)
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        until_turn_of([ann, bob], match["id"], 0)
        ids.append(match["id"])
    phone = ann.phone(browser)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{ids[0]}")
    page.wait_for_selector(".game.my-turn")
    rng = random.Random(1)
    link = page.get_by_role("link", name="Next game")
    while phone.waits_for_me():
        phone.by_list(rng)
        phone.settled()
    expect(link).to_be_visible(timeout=PROMPT)
    finger.tap_on(link)
    page.wait_for_url(f"**/m/{ids[1]}")
    phone.close()


def test_people_are_invited_again_muted_and_blocked(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    people[1].post(f"/matches/{match_id}/say", {"seat": 1, "text": "unheard of"})
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    finger = Finger(page)
    page.goto("/you")
    finger.tap_on(page.get_by_role("button", name="Show history"))
    mute = page.get_by_role("button", name="Mute Bob")
    assert (mute.bounding_box() or {"height": 0})["height"] >= 48
    finger.tap_on(mute)
    expect(mute).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("You won’t see their messages.")).to_be_visible()
    events = people[0].get(f"/matches/{match_id}/events")["events"]
    assert "unheard of" not in str(events)
    finger.tap_on(mute)
    expect(mute).to_have_attribute("aria-pressed", "false")
    assert fits(page)
    finger.tap_on(page.get_by_role("button", name="Create link"))
    expect(page.locator(".company .link")).to_contain_text("/calendar/")
    finger.tap_on(page.get_by_role("link", name="Play again with Bob"))
    kept = page.get_by_label("Who can take seat 2")
    expect(kept.locator("option:checked")).to_have_text("Bob")
    finger.tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/m/*")
    calls = people[1].get("/matches?scope=invited")["items"]
    assert [each["seats"][1]["held_for"] for each in calls] == ["you"]
    phone.close()


def test_whoever_one_has_played_with_can_be_asked_to_any_open_seat(
    browser: Browser, base: str
) -> None:
    ann, bob, cid = (Program(base, name) for name in ("Ann", "Bob", "Cid"))
    for other in (bob, cid):
        body = {"game": "caravanserai", "seats": [{"kind": "me"}, {"kind": "open"}]}
        match = ann.post("/matches", body, 201)
        other.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    phone = ann.phone(browser, SMALL)
    page = phone.page
    page.goto("/new?game=caravanserai")
    page.locator("input[name=gPlayers]").nth(2).check()
    second, third = (page.get_by_label(f"Who can take seat {seat}") for seat in (2, 3))
    expect(second.locator("option:checked")).to_have_text("Anyone")
    assert (second.bounding_box() or {"height": 0})["height"] >= 48
    second.focus()
    second.select_option(label="Bob")
    # No player can hold two seats of a match.
    expect(third.locator("option")).to_have_text(["Anyone", "Cid"])
    expect(second).to_be_focused()
    assert fits(page)
    Finger(page).tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/m/*")
    seats = ann.get("/matches/" + page.url.rpartition("/")[2])["seats"]
    assert [seat.get("held_for") for seat in seats] == [None, "other", None]
    (call,) = bob.get("/matches?scope=invited")["items"]
    assert call["id"] in page.url
    assert cid.get("/matches?scope=invited")["items"] == []
    phone.close()


def test_a_table_is_muted_and_heard_again_and_found_by_a_feed_reader(
    browser: Browser, base: str
) -> None:
    people, match_id = played(base, 3, "Ann", "Bob")
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    finger = Finger(page)
    page.goto("/")
    more = page.get_by_role("button", name="Table menu")
    finger.tap_on(more)
    mute = page.get_by_role("button", name="Mute this table")
    expect(mute).to_be_enabled()
    assert (mute.bounding_box() or {"height": 0})["height"] >= 48
    finger.tap_on(mute)
    expect(page.get_by_text("Muted.")).to_be_visible()
    assert people[0].get("/notices")["muted"] == [match_id]
    finger.tap_on(more)
    again = page.get_by_role("button", name="Unmute this table")
    expect(again).to_be_enabled()
    assert fits(page)
    finger.tap_on(again)
    expect(page.get_by_text("Unmuted.")).to_be_visible()
    assert people[0].get("/notices")["muted"] == []
    finger.tap_on(more)
    finger.tap_on(page.get_by_role("button", name="RSS/Atom feed"))
    address = page.locator("dialog .link")
    expect(address).to_be_focused()
    assert fits(page)
    feed = httpx.get(address.inner_text())  # without a player's credentials
    assert feed.headers["content-type"].startswith("application/atom+xml")
    assert "<entry>" in feed.text
    phone.close()


def test_at_the_table_too_it_is_muted_and_followed(browser: Browser, base: str) -> None:
    people, match_id = played(base, 3, "Ann", "Bob")
    phone = people[0].phone(browser, SMALL)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{match_id}")
    finger.tap_on(page.get_by_role("button", name="Table menu"))
    for name, muted in (("Mute this table", [match_id]), ("Unmute this table", [])):
        way = page.get_by_role("button", name=re.compile(f"^{name}"))
        expect(way).to_be_enabled()
        assert (way.bounding_box() or {"height": 0})["height"] >= 48
        finger.tap_on(way)
        expect(way).to_have_count(0)
        assert people[0].get("/notices")["muted"] == muted
    finger.tap_on(page.get_by_role("button", name="RSS/Atom feed"))
    address = page.locator("dialog[open] .link[tabindex]").last
    expect(address).to_be_focused()
    assert fits(page)
    assert "<entry>" in httpx.get(address.inner_text()).text
    assert finger.strays() == []
    phone.close()


def test_unread_words_stand_at_the_table_in_the_list(browser: Browser, base: str) -> None:
    people, match_id = table(base, "Ann", "Bob")
    put(people[0], f"/matches/{match_id}/seen", {"version": 99})
    people[1].post(f"/matches/{match_id}/say", {"seat": 1, "text": "hello"})
    phone = people[0].phone(browser, SMALL)
    phone.page.goto("/")
    expect(phone.page.locator(".table-card .unread")).to_have_text("1 unread message")
    phone.close()
