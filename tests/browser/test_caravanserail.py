"""Caravansérail in the browser: six phones play a round, and none shows or receives the secrets of
another."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from tests.browser.inspection import misfits
from tests.browser.phone import Phone, fits
from tests.browser.service import Program

pytestmark = pytest.mark.browser

NAMES = ("Ann", "Bea", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
HOMES = "ABCDEFGH"
ANN, BEA, CLEO, DAN, EVE, FINN = range(6)
SECRETS = ("treasure", "card", "goal", "programme", "draft")
WHISPER = "meet me at the well of Hawta"


# --- people and programs ----------------------------------------------------------------------


def seated(
    base: str, count: int = 6, one_phone: bool = False, public: bool = False, **options: Any
) -> tuple[list[Program], str]:
    """Start a match; return its players and its id.

    With ``one_phone`` the first player holds all seats.
    """
    people = [Program(base, name) for name in NAMES[: 1 if one_phone else count]]
    seats: list[dict[str, str]] = [{"kind": "me", "name": NAMES[0]}]
    for name in NAMES[1:count]:
        seats.append({"kind": "me", "name": name} if one_phone else {"kind": "open"})
    visibility = "public" if public else "private"
    body = {"game": "caravanserail", "seats": seats, "options": options, "visibility": visibility}
    match = people[0].post("/matches", body, 201)
    for person in people[1:]:
        person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return people, match["id"]


def play(person: Program, match_id: str, seat: int, *commands: dict[str, Any]) -> None:
    """Send commands of a seat over HTTP."""
    path = f"/matches/{match_id}"
    version = person.get(path)["version"]
    body = {"seat": seat, "expected_version": version, "commands": commands}
    person.post(f"{path}/commands", body)


def view(person: Program, match_id: str) -> Any:
    return person.get(f"/matches/{match_id}")["view"]


def settle(people: list[Program], match_id: str) -> None:
    """Choose homes over HTTP: Ann in A, Bea in B and so on."""
    for seat in view(people[0], match_id)["order"]:
        home = {"type": "ChooseHome", "place": HOMES[seat]}
        play(people[seat], match_id, seat, home)


def programme(orders: list[str], loads: list[dict[str, int]]) -> list[dict[str, Any]]:
    """Return a plan without looters."""
    return [
        *[{"type": "Order", "caravan": n, "to": to} for n, to in enumerate(orders)],
        {"type": "SendLooters", "trail": None},
        *[{"type": "Load", "caravan": n, "wares": wares} for n, wares in enumerate(loads)],
    ]


def on_the_way(people: list[Program], match_id: str) -> None:
    """Play turn 1 over HTTP: Ann's first caravan travels to F, Bea's first two to C."""
    for seat, person in enumerate(people):
        ware, other = list(view(person, match_id)["players"][seat]["treasure"])[:2]
        home = HOMES[seat]
        orders, loads = [home] * 3, [{}, {}, {}]
        if seat == ANN:
            orders, loads = ["AF", "A", "A"], [{ware: 2, other: 1}, {}, {}]
        if seat == BEA:
            orders, loads = ["BC", "BC", "B"], [{ware: 1}, {ware: 1, other: 1}, {}]
        play(person, match_id, seat, *programme(orders, loads))
    for seat, person in enumerate(people):
        play(person, match_id, seat, {"type": "Done"})


# --- phones -----------------------------------------------------------------------------------


class Sheikh(Phone):
    """A phone at the match that records what it receives over the network."""

    def __init__(
        self, browser: Browser, person: Program, match_id: str, size: dict[str, int] | None = None
    ) -> None:
        super().__init__(browser, person.base, size)
        person.sign_in(self)
        self.heard: list[str] = []
        """The JSON bodies of all answers about the match, read before Chromium drops them."""
        self.page.on("requestfinished", self._note)
        self.page.goto(f"/m/{match_id}")
        self.page.wait_for_selector(".sheikh")

    def _note(self, request: Request) -> None:
        if "/api/matches/" not in request.url or "/live" in request.url:
            return
        response = request.response()
        if response is not None and "json" in response.headers.get("content-type", ""):
            self.heard.append(response.text())

    def press(self, name: str | re.Pattern[str]) -> None:
        """Tap a button."""
        self.page.get_by_role("button", name=name, exact=isinstance(name, str)).first.click()

    def uncover(self) -> None:
        """Open the cover with a tap."""
        self.page.locator(".cover-button").click()
        expect(self.page.locator(".goods")).to_be_visible()

    def my_turn(self) -> None:
        """Wait until the choices have arrived."""
        expect(self.page.locator(".game.my-turn")).to_have_count(1)
        expect(self.page.locator(".turn")).to_contain_text("Your turn")

    def order(self, caravan: int, to: str) -> None:
        """Plan a caravan's route; the cover must be open."""
        self.page.locator(".tab").nth(caravan).click()
        way = self.page.locator(
            ".way-to", has=self.page.locator("b", has_text=re.compile(f"^{to}$"))
        )
        way.click()

    def seal(self) -> None:
        """Submit the plan."""
        self.press("Seal the plan")
        if self.asked():
            self.sure()
        self.settled()
        expect(self.page.locator(".goods")).to_have_count(0)

    def done(self) -> None:
        """Finish the business phase."""
        self.my_turn()
        self.press("I am done")
        self.settled()


def phase(phone: Sheikh, words: str) -> None:
    """Wait until the phone shows a phase."""
    expect(phone.page.locator(".board-sign")).to_contain_text(words)


def hears_only_its_own(phone: Sheikh, seat: int, parties: set[int]) -> None:
    """Check that no answer contains what the seat may not know.

    ``parties`` are the seats that it has done business with.
    """
    checked = 0
    for body in phone.heard:
        answer = json.loads(body)
        match = answer.get("match", answer)
        for player in (match.get("view") or {}).get("players", ()):
            if player["seat"] != seat:
                checked += 1
                assert [player[name] for name in SECRETS] == [None] * len(SECRETS)
                assert [caravan["load"] for caravan in player["caravans"]].count(None) == len(
                    player["caravans"]
                )
        for offer in (match.get("view") or {}).get("offers", ()):
            assert seat in (offer["offerer"], offer["partner"])
        for event in answer.get("events", ()):
            if event["seat"] in {seat, *parties}:
                continue
            hidden = {
                "TreasureDealt": "goal",
                "OrderGiven": "to",
                "LootersSent": "trail",
                "CaravanLoaded": "wares",
                "TaxPaid": "ware",
                "CaravanSearched": "wares",
                "WaresLooted": "wares",
            }.get(event["type"])
            if hidden:
                checked += 1
                assert event["data"][hidden] is None
    assert checked > 30


# --- a round ----------------------------------------------------------------------------------


def all_plan(phones: list[Sheikh]) -> None:
    """Ann stops in F, Bea continues to CD with two caravans, Dan raids CD; all of it hidden."""
    finn = phones[FINN]
    for seat, phone in enumerate(phones):
        phone.my_turn()
        phone.uncover()
        if seat == ANN:
            phone.order(0, "F")
        if seat == BEA:
            phone.order(0, "CD")
            phone.order(1, "CD")
        if seat == DAN:
            phone.page.locator(".tab").nth(3).click()
            phone.press(re.compile("raid between Calam and Damman"))
        if seat < FINN:
            phone.seal()
    # A seat that has planned shows as "ready"; nothing else changes for the others.
    states = finn.page.locator(".sheikh .state")
    expect(states).to_have_text(["ready"] * 5 + ["plans"])
    finn.press("Seal the plan")
    assert finn.asked(), "the last plan reveals all plans"
    finn.press("Not yet")
    finn.uncover()
    finn.seal()


def ann_pays(phones: list[Sheikh], people: list[Program], match_id: str) -> None:
    """Ann's caravan stays with Finn, and she chooses what to pay."""
    ann = phones[ANN]
    phase(ann, "lodging")
    ann.my_turn()
    assert ann.page.locator(".goods").count() == 0
    ann.uncover()
    before = view(people[ANN], match_id)["players"][ANN]["caravans"][0]["load"]
    ware = next(iter(before))
    ann.page.locator(".token", has_text=ware).click()
    ann.sure()
    ann.settled()


def dan_robs(phones: list[Sheikh], people: list[Program], match_id: str) -> None:
    """Dan finds two caravans, chooses one without looking, then takes two tokens."""
    dan = phones[DAN]
    phase(dan, "raids")
    dan.my_turn()
    prey = view(people[BEA], match_id)["players"][BEA]["caravans"][1]["load"]
    dan.press("Attack caravan 2 of Bea")
    dan.sure()
    dan.settled()
    dan.my_turn()
    dan.uncover()
    expect(dan.page.locator(".picker")).to_contain_text("Up to 2 from Bea")
    for token in prey:
        dan.press(re.compile(f"^Add 1 {token}"))
    dan.press("Take this")
    dan.settled()
    robbed = view(people[BEA], match_id)["players"][BEA]["caravans"][1]["load"]
    assert robbed == {}


def ann_trades(phones: list[Sheikh], people: list[Program], match_id: str) -> None:
    """Ann offers Finn a deal, he answers with another, and she accepts."""
    ann, finn = phones[ANN], phones[FINN]
    phase(ann, "business")
    ann.my_turn()
    ann.uncover()
    ann.press(re.compile("^Finn in Fadhasin"))
    load = view(people[ANN], match_id)["players"][ANN]["caravans"][0]["load"]
    given = next(iter(load))
    stock = view(people[FINN], match_id)["players"][FINN]["treasure"]
    wanted = next(ware for ware in stock if ware not in load)
    giving = ann.page.get_by_role("group", name="You give from your caravan 1")
    giving.get_by_role("button", name=re.compile(f"Add 1 {given}")).click()
    asking = ann.page.get_by_role("group", name="You ask Finn for")
    for _ in range(2):
        asking.get_by_role("button", name=f"Add 1 {wanted}").click()
    ann.press("Make the offer")
    ann.settled()

    # No cover names the recipient.
    for phone in phones:
        expect(phone.page.locator(".cover-button")).to_contain_text("Somebody offers or whispers")
    finn.uncover()
    card = finn.page.locator(".offer")
    expect(card).to_contain_text("Ann offers you")
    card.get_by_role("button", name="Counter").click()
    finn.page.get_by_role("button", name=f"Put 1 {wanted} back, 2 picked").click()
    finn.press("Make the offer")
    finn.settled()

    ann.uncover()
    card = ann.page.locator(".offer")
    expect(card).to_contain_text("Finn offers you")
    treasure = view(people[FINN], match_id)["players"][FINN]["treasure"]
    card.get_by_role("button", name="Accept").click()
    ann.sure()
    ann.settled()
    mine = view(people[ANN], match_id)["players"][ANN]["caravans"][0]["load"]
    after = view(people[FINN], match_id)["players"][FINN]["treasure"]
    assert mine.get(wanted, 0) >= 1
    assert after.get(wanted, 0) == treasure[wanted] - 1
    assert after.get(given, 0) == treasure.get(given, 0) + 1


def ann_whispers(phones: list[Sheikh]) -> None:
    """A private message reaches one phone only."""
    ann, bea, finn = phones[ANN], phones[BEA], phones[FINN]
    stir = "Somebody offers or whispers"
    for phone in (bea, finn):
        phone.uncover()
        phone.press("Hide")
        expect(phone.page.locator(".cover-button")).not_to_contain_text(stir)
    ann.uncover()
    ann.page.locator(".whispers summary").click()
    ann.page.get_by_label("To whom").select_option("Finn")
    ann.page.get_by_label("Your private word").fill(WHISPER)
    ann.press("Whisper")
    for phone in (bea, finn):
        expect(phone.page.locator(".cover-button")).to_contain_text(stir)
    finn.uncover()
    expect(finn.page.locator(".heard")).to_contain_text(f"Ann: {WHISPER}")
    finn.press("Hide")
    expect(finn.page.get_by_text(WHISPER)).to_have_count(0)


def test_six_phones_play_a_round_with_a_tax_a_raid_and_a_trade(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    phones = [Sheikh(browser, person, match_id) for person in people]
    all_plan(phones)
    ann_pays(phones, people, match_id)
    dan_robs(phones, people, match_id)
    ann_trades(phones, people, match_id)
    ann_whispers(phones)
    for phone in phones:
        phone.done()
    phase(phones[ANN], "Turn 3 · planning")
    assert view(people[ANN], match_id)["turn"] == 3

    parties = {ANN: {FINN}, BEA: {DAN}, DAN: {BEA}, FINN: {ANN}}
    for seat, phone in enumerate(phones):
        hears_only_its_own(phone, seat, parties.get(seat, set()))
        if seat not in (ANN, FINN):
            assert WHISPER not in phone.page.content()
            assert not any(WHISPER in body for body in phone.heard)
        phone.close()


def test_a_phone_laid_down_shows_no_secret(browser: Browser, base: str) -> None:
    """The seat's goods, plans and log are absent from the page while the cover is closed.

    Press and hold shows them, release hides them, and so does hiding the page.
    """
    people, match_id = seated(base)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)
    page = phone.page
    phone.my_turn()
    own = view(people[ANN], match_id)["players"][ANN]
    start = ", ".join(f"{n} {ware}" for ware, n in own["treasure"].items())

    def bare() -> None:
        assert page.locator(".goods, .planner, .journey, .offer").count() == 0
        html = page.locator("#app").inner_html()
        assert start not in html
        assert not any(f"{n} {ware}" in html for ware, n in own["goal"].items())

    phone.press("What happened")
    expect(page.locator(".log")).to_contain_text("Ann draws a treasure card.")
    bare()
    phone.press("Close")
    cover = page.locator(".cover-button")
    box = cover.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.wait_for_timeout(500)
    expect(page.locator(".goods")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".goods")).to_have_count(0)
    bare()

    # With the keyboard.
    cover.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".goods")).to_be_visible()
    phone.order(0, "AB")
    expect(page.locator(".journey")).to_have_count(1)
    page.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true})
          document.dispatchEvent(new Event("visibilitychange"))
          delete document.visibilityState
        }"""
    )
    bare()
    phone.uncover()
    expect(page.locator(".tab").first).to_contain_text("A → AB")  # the plan was kept
    phone.seal()
    bare()
    phone.close()


def test_choices_of_a_later_moment_wait_for_its_view(browser: Browser, base: str) -> None:
    """All homes are chosen between the phone's requests for the view and for the choices.

    The view still offers homes while the choices are already those of planning.
    """
    people, match_id = seated(base)
    phone = people[view(people[0], match_id)["order"][0]].phone(browser)
    asked = []

    def late(route: Route) -> None:
        if not asked:
            settle(people, match_id)
        asked.append(route.request.url)
        route.continue_()

    phone.page.route("**/choices?*", late)
    phone.page.goto(f"/m/{match_id}")
    expect(phone.page.get_by_role("button", name="Tap to plan")).to_be_visible()
    assert len(asked) > 1
    phone.close()


def test_a_sealed_plan_can_be_changed_until_all_are_ready(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)
    phone.my_turn()
    phone.uncover()
    phone.order(0, "AB")
    silk = next(iter(view(people[ANN], match_id)["players"][ANN]["treasure"]))
    phone.press(re.compile(f"^Add 1 {silk}"))
    phone.seal()
    sealed = view(people[ANN], match_id)["players"][ANN]["programme"]
    assert sealed["orders"] == ["AB", "A", "A"]
    assert sealed["loads"] == [{silk: 1}, {}, {}]
    phone.press("Change it")
    phone.my_turn()
    assert view(people[ANN], match_id)["players"][ANN]["steps"] == 0
    phone.uncover()
    # A tap on the map also gives an order.
    phone.page.locator(".tab").nth(2).click()
    phone.page.locator(".layer-taps .tap", has_text="on to Ghiyeh").click()
    expect(phone.page.locator(".tab").nth(2)).to_contain_text("A → AG")
    phone.seal()
    assert view(people[ANN], match_id)["players"][ANN]["programme"]["orders"][2] == "AG"
    phone.close()


def test_diplomacy_ends_when_all_are_done_and_one_may_come_back(
    browser: Browser, base: str
) -> None:
    people, match_id = seated(base, diplomacy=True)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)
    phase(phone, "Diplomacy")
    phone.done()
    expect(phone.page.locator(".sealed")).to_contain_text("You wait for the others.")
    phone.press("Change it")
    phone.my_turn()
    for seat in range(1, 6):
        play(people[seat], match_id, seat, {"type": "Done"})
    phase(phone, "Diplomacy")
    phone.done()
    phase(phone, "Turn 1 · planning")
    phone.close()


def test_a_phone_goes_round_with_a_page_between_seats(browser: Browser, base: str) -> None:
    people, match_id = seated(base, one_phone=True)
    for seat in view(people[0], match_id)["order"]:
        play(people[0], match_id, seat, {"type": "ChooseHome", "place": HOMES[seat]})
    phone = Sheikh(browser, people[0], match_id)
    page = phone.page
    hands = page.locator("dialog.handover-page")
    for seat in range(6):
        expect(hands).to_contain_text(f"Give the phone to {NAMES[seat]}")
        expect(page.locator(".goods, .planner, .journey")).to_have_count(0)
        hands.get_by_role("button", name=f"I am {NAMES[seat]}").first.click()
        expect(page.locator(".goods")).to_be_visible()
        expect(page.locator(".sheikh.mine .pill-tag")).to_have_text(NAMES[seat][0])
        phone.press("Seal the plan")
        phone.settled()
    phase(phone, "business")
    assert view(people[0], match_id)["turn"] == 1
    phone.close()


def test_one_player_and_five_bots_play_from_the_first_screen(browser: Browser, base: str) -> None:
    """Bots fill the empty seats and play every phase."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/new")
    page.get_by_label(re.compile("Caravansérail")).check()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label(re.compile("Minutes for business")).fill("5")
    for _ in range(5):
        page.get_by_role("button", name="Bot", exact=True).first.click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector(".sheikh")
    page.locator(".open-ways .button").first.click()
    page.locator(".confirm").click()
    for turn in (1, 2, 3):
        expect(page.locator(".board-sign")).to_contain_text(f"Turn {turn} · planning")
        page.locator(".cover-button").click()
        page.get_by_role("button", name="Seal the plan").click()
        expect(page.locator(".board-sign")).to_contain_text(re.compile(r"business until \d"))
        expect(page.locator(".turn")).to_contain_text("Your turn")
        page.get_by_role("button", name="I am done").click()
    expect(page.locator(".board-sign")).to_contain_text("Turn 4 · planning")
    phone.close()


@pytest.mark.parametrize("count", [6, 8])
def test_type_targets_and_width(browser: Browser, base: str, count: int) -> None:
    people, match_id = seated(base, count)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)

    def look(where: str) -> None:
        assert misfits(phone.page) == [], where

    phone.my_turn()
    look("covered")
    phone.uncover()
    phone.page.locator(".way-to").nth(1).click()
    phone.page.locator(".shelf-ware").first.click()
    look("planning")
    phone.page.locator(".tab").nth(3).click()
    look("looters")
    phone.seal()
    for seat in range(1, count):
        play(people[seat], match_id, seat, *programme([HOMES[seat]] * 3, [{}, {}, {}]))
    phase(phone, "business")
    phone.my_turn()
    look("business")
    phone.uncover()
    phone.page.locator(".whispers summary").click()
    look("whispers")
    phone.close()


def test_what_was_secret_then_is_shown_to_its_owner_only(browser: Browser, base: str) -> None:
    """An earlier moment shows what the seat knew then, under the cover."""
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    phone = Phone(browser, base)
    for seat, sees in ((ANN, 3), (CLEO, 0)):
        people[seat].sign_in(phone)
        events = people[seat].get(f"/matches/{match_id}/events?after=0")["events"]
        sealed = next(e["version"] for e in events if e["type"] == "ProgrammesRevealed") - 1
        phone.page.goto(f"/m/{match_id}?v={sealed}")
        expect(phone.page.locator(".game.looking")).to_have_count(1)
        phone.page.locator(".cover-button").click()
        expect(phone.page.locator(".plan-lines li")).to_have_count(4)
        expect(phone.page.locator(".plan-lines .ware")).to_have_count(2 if sees else 0)
    phone.close()


def test_a_spectator_sees_the_trails_and_no_cover(browser: Browser, public_base: str) -> None:
    people, match_id = seated(public_base, public=True)
    settle(people, match_id)
    phone = Sheikh(browser, Program(public_base, "Zoe"), match_id)
    expect(phone.page.locator(".caravan")).to_have_count(18)
    expect(phone.page.locator(".cover")).to_have_count(0)
    on_the_way(people, match_id)
    phase(phone, "Turn 2")
    expect(phone.page.locator(".sheikh .state")).to_have_text(["plans"] * 6)
    hears_only_its_own(phone, -1, set())
    phone.close()


def test_after_the_end_nothing_is_secret(browser: Browser, base: str) -> None:
    """A finished match shows the result, and at an earlier moment everybody's possessions."""
    kept = Path(__file__).parents[1] / "recorded_matches" / "caravanserail-6-v1.json"
    person = Program(base, "Ann")
    match = person.post("/matches/import", json.loads(kept.read_text()), 201)
    phone = Sheikh(browser, person, match["id"])
    page = phone.page
    expect(page.locator(".podium li")).to_have_count(6)
    phone.press("Close")
    expect(page.locator(".sheikh .state", has_text="wins")).not_to_have_count(0)
    events = person.get(f"/matches/{match['id']}/events?after=0")["events"]
    dealt = max(e["version"] for e in events if e["type"] == "TreasureDealt")
    page.goto(f"/m/{match['id']}?v={dealt + 1}")
    opened = page.locator(".opened")
    expect(opened).to_have_count(6)
    opened.first.locator("summary").click()
    expect(opened.first.locator(".goods")).to_be_visible()
    assert fits(page)
    phone.press("What happened")
    expect(page.locator(".log")).to_contain_text(re.compile("begins with 4 .* and needs 3 "))
    phone.close()
