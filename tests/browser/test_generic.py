"""The generic screen, used by games without a screen of their own.

Every game is played on it, with and without hidden information: the list of the games' own screens
is removed from the script that the browser loads.
"""

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from domain.contract.game import GameInfo
from domain.contract.registry import TITLES
from tests.browser.phone import Phone, show_history
from tests.browser.service import Program

SECRET = [title for title in TITLES.values() if "secret" in title.traits]
OPEN = [title for title in TITLES.values() if "secret" not in title.traits]


def _without_screens(route: Route) -> None:
    """Answer with the app script after emptying its list of the games' screens."""
    answer = route.fetch()
    body, count = re.subn(r'"screenModules": \{[^}]*\}', '"screenModules": {}', answer.text())
    assert count == 1
    route.fulfill(response=answer, body=body)


def _phone(browser: Browser, person: Program) -> Phone:
    phone = person.phone(browser)
    phone.page.route("**/assets/app.*.js", _without_screens)
    return phone


def _table(base: str, slug: str, seats: int, *, one_phone: bool) -> tuple[list[Program], str]:
    names = [f"Player {seat}" for seat in range(seats)]
    people = [Program(base, name) for name in (names[:1] if one_phone else names)]
    kind = "me" if one_phone else "open"
    chairs = [{"kind": "me", "name": names[0]}]
    chairs += [{"kind": kind, "name": name} if one_phone else {"kind": kind} for name in names[1:]]
    match = people[0].post("/matches", {"game": slug, "seats": chairs, "options": {}}, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def _acting(people: list[Program], match_id: str) -> int:
    return int(people[0].get(f"/matches/{match_id}")["to_act"][0])


@pytest.mark.browser
@pytest.mark.parametrize("title", SECRET, ids=lambda title: title.slug)
def test_a_game_with_secrets_is_played_under_a_cover(
    browser: Browser, base: str, title: GameInfo
) -> None:
    """Secrets and moves are shown only while the cover is lifted, and a move can be made there."""
    people, match_id = _table(base, title.slug, title.seats[0], one_phone=False)
    seat = _acting(people, match_id)
    own = people[seat].get(f"/matches/{match_id}")["view"]
    table = people[seat].get(f"/matches/{match_id}?seat=-1")["view"]
    phone = _phone(browser, people[seat])
    page = phone.page
    page.goto(f"/m/{match_id}")
    cover = page.locator(".cover-button")
    expect(cover).to_have_text("Tap to choose, hold to peek")
    words = page.locator(".board-area .in-words")
    expect(words).to_contain_text("phase" if "phase" in table else next(iter(table)))
    assert page.locator(".covered *").count() == 0
    covered = words.inner_text()
    before = phone.version()
    cover.press("Enter")
    secret = page.locator(".covered .in-words")
    expect(secret).to_be_visible()
    assert (secret.inner_text() != covered) == (own != table)  # equal if there are no secrets yet
    page.locator(".covered .moves .button").first.click()
    expect(page.locator(".covered *")).to_have_count(0)
    phone.settled()
    assert phone.version() > before
    show_history(page)
    page.get_by_role("button", name="Previous move").press("Enter")
    expect(page.locator(".game.looking")).to_have_count(1)
    phone.close()


@pytest.mark.browser
@pytest.mark.parametrize("title", SECRET, ids=lambda title: title.slug)
def test_a_phone_that_goes_round_is_handed_over(
    browser: Browser, base: str, title: GameInfo
) -> None:
    """On a shared device, the hand-over screen appears before each seat's move."""
    people, match_id = _table(base, title.slug, title.seats[0], one_phone=True)
    phone = _phone(browser, people[0])
    page = phone.page
    page.goto(f"/m/{match_id}")
    for _ in range(2):
        page.locator(".handover-page .primary").click()
        expect(page.locator(".covered .moves .button").first).to_be_visible()
        page.locator(".covered .moves .button").first.click()
        phone.settled()
    expect(page.locator(".covered *")).to_have_count(0)
    log = page.locator(".log")
    told = people[0].get(f"/matches/{match_id}/events?after=0&seat=-1")["events"]
    expect(log).to_contain_text(told[-1]["text"])
    phone.close()


@pytest.mark.browser
@pytest.mark.parametrize("title", OPEN, ids=lambda title: title.slug)
def test_a_game_without_secrets_is_played_openly(
    browser: Browser, base: str, title: GameInfo
) -> None:
    """Without hidden information, moves are made without a cover."""
    people, match_id = _table(base, title.slug, 2, one_phone=True)
    phone = _phone(browser, people[0])
    page = phone.page
    page.goto(f"/m/{match_id}")
    before = len(people[0].get(f"/matches/{match_id}/events?after=0")["events"])
    page.locator(".desk .moves .button").first.click()
    phone.settled()
    expect(page.locator(".history input")).not_to_have_attribute("max", str(before))
    assert page.locator(".cover-button").count() == 0
    phone.close()
