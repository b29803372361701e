"""The result sheet: a match without a winner, and why a match has ended."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import fits
from tests.browser.scenes import kept
from tests.browser.service import Program
from tests.browser.short_match import finished

pytestmark = pytest.mark.browser


def test_where_nobody_comes_home_nobody_wins(browser: Browser, base: str) -> None:
    """Two players who share second place see no victory, and their shared rank."""
    people, match_id = finished(base, "Ann", "Bob")
    match = people[0].get(f"/matches/{match_id}")
    assert [standing["rank"] for standing in match["standings"]] == [2, 2]
    phone = people[0].phone(browser)
    phone.page.goto(f"/m/{match_id}")
    triumph = phone.page.locator(".triumph")
    expect(triumph.get_by_role("heading")).to_have_text("No winner")
    expect(triumph.locator(".camels svg")).to_have_count(0)
    expect(phone.page.locator(".end-reason")).to_contain_text(
        "nobody had reached the finish within"
    )
    expect(phone.page.locator(".podium li")).to_have_count(2)
    expect(phone.page.locator(".podium")).to_contain_text("Tied for second.")
    assert fits(phone.page)
    phone.close()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("caravanserai-1-v1.json", "no camel was left in the reserve"),
        ("caravanserai-2-unchanged-v3.json", "hadn’t changed for 20 rounds"),
        ("caravanserai-3-v1.json", "nobody could move for a whole round"),
        ("caravanserai-4-v1.json", "the market ran out and the last round was played"),
    ],
)
def test_result_and_review_say_why_the_match_has_ended(
    browser: Browser, base: str, name: str, reason: str
) -> None:
    person = Program(base, "Ann")
    match_id = kept(person, name)
    page = person.phone(browser).page
    page.goto(f"/m/{match_id}")
    expect(page.locator(".result .end-reason")).to_contain_text(reason)
    page.goto(f"/m/{match_id}/review")
    expect(page.locator(".end-reason")).to_contain_text(reason)
