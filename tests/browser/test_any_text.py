"""Names and messages in any script and with any emoji, on every screen: nothing is missing, no
surrogate pair is split, and the browser logs no errors."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.inspection import crowded
from tests.browser.phone import Phone
from tests.browser.service import Program
from tests.browser.short_match import finished
from tests.browser.touch import Finger

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}
CAMEL = "Bob \U0001f42a"
SHRUG = "\U0001f937\U0001f3fd\u200d\u2642\ufe0f"
SCRIPT = "\U0001d4d1\U0001d4f8\U0001d4eb"
KANJI = "\U00020bb7野"
SINHALA = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
NAMES = dict(zip(TITLES, (CAMEL, SHRUG, SCRIPT, PERSIAN, KANJI), strict=True))
UP = ".game:not([data-rising]) .turn"
# Half of a character that takes two units, without its other half.
HALVES = r"""() => (document.body.innerText + document.title)
  .match(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\ufffd/g)"""


def seated(base: str, slug: str, name: str) -> tuple[Program, Program, str]:
    ann, other = Program(base, "Ann"), Program(base, name)
    count = min(seats for seats in TITLES[slug].seats if seats > 1)
    seats: list[Any] = [{"kind": "me"}, {"kind": "open"}, *[{"kind": "bot"}] * (count - 2)]
    body = {"game": slug, "seats": seats, "visibility": "public"}
    match = ann.post("/matches", body, 201)
    other.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    return ann, other, match["id"]


def whole(page: Page, *texts: str) -> None:
    """The page says these texts, and no half of a character."""
    for text in texts:
        page.wait_for_function("text => document.body.textContent.includes(text)", arg=text)
    assert page.evaluate(HALVES) is None


@pytest.mark.parametrize("slug", TITLES)
def test_a_table_stands_whoever_sits_there(browser: Browser, public_base: str, slug: str) -> None:
    """It is up for both, says what is said there, and the lists name it."""
    name = NAMES[slug]
    ann, other, match_id = seated(public_base, slug, name)
    phones = [person.phone(browser, SMALL) for person in (ann, other)]
    for phone in phones:
        phone.page.goto(f"/m/{match_id}")
        phone.page.wait_for_selector(UP)
        whole(phone.page, name)
    mine, theirs = (phone.page for phone in phones)
    said = f"{name} {SHRUG}\U0001f44d"
    finger = Finger(theirs)
    finger.tap_on(theirs.get_by_role("button", name="Game log"))
    line = theirs.get_by_label("Message everyone at the table")
    finger.tap_on(line)
    theirs.keyboard.insert_text(said)
    theirs.keyboard.press("Enter")
    whole(theirs, said)
    mine.get_by_role("button", name="Game log").press("Enter")
    whole(mine, said)
    for path in ("/", "/you"):
        for page in (mine, theirs):
            page.goto(path)
            page.wait_for_selector(".table-card" if path == "/" else ".card .button")
            whole(page, name if path == "/" or page is theirs else "Ann")
            assert crowded(page) == []
    for phone in phones:
        phone.close()


def test_a_stranger_sees_the_public_list_and_is_invited(browser: Browser, public_base: str) -> None:
    host = Program(public_base, SHRUG)
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "caravanserai", "seats": seats, "visibility": "public"}
    match = host.post("/matches", body, 201)
    stranger, own = Phone(browser, public_base, SMALL), host.phone(browser, SMALL)
    stranger.page.goto("/")
    whole(stranger.page, SHRUG)
    stranger.page.goto(f"/join/{match['id']}?invite={match['invite']}")
    whole(stranger.page, SHRUG)
    field = stranger.page.get_by_label("What’s your name?")
    field.fill(SINHALA)
    Finger(stranger.page).tap_on(stranger.page.get_by_role("button", name="Join"))
    own.page.goto(f"/m/{match['id']}")
    for phone in (stranger, own):
        phone.page.wait_for_selector(UP)
        whole(phone.page, SHRUG, SINHALA)
        phone.close()


def test_result_review_and_people_name_them(browser: Browser, base: str) -> None:
    people, match_id = finished(base, CAMEL, PERSIAN)
    phone = people[0].phone(browser, SMALL)
    for path, ready in (
        (f"/m/{match_id}", ".podium li"),
        (f"/m/{match_id}/review", ".place"),
        ("/new?game=caravanserai", "select[name=guest1]"),
    ):
        phone.page.goto(path)
        phone.page.wait_for_selector(ready)
        whole(phone.page, PERSIAN)
    people[0].put(f"/matches/{match_id}/note", {"text": f"{SHRUG}\n{KANJI}"})
    phone.page.goto(f"/m/{match_id}")
    phone.page.locator(".podium li").first.wait_for()
    phone.page.keyboard.press("Escape")
    phone.page.locator(".own-note summary").press("Enter")
    expect(phone.page.locator(".own-note textarea")).to_have_value(f"{SHRUG}\n{KANJI}")
    phone.page.goto("/you")
    phone.page.get_by_role("button", name="Show history").press("Enter")
    phone.page.wait_for_selector(".company .person")
    whole(phone.page, CAMEL, PERSIAN)
    phone.close()


def test_a_phone_passed_round_names_them(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    phone.open_table([CAMEL, SHRUG], round_one_phone=True)
    phone.page.wait_for_selector(UP)
    whole(phone.page, CAMEL, SHRUG)
    phone.page.reload()
    phone.page.wait_for_selector(UP)
    whole(phone.page, CAMEL, SHRUG)
    phone.close()


def test_a_field_that_is_full_holds_whole_characters(browser: Browser, base: str) -> None:
    phone = Phone(browser, base, SMALL)
    phone.page.goto("/new?game=caravanserai")
    field = phone.page.get_by_label("Your name")
    for most in range(36, 41):
        field.fill("")
        field.focus()
        phone.page.keyboard.insert_text("x" * most)
        phone.page.keyboard.insert_text("\U0001f42a\U0001f42a")
        left = field.input_value()
        assert left.rstrip("\U0001f42a") == "x" * most, ascii(left)
    phone.close()
