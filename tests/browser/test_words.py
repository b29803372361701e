"""The page in a language that nobody speaks: no screen shows a word that was not translated."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from domain.register import TITLES
from service.settings import Settings
from tests.browser.phone import Phone
from tests.browser.scenes import Scene, Stand, plain, races, trails
from tests.browser.service import Program, table
from tests.service.running import server
from tests.words.pseudo import TAG, folder, plain_words

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
  return found.filter((text) => text.trim())
}"""
START = f"""
  localStorage.setItem("language", "{TAG}")
  localStorage.setItem("player", "1")
"""
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


@pytest.mark.soak
@pytest.mark.parametrize("scenes", [plain, races, trails])
def test_every_scene(browser: Browser, base: str, scenes: Any) -> None:
    """Each screen as it opens; what a button in English has to be pressed for is left out."""
    stand = Stand(browser, base)
    stand.page.add_init_script(START)
    found: dict[str, Any] = {}
    scene: Scene
    for scene in scenes(base):
        cookie = {"name": "player", "value": scene.person.token, "url": base}
        stand.phone.context.add_cookies([cookie])  # type: ignore[list-item]
        stand.page.goto(scene.path)
        stand.page.wait_for_selector(scene.ready)
        for text, words in untranslated(stand.page).items():
            found[text] = (scene.name, words)
    assert found == {}
