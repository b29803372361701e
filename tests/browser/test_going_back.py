"""Undo, forks, history and reviews, on phones against the real service."""

import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.phone import PHONE, PROMPT, SMALL, Phone, fits, show_history, still
from tests.browser.service import Program, played, table

pytestmark = pytest.mark.browser
MATCHES = Path(__file__).parent.parent / "recorded_matches"


def at_table(page: Page, match_id: str, rest: str = "") -> None:
    page.goto(f"/m/{match_id}{rest}")
    page.wait_for_selector(".game")


# --- undo between two phones --------------------------------------------------------------------


def test_a_take_back_is_proposed_declined_proposed_again_and_agreed_to(
    browser: Browser, base: str
) -> None:
    (ann, bob), match_id = played(base, 10, "Ann", "Bob")
    target = ann.get(f"/matches/{match_id}")["version"]
    rng = random.Random(3)
    moved: set[int] = set()
    while len(moved) < 2:
        (seat,) = ann.get(f"/matches/{match_id}")["to_act"]
        moved.add(seat)
        (ann, bob)[seat].step(match_id, rng)
    before = ann.get(f"/matches/{match_id}")
    hers, his = ann.phone(browser), bob.phone(browser)
    at_table(hers.page, match_id)
    at_table(his.page, match_id)
    # Bob has the log open: the banner shows there too.
    his.page.get_by_role("button", name="Game log").click()
    hers.page.locator(".history input").fill(str(target))
    expect(hers.page.locator(".go-back")).to_contain_text("Everyone must agree.")
    expect(hers.page.locator(".go-back")).to_contain_text(
        re.compile("has moved since|a random draw since")
    )
    hers.page.get_by_role("button", name="Ask to undo").click()
    sheet = his.page.locator("dialog[open] .asking")
    expect(sheet).to_contain_text("Ann asks to undo", timeout=PROMPT)
    sheet.get_by_role("button", name="Decline").click()
    told = hers.page.locator(".notice", has_text="Bob declined. The moves stand.").first
    expect(told).to_be_visible(timeout=PROMPT)
    assert ann.get(f"/matches/{match_id}")["view"] == before["view"]
    told.get_by_role("button", name="OK").click()
    expect(told).to_have_count(0)

    # A declined undo cannot be proposed again until somebody has moved.
    ask = hers.page.get_by_role("button", name="Ask to undo")
    hers.page.locator(".history input").fill(str(target))
    expect(ask).to_be_disabled()
    (seat,) = ann.get(f"/matches/{match_id}")["to_act"]
    (ann, bob)[seat].step(match_id, rng)
    hers.page.locator(".history input").fill(str(target))
    expect(ask).to_be_enabled(timeout=PROMPT)
    ask.click()
    # Bob is now looking at an earlier moment.
    his.page.get_by_role("button", name="Close").first.click()
    show_history(his.page)
    his.page.get_by_role("button", name="Start").click()
    banner = his.page.locator(".game .asking")
    expect(banner).to_be_visible(timeout=PROMPT)
    banner.get_by_role("button", name="Agree").click()
    expect(hers.page.locator(".notice", has_text="Undo accepted").first).to_be_visible(
        timeout=PROMPT
    )
    after = ann.get(f"/matches/{match_id}")
    assert after["view"] == ann.get(f"/matches/{match_id}?at={target}")["view"]
    hers.page.get_by_role("button", name="Game log").click()
    undone = hers.page.locator(".log .undone")
    expect(undone.first).to_contain_text("undone by Ann")
    struck = undone.first.locator("s")
    assert "line-through" in struck.evaluate("node => getComputedStyle(node).textDecorationLine")
    assert undone.count() >= 2
    hers.close()
    his.close()


def test_what_was_taken_back_by_consent_can_be_brought_on_again(
    browser: Browser, base: str
) -> None:
    """Redo is offered even while the next undo would need consent again."""
    people, match_id = table(base, "Ann", "Bob")
    ann, bob = people
    rng = random.Random(3)
    before = ann.get(f"/matches/{match_id}")
    while before["to_act"] != [0] or before["turn"] < 3:
        before = people[before["to_act"][0]].step(match_id, rng)
    before = ann.get(f"/matches/{match_id}")
    request = {
        "seat": 0,
        "expected_version": before["version"],
        "to_version": before["undo"]["turn"],
    }
    ann.post(f"/matches/{match_id}/undo", request, 202)
    bob.post(f"/matches/{match_id}/undo/answer", {"seat": 1, "accept": True})
    assert ann.get(f"/matches/{match_id}")["undo"]["kind"] == "consent"
    hers = ann.phone(browser, {"width": 320, "height": 568})
    at_table(hers.page, match_id)
    assert fits(hers.page)
    hers.page.get_by_role("button", name="Redo").click()
    expect(hers.page.locator(".history output")).to_contain_text(f"Turn {before['turn']} ")
    assert ann.get(f"/matches/{match_id}")["view"] == before["view"]
    hers.close()


def test_a_new_move_closes_a_proposal_and_a_late_answer_changes_nothing(
    browser: Browser, base: str
) -> None:
    """A single move does so, and so does a whole turn."""
    people, match_id = played(base, 9, "Ann", "Bob", seed=2)
    phones = [person.phone(browser) for person in people]
    for whole_turn in (False, True):
        before = people[0].get(f"/matches/{match_id}")
        (seat,) = before["to_act"]
        actor, asker = people[seat], people[1 - seat]
        his, hers = phones[seat], phones[1 - seat]
        body = {"seat": 1 - seat, "expected_version": before["version"], "to_version": 6}
        asker.post(f"/matches/{match_id}/undo", body, 202)
        at_table(hers.page, match_id)
        at_table(his.page, match_id)
        agree = his.page.locator(".game .asking").get_by_role("button", name="Agree")
        expect(agree).to_be_visible()
        # The phone is offline, so it still shows the proposal after an API client has moved for it.
        his.page.route("**/live*", lambda route: route.abort())
        his.page.route(f"**/api/matches/{match_id}*", lambda route: route.abort())
        moved = actor.step(match_id, random.Random(1))
        while whole_turn and moved["to_act"] == [seat]:
            moved = actor.step(match_id, random.Random(1))
        expect(
            hers.page.locator(".notice", has_text="so your undo request is closed").first
        ).to_be_visible(timeout=PROMPT)
        with his.page.expect_response("**/undo/answer*") as late:
            agree.click()
        assert late.value.status == 409
        assert late.value.json()["code"] == "no_proposal"
        now = actor.get(f"/matches/{match_id}")
        assert (now["version"], now["view"]) == (moved["version"], moved["view"])
        his.errors = [each for each in his.errors if "409" not in each]
        his.page.unroute_all()
    for phone in phones:
        phone.close()


def test_several_undos_redo_and_a_new_move_that_ends_redo(browser: Browser, base: str) -> None:
    phone = Phone(browser, base)
    page = phone.page
    rng = random.Random(4)
    phone.open_table(["Ann", "Bob"], round_one_phone=True)
    page.wait_for_selector(".game.my-turn")
    for _ in range(8):
        phone.move(rng)
    picture = page.locator(".board-area svg").first.inner_html()

    def grown(action: str) -> None:
        before = phone.version()
        page.get_by_role("button", name=action, exact=True).click()
        page.wait_for_function("v => document.querySelector('.history input')?.max > v", arg=before)

    for _ in range(3):
        grown("Undo step")
    for _ in range(3):
        grown("Redo")
    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(0)
    assert page.locator(".board-area svg").first.inner_html() == picture
    grown("Undo step")
    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(1)
    phone.move(rng)
    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(0)
    page.locator(".history input").fill("12")
    expect(page.locator(".go-back")).to_contain_text("Immediately. Nobody else needs to agree.")
    page.get_by_role("button", name="Undo to here").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    expect(page.get_by_role("button", name="Redo", exact=True)).to_have_count(1)
    phone.close()


def test_a_spectator_sees_the_question_and_has_no_say(browser: Browser, base: str) -> None:
    (ann, _bob), match_id = played(base, 8, "Ann", "Bob", seed=5)
    match = ann.get(f"/matches/{match_id}")
    body = {"seat": 0, "expected_version": match["version"], "to_version": match["version"] - 5}
    ann.post(f"/matches/{match_id}/undo", body, 202)
    guest = Phone(browser, base)
    at_table(guest.page, match_id, f"?share={match['share']}")
    expect(guest.page.locator(".game .asking")).to_contain_text("Ann asks to undo")
    for name in ("Agree", "Decline", "Cancel request", "Undo step", "Ask to undo"):
        assert guest.page.get_by_role("button", name=name).count() == 0
    show_history(guest.page)
    guest.page.get_by_role("button", name="Previous move").click()
    expect(guest.page.get_by_role("button", name="Back to latest")).to_be_visible()
    expect(guest.page.locator(".go-back")).to_be_hidden()
    guest.page.wait_for_function("location.search.includes('v=')")
    assert "share=" in guest.page.url
    guest.close()


# --- time travel --------------------------------------------------------------------------------


def version_of(page: Page) -> int:
    return int(page.locator(".history input").input_value())


def shows(page: Page, version: int) -> None:
    """Wait until the page shows a version."""
    expect(page.locator(".history input")).to_have_value(str(version))


def test_keys_swipes_and_links_walk_through_a_match(browser: Browser, base: str) -> None:
    """It can also be played on from an earlier moment, at three speeds."""
    (ann, _bob), match_id = played(base, 24, "Ann", "Bob", seed=6)
    events = ann.get(f"/matches/{match_id}/events?after=0")["events"]
    begun = [e["version"] for e in events if e["type"] == "TurnBegan"]
    rounds = [v for i, v in enumerate(begun) if i % 2 == 0]
    last = events[-1]["version"]
    phone = ann.phone(browser)
    page = phone.page
    at_table(page, match_id)
    page.keyboard.press("Home")
    shows(page, 4)
    page.keyboard.press("PageDown")
    shows(page, rounds[0])
    page.keyboard.press("PageDown")
    shows(page, rounds[1])
    page.keyboard.press("ArrowRight")
    shows(page, rounds[1] + 1)
    page.keyboard.press("PageUp")
    shows(page, rounds[1])
    page.keyboard.press("ArrowLeft")
    shows(page, rounds[1] - 1)
    page.wait_for_url(f"**?v={rounds[1] - 1}")
    page.keyboard.press("End")
    shows(page, last)
    page.wait_for_function("!location.search")

    at_table(page, match_id, f"?v={rounds[1]}")
    shows(page, rounds[1])
    assert events[rounds[1] - 1]["text"] == "Turn 3: Ann"
    expect(page.locator(".turn")).to_contain_text("Turn 3: you")
    page.get_by_role("button", name="Game log").click()
    expect(page.locator(".log li.here")).to_be_in_viewport()
    swipe(page, -120)
    shows(page, rounds[1] + 1)
    page.wait_for_timeout(500)  # the log has scrolled to the line
    swipe(page, 120)
    shows(page, rounds[1])

    page.clock.install()
    at_table(page, match_id, "?v=6")
    still(page)
    show_history(page)
    page.get_by_role("button", name="Play", exact=True).click()
    went = []
    for speed in ("Slow", "Normal", "Fast"):
        page.get_by_role("button", name=speed, exact=True).click()
        start = version_of(page)
        page.clock.run_for(3000)
        went.append(version_of(page) - start)
    assert 0 < went[0] < went[1] < went[2]
    page.clock.run_for(30_000)
    page.wait_for_function("!location.search")
    phone.close()


def swipe(page: Page, dx: int) -> None:
    """Swipe horizontally over the log."""
    x, y = 200, 700
    touch = page.context.new_cdp_session(page)
    send = "Input.dispatchTouchEvent"
    touch.send(send, {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 5):
        point = {"x": x + dx * part // 4, "y": y}
        touch.send(send, {"type": "touchMove", "touchPoints": [point]})
    touch.send(send, {"type": "touchEnd", "touchPoints": []})


def test_games_whose_rules_stay_in_the_service_are_walked_through_too(
    browser: Browser, base: str
) -> None:
    owner = Program(base, "Ann")
    phone = owner.phone(browser)
    page = phone.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for game in ("caravane", "caravanserail"):
        document = json.loads(next(iter(sorted(MATCHES.glob(f"{game}-*.json")))).read_text())
        match = owner.post("/matches/import", document, 201)
        # Adjacent versions are prefetched.
        with page.expect_response(lambda answer: answer.url.endswith("at=10")) as fetched:
            at_table(page, match["id"], "?v=9")
        fetched.value.finished()
        expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
        asked.clear()
        page.keyboard.press("ArrowRight")
        shows(page, 10)
        assert not [url for url in asked if url.endswith("at=10")]
        page.keyboard.press("Home")
        page.keyboard.press("End")
    phone.close()


# --- forks --------------------------------------------------------------------------------------


def test_forks_are_labelled_both_ways(browser: Browser, base: str) -> None:
    """Two taps make one fork. A match of one player is forked alone."""
    (ann, bob), match_id = played(base, 12, "Ann", "Bob", seed=8)
    hers = ann.phone(browser)
    page = hers.page
    posted: list[str] = []
    page.on("request", lambda r: posted.append(r.url) if r.url.endswith("/fork") else None)

    def fork(original: str, way: str) -> None:
        at_table(page, original, "?v=6")
        page.get_by_role("button", name="Fork from here").click()
        posted.clear()
        # Both taps happen before the answer to the first arrives.
        page.get_by_role("button", name=way).evaluate("node => { node.click(); node.click() }")
        page.wait_for_function("id => !location.pathname.includes(id)", arg=original)
        page.wait_for_selector(".lineage")
        assert len(posted) == 1

    ways = ("Pass and play on this phone", "Same players", "Play vs bots")
    made = []
    for way in ways:
        fork(match_id, way)
        made.append(page.url.rpartition("/")[2])
        assert page.locator(".lineage").inner_text().startswith("forked from game ")
    kinds = [[s["kind"] for s in ann.get(f"/matches/{each}")["seats"]] for each in made]
    # The seat is reserved for the opponent of the original match.
    assert kinds == [["human", "human"], ["human", "open"], ["human", "bot"]]
    yours = [[s["you"] for s in ann.get(f"/matches/{each}")["seats"]] for each in made]
    assert yours == [[True, True], [True, False], [True, False]]

    page.locator(".lineage a").click()
    page.wait_for_function("id => location.pathname.endsWith(id)", arg=match_id)
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    links = page.locator(".lineage a")
    expect(links).to_have_count(3)
    assert {a.get_attribute("href") for a in links.all()} == {f"/m/{each}" for each in made}
    # Anyone with the link to a moment sees it without a seat.
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Fork from here").click()
    page.get_by_role("button", name="Share this position").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    other = Phone(browser, base)
    other.page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect(other.page.get_by_role("button", name="Back to latest")).to_be_visible()
    assert version_of(other.page) == version_of(page)
    # Bob may see the fork in which he has a seat, and no other.
    bob.sign_in(other)
    at_table(other.page, match_id)
    expect(other.page.locator(".lineage a")).to_have_count(1)
    expect(other.page.locator(".lineage a")).to_have_attribute("href", f"/m/{made[1]}")
    other.close()
    solo = ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]}, 201)["id"]
    for _ in range(4):
        ann.step(solo, random.Random(1))
    fork(solo, "Solo")
    hers.close()


def test_two_taps_take_back_once(browser: Browser, base: str) -> None:
    """This also holds if the second tap comes after the answer but before its effect is shown. The
    next tap undoes one more."""
    (ann,), match_id = played(base, 12, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    posted: list[str] = []
    page.on("request", lambda r: posted.append(r.url) if "/undo" in r.url else None)
    at_table(page, match_id)
    page.route("**/events?*", lambda route: held.append(route) if holding else route.continue_())
    held: list[Route] = []
    back = page.get_by_role("button", name="Undo step")
    for once in (1, 2):
        before, holding = version_of(page), True
        with page.expect_request("**/events?*"), page.expect_response("**/undo?*"):
            back.evaluate("node => { node.click(); node.click() }")
        back.evaluate("node => node.click()")
        page.wait_for_timeout(100)
        assert len(posted) == once
        holding = False
        while held:
            held.pop().continue_()
        page.wait_for_function(
            "version => document.querySelector('.history input')?.max > version", arg=before
        )
        phone.settled()
        page.wait_for_timeout(400)  # a sooner tap would be part of a double tap
    phone.close()


def test_a_service_too_busy_to_tell_what_is_new_is_asked_again(browser: Browser, base: str) -> None:
    (ann, bob), match_id = played(base, 6, "Ann", "Bob")
    phone = ann.phone(browser)
    page = phone.page
    at_table(page, match_id)
    page.wait_for_timeout(300)
    busy = {"status": 503, "json": {"detail": "Busy."}}
    page.route(f"**/matches/{match_id}", lambda route: route.fulfill(**busy), times=1)
    (seat,) = ann.get(f"/matches/{match_id}")["to_act"]
    (ann, bob)[seat].step(match_id, random.Random(1))
    page.wait_for_function(
        "version => Number(document.querySelector('.history input')?.max) >= version",
        arg=ann.get(f"/matches/{match_id}")["version"],
    )
    phone.errors = [each for each in phone.errors if "503" not in each]
    phone.close()


# --- files and reviews --------------------------------------------------------------------------


def test_a_match_goes_home_as_a_file_and_comes_back_for_review(
    browser: Browser, base: str, tmp_path: Path
) -> None:
    owner = Program(base, "Ann")
    original = json.loads((MATCHES / "caravanserai-2-v1.json").read_text())
    match = owner.post("/matches/import", original, 201)
    phone = owner.phone(browser)
    page = phone.page
    page.goto(f"/m/{match['id']}/review")
    with page.expect_download() as download:
        page.get_by_role("link", name="Game file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    saved = json.loads(file.read_text())
    assert [d["events"] for d in saved["decisions"]][1:] == [
        d["events"] for d in original["decisions"]
    ][1:]

    guest = Phone(browser, base)
    guest.page.goto("/")
    chooser = guest.page.get_by_label("Import game file")
    changed = {**saved, "decisions": [*saved["decisions"][:-2], saved["decisions"][-1]]}
    for name, content in (
        ("broken.json", "{"),
        ("other.json", "[1, 2]"),
        ("changed.json", json.dumps(changed)),
    ):
        bad = tmp_path / name
        bad.write_text(content)
        chooser.set_input_files(bad)
        problem = guest.page.locator(".problem", has_text="File rejected.")
        expect(problem).to_be_visible()
        assert guest.page.url.endswith("/")
    expect(problem).to_contain_text("checksum mismatch")
    guest.errors = [each for each in guest.errors if "422" not in each and "400" not in each]
    chooser.set_input_files(file)
    guest.page.wait_for_url("**/review")
    expect(guest.page.get_by_role("heading", name="Standings")).to_be_visible()
    guest.close()
    phone.close()


def fits_phones(page: Page) -> bool:
    """Return whether the page scrolls horizontally neither on a phone nor on a small one."""
    for size in (PHONE, SMALL):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        if not fits(page):
            return False
    return True


def test_the_review_shows_how_each_point_came_about(browser: Browser, base: str) -> None:
    owner = Program(base, "Ann")
    document = json.loads((MATCHES / "caravanserai-4-v1.json").read_text())
    match = owner.post("/matches/import", document, 201)
    told = owner.get(f"/matches/{match['id']}/review")
    phone = owner.phone(browser)
    page = phone.page
    page.goto(f"/m/{match['id']}/review")
    page.wait_for_selector(".chart .line")
    assert page.locator(".chart .line").count() == 4
    shapes = {n.get_attribute("d") for n in page.locator(".legend .dot-mark").all()}
    assert len(shapes) == 4
    assert fits_phones(page)
    for place in page.locator(".place").all():
        points = sum(int(words) for words in re.findall(r"\+(\d+) in", place.inner_text()))
        assert 1 + points == int(place.locator(".score").inner_text())
    page.get_by_text("Show as table").click()
    ends = page.locator("details .facts tbody tr").last.locator("td").all_inner_texts()
    assert [int(each) for each in ends] == [
        seat["length"] for seat in told["review"]["own"]["seats"]
    ]
    assert fits_phones(page)
    link = page.locator(".link").inner_text()
    page.get_by_role("button", name="Last turn").click()
    film = page.locator(".film")
    expect(film).to_be_visible()
    page.wait_for_function("document.querySelector('.film').naturalWidth === 640", timeout=60_000)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Show").click()
    page.wait_for_selector(".game")
    assert f"v={told['review']['own']['longest']['version']}" in page.url
    phone.close()
    # A stranger can open the review by the shared link, and only by it.
    guest = Phone(browser, base)
    guest.page.goto(link)
    guest.page.wait_for_selector(".game")
    guest.page.goto(f"/m/{match['id']}")
    guest.page.get_by_text("isn’t open to you").wait_for()
    guest.errors = [each for each in guest.errors if "404" not in each]
    guest.close()


def test_small_phones_scroll_nowhere_sideways_while_looking_back(
    browser: Browser, base: str
) -> None:
    """The address of the review leads to the match, which has none while it runs."""
    (ann, bob), match_id = played(base, 12, "Ann", "Bob the Far Traveller", seed=9)
    version = ann.get(f"/matches/{match_id}")["version"]
    ann.post(
        f"/matches/{match_id}/undo",
        {"seat": 0, "expected_version": version, "to_version": version - 7},
        202,
    )
    ann.post(f"/matches/{match_id}/fork", {"at": version - 5}, 201)
    phone = bob.phone(browser, SMALL)
    page = phone.page
    at_table(page, match_id, "/review")
    assert page.url.endswith(match_id)
    expect(page.locator(".game .asking")).to_be_visible()
    assert fits(page)
    show_history(page)
    page.get_by_role("button", name="Previous move").click()
    expect(page.get_by_role("button", name="Back to latest")).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Fork from here").click()
    assert fits(page)
    phone.close()
