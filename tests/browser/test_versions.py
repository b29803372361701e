"""A new version of the app: an open page keeps its own version until it is reloaded."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from frontend.build import BUILD
from service.settings import Settings
from tests.browser.phone import Phone, until_kept
from tests.service.running import server

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("service_worker")]


@pytest.fixture
def build(browser: Browser, tmp_path: Path) -> Path:
    """Provide a copy of the build, which the test replaces with another version."""
    assert browser.is_connected()  # the fixture `browser` has made the build
    return shutil.copytree(BUILD, tmp_path / "build")


@pytest.fixture
def base(build: Path, tmp_path: Path) -> Iterator[str]:
    settings = Settings(data=str(tmp_path), frontend=str(build), play_limit=0, create_limit=0)
    with server(settings) as address:
        yield address


BOARD = "/api/games/caravanserai/board.svg"
DRAWN_BEFORE = f"""async (version) => {{
  const cache = await caches.open("app-" + version)
  await cache.put("{BOARD}", new Response("as it was drawn before"))
}}"""
DRAWN = f"""() => fetch("{BOARD}").then((answer) => answer.text())"""
MARK = "※"
"""Prefix of every French message of the next version."""


def _marked(text: Any) -> Any:
    """Prefix a translation, or each of its plural forms, with `MARK`.

    The name of the argument that selects the form comes before the plural forms.
    """
    if isinstance(text, str):
        return MARK + text
    selects, *forms = text
    return [selects, *(MARK + form for form in forms)]


def _other_words(build: Path, texts: dict[Path, str]) -> dict[Path, str]:
    """Replace the French catalogues with marked ones; return the texts with their new names.

    ``texts`` holds the contents of the pages that refer to the catalogues, by path.
    """
    for path in list((build / "words" / "fr").glob("*.json")):
        content = json.loads(path.read_text())
        for said in content["rooms"].values():
            said.update({key: _marked(text) for key, text in said.items()})
        room, old, _ = path.name.split(".")
        path.unlink()
        path.with_name(f"{room}.abcdefabcd.json").write_text(json.dumps(content))
        texts = {page: text.replace(old, "abcdefabcd") for page, text in texts.items()}
    return texts


def next_version(build: Path) -> str:
    """Replace the build with another version; return that version.

    Scripts and French catalogues get new names, and the old files are gone.
    """
    pages = [build / "index.html", build / "sw.js"]
    old = re.findall(r'VERSION = "(\w+)"', pages[1].read_text())[0]
    texts = {page: page.read_text().replace(old, "0123456789") for page in pages}
    app = next((build / "assets").glob("app.*.js"))
    for path in (build / "assets").glob("*.js"):
        name = re.sub(r"\.\w{10}\.js$", ".abcdefabcd.js", path.name)
        texts = {page: text.replace(path.name, name) for page, text in texts.items()}
        app.write_text(app.read_text().replace(path.name, name))
    for path in [*(build / "assets").glob("*.js"), *(build / "assets").glob("*.js.br")]:
        name = re.sub(r"\.\w{10}\.js", ".abcdefabcd.js", path.name)
        if path.suffix == ".br":
            path.unlink()
        else:
            path.rename(path.with_name(name))
    for page, text in _other_words(build, texts).items():
        page.write_text(text)
    return "0123456789"


def test_an_open_page_keeps_its_version_until_it_is_reloaded(
    browser: Browser, base: str, build: Path
) -> None:
    """The page announces the new version, loads only old parts, and changes when it is reloaded.

    After the reload, drawings cached by the old version are not used.
    """
    phone = Phone(browser, base)
    page = phone.page
    page.add_init_script("localStorage.setItem('language', 'fr')")
    page.goto("/")
    until_kept(page)
    old = page.evaluate("document.documentElement.dataset.version")
    page.evaluate(DRAWN_BEFORE, old)
    new = next_version(build)
    notice = page.locator(".newer")
    expect(notice).to_have_count(0)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(notice).to_contain_text("Une nouvelle version est disponible.")
    # Parts that are loaded now still come from the version of the page.
    page.get_by_role("link", name="Nouvelle partie").click()
    page.locator("input[name=gNombredejoueurs]").first.check()
    page.get_by_label("Votre nom").fill("Ann")
    page.get_by_role("button", name="Créer la partie").click()
    page.wait_for_selector(".game.my-turn")
    loaded = page.evaluate("[...document.scripts].map(({ src }) => src)")
    assert loaded
    assert not any("abcdefabcd" in source for source in loaded)
    expect(page.locator(".turn")).to_contain_text("À vous")
    assert MARK not in page.locator("body").inner_text()
    assert page.evaluate("document.documentElement.dataset.version") == old
    notice.get_by_role("button", name="Recharger").click()
    page.wait_for_function(
        "wanted => document.documentElement?.dataset.version === wanted", arg=new
    )
    page.wait_for_selector(".game.my-turn")
    loaded = page.evaluate("[...document.scripts].map(({ src }) => src)")
    assert all("abcdefabcd" in source for source in loaded)
    expect(page.locator(".turn")).to_contain_text(MARK)
    assert page.evaluate(DRAWN).startswith("<svg")
    expect(notice).to_have_count(0)
    phone.close()
