"""Navigation: match lists, history, the back button, toasts, links to other devices, the result."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from service.settings import Settings
from tests.browser.phone import NO_OVERLAY, PHONE, Phone, fits, show_history
from tests.browser.service import Program, played, table
from tests.service.running import server

pytestmark = pytest.mark.browser
TINY = {"width": 320, "height": 568}
# Delays steps through the browser history; the target is fixed at the time of the call.
SLOWLY = """
  const plain = history.go.bind(history)
  history.go = by => {
    const to = navigation.currentEntry.index + by
    setTimeout(() => plain(to - navigation.currentEntry.index), 600)
  }
"""


def at_table(page: Page, match_id: str, rest: str = "") -> None:
    page.goto(f"/m/{match_id}{rest}")
    page.wait_for_selector(".game")


# --- lists ----------------------------------------------------------------------------------------


def test_all_tables_can_be_reached_and_those_that_wait_for_me_come_first(
    browser: Browser, public_base: str
) -> None:
    ann, bob = Program(public_base, "Ann"), Program(public_base, "Bob")
    for number in range(45):
        seats = [{"kind": "me"}, {"kind": "open"}] if number else [{"kind": "me"}]
        ann.post("/matches", {"game": "caravanserai", "seats": seats}, 201)
    phone = ann.phone(browser)
    page = phone.page
    page.goto("/")
    section = page.locator("section", has_text="Your games")
    cards = section.locator(".table-card")
    expect(cards).to_have_count(20)
    # The oldest match waits for Ann: it is listed first although all others changed later.
    expect(cards.first.locator(".tag")).to_have_text("your turn")
    board = cards.first.locator(".small-board")
    page.wait_for_function("document.querySelector('.small-board img')?.naturalWidth > 0")
    assert board.locator("img").get_attribute("loading") == "lazy"
    more = section.get_by_role("button", name="Show more")
    more.tap()
    expect(cards).to_have_count(40)
    expect(cards.nth(20)).to_be_focused()
    more.tap()
    expect(cards).to_have_count(45)
    expect(cards.nth(40)).to_be_focused()
    expect(more).to_have_count(0)
    addresses = [card.get_attribute("href") for card in cards.all()]
    assert len(set(addresses)) == 45
    assert section.locator(".tag.now").count() == 1

    for _ in range(25):
        seats = [{"kind": "me"}, {"kind": "open"}]
        body = {"game": "caravanserai", "seats": seats, "visibility": "public"}
        bob.post("/matches", body, 201)
    page.goto("/")
    public = page.locator("section", has_text="Public tables")
    expect(public.locator(".table-card")).to_have_count(20)
    public.get_by_role("button", name="Show more").tap()
    expect(public.locator(".table-card")).to_have_count(25)
    phone.close()


# --- history --------------------------------------------------------------------------------------


def test_the_slider_is_as_wide_as_the_phone_and_one_counter_means_one_thing(
    browser: Browser, base: str
) -> None:
    (ann, _bob), match_id = played(base, 30, "Ann", "Bob", seed=4)
    phone = ann.phone(browser)
    page = phone.page
    at_table(page, match_id)
    slider = page.locator(".history input")
    slider.focus()  # the folded slider stays reachable, and focus unfolds it
    for size in (PHONE, TINY):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box is not None
        assert box["width"] >= size["width"] - 40
        assert box["height"] >= 48
        for button in page.locator(".history button").all():
            if button.is_visible():
                small = button.bounding_box()
                assert small is not None
                assert min(small["width"], small["height"]) >= 48
    counter = page.locator(".history output")
    words = re.compile(r"^Turn (\d+) · move (\d+)/(\d+)$")

    def told() -> tuple[int, int, int]:
        found = words.match(counter.inner_text())
        assert found, counter.inner_text()
        turn, move, last = found.groups()
        return int(turn), int(move), int(last)

    turn, move, last = told()
    assert move == last
    show_history(page)
    page.get_by_role("button", name="Previous turn").tap()
    assert told()[0] <= turn
    page.get_by_role("button", name="Previous turn").tap()
    earlier = told()
    assert earlier[0] < turn
    page.get_by_role("button", name="Next move").tap()
    assert told()[1] in (earlier[1], earlier[1] + 1)  # a move may show in several frames
    page.get_by_role("button", name="Next turn").tap()
    assert told()[0] == earlier[0] + 1
    page.keyboard.press("Shift+ArrowLeft")
    assert told() == earlier
    assert slider.get_attribute("aria-valuetext") == counter.inner_text()
    page.get_by_role("button", name="Fork from here").tap()
    expect(page.locator("dialog[open]")).to_contain_text(
        f"Start a new game from move {earlier[1]}:"
    )
    page.get_by_role("button", name="Play vs bots").tap()
    page.wait_for_function("id => !location.pathname.includes(id)", arg=match_id)
    page.locator(".lineage a").tap()
    expect(page.locator(".lineage")).to_contain_text(f"other games forked from move {earlier[1]}")
    assert fits(page)
    phone.close()


# --- back -----------------------------------------------------------------------------------------


def test_back_closes_overlays_of_the_match(browser: Browser, base: str) -> None:
    """A moment chosen in a sheet stays, and a page opened from one takes its place."""
    (ann, _bob), match_id = played(base, 8, "Ann", "Bob", seed=4)
    phone = ann.phone(browser)
    page = phone.page
    page.goto("/")
    page.locator(f".table-card[href='/m/{match_id}']").tap()
    page.wait_for_selector(".game")
    table_page = page.url
    opened = page.locator("dialog[open]")
    for name in ("Game log", "All moves"):
        page.get_by_role("button", name=name).tap()
        expect(opened).to_have_count(1)
        page.go_back()
        expect(opened).to_have_count(0)
        assert page.url == table_page
        expect(page.locator(".game")).to_have_count(1)
    # A sheet closed in another way leaves no entry in the history.
    for way in ("button", "key", "outside"):
        page.get_by_role("button", name="Game log").tap()
        expect(opened).to_have_count(1)
        if way == "button":
            opened.get_by_role("button", name="Close").tap()
        elif way == "key":  # Android's back gesture sends this to a dialog
            page.keyboard.press("Escape")
        else:
            page.touchscreen.tap(200, 40)
        expect(opened).to_have_count(0)
        page.wait_for_function(NO_OVERLAY)
    # Forward neither reopens a sheet nor leads anywhere else.
    page.evaluate("history.forward()")
    page.wait_for_timeout(300)
    expect(opened).to_have_count(0)
    assert page.url == table_page
    page.wait_for_function(NO_OVERLAY)
    page.go_back()
    page.wait_for_selector(".hero")
    page.go_forward()
    page.wait_for_selector(".game")

    page.get_by_role("button", name="Game log").tap()
    page.locator(".log a").nth(3).tap()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.wait_for_function("location.search.startsWith('?v=')")
    page.wait_for_function(NO_OVERLAY)
    page.wait_for_timeout(400)
    at = page.url
    assert "?v=" in at
    page.get_by_role("button", name="Fork from here").tap()
    page.get_by_role("button", name="Play vs bots").tap()
    page.wait_for_function("id => !location.pathname.includes(id)", arg=match_id)
    page.go_back()
    page.wait_for_function("id => location.pathname.includes(id)", arg=match_id)
    assert page.url == at
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".game")
    page.get_by_role("button", name="Game log").tap()
    page.reload()
    page.wait_for_selector(".game")
    page.wait_for_function(NO_OVERLAY)
    phone.close()


def test_back_shuts_a_cover_that_was_tapped_open(browser: Browser, base: str) -> None:
    """The browser removes the history entry of a cover or a sheet asynchronously."""
    (ann, bob), match_id = table(base, "Ann", "Bob", game="caravane")
    phone = ann.phone(browser)
    page = phone.page
    page.goto("/")
    at_table(page, match_id)
    cover = page.locator(".cover-button")
    cover.tap()
    expect(cover).to_have_attribute("aria-expanded", "true")
    page.go_back()
    expect(cover).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".game")).to_have_count(1)
    page.go_back()
    page.wait_for_selector(".hero")

    # A slow browser neither returns to the past nor shuts what has opened meanwhile.
    for person in (ann, bob):
        person.step(match_id, random.Random(1))
    page.add_init_script(SLOWLY)
    at_table(page, match_id)
    show_history(page)
    page.get_by_role("button", name="Previous move").tap()
    page.wait_for_function("location.search.startsWith('?v=')")
    page.locator(".cover-button").tap()
    page.wait_for_function("history.state.over === 1")
    page.locator(".cover-button").press("Enter")
    page.get_by_role("button", name="Back to latest").press("Enter")
    opened = page.locator("dialog[open]")
    page.wait_for_function(NO_OVERLAY)
    page.wait_for_timeout(300)
    expect(page.locator(".game.looking")).to_have_count(0)
    assert "?v=" not in page.url
    page.get_by_role("button", name="Game log").press("Enter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All moves").press("Enter")
    page.evaluate("() => new Promise(done => setTimeout(done, 1000))")  # the slow step is done
    expect(opened).to_have_attribute("aria-label", "All legal moves")
    page.go_back()
    expect(opened).to_have_count(0)
    expect(page.locator(".game")).to_have_count(1)
    phone.close()


# --- toasts ---------------------------------------------------------------------------------------

COVERED = """() => {
  const said = [...document.querySelectorAll(".toast")].map((node) => node.getBoundingClientRect())
  const dialog = [...document.querySelectorAll("dialog[open]")].pop()
  const taps = "button:enabled, a[href], input:enabled, select:enabled, summary, .legal"
  const hit = []
  for (const node of (dialog || document).querySelectorAll(taps)) {
    const box = node.getBoundingClientRect()
    for (const over of said) {
      if (box.width && box.left < over.right && box.right > over.left &&
          box.top < over.bottom && box.bottom > over.top && node.checkVisibility()) {
        hit.push(node.outerHTML.slice(0, 80))
      }
    }
  }
  return [said.length, hit]
}"""


def test_toasts_cover_no_control(browser: Browser, base: str) -> None:
    """A small phone has the fewest free places."""
    (ann, _bob), match_id = played(base, 20, "Ann", "Bob", seed=3)
    phone = ann.phone(browser, TINY)
    page = phone.page

    def look(where: str) -> None:
        page.wait_for_selector(".toast")
        for _ in range(15):  # the toast is placed again when the page under it moves
            count, hit = page.evaluate(COVERED)
            if not hit:
                break
            page.wait_for_timeout(100)
        assert count, where
        assert hit == [], where
        expect(page.locator(".toast").first).to_have_css("pointer-events", "none")
        page.clock.fast_forward(6000)
        expect(page.locator(".toast")).to_have_count(0)

    # A long list of links leaves no free place; the toast then lets taps through.
    page.route(
        "**/api/matches?scope=public*",
        lambda route: route.fulfill(json={"items": [], "next": None}),
    )
    page.clock.install()
    page.goto("/tables", wait_until="networkidle")  # all lists are loaded
    no = {"status": 409, "json": {"detail": "No."}}
    page.route("**/api/matches?scope=hidden", lambda route: route.fulfill(**no))
    page.get_by_role("button", name="Hidden games").tap()
    look("tables")
    page.goto("/new")
    page.route("**/api/matches", lambda route: route.fulfill(status=409, json={"detail": "No."}))
    page.get_by_role("button", name="Create game").tap()
    look("new")
    page.unroute("**/api/matches")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    at_table(page, match_id, "?v=9")
    page.get_by_role("button", name="Fork from here").tap()
    page.get_by_role("button", name="Share this position").tap()
    look("a sheet")
    # On a small phone nearly every place of the match page is a tap target.
    page.go_back()
    page.get_by_role("button", name="Back to latest").tap()
    page.route("**/undo*", lambda route: route.fulfill(status=409, json={"detail": "Not now."}))
    page.locator(".actions .button").first.tap()
    look("table")
    phone.errors = [each for each in phone.errors if "409" not in each]
    phone.close()


# --- undo proposals -------------------------------------------------------------------------------


def test_asking_names_the_turn_and_rests_after_a_decline(browser: Browser, base: str) -> None:
    (ann, bob), match_id = table(base, "Ann", "Bob")
    rng = random.Random(2)
    match = ann.get(f"/matches/{match_id}")
    first = match["to_act"][0]
    asker, other = ((ann, bob), (bob, ann))[first]
    # Both have placed their start; then the proposer has a turn of several steps, followed by a
    # move of the opponent.
    for who in (asker, other):
        while match["to_act"] == [(ann, bob).index(who)]:
            match = who.step(match_id, rng)
    steps = 0
    while steps < 2:  # the starting seat is random, so turns differ in length
        start = match["version"]
        steps = 0
        while match["to_act"] == [first]:
            match = asker.step(match_id, rng)
            steps += 1
        while steps < 2 and match["to_act"] == [1 - first]:
            match = other.step(match_id, rng)
    other.step(match_id, rng)
    undo = asker.get(f"/matches/{match_id}")["undo"]
    assert undo["kind"] == "consent"
    assert undo["turn"] == start
    phone = asker.phone(browser, TINY)
    page = phone.page
    at_table(page, match_id)
    ask = page.get_by_role("button", name="Ask to undo turn")
    expect(page.get_by_role("button", name="Only my last step")).to_be_enabled()
    assert fits(page)
    ask.tap()
    page.wait_for_selector(".asking")
    proposal = other.get(f"/matches/{match_id}")["undo"]["proposal"]
    assert proposal["to_version"] == start
    page.clock.install()
    other.post(f"/matches/{match_id}/undo/answer", {"seat": 1 - first, "accept": False})
    expect(page.locator(".notice", has_text="declined").first).to_be_visible()
    expect(ask).to_be_disabled()
    expect(ask).to_have_attribute("title", re.compile("ask again after the next move"))
    page.clock.fast_forward(61_000)
    expect(ask).to_be_enabled()
    phone.close()


def test_a_move_wakes_the_wish_that_was_declined(browser: Browser, base: str) -> None:
    (ann, bob), match_id = played(base, 12, "Ann", "Bob", seed=2)
    rng = random.Random(1)
    seat, match = None, ann.get(f"/matches/{match_id}")
    while match["to_act"] != [seat]:  # until somebody is in the middle of a turn
        (seat,) = match["to_act"]
        mover, asker = ((ann, bob), (bob, ann))[seat]
        match = mover.step(match_id, rng)
    phone = asker.phone(browser)
    page = phone.page
    at_table(page, match_id)
    ask = page.get_by_role("button", name="Ask to undo")
    ask.tap()
    page.wait_for_selector(".asking")
    mover.post(f"/matches/{match_id}/undo/answer", {"seat": seat, "accept": False})
    expect(page.locator(".notice", has_text="declined").first).to_be_visible()
    expect(ask).to_be_disabled()
    mover.step(match_id, rng)
    expect(ask).to_be_enabled()
    phone.close()


# --- another device -------------------------------------------------------------------------------


def test_another_device_gets_a_code_that_lies_in_no_address(browser: Browser, base: str) -> None:
    (ann,), match_id = table(base, "Ann")
    phone = ann.phone(browser, TINY)
    page = phone.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/you")
    page.get_by_role("button", name="Use on another device").tap()
    sheet = page.locator("dialog[open]")
    expect(sheet).to_contain_text("Expires in 10 minutes.")
    image = sheet.locator(".qr img")
    assert (image.get_attribute("src") or "").startswith("data:image/svg+xml")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 100)")
    link = sheet.locator(".link").inner_text()
    code = link.partition("#link=")[2]
    assert code
    assert not [url for url in asked if code in url and not url.startswith("data:")]
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sheet.get_by_role("button", name="Copy link").tap()
    expect(page.locator(".toast")).to_contain_text("copied")
    assert page.evaluate("navigator.clipboard.readText()") == link
    expect(sheet).to_contain_text("Only this device can open this address")
    assert fits(page)
    page.go_back()
    expect(sheet).to_have_count(0)
    expect(page.locator(".qr")).to_have_count(0)
    second = Phone(browser, base)
    second.page.goto(link)
    expect(second.page.locator(f".table-card[href='/m/{match_id}']")).to_be_visible()
    second.close()
    phone.close()


def test_on_localhost_links_name_the_address_of_the_network(
    browser: Browser, tmp_path: Path
) -> None:
    def listens(app: Any) -> None:
        app.services.lan = "192.168.7.9"

    with server(Settings(data=str(tmp_path)), listens) as address:
        port = address.rpartition(":")[2]
        phone = Phone(browser, address)
        phone.open_table(["Ann", ""])
        assert phone.invitation().startswith(f"http://192.168.7.9:{port}/join/")
        expect(phone.page.locator(".notice-line")).to_have_count(0)
        phone.close()


# --- the result -----------------------------------------------------------------------------------


def finished(base: str) -> tuple[list[Program], str, Any]:
    """Play a match to its end."""
    people, match_id = table(base, "Ann", "Bob")
    rng = random.Random(5)
    match = people[0].get(f"/matches/{match_id}")
    while match["status"] == "playing":
        match = people[match["to_act"][0]].step(match_id, rng)
    return people, match_id, people[0].get(f"/matches/{match_id}")


def test_the_winner_has_a_moment_and_again_sets_the_same_table(browser: Browser, base: str) -> None:
    """The invitation says that only this device can follow it."""
    (ann, bob), match_id, match = finished(base)
    winners = [place["seat"] for place in match["standings"] if place["rank"] == 1]
    phone = Phone(browser, base, TINY)
    page = phone.page
    for seat, person in enumerate((ann, bob)):
        person.sign_in(phone)
        at_table(page, match_id)
        head = page.locator(".triumph h3")
        expect(head).to_be_visible()
        if winners == [seat]:
            expect(head).to_have_text("You win!")
        elif len(winners) == 1:
            expect(head).to_have_text(f"{match['seats'][winners[0]]['name']} wins")
        camel = page.locator(".triumph .camels svg").first.bounding_box()
        assert camel is not None
        assert camel["width"] >= 96
        # Reduced motion: nothing moves.
        assert page.evaluate("document.getAnimations().length") == 0
        assert fits(page)
        expect(page.locator(".podium li")).to_have_count(2)
        assert head.evaluate("node => node === document.activeElement")
        page.wait_for_function("document.querySelector('.large-board img')?.naturalWidth > 0")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Share image").tap()
        assert saved.value.suggested_filename == "caravanserai.png"
        page.get_by_role("link", name="New game").tap()
        page.wait_for_selector("text=Create game")
        other = "Bob" if person is ann else "Ann"
        expect(page.locator(".card")).to_contain_text(f"Reserved for {other}")
        expect(page.locator("input[name=gPlayers]:checked")).to_have_value("2")
        page.get_by_role("button", name="Create game").tap()
        page.wait_for_selector(".qr")
        expect(page.locator(".card", has_text="Invite players")).to_contain_text(
            "Only this device can open this address"
        )
    phone.close()
