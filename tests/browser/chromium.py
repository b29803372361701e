"""Chromium and the built frontend, for the browser tests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from frontend.build import BUILD, build

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
ORIGIN = "http://caravanserai.test"


def executable() -> str | None:
    """The machine's Chromium; None when there is none. Best the shell without a window: the whole
    browser draws its own tabs and buttons too, a third of the time of a test."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium, with a frontend that is up to date."""
    build()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def asset(name: str) -> str:
    """The address of a built asset, by its name without the hash: ``app.js``."""
    stem, _, ending = name.rpartition(".")
    (path,) = (BUILD / "assets").glob(f"{stem}.*.{ending}")
    return f"/assets/{path.name}"


def workbench(browser: Browser) -> Page:
    """An empty page with Brython and all shipped modules, the app not started."""
    page = browser.new_page()
    blank = "<!doctype html><title>bench</title>"
    page.route("**/*", lambda route: route.fulfill(body=blank, content_type="text/html"))
    page.route(
        "**/assets/*",
        lambda route: route.fulfill(path=BUILD / route.request.url[len(ORIGIN) + 1 :]),
    )
    page.goto(ORIGIN)
    for name in ("brython.js", "app.js", "table.js"):
        page.add_script_tag(url=asset(name))
    for path in sorted((BUILD / "assets").glob("game-*.js")):
        page.add_script_tag(url=f"/assets/{path.name}")
    return page


RUN = """([source, call, argument]) => {
  try {
    brython({debug: 0, indexedDB: false})
    __BRYTHON__.runPythonSource(source, "bench")
    return window[call](argument)
  } catch (error) {
    const name = error.ob_type ? error.ob_type.tp_name + JSON.stringify(error.args) : error
    throw new Error(name + error.stack)
  }
}"""


def run_python(page: Page, source: str, call: str, argument: str) -> str:
    """Runs Python in the workbench, then ``window.<call>(argument)``, which it must define."""
    result: str = page.evaluate(RUN, [source, call, argument])
    return result
