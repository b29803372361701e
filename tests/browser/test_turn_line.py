"""The turn line: no prompt is cut off on the smallest phone, in either orientation or language."""

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from domain.contract.registry import TITLES
from frontend import message_catalogue
from tests.browser.phone import SMALL
from tests.browser.service import table
from tests.browser.test_sweep import _HOLE, SAY

pytestmark = pytest.mark.browser

GAMES = Path(__file__).parents[2] / "frontend" / "app" / "games"
LYING = {"width": 568, "height": 320}
CUT = """sentences => {
  const line = document.querySelector(".turn span")
  return sentences.filter(words => {
    line.textContent = words
    return line.scrollHeight > line.clientHeight + 1
  })
}"""


def asked(slug: str) -> set[str]:
    """Return the English prompts of a game: messages in its ``PROMPTS`` and ``prompt`` methods."""
    folder = message_catalogue.catalogue_folders()[slug]
    english = message_catalogue.read_catalogue(folder / "en.po", "en")
    found = set()
    for path in (GAMES / slug).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            named = [each.id for each in getattr(node, "targets", []) if isinstance(each, ast.Name)]
            if "PROMPTS" in named or getattr(node, "name", "") == "prompt":
                inside = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
                calls = [each for each in inside if getattr(each.func, "id", "") in ("t", "tn")]
                ids = [ast.literal_eval(each.args[0]) for each in calls]
                texts = [english[name].string for name in ids]
                found |= {text for each in texts for text in _forms(each)}
    return found


def _forms(text: str | tuple[str, ...]) -> Iterable[str]:
    """Return the forms of a message: several if it depends on a number."""
    return (text,) if isinstance(text, str) else text


@pytest.mark.parametrize("slug", TITLES)
def test_what_is_to_be_done_is_not_cut(browser: Browser, base: str, slug: str) -> None:
    """Every prompt, with its placeholders filled, fits the turn line in every language."""
    people, match_id = table(base, *"ABCDEFGH"[: max(TITLES[slug].seats)], game=slug)
    phone = people[0].phone(browser, SMALL)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game:not([data-rising]) .looking-now")
    prompts = asked(slug)
    assert len(prompts) > 2
    for say in SAY.values():
        whose = say(slug)("Your turn")
        told = {_filled(say(slug)(_hole(words))) for words in prompts}
        for size in (SMALL, LYING):
            phone.page.set_viewport_size(size)
            assert phone.page.evaluate(CUT, [f"{whose} · {words}" for words in told]) == [], size
    phone.close()


def _hole(words: str) -> str:
    """Replace named placeholders with ``{}``, as in the keys of the translations."""
    return _HOLE.sub("{}", words)


def _filled(words: str) -> str:
    return words.replace("{}", "12")
