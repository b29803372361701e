"""The page in a language that nobody speaks: no screen shows a word that was not translated."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from domain.caravanserail.board import BOARDS
from domain.register import TITLES
from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.scenes import (
    USUAL,
    Scene,
    Stand,
    hexes,
    kept,
    look_back,
    mine,
    moment,
    plain,
    press,
    races,
    then,
    trails,
)
from tests.browser.service import Program, table
from tests.browser.test_caravanserail import NAMES as PEOPLE
from tests.service.running import server
from tests.words.pseudo import TAG, folder, plain_words, strange

pytestmark = pytest.mark.browser

SHOWN = """() => {
  const found = []
  const walk = (node) => {
    if (node.nodeType === 3) {
      found.push(node.data)
    } else if (node.nodeType === 1 && node.translate !== false
        && !["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT"].includes(node.tagName)) {
      for (const name of ["aria-label", "title", "placeholder", "alt"]) {
        found.push(node.getAttribute(name) || "")
      }
      node.childNodes.forEach(walk)
    }
  }
  walk(document.body)
  found.push(document.title)
  return found.filter((text) => text.trim())
}"""
MATCH = re.compile(r"\b[0-9a-f]{8}\b|http://\S+")  # what a match is called, and links
START = f"""
  localStorage.setItem("language", "{TAG}")
  localStorage.setItem("player", "1")
"""
GIVEN = (
    "Seat Margaret",
    *PEOPLE,
    *(place.name for board in BOARDS.values() for place in board.places),
)
"""Names of people in kept matches, and of places: the same in every language."""
SETTLED = "document.documentElement.dataset.ready === '1' && !document.querySelector('.skeleton')"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    built = folder(tmp_path_factory.mktemp("words"))
    data = str(tmp_path_factory.mktemp("data"))
    settings = Settings(data=data, frontend=str(built), play_limit=0, create_limit=0)
    with server(settings) as address:
        yield address


def untranslated(page: Any, *names: str) -> dict[str, list[str]]:
    """By text, the words on the page that were not translated."""
    found = {text: plain_words(MATCH.sub("", text), *names) for text in page.evaluate(SHOWN)}
    return {text: words for text, words in found.items() if words}


def speaking(phone: Phone) -> Phone:
    phone.page.add_init_script(START)
    return phone


@pytest.mark.parametrize("path", ["/", "/new", "/you", "/m/none"])
def test_pages(browser: Browser, base: str, path: str) -> None:
    phone = speaking(Program(base, "Ada").phone(browser))
    phone.page.goto(path)
    phone.page.wait_for_function(SETTLED)
    assert phone.page.evaluate("document.documentElement.lang") == TAG
    assert untranslated(phone.page, "A program") == {}  # so a device was called when it came
    phone.context.close()


@pytest.mark.parametrize("game", TITLES)
def test_a_table_of_each_game(browser: Browser, base: str, game: str) -> None:
    people, match = table(base, *"ABCDEF"[: max(2, min(TITLES[game].seats))], game=game)
    view = people[0].get(f"/matches/{match}")["view"]
    places = [place["name"] for place in view.get("board", {}).get("places", ())]
    phone = speaking(people[0].phone(browser))
    phone.page.goto(f"/m/{match}")
    phone.page.wait_for_selector(".game .turn")
    assert untranslated(phone.page, *places) == {}
    phone.close()


def told_in_full(browser: Browser, base: str, scenes: Iterable[Scene]) -> dict[str, Any]:
    """By text, in which scene it stands and which of its words were not translated."""
    stand = Stand(browser, base)
    stand.page.add_init_script(START)
    found: dict[str, Any] = {}
    for scene in scenes:
        stand.hold(scene, USUAL)
        stand.page.wait_for_function(SETTLED)
        for text, words in untranslated(stand.page, *GIVEN).items():
            found[text] = (scene.name, words)
    stand.phone.close()
    return found


def main_scenes(base: str) -> Iterator[Scene]:
    """What a game is played through with, and each game's own in the middle of a match."""
    ann = Program(base, "Ann")
    people, match_id = table(base, "Ann", "Bea")
    at, mine_now = f"/m/{match_id}", ".game .turn"
    yield Scene("the list of moves", people[0], at, mine_now, press("Every move as a list"))
    yield Scene("the log", people[0], at, mine_now, press("What happened"))
    yield Scene("the board in words", people[0], at, mine_now, press("Read the board"))
    yield Scene("playing on", people[0], at, mine_now, then(look_back, press("Play on from here")))
    giving = moment(ann, "caravanserai-5-expert-v1.json", 99)
    yield Scene("who gives a good", ann, f"/m/{giving}", ".step .button")
    race = moment(ann, "caravane-5-v1.json", 40)
    yield Scene("handing over", ann, f"/m/{race}", ".handover-page .primary")
    trip = moment(ann, "caravanserail-6-v2.json", 125)
    yield Scene("paying for lodging", ann, f"/m/{trip}", ".handover-page .primary", mine())
    over = kept(ann, "caravanserail-6-v2.json")
    yield Scene("the result", ann, f"/m/{over}", ".podium")
    yield Scene("a review", ann, f"/m/{over}/review", ".place")


def test_the_main_scenes(browser: Browser, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    assert told_in_full(browser, base, main_scenes(base)) == {}


def test_without_a_connection(browser: Browser, base: str) -> None:
    """The banner, and what a move that waits is called."""
    people, match_id = table(base, "Ann", "Bea")
    phone = speaking(people[0].phone(browser))
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game .turn")
    phone.context.set_offline(True)
    phone.page.get_by_role("button", name=strange("Every move as a list")).press("Enter")
    phone.page.locator(".moves .button").first.press("Enter")
    expect(phone.page.locator("body")).to_contain_text(strange("No connection."))
    assert untranslated(phone.page, *GIVEN) == {}
    phone.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("scenes", [plain, hexes, races, trails])
def test_every_scene(
    browser: Browser, base: str, scenes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    found = told_in_full(browser, base, scenes(base))
    assert found == {}, "\n".join(f"{text!r}: {where}" for text, where in found.items())
