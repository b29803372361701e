"""The result sheet of a match without a winner."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.phone import fits
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
    expect(triumph.get_by_role("heading")).to_have_text("Nobody wins")
    expect(triumph.locator(".camels svg")).to_have_count(0)
    expect(phone.page.locator(".podium li")).to_have_count(2)
    expect(phone.page.locator(".podium")).to_contain_text("Second place, shared.")
    assert fits(phone.page)
    phone.close()
