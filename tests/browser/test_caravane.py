"""Caravane in the browser: whole races, and that a phone neither shows nor receives the secrets of
another seat.

Secrecy is tested by comparison: two races that differ only in the secret must give the same page.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Response, Route, expect

from tests.browser.chromium import asset
from tests.browser.inspection import WIDTHS, misfits
from tests.browser.phone import Phone, fits, show_history
from tests.browser.service import Program
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

NAMES = ("Ann", "Bea", "Cleo")
SECRET_EVENTS = ("GourdsAllotted", "BagsPacked", "BidMade", "BidRevised", "WaterLeaked")
FRAME_LINE = re.compile(
    r'|:.*|retry: \d+|id: \d+|data: {"version":\d+}'
    r'|event: looking|data: {"seats":\[[\d,]*\],"watching":\d+}'
)
# Records the positions of the camels, one entry for each move.
WATCH = """() => {
  const road = document.querySelector(".road-scroll svg")
  const where = () => [...road.querySelectorAll("[data-seat]")].map(node => node.style.transform)
  window.stood = []
  new MutationObserver(() => { window.stood.push(where()) })
    .observe(road, { attributes: true, attributeFilter: ["style"], subtree: true })
}"""
# Records the live stream, and counts pending requests whose answers may lead to more requests.
LISTEN = """() => {
  const plain = window.fetch
  window.liveFrames = []
  window.asking = 0
  window.fetch = async (...given) => {
    if (!String(given[0]).includes("/live")) {
      window.asking += 1
      return plain(...given).finally(() => setTimeout(() => { window.asking -= 1 }, 30))
    }
    const answer = await plain(...given)
    const [one, other] = answer.body.tee()
    const keep = async () => {
      const reader = other.pipeThrough(new TextDecoderStream()).getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        window.liveFrames.push(part.value)
      }
    }
    keep().catch(() => {})
    return new Response(one, { status: answer.status, headers: answer.headers })
  }
}"""
OUT_OF_SIGHT = """() => {
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true })
  document.dispatchEvent(new Event("visibilitychange"))
  delete document.visibilityState
}"""


# --- races over HTTP --------------------------------------------------------------------------


def race(
    base: str, *names: str, one_phone: bool = False, **options: bool
) -> tuple[list[Program], str]:
    """Start a race; return its players by seat and its id.

    With ``one_phone`` one player holds all seats.
    """
    people = [Program(base, name) for name in (names[:1] if one_phone else names)]
    seats: list[dict[str, str]] = [{"kind": "me", "name": names[0]}]
    for name in names[1:]:
        seats.append({"kind": "me", "name": name} if one_phone else {"kind": "open"})
    body = {"game": "caravane", "seats": seats, "options": options}
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people * len(names) if one_phone else people, match["id"]


def choose(people: list[Program], match_id: str, seat: int, number: int, key: str = "") -> None:
    """Choose a number of gourds for a seat; ``key`` selects among several kinds of choices."""
    path = f"/matches/{match_id}"
    version = people[seat].get(path)["version"]
    choices = people[seat].get(f"{path}/choices?seat={seat}")["choices"]
    fitting = [each["command"] for each in choices if each["key"] == key or not key]
    body = {"seat": seat, "expected_version": version, "commands": [fitting[number]]}
    people[seat].post(f"{path}/commands", body)


def bids(people: list[Program], match_id: str, *gourds: int) -> None:
    """One bid for each seat."""
    for seat, number in enumerate(gourds):
        choose(people, match_id, seat, number)


# --- phones at the race ---------------------------------------------------------------------


class Racer(Phone):
    """A phone at the race that records what it receives over the network."""

    def __init__(
        self,
        browser: Browser,
        person: Program,
        match_id: str,
        size: dict[str, int] | None = None,
        before: Callable[[Phone], None] | None = None,
    ) -> None:
        super().__init__(browser, person.base, size)
        self.page.add_init_script(f"({LISTEN})()")
        self.responses: list[Response] = []
        self.page.on("response", self._note)
        if before:
            before(self)
        self.sit_at(person, match_id)
        self.cover = self.page.locator(".cover-button")
        self.covered = self.page.locator(".covered")
        self.told = self.page.locator(".told")

    def sit_at(self, person: Program, match_id: str) -> None:
        """Open a match as one of its players."""
        self.person = person
        self.match_id = match_id
        self.page.goto(asset("icon-192.png"))  # the earlier page requests nothing more
        self.responses.clear()  # Chromium drops the bodies of an earlier page
        person.sign_in(self)
        self.page.goto(f"/m/{match_id}")
        self.page.wait_for_selector(".racer")

    def _note(self, response: Response) -> None:
        if "/api/matches/" in response.url and "/live" not in response.url:
            self.responses.append(response)

    def answers(self) -> list[Any]:
        """Return the service's answers since the last call."""
        noted, self.responses = self.responses, []
        return [response.json() for response in noted]

    def catch_up(self, version: int) -> None:
        """Wait until the phone shows the version and has no pending request."""
        self.page.wait_for_function(
            """version => window.asking === 0 &&
              Number(document.querySelector('.history input')?.max) >= version""",
            arg=version,
        )

    def may_choose(self) -> bool:
        """Return whether the match waits for a choice of this phone."""
        return self.waits_for_me() and self.page.locator(".desk .cover-button").count() == 1

    def expect_covered(self) -> None:
        """Check that no secret is shown."""
        expect(self.page.locator(".covered:not(:empty)")).to_have_count(0)

    def uncover(self) -> None:
        """Open the cover with a tap; it stays open."""
        self.expect_covered()
        self.cover.click()
        expect(self.covered).not_to_be_empty()

    def most(self) -> int:
        """Return the highest number that the open control offers."""
        words = self.page.locator(".quick-chip").last.inner_text()
        return int(words.removeprefix("All "))

    def set_number(self, number: int, way: int) -> None:
        """Set the open control by a chip, which a cover has no room for, the slider or the step
        buttons."""
        page = self.page
        amount = page.locator(".amount")
        chip = page.locator(".quick-chip").get_by_text(str(number), exact=True)
        slider = page.locator(".control input[type=range]")
        if way == 0 and chip.is_visible():
            chip.click()
        elif way == 1 and slider.count():
            slider.fill(str(number))
        else:
            while (shown := int(amount.inner_text())) != number:
                page.get_by_role(
                    "button", name="One more" if shown < number else "One fewer"
                ).click()
        expect(amount).to_have_text(str(number))

    def confirm(self) -> None:
        """Press the control's only button and wait until all is covered again."""
        before = self.version()
        self.page.locator(".desk .confirm").click()
        if self.asked():
            self.sure()
        self.settled()
        self.catch_up(before + 1)
        self.expect_covered()

    def choose(self, number: int, way: int = 0) -> None:
        """Choose a number, limited to what is available."""
        self.uncover()
        self.set_number(min(number, self.most()), way)
        self.confirm()

    def html(self) -> str:
        """Return the HTML of the page without what identifies the match."""
        self._leave_out_who_looks()
        return self.page.content().replace(self.match_id, "MATCH")

    def spoken(self) -> str:
        """Return what a screen reader finds on the page."""
        self._leave_out_who_looks()
        return self.page.locator("body").aria_snapshot().replace(self.match_id, "MATCH")

    def _leave_out_who_looks(self) -> None:
        """Remove the watchers and the place of the player's note, which change by themselves."""
        self.page.evaluate(
            "document.querySelectorAll('.looking-now, .own-note').forEach(each => each.remove())"
        )

    def painted(self) -> str:
        """Return the visible text of the page, without what is covered."""
        self._leave_out_who_looks()
        words: str = self.page.evaluate("document.body.innerText")
        return words


def phones_of(browser: Browser, people: list[Program], match_id: str) -> list[Racer]:
    """A phone for each seat."""
    return [Racer(browser, person, match_id) for person in people]


def in_step(phones: list[Racer]) -> int:
    """Wait until all phones show the service's current version; return it."""
    version: int = phones[0].person.get(f"/matches/{phones[0].match_id}")["version"]
    for phone in phones:
        phone.catch_up(version)
    return version


def heard_no_secrets(phone: Racer, seat: int) -> int:
    """Check that no answer contains another seat's secret; return the number of blanked fields."""
    blank = 0
    split = False
    for answer in phone.answers():
        match = answer.get("match", answer)
        view = match.get("view") or {}
        split = view.get("split", split)  # constant parts are sent once
        for racer in view.get("racers", ()):
            if racer["seat"] != seat:
                blank += 1
                assert (racer["stock"], racer["bags"], racer["revised"]) == (None, None, None)
                assert racer["bid"] is None or view["phase"] == "revise"
                assert racer["allotted"] is None or not split
        for event in answer.get("events", ()):
            if event["type"] in SECRET_EVENTS and event["seat"] != seat:
                blank += 1
                hidden = set(event["data"]) - {"seat", "stage"}
                assert all(event["data"][name] is None for name in hidden), event
        assert answer.get("seat", seat) == seat, "choices of another seat"
    frames = "".join(phone.page.evaluate("window.liveFrames"))
    for line in frames.splitlines():
        assert FRAME_LINE.fullmatch(line), line
    return blank


# --- whole races ----------------------------------------------------------------------------


@pytest.mark.soak
def test_three_phones_play_a_whole_race(browser: Browser, base: str) -> None:
    people, match_id = race(base, *NAMES)
    phones = phones_of(browser, people, match_id)
    taps = blank = 0
    while not phones[0].over():
        for seat, phone in enumerate(phones):
            if not phone.may_choose():
                continue
            # Equal bids carry all camels far, different ones separate them.
            together = taps // 3 % 3 != 0
            phone.choose(taps // 3 % 4 if together else (seat * 2 + taps) % 5, way=taps % 3)
            taps += 1
            in_step(phones)
        if phones[0].over():
            break
        revealed = people[0].get(f"/matches/{match_id}")["view"]["last"]["round"]
        for seat, phone in enumerate(phones):
            expect(phone.told.locator(".headline")).to_have_text(f"Round {revealed}")
            blank += heard_no_secrets(phone, seat)
        assert len({phone.told.inner_text() for phone in phones}) == 1
    for phone in phones:
        phone.page.locator(".podium").wait_for()
    standings = [phone.page.locator(".podium").inner_text() for phone in phones]
    assert standings[0] == standings[1] == standings[2]
    assert phones[0].page.locator(".podium .score").count() == 3
    assert people[0].get(f"/matches/{match_id}")["status"] == "finished"
    assert taps > 20
    assert blank > 200
    # Nothing is secret any more: the log of the page that stayed open shows every bid.
    page = phones[0].page
    page.get_by_role("button", name="Close").first.click()
    page.get_by_role("button", name="Game log").click()
    expect(page.locator(".log")).to_contain_text(re.compile(r"Bea bid \d"))
    for phone in phones:
        phone.close()


def test_a_round_with_food_bags_and_a_free_split(browser: Browser, base: str) -> None:
    """Before the race, two splits and a packing. Then a bag is announced, and Bea changes her bid
    while Cleo keeps hers."""
    people, match_id = race(base, *NAMES, food=True, split=True)
    ann, bea, cleo = phones = phones_of(browser, people, match_id)
    for seat, phone in enumerate(phones):
        phone.choose(18 + seat, way=1)
        phone.choose(20, way=0)
        phone.uncover()
        before = phone.version()
        phone.page.get_by_role("button", name="3 2 1: food bags for stages 1, 2 and 3").click()
        if phone.asked():
            phone.sure()
        phone.catch_up(before + 1)
        in_step(phones)
    ann.uncover()
    expect(ann.covered).to_contain_text("18 of 18 left")
    expect(ann.covered).to_contain_text("food bag: 3")
    ann.set_number(2, way=0)
    ann.page.get_by_role("switch", name="Food bag").check()
    expect(ann.page.locator(".confirm")).to_have_text("Bid 2 + food bag")
    ann.confirm()
    bea.choose(3)
    cleo.choose(4)
    in_step(phones)
    expect(bea.told).to_contain_text("Ann added a hidden food bag (1–3).")
    assert bea.page.locator(".racer .card").all_inner_texts() == ["2+", "3", "4"]
    expect(ann.cover).to_have_text("Hold to peek")
    assert not ann.waits_for_me()
    bea.uncover()
    expect(bea.page.locator(".confirm")).to_have_text("Keep 3")
    bea.set_number(6, way=2)
    expect(bea.page.locator(".confirm")).to_have_text("Change to 6")
    bea.confirm()
    assert "6" not in ann.page.locator(".racers").inner_text()
    for seat, phone in enumerate(phones):
        assert heard_no_secrets(phone, seat) > 0
    cleo.choose(4)
    in_step(phones)
    for phone in phones:
        expect(phone.told).to_contain_text("Ann bid 2 + bag (3): 2 squares.")
        expect(phone.told).to_contain_text("Bea bid 6: 3 squares.")
        expect(phone.told).to_contain_text("Cleo bid 4: 1 square.")
        phone.close()


def test_a_choice_between_two_answers_of_the_service_is_not_missed(
    browser: Browser, base: str
) -> None:
    """Bea bids after Ann's phone has received the view and before it requests the events."""
    people, match_id = race(base, "Ann", "Bea")
    late: list[int] = []

    def bid_first(route: Route) -> None:
        if not late:
            late.append(1)
            choose(people, match_id, 1, 2)
        route.continue_()

    def prepare(phone: Phone) -> None:
        phone.page.route("**/live*", lambda route: route.abort())
        phone.page.route("**/events?*", bid_first)

    phone = Racer(browser, people[0], match_id, before=prepare)
    expect(phone.page.locator(".racer .state")).to_have_text(["not ready", "ready"])
    phone.close()


def test_camels_walk_step_by_step_after_a_reveal_unless_motion_is_unwanted(
    browser: Browser, base: str
) -> None:
    people, match_id = race(base, "Ann", "Bea")
    walking, still = phones = phones_of(browser, people, match_id)
    walking.page.emulate_media(reduced_motion="no-preference")
    for phone in phones:
        phone.page.evaluate(WATCH)
    bids(people, match_id, 2, 1)
    in_step(phones)
    # Two steps for Ann, one of them together with Bea; all at once with reduced motion.
    walking.page.wait_for_function("window.stood.length >= 2")
    assert still.page.evaluate("window.stood.length") == 1
    first, end = walking.page.evaluate("window.stood")
    assert first != end
    assert end == still.page.evaluate("window.stood[0]")
    for phone in phones:
        phone.close()


# --- what is secret -------------------------------------------------------------------------


def test_nothing_on_any_page_depends_on_a_covered_secret(browser: Browser, base: str) -> None:
    """Two races differ only in the gourds that Ann keeps and bids: Bea's page, and Ann's own while
    covered, must be identical."""
    pages: list[list[str]] = []
    phones: list[Racer] = []
    for kept, bid in ((20, 3), (31, 7)):
        people, match_id = race(base, "Ann", "Bea", split=True)
        for phone, person in zip(phones, people, strict=False):
            phone.page.evaluate("localStorage.clear()")
            phone.sit_at(person, match_id)
        ann, bea = phones = phones or phones_of(browser, people, match_id)
        ann.choose(kept, way=1)
        ann.choose(9, way=1)
        for _ in range(2):
            choose(people, match_id, 1, 20)
            in_step(phones)
        seen = [each for phone in phones for each in (phone.html(), phone.spoken())]
        ann.choose(bid, way=2)
        in_step(phones)
        expect(ann.page.locator(".desk")).to_contain_text("Choice made. It stays hidden")
        for phone in phones:
            # Nor does a list of moves leave anything behind once closed.
            phone.page.get_by_role("button", name="All moves").click()
            phone.page.get_by_role("button", name="Close").first.click()
            expect(phone.page.locator(".moves")).to_be_empty()
            seen += [phone.html(), phone.spoken(), phone.painted()]
        assert heard_no_secrets(bea, 1) > 0
        pages.append(seen)
    for phone in phones:
        phone.close()
    for one, other in zip(*pages, strict=True):
        assert one == other
        assert "Gourds" not in one
        assert "gourds left" not in one
        assert "of 15 left" not in one


def test_press_and_hold_shows_and_release_hides(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    choose(people, match_id, 0, 4)
    phone = Racer(browser, people[0], match_id, before=lambda phone: phone.page.clock.install())
    page = phone.page
    before = phone.html()

    def secret_out() -> None:
        expect(phone.covered).to_contain_text("15 gourds left")
        expect(phone.covered).to_contain_text("Your bid: 4")

    def secret_away() -> None:
        phone.expect_covered()
        for words in (phone.painted(), phone.spoken(), page.content()):
            assert "gourds left" not in words
            assert "Your bid" not in words

    secret_away()
    phone.cover.hover()
    page.mouse.down()
    page.wait_for_timeout(500)
    secret_out()
    page.mouse.up()
    secret_away()
    assert phone.html() == before

    for key in ("Enter", "Space"):
        phone.cover.focus()
        page.keyboard.press(key)
        secret_out()
        assert phone.cover.get_attribute("aria-expanded") == "true"
        page.keyboard.press(key)
        secret_away()

    phone.cover.tap()
    secret_out()
    phone.cover.tap()
    secret_away()

    phone.cover.tap()
    secret_out()
    page.clock.fast_forward(21_000)
    secret_away()

    phone.cover.tap()
    secret_out()
    page.evaluate(OUT_OF_SIGHT)
    secret_away()
    phone.close()


def test_a_bid_with_the_keyboard_alone(browser: Browser, base: str) -> None:
    """The list of moves closes when the page goes out of sight."""
    people, match_id = race(base, "Ann", "Bea")
    phone = Racer(browser, people[0], match_id)
    page = phone.page
    phone.cover.focus()
    page.keyboard.press("Enter")
    focus = page.locator(":focus")
    for _ in range(12):
        page.keyboard.press("Tab")
        if focus.get_attribute("type") == "range":
            break
    expect(focus).to_have_attribute("aria-label", "Gourds")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".amount")).to_have_text("5")
    # The arrow keys did not step through the history.
    expect(page.get_by_role("button", name="Back to latest")).to_have_count(0)
    for _ in range(12):
        page.keyboard.press("Shift+Tab")
        if "confirm" in (focus.get_attribute("class") or ""):
            break
    page.keyboard.press("Enter")
    phone.settled()
    change = page.get_by_role("button", name="Change")
    expect(change).to_be_focused()
    page.keyboard.press("Enter")
    expect(change).to_have_count(0)
    expect(phone.cover).to_be_focused()
    page.get_by_role("button", name="All moves").click()
    expect(page.get_by_role("button", name="Bid 15")).to_be_visible()
    page.evaluate(OUT_OF_SIGHT)
    expect(page.locator(".moves")).to_be_empty()
    assert "Bid 15" not in page.content()
    phone.close()


# --- against bots -----------------------------------------------------------------------------


def test_against_bots_one_tap_makes_the_suggested_bid(browser: Browser, base: str) -> None:
    """Nothing is covered, and nothing has to be scrolled once the hint is closed."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/play/caravane")
    page.wait_for_selector(".game.my-turn:not([data-rising])")
    finger = Finger(page)
    for gourds in (15, 14):
        confirm = page.locator(".confirm")
        expect(confirm).to_have_text("Bid 1 (suggested)")
        expect(page.locator(".own-fact").last).to_have_attribute(
            "aria-label", f"{gourds} gourds left"
        )
        assert page.locator(".cover-button, .handover-page[open]").count() == 0
        before = phone.version()
        finger.tap_on(confirm)
        page.wait_for_function(
            "before => Number(document.querySelector('.history input').max) > before", arg=before
        )
        phone.settled()
        page.wait_for_selector(".game.my-turn")
    assert not phone.asked()
    finger.tap_on(page.locator(".hint-line .button"))
    control, body = (page.locator(each).bounding_box() for each in (".desk .control", ".dock-body"))
    assert control is not None
    assert body is not None
    assert control["y"] >= body["y"]
    assert control["y"] + control["height"] <= body["y"] + body["height"]
    finger.tap_on(page.get_by_role("button", name="One more"))
    expect(page.locator(".confirm")).to_have_text("Bid 2")
    phone.close()


def test_own_row_shows_gourds_only_while_the_cover_is_open(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    bids(people, match_id, 4, 3)
    phone = Racer(browser, people[0], match_id)
    row = phone.page.locator(".own-line")
    expect(row).to_have_text("You0Square 2/15")
    expect(phone.page.locator(".confirm")).to_have_count(0)
    phone.uncover()
    expect(row).to_have_text("You011Square 2/15")
    expect(phone.page.locator(".confirm")).to_have_text("Bid 0")
    expect(phone.page.locator(".latest")).to_have_text("Bids: 4 (You), 3 (Bea).")
    phone.close()


# --- undo -------------------------------------------------------------------------------------


def test_a_secret_bid_is_taken_back_until_the_reveal(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Bea")
    ann, bea = phones = phones_of(browser, people, match_id)
    state = bea.page.locator(".racer").first.locator(".state")
    for word, bid in (("Change", 4), ("Undo step", 6)):
        ann.choose(bid, way=2)
        in_step(phones)
        expect(state).to_have_text("ready")
        before = ann.version()
        ann.page.get_by_role("button", name=word).click()
        ann.catch_up(before + 1)
        in_step(phones)
        expect(state).to_have_text("not ready")
        expect(ann.cover).to_have_text("Tap to choose, hold to peek")
    ann.choose(2)
    bea.choose(1)
    in_step(phones)
    for seat, phone in enumerate(phones):
        expect(phone.told).to_contain_text("Ann bid 2: 2 squares.")
        expect(phone.told).to_contain_text("Bea bid 1: 1 square.")
        expect(phone.page.get_by_role("button", name="Ask to undo")).to_be_visible()
        assert heard_no_secrets(phone, seat) > 0
        phone.close()


# --- a shared phone ---------------------------------------------------------------------------


def test_a_shared_phone_shows_no_secret_of_another_seat(browser: Browser, base: str) -> None:
    """Play a full round on one phone twice, with different numbers: the hand-over screens must be
    identical."""
    asked: list[list[str]] = []
    people, match_id = race(base, *NAMES, one_phone=True)
    phone = Racer(browser, people[0], match_id)
    page = phone.page
    for gourds in ((5, 0, 2), (9, 1, 3)):
        if asked:
            page.evaluate("localStorage.clear()")
            people, match_id = race(base, *NAMES, one_phone=True)
            phone.sit_at(people[0], match_id)
        handover = page.locator(".handover-page")
        seen = []
        for name, number in zip(NAMES, gourds, strict=True):
            expect(handover.get_by_role("heading")).to_have_text(f"Pass the phone to {name}")
            phone.settled()
            phone.expect_covered()
            assert page.locator(".control, .fact").count() == 0
            seen += [phone.html(), phone.spoken()]
            page.get_by_role("button", name=f"I’m {name}").click()
            expect(handover).to_be_hidden()
            expect(phone.covered).to_contain_text("15 of 15 left")
            phone.set_number(number, way=2)
            phone.confirm()
        asked.append(seen)
        expect(phone.told.locator(".headline")).to_have_text("Round 1")
        expect(phone.told).to_contain_text(f"Ann bid {gourds[0]}: 3 squares.")
        # All look at the reveal; then Cleo, who has the phone, continues.
        expect(handover).to_be_hidden()
        expect(phone.cover).to_have_text("Cleo: Tap to choose, hold to peek")
        phone.choose(1)
        expect(handover.get_by_role("heading")).to_have_text("Pass the phone to Ann")
        page.get_by_role("button", name="View board").click()
        page.get_by_role("button", name="Pass the phone to Ann").click()
        expect(handover).to_be_visible()
        page.reload()
        expect(handover.get_by_role("heading")).to_have_text("Pass the phone to Ann")
    phone.close()
    assert asked[0] == asked[1]


# --- sizes ------------------------------------------------------------------------------------


def test_targets_type_and_width_in_every_phase(browser: Browser, base: str) -> None:
    people, match_id = race(base, "Ann", "Beatrice", "Cleo", food=True, split=True)
    phone = Racer(browser, people[0], match_id)

    def look(where: str) -> None:
        assert misfits(phone.page, WIDTHS[:2]) == [], where

    def act(where: str, does: Callable[[], None]) -> None:
        look(where)
        before = phone.version()
        phone.uncover()
        look(where + ", open")
        does()
        phone.catch_up(before + 1)
        phone.expect_covered()

    def others(number: int, key: str = "") -> None:
        for seat in (1, 2):
            choose(people, match_id, seat, number, key)
        in_step([phone])

    act("split", phone.confirm)
    act("rest of the split", phone.confirm)
    act("bags", phone.page.locator(".pack").first.click)
    look("prepared")
    for number in (15, 20, 0):
        others(number)
    act("bid", phone.confirm)
    look("chosen")
    others(1, "bid-bag")
    act("announcement", phone.confirm)
    look("revealed")
    at_home, match_id = race(base, *NAMES, one_phone=True)
    phone.sit_at(at_home[0], match_id)
    expect(phone.page.locator(".handover-page")).to_be_visible()
    look("handing over")
    phone.close()


# --- earlier moments ------------------------------------------------------------------------


def test_the_past_stays_covered_until_the_end_and_is_open_after_it(
    browser: Browser, base: str
) -> None:
    """Unless the match keeps its secrets, which then stay covered after the end."""
    people, match_id = race(base, "Ann", "Bea")
    bids(people, match_id, 4, 3)
    bids(people, match_id, 2, 1)
    choose(people, match_id, 0, 1)
    phone = Racer(browser, people[0], match_id)
    page = phone.page
    events = people[0].get(f"/matches/{match_id}/events?after=0")["events"]
    first_bid = next(event["version"] for event in events if event["type"] == "BidMade")
    slider = page.locator(".history input")

    def look_back() -> None:
        slider.fill(str(first_bid))
        expect(page.locator(".board-sign")).to_have_text("Stage 1 of 3 · round 1")
        expect(page.get_by_role("button", name="Back to latest")).to_be_visible()

    look_back()
    expect(phone.cover).to_have_text("Hold to peek")
    for words in (phone.painted(), phone.spoken(), page.content()):
        assert "gourds left" not in words
        assert "our bid:" not in words
    phone.uncover()
    expect(phone.covered).to_contain_text("15 gourds left")
    expect(phone.covered).to_contain_text("Your bid: 4")
    assert page.locator(".control").count() == 0
    page.get_by_role("button", name="Back to latest").click()
    expect(phone.covered).not_to_contain_text("15 gourds left")
    assert heard_no_secrets(phone, 0) > 0

    choose(people, match_id, 1, 0)
    while acting := people[0].get(f"/matches/{match_id}")["to_act"]:
        for seat in acting:
            choose(people, match_id, seat, 0)
    page.locator(".podium").wait_for()
    page.get_by_role("button", name="Close").first.click()
    look_back()
    opened = page.locator(".opened")
    assert opened.count() == 2
    expect(opened.nth(0)).to_contain_text("Bid 4")
    expect(opened.nth(1)).to_contain_text("15 gourds left")
    expect(page.locator(".racer .card").first).to_have_text("4")
    assert fits(page)

    people, match_id = race(base, "Ann", "Bea", keep_secrets=True)
    while acting := people[0].get(f"/matches/{match_id}")["to_act"]:
        for seat in acting:
            choose(people, match_id, seat, 0)
    phone.sit_at(people[0], match_id)
    page.locator(".podium").wait_for()
    page.get_by_role("button", name="Close").first.click()
    show_history(page)
    page.get_by_role("button", name="Start").click()
    phone.uncover()
    expect(phone.covered).to_contain_text("Gourds by stage: 15, 25, 20")
    assert opened.count() == 0
    phone.close()
