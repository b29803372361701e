"""The outbox: actions made while the service is down are stored, sent once, never silently lost.

The tests stop the service and start it again on the same port and data.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from service.settings import Settings
from tests.browser.chromium import FLAGS, executable
from tests.browser.phone import PHONE, until_kept
from tests.browser.service import Program, table
from tests.browser.touch import THERE
from tests.service.running import server

pytestmark = pytest.mark.browser

KEPT = "Your last actions are saved and will be sent later."
LOST = "will be lost if you close this page"


class Service:
    """A service that can be stopped and started again on the same port and data."""

    def __init__(self, folder: Path) -> None:
        self._settings = Settings(data=str(folder), play_limit=0, create_limit=0)
        self._running = ExitStack()
        self.base = ""
        self.start()

    def start(self) -> None:
        port = int(self.base.rpartition(":")[2] or 0)
        self.base = self._running.enter_context(server(self._settings, port=port))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "data")
    yield running
    running.stop()


def opened(page: Page, match_id: str, turn: bool = True) -> None:
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn" if turn else ".game")


def tap_first(page: Page, times: int = 1) -> None:
    """Play the first move of the list, by touch."""
    for number in range(times):
        if number:  # a tap where the last move was chosen might pass for a double tap
            page.wait_for_timeout(1000 * THERE)
        page.get_by_role("button", name="All moves").tap()
        page.locator(".moves .button").first.tap()


def tap_unsent(page: Page, count: int) -> None:
    """Play moves that reach the device's storage but not the service."""
    page.route("**/commands*", lambda route: route.abort())
    tap_first(page, count)
    until(lambda: len(stored(page)) == count, page)


def decisions(player: Program, match_id: str) -> list[Any]:
    """Return all decisions of the match from its file."""
    found: list[Any] = player.get(f"/matches/{match_id}/export")["decisions"]
    return found


def settled(page: Page) -> None:
    page.wait_for_function("document.querySelector('.game').dataset.sending === ''")


COUNT = """() => new Promise((resolve, reject) => {
  const asked = indexedDB.open("outbox", 1)
  asked.onerror = reject
  asked.onupgradeneeded = () => asked.transaction.abort()
  asked.onsuccess = () => {
    const all = asked.result.transaction("entries").objectStore("entries").getAll()
    all.onsuccess = () => {
      asked.result.close()
      resolve(all.result.map((entry) => JSON.stringify(entry)))
    }
  }
})"""


# Counts requests for persistent storage: some browsers then ask the user.
ASKED = """window.asked = 0
StorageManager.prototype.persist = () => { window.asked += 1; return Promise.resolve(true) }"""


def stored(page: Page) -> list[str]:
    """Return what is stored in the browser, as JSON."""
    found: list[str] = page.evaluate(COUNT)
    return found


def until(done: Callable[[], bool], page: Page, seconds: float = 40) -> None:
    """Wait until a condition on the service holds."""
    for _ in range(int(seconds * 10)):
        if done():
            return
        page.wait_for_timeout(100)
    raise AssertionError("it did not come about")


def commands_of(request: Request) -> bool:
    return request.method == "POST" and "/commands" in request.url


# --- reload and kill ------------------------------------------------------------------------------


@pytest.mark.usefixtures("service_worker")
def test_moves_made_without_the_service_survive_a_reload_and_are_sent_once(
    browser: Browser, service: Service
) -> None:
    """The banner promises nothing before something waits."""
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    page.add_init_script(ASKED)
    opened(page, match_id)
    tap_first(page)
    settled(page)
    until_kept(page)
    before = decisions(ann, match_id)
    assert page.evaluate("window.asked") == 0
    service.stop()
    expect(page.locator(".offline")).to_have_text("No connection.")
    tap_first(page, 3)
    expect(page.locator(".offline")).to_contain_text(KEPT)
    assert page.locator(".game").get_attribute("data-sending") == "3"
    assert page.evaluate("window.asked") == 1
    page.reload()
    expect(page.locator(".offline")).to_contain_text(KEPT)
    assert len(stored(page)) == 3
    service.start()
    page.wait_for_selector(".game")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 3, page)
    settled(page)
    expect(page.locator(".offline")).to_be_hidden()
    page.reload()
    page.wait_for_selector(".game")
    assert stored(page) == []
    assert len(decisions(ann, match_id)) == len(before) + 3
    phone.close()


def profile(browser: Browser, folder: Path, base: str) -> BrowserContext:
    """Launch a separate browser with persistent storage."""
    return browser.browser_type.launch_persistent_context(
        folder,
        executable_path=executable(),
        args=FLAGS,
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        base_url=base,
    )


def kill(folder: Path) -> None:
    """Kill the browser of a profile without warning, as a phone that is out of memory does."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if f"--user-data-dir={folder}".encode() in line and b"--type=" not in b" ".join(line):
            os.kill(int(path.parent.name), signal.SIGKILL)


def test_moves_survive_a_killed_browser_and_are_sent_from_the_home_page(
    browser: Browser, service: Service, tmp_path: Path
) -> None:
    (ann,), match_id = table(service.base, "Ann")
    folder = tmp_path / "profile"
    cookie = {"name": "player", "value": ann.token, "url": service.base, "expires": 4e9}
    context = profile(browser, folder, service.base)
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.goto("/")
    page.evaluate("localStorage.setItem('player', '1')")
    opened(page, match_id)
    before = decisions(ann, match_id)
    service.stop()
    tap_first(page, 2)
    until(lambda: len(stored(page)) == 2, page)
    expect(page.locator(".offline")).to_contain_text(KEPT)
    with context.expect_event("close"):
        kill(folder)
    service.start()
    assert len(decisions(ann, match_id)) == len(before)
    context = profile(browser, folder, service.base)
    # Chromium saves cookies with half a minute's delay; those of a real device are older.
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.goto("/")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 2, page)
    page.wait_for_timeout(1000)
    assert len(decisions(ann, match_id)) == len(before) + 2
    until(lambda: stored(page) == [], page)
    context.close()


# The device's storage answers the first request for the outbox only after this time.
SLOW_STORAGE = """(() => {
  const open = IDBFactory.prototype.open
  let isFirst = true
  IDBFactory.prototype.open = function (name, version) {
    if (name !== "outbox" || !isFirst) { return open.call(this, name, version) }
    isFirst = false
    const asked = {}
    setTimeout(() => Object.assign(open.call(this, name, version), asked), 3500)
    return asked
  }
})()"""


def test_moves_left_by_an_earlier_page_are_sent_although_the_storage_is_slow(
    browser: Browser, service: Service
) -> None:
    """Nothing else has to happen: neither another move nor a return to the page."""
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    opened(page, match_id)
    before = decisions(ann, match_id)
    tap_unsent(page, 2)
    page.close()
    page = phone.page = phone.context.new_page()
    page.add_init_script(SLOW_STORAGE)
    page.goto("/")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 2, page)
    phone.close()


def test_a_tab_killed_between_sending_and_the_answer_doubles_nothing(
    browser: Browser, service: Service
) -> None:
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    opened(page, match_id)
    before = decisions(ann, match_id)
    keys: list[str] = []
    answer = [False]

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if answer[0]:
            route.continue_()
        else:
            route.fetch()
            route.abort()

    phone.context.route("**/commands*", lose)
    tap_first(page)
    until(lambda: len(decisions(ann, match_id)) == len(before) + 1, page)
    page.close()
    answer[0] = True
    sent = len(keys)
    page = phone.page = phone.context.new_page()
    page.goto("/")
    until(lambda: len(keys) > sent, page)
    until(lambda: stored(page) == [], page)
    assert len(set(keys)) == 1
    assert len(decisions(ann, match_id)) == len(before) + 1
    phone.close()


def test_waiting_moves_are_shown_as_pending_after_a_reload(
    browser: Browser, service: Service
) -> None:
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    opened(page, match_id)
    before = decisions(ann, match_id)
    tap_unsent(page, 3)
    expect(page.locator(".game")).to_have_attribute("data-sending", "3")
    picture = page.locator(".board-area svg").first.inner_html()
    page.reload()
    expect(page.locator(".game")).to_have_attribute("data-sending", "3")
    expect(page.locator(".offline")).to_contain_text(KEPT)
    assert page.locator(".board-area svg").first.inner_html() == picture
    # Undo one of them before it is sent, and play another.
    page.get_by_role("button", name="Undo step").tap()
    expect(page.locator(".game")).to_have_attribute("data-sending", "2")
    tap_first(page, 2)
    expect(page.locator(".game")).to_have_attribute("data-sending", "4")
    page.unroute("**/commands*")
    settled(page)
    assert len(decisions(ann, match_id)) == len(before) + 4
    phone.close()


# --- several tabs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "plain-http"])
def test_two_tabs_send_what_waits_once(browser: Browser, service: Service, locks: bool) -> None:
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    if not locks:
        phone.context.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'locks', {value: undefined})"
        )
    page, other = phone.page, phone.context.new_page()
    opened(page, match_id)
    opened(other, match_id)
    before = decisions(ann, match_id)
    sent: list[str] = []
    phone.context.on("response", lambda r: sent.append(r.url) if commands_of(r.request) else None)
    service.stop()
    tap_first(page, 3)
    expect(page.locator(".offline")).to_contain_text(KEPT)
    service.start()
    for each in (page, other):
        each.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 3, page)
    until(lambda: stored(page) == [], page)
    page.wait_for_timeout(1500)
    assert len(decisions(ann, match_id)) == len(before) + 3
    assert len(sent) == 3 or not locks
    for each in (page, other):
        expect(each.locator(".toast")).to_have_count(0)
        settled(each)
    last = str(ann.get(f"/matches/{match_id}")["version"])
    for each in (page, other):
        expect(each.locator(".history input")).to_have_attribute("max", last)
    phone.close()


def test_moves_after_one_sent_by_another_tab_are_sent_without_a_reload(
    browser: Browser, service: Service
) -> None:
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page, other = phone.page, phone.context.new_page()
    opened(page, match_id)
    before = decisions(ann, match_id)
    tap_unsent(page, 3)
    left = [1]

    def send_one(route: Route) -> None:
        left[0] -= 1
        route.continue_() if left[0] >= 0 else route.abort()

    other.route("**/commands*", send_one)
    other.goto("/")
    until(lambda: len(stored(page)) == 2, page)
    other.close()
    assert len(decisions(ann, match_id)) == len(before) + 1
    page.unroute("**/commands*")
    page.evaluate("dispatchEvent(new Event('online'))")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 3, page)
    until(lambda: stored(page) == [], page)
    settled(page)
    last = str(ann.get(f"/matches/{match_id}")["version"])
    expect(page.locator(".history input")).to_have_attribute("max", last)
    expect(page.locator(".toast")).to_have_count(0)
    phone.close()


# --- conflicts ------------------------------------------------------------------------------------


def test_a_conflict_drops_the_move_and_what_depends_on_it_says_so_and_loses_nothing_else(
    browser: Browser, service: Service
) -> None:
    (ann,), first = table(service.base, "Ann")
    second = ann.post("/matches", {"game": "caravanserai", "seats": [{"kind": "me"}]}, 201)["id"]
    phone = ann.phone(browser)
    page, other = phone.page, phone.context.new_page()
    opened(page, first)
    opened(other, second)
    before = len(decisions(ann, second))
    service.stop()
    tap_first(page, 2)
    tap_first(other, 2)
    expect(page.locator(".offline")).to_contain_text(KEPT)
    expect(other.locator(".offline")).to_contain_text(KEPT)
    page.close()
    other.close()
    service.start()
    # Meanwhile Ann plays on another device.
    choice = ann.get(f"/matches/{first}/choices?seat=0")
    body = {
        "seat": 0,
        "expected_version": choice["version"],
        "commands": [choice["choices"][-1]["command"]],
    }
    played = ann.post(f"/matches/{first}/commands", body)["match"]
    page = phone.page = phone.context.new_page()
    page.on("console", phone._hear)
    page.goto("/")
    told = page.locator(".toast")
    expect(told).to_contain_text("The game has moved on. “Start on ")
    expect(told).to_contain_text("was discarded. Your later moves were discarded too.")
    until(lambda: len(decisions(ann, second)) == before + 2, page)
    until(lambda: stored(page) == [], page)
    assert ann.get(f"/matches/{first}")["version"] == played["version"]
    phone.errors = [each for each in phone.errors if "409" not in each]
    phone.close()


def test_an_undo_waits_and_is_not_sent_as_another_player(
    browser: Browser, service: Service
) -> None:
    (ann,), match_id = table(service.base, "Ann")
    bob = Program(service.base, "Bob")
    phone = ann.phone(browser)
    page = phone.page
    opened(page, match_id)
    tap_first(page, 2)
    settled(page)
    before = decisions(ann, match_id)
    service.stop()
    page.get_by_role("button", name="Undo step").tap()
    expect(page.locator(".offline")).to_contain_text(KEPT)
    page.close()
    service.start()

    def become(player: Program) -> Page:
        cookie = {"name": "player", "value": player.token, "url": service.base}
        phone.context.add_cookies([cookie])  # type: ignore[list-item]
        return phone.context.new_page()

    page = phone.page = become(bob)
    posts: list[str] = []
    page.on("request", lambda r: posts.append(r.url) if r.method == "POST" else None)
    page.goto("/")
    page.wait_for_selector("text=No games yet")
    page.wait_for_timeout(1500)
    assert posts == []
    assert len(stored(page)) == 1
    page.close()
    page = phone.page = become(ann)
    page.goto("/")
    until(lambda: len(decisions(ann, match_id)) == len(before) + 1, page)
    assert decisions(ann, match_id)[-1]["command"]["type"] == "Undo"
    phone.close()


# --- the banner -----------------------------------------------------------------------------------

CLOSED = "indexedDB.open = () => { throw new DOMException('', 'SecurityError') }"
FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError') }"


def test_the_banner_promises_nothing_that_the_browser_does_not_keep(
    browser: Browser, service: Service
) -> None:
    """The storage is full, and it is closed, as in some private windows."""
    (ann,), match_id = table(service.base, "Ann")
    phone = ann.phone(browser)
    page = phone.page
    for script in (FULL, CLOSED):
        page.add_init_script(script)
        opened(page, match_id)
        sent = len(decisions(ann, match_id)) + 1
        service.stop()
        tap_first(page)
        expect(page.locator(".offline")).to_contain_text(LOST)
        expect(page.locator(".offline")).not_to_contain_text(KEPT)
        service.start()
        until(lambda sent=sent: len(decisions(ann, match_id)) == sent, page)
        expect(page.locator(".offline")).to_be_hidden()
    phone.close()


# --- other actions --------------------------------------------------------------------------------


def test_a_secret_bid_waits_on_the_phone_and_is_gone_from_it_once_sent(
    browser: Browser, service: Service
) -> None:
    (ann, _bob), match_id = table(service.base, "Ann", "Bob", game="caravane")
    phone = ann.phone(browser)
    page = phone.page
    opened(page, match_id)
    before = decisions(ann, match_id)
    service.stop()
    tap_first(page)
    expect(page.locator(".offline")).to_contain_text(KEPT)
    (entry,) = stored(page)
    assert "commands" in entry
    assert '"lost":"choice"' in entry
    page.close()
    service.start()
    page = phone.page = phone.context.new_page()
    page.goto("/")
    until(lambda: len(decisions(ann, match_id)) > len(before), page)
    until(lambda: stored(page) == [], page)
    page.wait_for_timeout(500)
    assert len(decisions(ann, match_id)) == len(before) + 1
    phone.close()
