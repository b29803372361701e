"""Caravansérail in the browser: six phones play a round, and none shows or receives the secrets of
another."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Request, Route, expect

from tests.browser.inspection import misfits
from tests.browser.phone import Phone, fits, unfold
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


def travel_until_a_partner_is_near(ann: Program, match_id: str) -> None:
    """Play Ann's empty caravans over HTTP, towards bots' homes, until she can trade with a bot."""
    path = f"/matches/{match_id}"
    chance = random.Random(1)
    for _ in range(400):
        state = ann.get(path)
        choices = ann.get(f"{path}/choices?seat=0")["choices"]
        commands = [choice["command"] for choice in choices]
        if state["view"]["phase"] == "business":
            if any(command["type"] == "Draft" for command in commands):
                return
            play(ann, match_id, 0, {"type": "Done"})
        elif state["view"]["phase"] == "programme":
            orders = [command for command in commands if command["type"] == "Order"]
            rest = programme([], [{}, {}, {}])
            play(ann, match_id, 0, *([chance.choice(orders)] if orders else rest))
        else:
            play(ann, match_id, 0, commands[0])
    pytest.fail("no bot came near")


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
        self.press("Seal plan")
        if self.asked():
            self.sure()
        self.settled()
        expect(self.page.locator(".goods")).to_have_count(0)

    def done(self) -> None:
        """Finish the business phase."""
        self.my_turn()
        self.press("Done")
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
    expect(states).to_have_text(["ready"] * 5 + ["planning"])
    finn.press("Seal plan")
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
    dan.press("Attack Bea’s caravan 2")
    dan.sure()
    dan.settled()
    dan.my_turn()
    dan.uncover()
    expect(dan.page.locator(".picker")).to_contain_text("Up to 2 from Bea")
    for token in prey:
        dan.press(re.compile(f"^Add one token of {token}"))
    dan.press("Take loot")
    dan.settled()
    robbed = view(people[BEA], match_id)["players"][BEA]["caravans"][1]["load"]
    assert robbed == {}


def ann_offers(ann: Sheikh, people: list[Program], match_id: str) -> tuple[str, str]:
    """Ann offers Finn one token of the first good for two of the second; return both goods."""
    phase(ann, "trade")
    ann.my_turn()
    ann.uncover()
    ann.press(re.compile("^Finn at Fadhasin"))
    load = view(people[ANN], match_id)["players"][ANN]["caravans"][0]["load"]
    given = next(iter(load))
    stock = view(people[FINN], match_id)["players"][FINN]["treasure"]
    wanted = next(ware for ware in stock if ware not in load)
    giving = ann.page.get_by_role("group", name="You give from your caravan 1")
    giving.get_by_role("button", name=re.compile(f"Add one token of {given}")).click()
    asking = ann.page.get_by_role("group", name="You get from Finn")
    for _ in range(2):
        asking.get_by_role("button", name=f"Add one token of {wanted}").click()
    ann.press("Send offer")
    ann.settled()
    return given, wanted


def ann_trades(phones: list[Sheikh], people: list[Program], match_id: str) -> None:
    """Ann offers Finn a deal, he answers with another, and she accepts."""
    ann, finn = phones[ANN], phones[FINN]
    given, wanted = ann_offers(ann, people, match_id)

    # No cover names the recipient.
    for phone in phones:
        expect(phone.page.locator(".cover-button")).to_contain_text("New offer or message")
    finn.uncover()
    card = finn.page.locator(".offer")
    expect(card).to_contain_text("Offer from Ann")
    card.get_by_role("button", name="Counter-offer").click()
    finn.page.get_by_role("button", name=f"Put back one token of {wanted}, 2 picked").click()
    finn.press("Send offer")
    finn.settled()

    ann.uncover()
    card = ann.page.locator(".offer")
    expect(card).to_contain_text("Offer from Finn")
    treasure = view(people[FINN], match_id)["players"][FINN]["treasure"]
    card.get_by_role("button", name="Accept").click()
    ann.sure()
    ann.settled()
    mine = view(people[ANN], match_id)["players"][ANN]["caravans"][0]["load"]
    after = view(people[FINN], match_id)["players"][FINN]["treasure"]
    assert mine.get(wanted, 0) >= 1
    assert after.get(wanted, 0) == treasure[wanted] - 1
    assert after.get(given, 0) == treasure.get(given, 0) + 1
    finn.uncover()
    expect(finn.page.locator(".answer")).to_contain_text("Ann accepted your offer: you got 1")
    finn.press("Hide")


def ann_whispers(phones: list[Sheikh]) -> None:
    """A private message reaches one phone only."""
    ann, bea, finn = phones[ANN], phones[BEA], phones[FINN]
    stir = "New offer or message"
    for phone in (bea, finn):
        phone.uncover()
        phone.press("Hide")
        expect(phone.page.locator(".cover-button")).not_to_contain_text(stir)
    ann.uncover()
    ann.page.locator(".whispers summary").click()
    ann.page.get_by_label("To", exact=True).select_option("Finn")
    ann.page.get_by_label("Your private message").fill(WHISPER)
    ann.press("Send")
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

    phone.press("Game log")
    expect(page.locator(".log")).to_contain_text("You draw a secret card.")
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
    phone.press(re.compile(f"^Add one token of {silk}"))
    phone.seal()
    sealed = view(people[ANN], match_id)["players"][ANN]["programme"]
    assert sealed["orders"] == ["AB", "A", "A"]
    assert sealed["loads"] == [{silk: 1}, {}, {}]
    phone.press("Change")
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


def play_until_trade(people: list[Program], match_id: str) -> None:
    """Play the first choice of each seat over HTTP until the business phase."""
    while view(people[ANN], match_id)["phase"] != "business":
        for seat in people[ANN].get(f"/matches/{match_id}")["to_act"]:
            path = f"/matches/{match_id}/choices?seat={seat}"
            play(people[seat], match_id, seat, people[seat].get(path)["choices"][0]["command"])


def test_an_offer_is_declined(browser: Browser, base: str) -> None:
    """Finn declines Ann's offer: it goes away, nothing changes hands, and she is told."""
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    play_until_trade(people, match_id)
    ann, finn = (Sheikh(browser, people[seat], match_id) for seat in (ANN, FINN))
    ann_offers(ann, people, match_id)

    def goods() -> list[Any]:
        players = [view(people[seat], match_id)["players"][seat] for seat in (ANN, FINN)]
        return [(player["treasure"], player["caravans"]) for player in players]

    before = goods()
    finn.uncover()
    finn.page.locator(".offer").get_by_role("button", name="Decline").click()
    finn.sure()
    finn.settled()
    assert view(people[ANN], match_id)["offers"] == []
    assert goods() == before
    expect(ann.page.locator(".cover-button")).to_contain_text("New offer or message")
    ann.uncover()
    expect(ann.page.locator(".covered")).to_contain_text("Finn declined your offer.")
    for phone in (ann, finn):
        phone.close()


def test_goods_are_moved_between_own_caravans_in_one_place(browser: Browser, base: str) -> None:
    """Bea's first two caravans stay in C; what one still carries goes to the other."""
    people, match_id = seated(base)
    settle(people, match_id)
    on_the_way(people, match_id)
    play(people[BEA], match_id, BEA, *programme(["C", "C", "B"], [{}, {}, {}]))
    play_until_trade(people, match_id)

    def loads() -> list[dict[str, int]]:
        caravans = view(people[BEA], match_id)["players"][BEA]["caravans"]
        return [caravan["load"] for caravan in caravans[:2]]

    before = loads()
    source = 0 if before[0] else 1
    ware = next(iter(before[source]))
    bea = Sheikh(browser, people[BEA], match_id, {"width": 320, "height": 568})
    page = bea.page
    bea.my_turn()
    bea.uncover()
    move = f"Move goods from caravan {source + 1} to caravan {2 - source}"
    picker = page.get_by_role("group", name=f"From caravan {source + 1} to caravan {2 - source}")
    bea.press(move)
    expect(picker).to_be_visible()
    bea.press("Cancel")
    expect(picker).to_have_count(0)
    bea.press(move)
    page.get_by_role("button", name="Move", exact=True).press("Enter")
    expect(page.locator(".toast")).to_have_text("First choose which goods to move.")
    picker.get_by_role("button", name=re.compile(f"^Add one token of {ware}")).click()
    assert misfits(page) == []
    bea.press("Move")
    bea.settled()
    expect(picker).to_have_count(0)
    after = loads()
    assert after[1 - source].get(ware, 0) == before[1 - source].get(ware, 0) + 1
    assert after[source].get(ware, 0) == before[source][ware] - 1
    bea.close()


def test_a_bot_declines_an_offer(browser: Browser, base: str) -> None:
    """The answer of a bot arrives with the offer; the view afterwards equals the one before."""
    ann = Program(base, "Ann")
    bots = [{"kind": "bot", "level": "good"}] * 5
    seats = [{"kind": "me", "name": "Ann"}, *bots]
    body = {"game": "caravanserail", "seats": seats, "options": {}, "visibility": "private"}
    match_id = ann.post("/matches", body, 201)["id"]
    travel_until_a_partner_is_near(ann, match_id)
    phone = Sheikh(browser, ann, match_id)
    page = phone.page
    partners = page.locator(".partners .partner")
    expect(page.locator(".board-sign")).to_contain_text("trade")
    declined = page.locator(".covered", has_text="declined your offer.")
    counter_offer = page.locator(".offer")
    declined_count = 0
    for _ in range(12):
        if declined_count == 2:
            break
        partners.first.click()
        asking = page.get_by_role("group", name=re.compile("^You get from"))
        for _ in range(3):
            asking.locator(".shelf-ware").last.click()
        page.locator(".composer .confirm").click()
        phone.settled()
        expect(page.locator(".composer")).to_have_count(0)
        expect(declined.or_(counter_offer)).to_be_visible()
        declined_count += declined.count()
        if counter_offer.count():
            counter_offer.get_by_role("button", name="Decline").click()
            phone.settled()
            expect(counter_offer).to_have_count(0)
    assert declined_count == 2
    partners.first.click()
    phone.press("Cancel")
    phone.press("Done")
    expect(page.locator(".board-sign")).to_contain_text("planning")
    assert not phone.errors
    phone.close()


def test_diplomacy_ends_when_all_are_done_and_one_may_come_back(
    browser: Browser, base: str
) -> None:
    people, match_id = seated(base, diplomacy=True)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)
    phase(phone, "Negotiation")
    phone.done()
    expect(phone.page.locator(".sealed")).to_contain_text("Waiting for the others.")
    phone.press("Change")
    phone.my_turn()
    for seat in range(1, 6):
        play(people[seat], match_id, seat, {"type": "Done"})
    phase(phone, "Negotiation")
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
        expect(hands).to_contain_text(f"Pass the phone to {NAMES[seat]}")
        expect(page.locator(".goods, .planner, .journey")).to_have_count(0)
        hands.get_by_role("button", name=f"I’m {NAMES[seat]}").first.click()
        expect(page.locator(".goods")).to_be_visible()
        expect(page.locator(".sheikh.mine use")).to_have_attribute("href", f"#emblem-{seat}")
        phone.press("Seal plan")
        phone.settled()
    phase(phone, "trade")
    assert view(people[0], match_id)["turn"] == 1
    phone.close()


def test_one_player_and_five_bots_play_from_the_first_screen(browser: Browser, base: str) -> None:
    """Bots fill the empty seats and play every phase."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/new")
    page.get_by_label(re.compile("Caravansérail")).check()
    page.get_by_label("Your name").fill("Ann")
    unfold(page)
    page.get_by_label(re.compile("Minutes per trade phase")).fill("5")
    for _ in range(5):
        page.get_by_role("button", name="Bot", exact=True).first.click()
    page.get_by_role("button", name="Create game").click()
    page.wait_for_selector(".sheikh")
    page.locator(".open-ways .button").first.click()
    page.locator(".confirm").click()
    for turn in (1, 2, 3):
        expect(page.locator(".board-sign")).to_contain_text(f"Turn {turn} · planning")
        expect(page.locator(".cover-button")).to_have_count(0)  # nobody shares the phone
        page.get_by_role("button", name="Seal plan").click()
        expect(page.locator(".board-sign")).to_contain_text(re.compile(r"trade until \d"))
        expect(page.locator(".turn")).to_contain_text("Your turn")
        page.get_by_role("button", name="Done").click()
    expect(page.locator(".board-sign")).to_contain_text("Turn 4 · planning")
    phone.close()


def test_tap_fans_out_a_stack(browser: Browser, base: str) -> None:
    people, match_id = seated(base)
    settle(people, match_id)
    phone = Sheikh(browser, people[ANN], match_id)
    phone.my_turn()
    caravans = phone.page.locator(f'[data-piece^="caravan {CLEO} "]')

    def overlap() -> bool:
        boxes = [caravans.nth(number).bounding_box() for number in range(3)]
        first, second = boxes[0], boxes[1]
        assert first is not None
        assert second is not None
        return first["x"] + first["width"] / 2 > second["x"]

    assert overlap()
    caravans.nth(2).click()
    phone.page.wait_for_timeout(400)  # the caravans have moved apart
    assert not overlap()
    expect(phone.page.locator(".explanation:visible")).to_have_count(0)
    caravans.nth(2).click()
    phone.page.wait_for_timeout(400)
    assert overlap()
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
    phase(phone, "trade")
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
    expect(phone.page.locator(".sheikh .state")).to_have_text(["planning"] * 6)
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
    expect(page.locator(".sheikh .state", has_text="winner")).not_to_have_count(0)
    events = person.get(f"/matches/{match['id']}/events?after=0")["events"]
    dealt = max(e["version"] for e in events if e["type"] == "TreasureDealt")
    page.goto(f"/m/{match['id']}?v={dealt + 1}")
    opened = page.locator(".opened")
    expect(opened).to_have_count(6)
    opened.first.locator("summary").click()
    expect(opened.first.locator(".goods")).to_be_visible()
    assert fits(page)
    phone.press("Game log")
    expect(page.locator(".log")).to_contain_text(re.compile("starts? with 4 .* and needs? 3 "))
    phone.close()
