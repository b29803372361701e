"""A match that was opened before is shown offline, in its last known version."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.phone import Phone, until_kept
from tests.browser.service import Program, played, table
from tests.browser.touch import Finger

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]

# Whether the device stores this version of the match or a later one. It does not open a database
# that does not exist yet: opening creates it, without the object stores that the app needs.
KEPT = """async ([match, version]) => {
  const made = await indexedDB.databases()
  if (!made.some(({ name }) => name === "tables")) return false
  return new Promise((resolve) => {
    const asked = indexedDB.open("tables")
    asked.onerror = () => resolve(false)
    asked.onsuccess = () => {
      const all = asked.result.transaction("events").objectStore("events").getAllKeys()
      all.onsuccess = () => {
        asked.result.close()
        resolve(all.result.some(([id, at]) => id === match && at >= version))
      }
    }
  })
}"""


def at_table(player: Program, browser: Browser, match_id: str) -> tuple[Phone, Finger]:
    """Open the match on a phone; wait until the app and the match are stored on the device."""
    phone = player.phone(browser)
    finger = Finger(phone.page)
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game")
    until_kept(page)
    version = player.get(f"/matches/{match_id}")["version"]
    page.wait_for_function(KEPT, arg=[match_id, version], polling=200)
    return phone, finger


def sending(page: Page, count: str) -> None:
    """Wait until this many actions are unconfirmed; "" if none."""
    expect(page.locator(".game")).to_have_attribute("data-sending", count)


def pieces(page: Page) -> list[str]:
    """Return the markup of all pieces on the board, sorted."""
    uses = "found => found.map(each => each.outerHTML).sort()"
    found: list[str] = page.locator(".board-area svg").first.locator("use").evaluate_all(uses)
    assert found
    return found


def test_a_reload_without_a_network_shows_the_table_and_what_waits(
    browser: Browser, base: str
) -> None:
    """An offline move survives a reload, can be undone, and is sent once the network returns."""
    (ann, bob), match_id = played(base, 8, "Ann", "Bob", seed=4)
    seat = ann.get(f"/matches/{match_id}")["to_act"][0]
    player = (ann, bob)[seat]
    phone, finger = at_table(player, browser, match_id)
    page = phone.page
    phone.context.set_offline(True)
    finger.tap_on(page.get_by_role("button", name="All moves"))
    finger.tap_on(page.locator(".moves .button").first)
    sending(page, "1")
    expect(page.locator(".offline")).to_contain_text("Your last actions are saved")
    board = pieces(page)
    page.reload()
    sending(page, "1")
    expect(page.locator(".offline")).to_contain_text(re.compile(r"Last updated .*\d"))
    expect(page.locator(".offline")).to_contain_text("Your last actions are saved")
    assert pieces(page) == board
    # A move that has not been sent is undone without asking anybody.
    back = page.locator(".actions .button").first
    expect(back).to_have_text("Undo step")
    finger.tap_on(back)
    sending(page, "")
    finger.tap_on(page.get_by_role("button", name="All moves"))
    finger.tap_on(page.locator(".moves .button").first)
    sending(page, "1")
    before = player.get(f"/matches/{match_id}")["version"]
    phone.context.set_offline(False)
    sending(page, "")
    expect(page.locator(".offline")).to_be_hidden()
    assert player.get(f"/matches/{match_id}")["version"] > before
    phone.close()


def test_a_game_whose_views_come_from_the_service_is_kept_too(browser: Browser, base: str) -> None:
    """A game with hidden information, whose views the page cannot compute, is stored as well."""
    (ann, bob), match_id = table(base, "Ann", "Bob", game="caravane")
    phone, _ = at_table(ann, browser, match_id)
    page = phone.page
    phone.context.set_offline(True)
    page.reload()
    expect(page.locator(".road")).to_be_visible()
    expect(page.locator(".offline")).to_contain_text("Last updated ")
    version = ann.get(f"/matches/{match_id}")["version"]
    choice = bob.get(f"/matches/{match_id}/choices?seat=1")["choices"][0]
    move = {"seat": 1, "expected_version": version, "commands": [choice["command"]]}
    bob.post(f"/matches/{match_id}/commands", move)
    phone.context.set_offline(False)
    expect(page.locator(".offline")).to_be_hidden()
    expect(page.locator(f".history input[max='{version + 1}']")).to_have_count(1)
    phone.close()
