"""A seat lost by timeout, by touch on a small phone: taking it back, asking the others after a
second loss, and the options of the dialog for leaving."""

import random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from domain.match.time_control import DAY_MS
from tests.browser.inspection import AUDIT
from tests.browser.phone import NO_OVERLAY, expect_turn, fits
from tests.browser.service import Pass, Program
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser
NARROW = {"width": 320, "height": 568}


def at_a_table(base: str, *names: str, game: str = "caravanserai") -> tuple[list[Program], str]:
    """People at a running match of two days a turn; a bot takes the seat when time is up."""
    people = [Program(base, name) for name in names]
    body = {
        "game": game,
        "seats": [{"kind": "me"}, *({"kind": "open"} for _ in names[1:])],
        "options": {"begins": "host"} if game == "caravanserai" else {},
        "pace": {"kind": "days", "days": 2, "on_end": "bot_takes"},
    }
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def card(page: Page) -> Locator:
    """What the page says of a lost seat; it fits, and its buttons are large enough."""
    shown = page.locator(".lost-seat .notice")
    expect(shown).to_be_visible()
    assert fits(page)
    assert page.evaluate(AUDIT) == {"small": [], "fine": []}
    return shown


def play_until_seat(player: Program, own: int, match_id: str, seat: int) -> None:
    """Play at random for one's own seat until another is to act."""
    rng = random.Random(5)
    while (to_act := player.get(f"/matches/{match_id}")["to_act"]) != [seat]:
        assert to_act == [own]
        player.step(match_id, rng)


def test_a_lost_seat_is_taken_back_once_and_then_with_consent(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    base, passes = timed_service
    (ann, bob), match_id = at_a_table(base, "Ann", "Bob")
    phone, other = ann.phone(browser, NARROW), bob.phone(browser, NARROW)
    page, finger = phone.page, Finger(phone.page)
    page.goto(f"/m/{match_id}")
    expect_turn(phone)
    passes(2 * DAY_MS)
    expect(card(page)).to_contain_text("Your time ran out. You can take the seat back once.")
    expect(page.locator(".plan-line")).to_be_hidden()
    page.goto("/")
    line = page.locator(".table-card")
    expect(line).to_contain_text("A bot has your seat")
    finger.tap_on(line)
    finger.tap_on(card(page).get_by_role("button", name="Take seat back"))
    expect(page.locator(".lost-seat")).to_be_hidden()
    assert ann.get(f"/matches/{match_id}")["seats"][0]["you"]

    play_until_seat(bob, 1, match_id, 0)
    expect_turn(phone)
    passes(3 * DAY_MS)
    expect(card(page)).to_contain_text("Your time ran out again.")
    finger.tap_on(card(page).get_by_role("button", name="Ask to return"))
    expect(card(page)).to_contain_text("Waiting for the others to agree.")
    other.page.goto(f"/m/{match_id}")
    question = card(other.page)
    expect(question).to_contain_text("Ann asks to return")
    Finger(other.page).tap_on(question.get_by_role("button", name="Agree"))
    for screen in (page, other.page):
        expect(screen.locator(".lost-seat")).to_be_hidden()
    assert ann.get(f"/matches/{match_id}")["seats"][0]["you"]
    phone.close()
    other.close()


def test_a_seat_taken_back_can_be_played_at_once_in_a_game_with_secrets(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    """The page sees through the seat again without being opened anew."""
    base, passes = timed_service
    (ann, bob), match_id = at_a_table(base, "Ann", "Bob", game="courtyard")
    (first,) = ann.get(f"/matches/{match_id}")["to_act"]
    late, next_up = ((ann, bob), (bob, ann))[first]
    phone = late.phone(browser, NARROW)
    page = phone.page
    page.goto(f"/m/{match_id}")
    expect_turn(phone)
    passes(2 * DAY_MS)
    expect(card(page)).to_contain_text("A bot has your seat")
    page.reload()
    Finger(page).tap_on(card(page).get_by_role("button", name="Take seat back"))
    expect(page.locator(".lost-seat")).to_be_hidden()
    play_until_seat(next_up, 1 - first, match_id, first)
    expect_turn(phone)
    phone.close()


def test_leaving_a_private_match_offers_its_file_first(
    browser: Browser, timed_service: tuple[str, Pass]
) -> None:
    base, _passes = timed_service
    (_ann, bob), _match_id = at_a_table(base, "Ann", "Bob")
    phone = bob.phone(browser, NARROW)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/")
    finger.tap_on(page.get_by_role("button", name="Table menu"))
    finger.tap_on(page.get_by_role("button", name="Leave game"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You won’t be able to open this game again.")
    choices = dialog.locator(".row .button")
    expect(choices).to_have_text(["Download game file", "Stay", "Leave game"])
    assert fits(page)
    assert page.evaluate(AUDIT) == {"small": [], "fine": []}
    with page.expect_download() as file:
        finger.tap_on(choices.nth(0))
    assert file.value.suggested_filename
    finger.tap_on(choices.nth(2))
    expect(page.get_by_text("You left the table.")).to_be_visible()
    page.wait_for_function(NO_OVERLAY)
    page.goto("/you")
    finger.tap_on(page.get_by_role("button", name="Show history"))
    expect(page.get_by_role("heading", name="Games you left")).to_be_visible()
    assert fits(page)
    assert bob.get("/players/me/history")["left"][0]["game"] == "caravanserai"
    phone.close()
