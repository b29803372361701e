"""Conditional moves on phones: tried out on a private copy, saved as a plan, played or dropped.

Requirement: "if Blue does X, I do Y", or Y unconditionally; built on the same board ("try it out"),
private, editable, played after a grace period; by touch, in words, 320 pixels wide.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from service.matches.plans import PLAY_DELAY_MS
from tests.browser import courtyard
from tests.browser.inspection import complaints, crowded
from tests.browser.phone import PROMPT, SMALL, Phone, fits
from tests.browser.service import Program, played, table
from tests.browser.test_caravane import choose, race
from tests.browser.test_caravanserail import HOMES, play, programme, seated, settle
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

TimedService = tuple[str, Callable[[int], None]]
WAITS = re.compile("^Plan set: 1 line$")


def received(person: Program, match_id: str) -> list[str]:
    """Return everything that a player receives about a match."""
    paths = ("", "/events", "/choices?seat=0", "/export", "/plan?seat=0")
    answers = [person._http.get(f"/api/matches/{match_id}{path}") for path in paths]
    return [answer.text for answer in (*answers, person._http.get("/api/matches"))]


def turn_of(person: Program, match_id: str, seat: int, seed: int = 0) -> list[dict[str, Any]]:
    """Return the commands of a turn that the person could play now: play it, then undo it."""
    path = f"/matches/{match_id}"
    match = person.get(path)
    before, made = match["version"], []
    while match["to_act"] == [seat]:
        choice = random.Random(seed + len(made)).choice(
            person.get(f"{path}/choices?seat={seat}")["choices"]
        )
        made.append(choice)
        match = act(person, match_id, seat, choice["command"])
    body = {"seat": seat, "expected_version": match["version"], "to_version": before}
    person.post(f"{path}/undo", body)
    return made


def act(person: Program, match_id: str, seat: int, *commands: Any) -> Any:
    """Play commands; return the match."""
    version = person.get(f"/matches/{match_id}")["version"]
    body = {"seat": seat, "expected_version": version, "commands": [*commands]}
    return person.post(f"/matches/{match_id}/commands", body)["match"]


def plan_of(person: Program, match_id: str, seat: int) -> Any:
    return person.get(f"/matches/{match_id}/plan?seat={seat}")


class Hand:
    """A player's phone at a match."""

    def __init__(self, browser: Browser, person: Program, match_id: str, wide: Any = None) -> None:
        self.phone: Phone = person.phone(browser, wide)
        self.page: Page = self.phone.page
        self.finger = Finger(self.page)
        self.page.goto(f"/m/{match_id}")
        self.page.wait_for_selector(".game:not([data-rising]) .turn")

    def shown(self) -> str:
        """Return the page without its watchers: a player who tries something out is not one of
        them, which the others learn a moment later."""
        html: str = self.page.evaluate(
            """() => {
              const page = document.querySelector("main").cloneNode(true)
              page.querySelector(".looking-now").remove()
              return page.innerHTML
            }"""
        )
        return html

    def tap(self, name: str | re.Pattern[str], kind: Any = "button") -> None:
        """Tap the control with this name."""
        exact = isinstance(name, str)
        what = self.page.get_by_role(kind, name=name, exact=exact).locator("visible=true").first
        self.finger.tap_on(what)

    def choose(self, label: str) -> None:
        """Choose the move with this label from the list."""
        before = self.phone.version()
        self.tap("All moves")
        self.finger.tap_on(
            self.page.locator(".moves").get_by_role("button", name=label, exact=True).first
        )
        self.page.wait_for_function(
            "before => Number(document.querySelector('.history input').max) > before", arg=before
        )
        self.phone.settled()

    def read(self, words: str) -> None:
        """Dismiss a message."""
        notice = self.page.locator(".dock .notices .notice", has_text=words)
        self.finger.tap_on(notice.get_by_role("button", name="OK"))

    def try_out(self) -> None:
        """Open the private copy."""
        self.tap(re.compile("Plan ahead|Plan set"))
        self.tap("Analyse", "link")
        expect(self.page.locator(".notice.trial")).to_contain_text("only you see it")

    def close(self) -> None:
        assert self.finger.strays() == []
        self.phone.close()


def two(base: str, moves: int = 4) -> tuple[Program, Program, str]:
    """Start a hex game of Ann, whose turn it is, and Ben."""
    (ann, ben), match_id = played(base, moves, "Ann", "Ben")
    while ann.get(f"/matches/{match_id}")["to_act"] != [0]:
        acting = ann.get(f"/matches/{match_id}")["to_act"][0]
        (ann, ben)[acting].step(match_id, random.Random(acting))
    return ann, ben, match_id


def test_a_line_is_tried_out_kept_and_played(timed_service: TimedService, browser: Browser) -> None:
    """Trying out and planning on one phone changes nothing that the other receives."""
    base, passes = timed_service
    ann, ben, match_id = two(base)
    turn = turn_of(ann, match_id, 0)
    hers = Hand(browser, ann, match_id)
    before = received(ann, match_id)
    expect(hers.page.locator(".own-note textarea")).to_be_enabled()  # the note is loaded
    page_before = hers.shown()
    his = Hand(browser, ben, match_id, SMALL)
    his.try_out()
    assert fits(his.page)
    assert crowded(his.page) == []
    for choice in turn:
        his.choose(choice["label"])
    expect(his.page.locator(".turn")).to_contain_text("Ben")
    his.tap("Save as plan")
    expect(his.page.locator(".toast")).to_contain_text("Now play your reply")
    his.phone.move(random.Random(2))
    his.tap("Undo step")
    expect(his.page.locator(".turn")).to_contain_text("Ben")
    his.phone.settled()
    his.phone.move(random.Random(3))
    his.tap("Save as plan")
    sheet = his.page.locator("dialog[open]")
    expect(sheet).to_contain_text("If they play:")
    assert crowded(his.page) == []
    his.tap(re.compile("^Only if they play this"))
    expect(his.page.get_by_role("button", name=WAITS)).to_be_visible()
    assert received(ann, match_id) == before
    assert hers.shown() == page_before
    plan = plan_of(ben, match_id, 1)
    assert len(plan["branches"]) == 1
    assert ann._http.get(f"/api/matches/{match_id}/plan?seat=1").status_code == 403
    hers.close()
    for choice in turn:
        match = act(ann, match_id, 0, choice["command"])
    assert match["to_act"] == [1]
    expect(his.page.locator(".dock .notices")).to_contain_text("about to be played", timeout=PROMPT)
    passes(PLAY_DELAY_MS)
    expect(his.page.locator(".dock .notices")).to_contain_text(
        "Your plan was played.", timeout=PROMPT
    )
    events = ben.get(f"/matches/{match_id}/events?after={match['version']}")["events"]
    assert {event["seat"] for event in events[:1]} == {1}
    assert fits(his.page)
    assert crowded(his.page) == []
    his.read("Your plan was")
    expect(his.page.get_by_text("Your plan was played.")).to_have_count(0)
    assert plan_of(ben, match_id, 1)["played"] is None
    his.close()


def test_branches_are_added_and_removed_and_mismatches_reported(
    timed_service: TimedService, browser: Browser
) -> None:
    base, passes = timed_service
    ann, ben, match_id = two(base)
    turn = turn_of(ann, match_id, 0)
    his = Hand(browser, ben, match_id)
    his.try_out()
    for choice in turn:
        his.choose(choice["label"])
    his.phone.move(random.Random(4))
    his.tap("Save as plan")
    his.tap(re.compile("^Whatever they play"))
    expect(his.page.get_by_role("button", name=WAITS)).to_be_visible()
    # The copy is still as it was left; add the same line again, for this move only.
    his.try_out()
    his.tap("Save as plan")
    his.tap(re.compile("^Only if they play this"))
    his.tap("Plan set: 2 lines")
    ways = his.page.locator(".plan-list li")
    expect(ways).to_have_count(2)
    expect(ways.nth(0)).to_contain_text("If they play:")
    expect(ways.nth(1)).to_contain_text("Whatever they play")
    assert complaints(his.page) == []
    his.tap("Delete line 2")
    expect(ways).to_have_count(1)
    assert [bool(each["when"]) for each in plan_of(ben, match_id, 1)["branches"]] == [True]
    his.tap("Close")
    # The opponent plays something else: another block, another path.
    other = next(
        each
        for each in ann.get(f"/matches/{match_id}/choices?seat=0")["choices"]
        if each["command"] != turn[0]["command"]
    )
    match = act(ann, match_id, 0, other["command"])
    while match["to_act"] == [0]:
        match = ann.step(match_id, random.Random(5))
    passes(PLAY_DELAY_MS)
    expect(his.page.locator(".dock .notices")).to_contain_text(
        "Your plan was cancelled. The others didn’t move as you planned.",
        timeout=PROMPT,
    )
    assert ben.get(f"/matches/{match_id}")["version"] == match["version"]
    his.read("Your plan was")
    expect(his.page.get_by_text("Your plan was cancelled.")).to_have_count(0)
    his.close()


def test_a_way_is_added_while_the_other_is_in_the_middle_of_a_turn(
    timed_service: TimedService, browser: Browser
) -> None:
    """Moves already played are not part of the condition, and the earlier branch still holds."""
    base, passes = timed_service
    ann, ben, match_id = two(base)
    for seed in range(9):
        turn = turn_of(ann, match_id, 0, seed)
        if len(turn) > 1:
            break
    his = Hand(browser, ben, match_id)
    his.try_out()
    for choice in turn:
        his.choose(choice["label"])
    his.phone.by_list(random.Random(1))
    his.phone.settled()
    his.tap("Save as plan")
    his.tap(re.compile("^Only if they play this"))
    expect(his.page.get_by_role("button", name=WAITS)).to_be_visible()
    (whole,) = plan_of(ben, match_id, 1)["branches"]
    match = act(ann, match_id, 0, turn[0]["command"])
    assert match["to_act"] == [0]
    his.page.wait_for_function(
        "version => Number(document.querySelector('.history input').max) >= version",
        arg=match["version"],
    )
    his.try_out()
    for choice in turn[1:]:
        his.choose(choice["label"])
    his.phone.by_list(random.Random(2))
    his.phone.settled()
    his.tap("Save as plan")
    his.tap(re.compile("^Whatever they play"))
    expect(his.page.get_by_role("button", name="Plan set: 2 lines")).to_be_visible()
    plan = plan_of(ben, match_id, 1)
    assert plan["version"] == match["version"]
    assert 0 < len(plan["branches"][0]["when"]) < len(whole["when"])
    assert whole["when"][-len(plan["branches"][0]["when"]) :] == plan["branches"][0]["when"]
    for choice in turn[1:]:
        match = act(ann, match_id, 0, choice["command"])
    passes(PLAY_DELAY_MS)
    expect(his.page.locator(".dock .notices")).to_contain_text(
        "Your plan was played.", timeout=PROMPT
    )
    his.close()


def test_the_copy_makes_its_own_random_draws(timed_service: TimedService, browser: Browser) -> None:
    """Caravan Conquest: the copy plays moves for all seats, and none reaches the match."""
    people, match_id = table(timed_service[0], "Ann", "Bea", game="conquest")
    before = people[0].get(f"/matches/{match_id}/events")
    phone = people[0].phone(browser)
    phone.page.goto(f"/m/{match_id}/try")
    phone.page.wait_for_selector(".notice.trial")
    for number in range(6):
        version = phone.version()
        phone.by_list(random.Random(number))
        phone.page.wait_for_function(
            "before => Number(document.querySelector('.history input').max) > before", arg=version
        )
        phone.settled()
    assert people[0].get(f"/matches/{match_id}/events") == before
    phone.close()


def test_leaving_the_copy_takes_one_tap_and_undoes_nothing_in_the_match(
    timed_service: TimedService, browser: Browser
) -> None:
    """This also holds on the player's own turn, where the entry is among the moves, and with the
    keyboard only."""
    ann, _ben, match_id = two(timed_service[0])
    phone = ann.phone(browser)
    page = phone.page
    page.goto(f"/m/{match_id}")
    page.get_by_role("button", name="All moves").press("Enter")
    page.get_by_role("link", name="Analyse").press("Enter")
    page.wait_for_selector(".notice.trial")
    version = phone.version()
    page.get_by_role("button", name="Undo step").press("Enter")
    expect(page.locator(".toast")).to_contain_text("Moves of the original game can’t be undone")
    assert phone.version() == version
    page.get_by_role("button", name="All moves").press("Enter")
    page.locator(".moves .button").first.press("Enter")
    page.wait_for_function(
        "before => Number(document.querySelector('.history input').max) > before", arg=version
    )
    page.get_by_role("button", name="Save as plan").press("Enter")
    expect(page.get_by_text("It’s your turn: play in the game")).to_be_visible()
    before = ann.get(f"/matches/{match_id}")["version"]
    page.get_by_role("link", name="Back to game").last.press("Enter")
    page.wait_for_selector(".game.my-turn")
    expect(page.locator(".notice.trial")).to_have_count(0)
    assert ann.get(f"/matches/{match_id}")["version"] == before
    phone.close()


def test_where_others_hide_something_one_chooses_from_what_one_may_know(
    timed_service: TimedService, browser: Browser
) -> None:
    """Caravane: no private copy of a state with unknown parts; the next bid can be pre-selected."""
    base, passes = timed_service
    people, match_id = race(base, "Ann", "Bea", "Cleo")
    choose(people, match_id, 0, 1)
    ann = people[0]
    hers = Hand(browser, ann, match_id)
    hers.tap("Plan ahead")
    sheet = hers.page.locator("dialog[open]")
    expect(sheet).to_contain_text("Hidden information is guessed")
    expect(sheet.get_by_role("link", name="Analyse")).to_have_count(0)
    moves = sheet.locator(".moves .button")
    first = moves.first.bounding_box()
    for number in (1, 0):
        hers.finger.tap_on(moves.nth(number))
        expect(moves.nth(number)).to_have_attribute("aria-pressed", "true")
        expect(sheet.locator(".plan-list li")).to_have_count(1)
    last = moves.first.bounding_box()
    assert first is not None
    assert last is not None
    assert abs(last["y"] - first["y"]) < 2, "the choices stay under the finger"
    assert crowded(hers.page) == []
    expect(sheet.locator(".plan-list li")).to_contain_text("Whatever they play")
    (branch,) = plan_of(ann, match_id, 0)["branches"]
    hers.tap("Close")
    version = ann.get(f"/matches/{match_id}")["version"]
    for seat in (1, 2):
        choose(people, match_id, seat, 1)
    passes(PLAY_DELAY_MS)
    expect(hers.page.locator(".dock .notices")).to_contain_text(
        re.compile("Your plan was (played|cancelled)"), timeout=PROMPT
    )
    assert ann.get(f"/matches/{match_id}")["version"] > version + 1
    assert branch["when"] == []
    hers.page.goto(f"/m/{match_id}/try")
    expect(hers.page.get_by_text("Not available here: hidden information")).to_be_visible()
    hers.close()


OVERLAP = """box => {
  for (const each of document.querySelectorAll("dialog[open] .moves .button")) {
    const { left, right, top, bottom } = each.getBoundingClientRect()
    const [y, end] = [Math.max(top, box.y), Math.min(bottom, box.y + box.height)]
    const [x, edge] = [Math.max(left, box.x), Math.min(right, box.x + box.width)]
    if (end - y > 12 && edge - x > 12) { return [(x + edge) / 2, (y + end) / 2] }
  }
}"""


def shared_spot(hand: Hand) -> list[float]:
    """Return a spot of the button "Plan ahead" where its sheet will show a choice."""
    opener = hand.page.get_by_role("button", name="Plan ahead", exact=True)
    opener.scroll_into_view_if_needed()
    box = opener.bounding_box()
    opener.press("Enter")
    expect(hand.page.locator("dialog[open] .moves .button").first).to_be_visible()
    spot: list[float] = hand.page.evaluate(OVERLAP, box)
    hand.page.keyboard.press("Escape")
    expect(hand.page.locator("dialog[open]")).to_have_count(0)
    return spot


def test_who_knows_what_comes_chooses_at_once_in_the_place_of_the_first_tap(
    timed_service: TimedService, browser: Browser
) -> None:
    """A control that a sheet brings under the finger accepts taps once a double tap is ruled out,
    even while the browser still counts consecutive taps."""
    people, match_id = race(timed_service[0], "Ann", "Bea", "Cleo")
    choose(people, match_id, 0, 1)
    hers = Hand(browser, people[0], match_id)
    spot = shared_spot(hers)
    began = hers.finger.now()
    hers.finger.tap_at(*spot, began)
    expect(hers.page.locator("dialog[open]")).to_contain_text("Hidden information is guessed")
    below = hers.page.evaluate_handle("([x, y]) => document.elementFromPoint(x, y)", [*spot])
    name = below.evaluate("node => node.textContent")
    chosen = hers.page.locator("dialog[open]").get_by_role("button", name=name, exact=True)
    hers.finger.tap_at(*spot, began + 0.36)
    expect(chosen).to_have_attribute("aria-pressed", "true")
    hers.close()


def chosen_beforehand(hand: Hand, label: str) -> None:
    """Pre-select a move for the next turn, replacing an earlier choice."""
    hand.tap("Plan ahead")
    sheet = hand.page.locator("dialog[open]")
    expect(sheet).to_contain_text("No plan yet.")
    move = sheet.locator(".moves").get_by_role("button", name=label, exact=True)
    hand.finger.tap_on(move)
    expect(sheet.locator(".plan-list li")).to_contain_text(label)
    assert complaints(hand.page) == []
    assert crowded(hand.page) == []
    assert fits(hand.page)
    hand.tap("Close")
    expect(hand.page.get_by_role("button", name=WAITS)).to_be_visible()


def test_a_sheikh_who_has_planned_his_ways_chooses_beforehand_that_he_is_done(
    timed_service: TimedService, browser: Browser
) -> None:
    """Caravansérail: six plan at once; the first to be ready need not return for business."""
    base, passes = timed_service
    people, match_id = seated(base)
    settle(people, match_id)
    play(people[0], match_id, 0, *programme([HOMES[0]] * 3, [{}, {}, {}]))
    hers = Hand(browser, people[0], match_id, SMALL)
    chosen_beforehand(hers, "Done")
    for seat, person in enumerate(people[1:], start=1):
        play(person, match_id, seat, *programme([HOMES[seat]] * 3, [{}, {}, {}]))
    assert 0 in people[1].get(f"/matches/{match_id}")["to_act"]
    passes(PLAY_DELAY_MS)
    expect(hers.page.locator(".dock .notices")).to_contain_text(
        "Your plan was played.", timeout=PROMPT
    )
    assert 0 not in people[1].get(f"/matches/{match_id}")["to_act"]
    hers.close()


def test_where_to_begin_in_the_courtyard_is_chosen_beforehand(
    timed_service: TimedService, browser: Browser
) -> None:
    """A choice that has become impossible is reported in the language of the page."""
    base, passes = timed_service
    people, match_id = courtyard.seated(base, "Ann", "Ben")
    (first,) = people[0].get(f"/matches/{match_id}")["to_act"]
    other = 1 - first
    path = f"/matches/{match_id}/plan/choices?seat={other}"
    (label, *_) = [each["label"] for each in people[other].get(path)["choices"]]
    his = Hand(browser, people[other], match_id)
    chosen_beforehand(his, label)
    version = people[first].step(match_id, random.Random(3))["version"]
    passes(PLAY_DELAY_MS)
    expect(his.page.locator(".dock .notices")).to_contain_text(
        re.compile("Your plan was (played|cancelled)"), timeout=PROMPT
    )
    played_at = plan_of(people[other], match_id, other)["played"]
    moved = people[first].get(f"/matches/{match_id}")["version"] > version
    assert moved == (played_at == version)
    his.close()
