"""Options of a game on the page for new tables, and their effect on the match."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import SMALL, fits, unfold
from tests.browser.service import Program, played
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

MATCHES = Path(__file__).parents[1] / "recorded_matches"


def open_table(page: Page, finger: Finger) -> Any:
    """Open the table; return the body of the request to the service."""
    with page.expect_request("**/api/matches") as sent:
        finger.tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_url("**/m/*")
    return sent.value.post_data_json


@pytest.mark.parametrize("game", ["caravanserai", "courtyard"])
def test_long_games_end_unless_the_switch_is_put_off(
    game: str, browser: Browser, base: str
) -> None:
    """The switch is on by default in the page, although the option is off by default in the schema.

    Ruling 28 of the hex game, ruling 48 of the courtyard game.
    """
    for off in (False, True):
        ann = Program(base, "Ann")
        phone = ann.phone(browser, SMALL)
        page, finger = phone.page, Finger(phone.page)
        page.goto(f"/new?game={game}")
        unfold(page)
        switch = page.get_by_role("switch", name="End long games")
        expect(switch).to_be_checked()
        assert fits(page)
        if off:
            finger.tap_on(switch)
            expect(switch).not_to_be_checked()
        asked = open_table(page, finger)
        assert asked["options"]["long_games_end"] is not off
        match = ann.get(f"/matches/{page.url.rpartition('/')[2].partition('?')[0]}")
        assert match["options"]["long_games_end"] is not off
        phone.close()


def test_what_caravans_start_with_is_folded_away_and_chosen(browser: Browser, base: str) -> None:
    """The starting goods and animals are under "More options" and reach the match."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/new?game=conquest")
    unfold(page)
    gold = page.get_by_label("Starting gold")
    expect(page.get_by_text("More options")).to_be_visible()
    expect(gold).to_be_hidden()
    finger.tap_on(page.get_by_text("More options"))
    expect(gold).to_be_visible()
    expect(gold).to_have_value("10")
    expect(page.get_by_label("Starting silk")).to_have_value("5")
    gold.fill("42")
    expect(page.get_by_label("First animal")).to_have_value("donkey")
    page.get_by_label("Second animal").select_option("fidget")
    finger.tap_on(page.get_by_text("Reinforced"))
    assert fits(page)
    for field in page.locator(".options details[open] :is(input[type=number], select)").all():
        box = field.bounding_box()
        assert box is not None
        assert box["height"] >= 48
    asked = open_table(page, finger)["options"]
    assert (asked["gold"], asked["animals"], asked["caravan"]) == (
        42,
        ["donkey", "fidget"],
        "reinforced",
    )
    match = ann.get(f"/matches/{page.url.rpartition('/')[2].partition('?')[0]}")
    assert match["options"]["silk"] == 5
    phone.close()


def test_conquest_on_this_phone_starts_with_what_was_chosen(browser: Browser, base: str) -> None:
    """A local match starts with the chosen options."""
    phone = Program(base, "Ann").phone(browser, SMALL)
    page, finger = phone.page, Finger(phone.page)
    page.goto("/new?game=conquest")
    finger.tap_on(page.get_by_label("Pass and play (one phone)"))
    unfold(page)
    finger.tap_on(page.get_by_text("More options"))
    page.get_by_label("Starting gold").fill("7")
    page.get_by_label("First animal").select_option("epona")
    switch = page.get_by_role("switch", name="On this device only")
    finger.tap_on(switch)
    expect(switch).to_be_checked()
    finger.tap_on(page.get_by_role("button", name="Create game"))
    page.wait_for_selector(".game")
    words = "Everyone starts with 7 gold, 5 silk, 10 spice and this equipment: "
    said = page.get_by_text(words + "Epona (horse), donkey, basic wagon.")
    expect(said.first).to_be_attached()
    phone.close()


def test_the_page_says_where_a_fork_from_inside_a_move_starts(browser: Browser, base: str) -> None:
    """A fork from a version within a decision starts before that decision, and the page says so."""
    (ann, _), match_id = played(base, 12, "Ann", "Bob", seed=8)
    told = ann.get(f"/matches/{match_id}/events?after=0")["events"]
    inside = next(
        event["version"]
        for event, after in itertools.pairwise(told)
        if event["version"] > 8 and event["decision"] == after["decision"]
    )
    whole = max(e["version"] for e in told if e["decision"] < told[inside - 1]["decision"])
    phone = ann.phone(browser, SMALL)
    page = phone.page
    sentence = page.get_by_text("You’re in the middle of a move")
    for version, said in ((whole, 0), (inside, 1)):
        page.goto(f"/m/{match_id}?v={version}")
        page.wait_for_selector(".game")
        page.get_by_role("button", name="Fork from here").tap()
        expect(page.get_by_role("button", name="Pass and play on this phone")).to_be_visible()
        expect(sentence).to_have_count(said)
    with page.expect_response("**/fork") as answer:
        page.get_by_role("button", name="Pass and play on this phone").tap()
    assert answer.value.json()["forked_from"] == {"match": match_id, "version": whole}
    phone.close()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("caravanserai-2-unchanged-v3", "The game ends in 5 rounds unless the market changes."),
        ("courtyard-2-without-end-v2", "The game ends in 5 rounds."),
    ],
)
def test_the_end_of_a_long_game_is_announced_on_the_page(
    file: str, words: str, browser: Browser, base: str
) -> None:
    """The announcement is on the page from its decision on, and in the list of events."""
    ann = Program(base, "Ann")
    document = json.loads((MATCHES / f"{file}.json").read_text())
    match = ann.post("/matches/import", document, 201)
    told = ann.get(f"/matches/{match['id']}/events?after=0")["events"]
    announced = max(event["version"] for event in told if event["type"] == "EndAnnounced")
    decision = told[announced - 1]["decision"]
    whole = [event["version"] for event in told if event["decision"] == decision]
    phone = ann.phone(browser, SMALL)
    page = phone.page
    for version, count in ((whole[0] - 1, 0), (whole[-1], 1)):
        fork = ann.post(f"/matches/{match['id']}/fork", {"at": version}, 201)
        page.goto(f"/m/{fork['id']}")
        page.wait_for_selector(".game")
        expect(page.locator(".game").get_by_text(words, exact=True)).to_have_count(count)
        assert fits(page)
    expect(page.get_by_text("5 more rounds").first).to_be_attached()
    phone.close()
