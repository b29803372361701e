"""Chromium and the built frontend, for the browser tests."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from frontend.build import BUILD, build
from frontend.translator import Translator

LAN = "caravanserai.lan"
"""A host name for this machine that is not a secure context, unlike localhost: as on plain HTTP
over a local network, service workers, the clipboard and more are unavailable."""
FLAGS = [
    f"--host-resolver-rules=MAP {LAN} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ORIGIN = "http://caravanserai.test"


def executable() -> str | None:
    """Find the machine's Chromium; None if there is none.

    Prefer the headless shell: the full browser also draws its own tabs and buttons, which takes a
    third of the time of a test.
    """
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Build the frontend and launch the machine's own Chromium."""
    build()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def asset(name: str) -> str:
    """Return the path of a built asset, given its name without the hash: ``app.js``."""
    stem, _, ending = name.rpartition(".")
    (path,) = (BUILD / "assets").glob(f"{stem}.*.{ending}")
    return f"/assets/{path.name}"


# Sets the English texts of app and games, and registers everything in the scripts without running a
# module: the app is not started.
KNOWN = """(rooms) => {
  __BRYTHON__.catalogues = { tag: "en", on: {}, rooms }
  while (slices.length > 0) {
    slices.shift()()
  }
}"""


def _in_turn(script: Path) -> str:
    """Sort key that puts the scripts of a part in loading order."""
    return script.name.replace("-", "~")


def workbench(browser: Browser) -> Page:
    """Open an empty page with Brython and all modules as shipped, without starting the app."""
    page = browser.new_page()
    blank = "<!doctype html><meta charset=utf-8><title>bench</title>"
    page.route("**/*", lambda route: route.fulfill(body=blank, content_type="text/html"))
    page.route(
        "**/assets/*",
        lambda route: route.fulfill(path=BUILD / route.request.url[len(ORIGIN) + 1 :]),
    )
    page.goto(ORIGIN)
    page.evaluate("globalThis.slices = []")
    for part in ("brython", "app", "table", "phone", "game-", "rules-"):
        for path in sorted((BUILD / "assets").glob(f"{part}*.js"), key=_in_turn):
            page.add_script_tag(url=f"/assets/{path.name}")
    words = (BUILD / "words" / "en").glob("*.json")
    rooms = {path.name.partition(".")[0]: json.loads(path.read_text()) for path in words}
    page.evaluate(KNOWN, rooms)
    return page


RUN = """([code, call, argument]) => {
  try {
    new Function(code)()
    return window[call](argument)
  } catch (error) {
    const name = error.ob_type ? error.ob_type.tp_name + JSON.stringify(error.args) : error
    throw new Error(name + error.stack)
  }
}"""


def run_python(page: Page, source: str, call: str, argument: str) -> str:
    """Run Python in the workbench, then ``window.<call>(argument)``, which it must define.

    The source is translated ahead of time, like the app: the page has no translator.
    """
    result: str = page.evaluate(RUN, [_translated(source), call, argument])
    return result


@cache
def _translated(source: str) -> str:
    """Translate a Python module to JavaScript."""
    with Translator() as translate:
        return translate("bench", source)
