"""The primary button of an action panel: at most one, never destructive, and its meaning does not
change under the finger (`frontend.app.components.primary_button`)."""

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from domain.contract.registry import TITLES
from tests.browser.phone import PHONE, SMALL
from tests.browser.service import Program, table
from tests.browser.touch import Finger, place

pytestmark = pytest.mark.browser

DISCARDS = {"Jettison", "GiveUp", "Discard"}
TURNS = 14  # decisions of the player's own at which the panel is checked
SOON = 0.6  # seconds: longer than a double tap lasts
# The primary buttons of action panels, as (command, whether enabled).
PRIMARIES = """() => [...document.querySelectorAll(".dock .primary")]
  .filter(node => node.checkVisibility() && !node.closest(".actions, .way, .row.offer-ways"))
  .map(node => [node.dataset.does || "", !node.disabled && node.ariaDisabled !== "true"])"""
# Something in the panel that is to be chosen first.
CHOICES = """part => {
  const found = [...document.querySelectorAll(
    ".legal, .tab, .kind, .chip, .ways .button:not(.primary), .place.lit, .target, .round[name]")]
    .filter(node => node.checkVisibility() && node.ariaDisabled !== "true" && !node.disabled)
  const node = found[Math.floor(part * found.length)]
  if (!node) { return null }
  node.scrollIntoView({ block: "nearest" })
  const { x, y, width, height } = node.getBoundingClientRect()
  return [x + width / 2, y + height / 2]
}"""


def commands_sent(page: Page) -> list[str]:
    """Record the types of commands that the page sends from now on."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.url.partition("?")[0].endswith("/commands"):
            commands = json.loads(request.post_data or "{}")["commands"]
            sent.append("+".join(dict.fromkeys(each["type"] for each in commands)))

    page.on("request", note)
    return sent


def caught_up(page: Page, person: Program, match_id: str) -> dict[str, Any]:
    """Wait until the page shows the current version; return the match."""
    match: dict[str, Any] = person.get(f"/matches/{match_id}")
    page.wait_for_function(
        """version => {
          const game = document.querySelector(".game:not([data-rising])")
          const slider = game && game.querySelector(".history input")
          return slider && Number(slider.max) >= version && game.dataset.sending === ""
        }""",
        arg=match["version"],
    )
    return match


@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", TITLES)
def test_primary_button_keeps_its_meaning_in_a_walk(browser: Browser, base: str, game: str) -> None:
    """Ann's phone through a random match: each primary button is touched twice within the second,
    and the second touch never sends another type of command than the first."""
    rng = random.Random(game)
    names = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"][: max(2, TITLES[game].seats[0])]
    people, match_id = table(base, *names, game=game)
    phone = people[0].phone(browser, PHONE)
    page = phone.page
    finger = Finger(page)
    sent = commands_sent(page)
    page.goto(f"/m/{match_id}")
    pressed = played = looked = 0
    for _ in range(400):
        match = caught_up(page, people[0], match_id)
        if match["status"] != "playing" or looked >= TURNS:
            break
        others = [seat for seat in match["to_act"] if seat != 0]
        if 0 not in match["to_act"]:
            people[others[0]].step(match_id, rng)
            continue
        looked += 1
        cover = page.locator(".cover-button[aria-expanded=false]")
        if cover.count() and cover.is_visible():
            cover.press("Enter")
        for _ in range(3):
            found = page.evaluate(PRIMARIES)
            assert len(found) <= 1, (game, found)
            assert not {does for does, _ in found} & DISCARDS, (game, found)
            if found and found[0][1]:
                break
            spot = page.evaluate(CHOICES, rng.random())
            if spot is None:
                break
            finger.tap(*spot)
            page.wait_for_timeout(60)
        if found and found[0][1]:
            pressed += 1
            button = page.locator(".dock .primary:visible").first
            x, y = place(button)
            sent.clear()
            at = finger.now()
            finger.tap_at(x, y, at)
            page.wait_for_timeout(SOON * 1000)
            finger.tap_at(x, y, at + SOON)
            page.wait_for_timeout(100)
            assert len(set(sent)) <= 1, (game, found, sent)
            played += len(sent)
            page.keyboard.press("Escape")
        match = caught_up(page, people[0], match_id)
        if 0 in match["to_act"]:
            people[0].step(match_id, rng)
    assert looked >= TURNS
    assert pressed > 0
    assert played > 0
    page.close()
    phone.context.close()  # a version conflict with another player's move logs an error


def at_a_camp(base: str) -> tuple[Program, str]:
    """Set up a Conquest player who may sell and buy."""
    for seed in range(40):
        rng = random.Random(seed)
        (ann, bob), match_id = table(base, "Ann", "Bob", game="conquest", map="short")
        for _ in range(80):
            match = ann.get(f"/matches/{match_id}")
            if match["status"] != "playing":
                break
            (seat,) = match["to_act"]
            person = (ann, bob)[seat]
            choices = person.get(f"/matches/{match_id}/choices?seat={seat}")["choices"]
            kinds = {each["command"]["type"] for each in choices}
            if {"Sell", "Buy"} <= kinds:
                return person, match_id
            rest = [c for c in choices if c["command"]["type"] not in ("Jettison", "Stay")]
            command = rng.choice(rest or choices)["command"]
            body = {"seat": seat, "expected_version": match["version"], "commands": [command]}
            person.post(f"/matches/{match_id}/commands", body)
    raise AssertionError("nobody came to a camp")


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
def test_nothing_takes_the_place_of_a_sale_that_is_done(
    browser: Browser, base: str, size: dict[str, int]
) -> None:
    person, match_id = at_a_camp(base)
    phone = person.phone(browser, size)
    page = phone.page
    finger = Finger(page)
    sent = commands_sent(page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn .amounts")
    everything = page.locator(".counter .all")
    sell = page.locator(".settle .primary")
    assert far_apart(page)
    before = sell.bounding_box()
    if everything.get_attribute("aria-disabled") != "true":
        finger.tap_on(everything)
    expect(sell).to_have_text(re.compile("^Sell "))
    after = sell.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 8
    x, y = place(sell)
    at = finger.now()
    finger.tap_at(x, y, at)
    expect(page.locator(".amounts .hint")).to_have_text("Choose what to do next.")
    finger.tap_at(x, y, at + SOON)
    expect(page.locator(".dock .primary:visible")).to_have_count(0)
    phone.settled()
    assert sent == ["Sell"]
    finger.tap_on(page.locator(".tab[data-kind=buy]"))
    expect(sell).to_have_text(re.compile("^Buy 1 "))
    phone.close()


def far_apart(page: Page) -> bool:
    """Return whether a second tap next to "All" cannot hit the button that sells."""
    found: bool = page.evaluate("""() => {
      const one = document.querySelector(".counter .all").getBoundingClientRect()
      const other = document.querySelector(".settle .primary").getBoundingClientRect()
      return one.right + 24 < other.left || one.bottom + 24 < other.top
    }""")
    return found


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "320"])
def test_throwing_away_is_neither_large_nor_primary(
    browser: Browser, base: str, size: dict[str, int]
) -> None:
    people, match_id = table(base, "Ann", "Bob", game="conquest")
    (seat,) = people[0].get(f"/matches/{match_id}")["to_act"]
    phone = people[seat].phone(browser, size)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    throw = page.get_by_role("button", name="Drop cargo")
    box = throw.bounding_box()
    assert box is not None
    assert box["width"] < size["width"] * 0.62
    assert box["height"] >= 44
    expect(throw).not_to_have_class(re.compile("primary"))
    finger.tap_on(throw)
    expect(page.locator(".settle .button")).to_have_text(re.compile("^Drop 1 "))
    expect(page.locator(".dock .primary:visible")).to_have_count(0)
    phone.close()


# A press just after another primary button has replaced the first one.
REPLACED = """() => {
  const node = document.createElement("button")
  Object.assign(node, { className: "button primary", textContent: "First" })
  node.dataset.does = "First"
  node.style = "position:fixed;left:20px;top:200px;z-index:99;width:200px"
  window.done = []
  node.onclick = () => {
    window.done.push(node.dataset.does)
    node.dataset.does = node.textContent = node.dataset.does === "First" ? "Second" : "First"
  }
  document.body.append(node)
}"""


@pytest.mark.parametrize(("later", "done"), [(0.6, ["First"]), (1.2, ["First", "Second"])])
def test_touch_on_a_primary_that_has_become_another_one_does_nothing(
    browser: Browser, base: str, later: float, done: list[str]
) -> None:
    page = browser.new_page(base_url=base, has_touch=True, service_workers="block")
    finger = Finger(page)
    page.goto("/rules")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(REPLACED)
    at = finger.now()
    finger.tap_at(100, 220, at)
    finger.tap_at(100, 220, at + later)
    page.wait_for_function("n => window.done.length >= n", arg=len(done))
    page.wait_for_timeout(100)
    assert page.evaluate("window.done") == done
    page.close()


@pytest.mark.parametrize("label", ["Show history", "Notify me when it’s my turn"])
def test_what_opens_on_the_page_you_lies_under_no_second_tap(
    browser: Browser, base: str, label: str
) -> None:
    """Answers arrive late and one by one: none puts a control under a tapping finger, and what is
    shown does not move."""
    (ann, _), _ = table(base, "Ann", "Bob")
    phone = ann.phone(browser, {"width": 320, "height": 568})
    page = phone.page
    finger = Finger(page)
    page.goto("/you")
    button = page.get_by_role("button", name=label)
    expect(button).to_be_visible()
    held: list[Any] = []
    page.route(re.compile("/api/(players/me/|notices$)"), lambda route: held.append(route))
    x, y = place(button)
    at = finger.now()
    finger.tap_at(x, y, at)
    wanted = 3 if "history" in label else 1
    while len(held) < wanted:
        page.wait_for_timeout(30)
    for number, route in enumerate(held, start=1):
        route.continue_()
        page.wait_for_timeout(120)
        finger.tap_at(x, y, at + number * 0.5)
    shown = ".company .person" if wanted == 3 else "#notices-url"
    expect(page.locator(shown)).to_be_visible()
    finger.tap_at(x, y, at + 3)
    page.wait_for_timeout(100)
    assert finger.sent == []
    assert finger.strays() == []
    assert button.evaluate("node => [node, document.body].includes(document.activeElement)")
    expect(button).to_be_disabled()
    phone.close()
