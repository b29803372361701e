"""What the page says of the end where it is not one person's victory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from service.settings import Settings
from tests.browser.phone import fits
from tests.browser.service import Program, table
from tests.service.running import server

pytestmark = pytest.mark.browser
IDLE = ("Stop", "Done", "Stay", "Decline", "Ignore")
LANE = {"rows": ["BSSF", "SSSS"]}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("result")
    with server(Settings(data=str(folder), play_limit=0, create_limit=0)) as address:
        yield address


def dawdle(player: Program, match: Any) -> Any:
    """Does as little as the rules allow; gives the match."""
    (seat,) = match["to_act"]
    listed = player.get(f"/matches/{match['id']}/choices?seat={seat}")["choices"]
    commands = [choice["command"] for choice in listed]
    idle = [command for command in commands if command["type"] in IDLE]
    chosen = idle[0] if idle else min(commands, key=lambda move: sum(move.get("to", (9, 9))))
    body = {"seat": seat, "expected_version": match["version"], "commands": [chosen]}
    return player.post(f"/matches/{match['id']}/commands", body)["match"]


def test_where_nobody_comes_home_nobody_wins(browser: Browser, base: str) -> None:
    people, match_id = table(
        base, "Ann", "Bob", game="conquest", map="custom", custom=LANE, patience=10
    )
    match = people[0].get(f"/matches/{match_id}")
    while match["status"] == "playing":
        match = dawdle(people[match["to_act"][0]], match)
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
