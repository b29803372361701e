"""The page in a language that nobody speaks: no screen shows a word that was not translated."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.caravanserail.board import BOARDS
from domain.register import TITLES
from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.scenes import USUAL, Scene, Stand, hexes, plain, races, trails
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
    found = {text: plain_words(text, *names) for text in page.evaluate(SHOWN)}
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


@pytest.mark.soak
@pytest.mark.parametrize("scenes", [plain, hexes, races, trails])
def test_every_scene(
    browser: Browser, base: str, scenes: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.browser.scenes.say", strange)
    found = told_in_full(browser, base, scenes(base))
    assert found == {}, "\n".join(f"{text!r}: {where}" for text, where in found.items())
