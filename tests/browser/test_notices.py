"""Notifications: the card of channels, the offer at a match, and the service worker.

Headless Chromium has no push service; push messages are delivered to the worker through the
DevTools protocol, also with the page closed.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from service.common.clock import now_ms
from service.settings import Settings
from tests.browser.chromium import FLAGS
from tests.browser.phone import PATIENCE, SMALL, Phone, fits, until_kept
from tests.browser.service import Program, table
from tests.service.notifications.pushes import Device
from tests.service.notifications.receivers import Receiver, eventually, receiver
from tests.service.running import server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def taking() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, taking: Receiver) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("notices")
    limits = {"play_limit": 0, "create_limit": 0, "notice_delay": 0.0}
    settings = Settings(data=str(folder), notice_hosts=taking.place, **limits)  # type: ignore[arg-type]
    with server(settings) as address:
        yield address


@pytest.fixture(scope="module")
def whole(browser: Browser) -> Iterator[Browser]:
    """The full browser in headless mode: the headless shell does not support notifications."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        missing = "Chromium is not installed as a whole"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    flags = [*FLAGS, "--headless=new"]
    started = browser.browser_type.launch(executable_path=path, args=flags, headless=False)
    try:
        yield started
    finally:
        started.close()


def opened(phone: Phone) -> Page:
    """Open the card of notification channels."""
    page = phone.page
    page.goto("/you")
    page.get_by_role("button", name="Notify me when it’s my turn").click()
    expect(page.get_by_role("heading", name="Notify me about")).to_be_visible()
    return page


def test_a_chat_is_switched_on_tried_and_off(browser: Browser, base: str, taking: Receiver) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(browser, SMALL)
    page = opened(phone)
    assert fits(page)
    page.get_by_label("Chat webhook URL").fill(f"{taking.url}/mine")
    page.get_by_role("button", name="Notify me by webhook").click()
    expect(page.get_by_text("whsec_")).to_be_visible()
    assert fits(page)
    before = len(taking.got)
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_text("Test message sent.")).to_be_visible()
    assert taking.wait(before + 1)[-1].json["type"] == "test"
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name="Turn off")).to_have_count(0)
    assert ann.get("/notices")["ways"] == []
    phone.close()


def test_a_paused_webhook_is_shown_and_resumed_by_a_finger(
    browser: Browser, taking: Receiver, tmp_path: Path
) -> None:
    limits = {"play_limit": 0, "create_limit": 0, "notice_hosts": taking.place, "pause_after": 1}
    apps: list[Any] = []
    with server(Settings(data=str(tmp_path), **limits), apps.append) as base:  # type: ignore[arg-type]
        ann = Program(base, "Ann")
        ann.post("/notices/webhook", {"address": f"{taking.url}/mine"}, 201)
        ways = apps[0].services.subscriptions.channels
        (way,) = ways.list_channels(ann.get("/players/me")["player_id"])
        ways.record_failure(way, "500", now_ms(), 1)
        phone = ann.phone(browser, SMALL)
        page = opened(phone)
        expect(page.get_by_text("paused: notifications keep failing")).to_be_visible()
        assert fits(page)
        resume = page.get_by_role("button", name="Resume")
        box = resume.bounding_box()
        assert box is not None
        assert box["height"] >= 48
        resume.scroll_into_view_if_needed()
        resume.tap()
        expect(page.get_by_text("paused: notifications keep failing")).to_have_count(0)
        expect(page.get_by_text("on", exact=True)).to_be_visible()
        assert "paused_until" not in ann.get("/notices")["ways"][0]
        phone.close()


def test_kinds_and_quiet_hours_are_kept(browser: Browser, base: str) -> None:
    """A refused address is said beside its field; mail is not offered without its settings."""
    ann = Program(base, "Ann")
    phone = ann.phone(browser)
    page = opened(phone)
    expect(page.get_by_label("Email address")).to_have_count(0)
    page.get_by_role("switch", name="New message").uncheck()
    eventually(lambda: "word" not in ann.get("/notices")["wishes"]["kinds"])
    page.get_by_role("switch", name="Quiet hours").check()
    expect(page.get_by_label("from", exact=True)).to_have_value("22:00")
    page.get_by_label("until", exact=True).fill("07:30")
    page.get_by_label("until", exact=True).blur()
    eventually(lambda: (ann.get("/notices")["wishes"]["quiet"] or {}).get("end") == 450)
    assert ann.get("/notices")["wishes"]["quiet"]["zone"]
    assert phone.errors == []
    page.get_by_label("Chat webhook URL").fill("http://example.org/x")
    page.get_by_role("button", name="Notify me by webhook").click()
    expect(
        page.get_by_role("alert").filter(has_text="The address must start with https://.")
    ).to_be_visible()
    assert page.get_by_label("Chat webhook URL").input_value() == "http://example.org/x"
    phone.errors.clear()  # Chromium logs an error for the refused request
    phone.close()


NOTICES = (
    "async () => (await self.registration.getNotifications()).map((n) => [n.tag, n.title, n.body])"
)


def deliver(base: str, phone: Phone, what: Any) -> None:
    """Deliver a push message to the worker."""
    page = phone.context.new_page()
    session = phone.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(
            each["registrationId"]
            for each in told["registrations"]
            if each["scopeURL"].startswith(base) and not each["isDeleted"]
        ),
    )
    session.send("ServiceWorker.enable")
    for _ in range(PATIENCE // 50):
        if found:
            break
        page.wait_for_timeout(50)
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": base, "registrationId": found[-1], "data": json.dumps(what)},
    )
    page.close()


@pytest.mark.usefixtures("service_worker")
def test_a_notice_comes_with_the_page_closed_and_goes_once_the_turn_is_played(
    whole: Browser, base: str
) -> None:
    ann = Program(base, "Ann")
    phone = ann.phone(whole)
    phone.context.grant_permissions(["notifications"], origin=base)
    phone.page.goto("/")
    until_kept(phone.page)
    (worker,) = phone.context.service_workers
    phone.page.close()

    def comes(what: Any, then: Callable[[Any], bool]) -> None:
        """Deliver a message and wait for its effect: the worker may have to start first. On a busy
        machine the browser sometimes drops messages while a worker starts; a push service would
        retry, and so does this function."""
        for last in (False, False, True):
            deliver(base, phone, what)
            try:
                eventually(lambda: then(worker.evaluate(NOTICES)), PATIENCE / 3000)
            except AssertionError:
                if last:
                    raise
            else:
                return

    turn = {"title": "With Bob", "body": "It’s your turn.", "url": "/m/1", "tag": "1", "waiting": 1}
    comes(turn, lambda shown: shown == [["1", "With Bob", "It’s your turn."]])
    # Another one of the same match replaces it; one of another match is shown beside it.
    still = {**turn, "body": "Still your turn."}
    comes(still, lambda shown: shown == [["1", "With Bob", "Still your turn."]])
    comes({**turn, "tag": "2", "url": "/m/2"}, lambda shown: len(shown) == 2)
    comes({"gone": "1", "waiting": 1}, lambda shown: [each[0] for each in shown] == ["2"])
    phone.close()


APPLE = """() => {
  const endpoint = "https://web.push.apple.com/QOabc"
  registration.pushManager.getSubscription = async () => ({ endpoint, unsubscribe() {} })
}"""
SHOWN = "async () => (await registration.getNotifications()).map((n) => [n.tag, n.silent])"
CLEAR = "async () => (await registration.getNotifications()).forEach((each) => each.close())"
UNREADABLE = """() => {
  const json = () => { throw new SyntaxError("not JSON") }
  return Promise.all([null, { json }].map((data) => handlePush(messageOf(data))))
}"""


@pytest.mark.usefixtures("service_worker")
def test_on_apple_devices_every_push_shows_a_notification(whole: Browser, base: str) -> None:
    """Apple ends a subscription after three pushes without a notification. Other devices show one
    for a push that cannot be read."""
    (_ann, bob), match = table(base, "Ann", "Bob")
    phone = bob.phone(whole)
    phone.context.grant_permissions(["notifications"], origin=base)
    phone.page.goto("/")
    until_kept(phone.page)
    (worker,) = phone.context.service_workers
    worker.evaluate(UNREADABLE)
    assert worker.evaluate(SHOWN) == [["caravanserai", False]]
    worker.evaluate(CLEAR)
    worker.evaluate(APPLE)
    phone.page.goto(f"/m/{match}")
    phone.page.wait_for_selector(".game")
    phone.page.bring_to_front()
    turn = {"title": "x", "body": "y", "tag": match, "waiting": 1, "url": f"/m/{match}"}
    worker.evaluate("(what) => handlePush(what)", turn)
    assert worker.evaluate(SHOWN) == [[match, True]], "visible page: shown, but silent"
    worker.evaluate("(what) => handlePush(what)", {"gone": match, "waiting": 0})
    assert worker.evaluate(SHOWN) == [[match, True]], "replaced by another one"
    elsewhere = {**turn, "tag": "2", "url": "/m/2"}
    worker.evaluate("(what) => handlePush(what)", elsewhere)
    assert sorted(worker.evaluate(SHOWN)) == sorted([[match, True], ["2", False]])
    phone.close()


_REPORT = re.compile(r"/presence|used=1")
"""Part of the URL of presence reports; the first one opens the stream of the page."""


@pytest.mark.usefixtures("service_worker")
def test_an_untouched_page_does_not_suppress_notifications(whole: Browser, base: str) -> None:
    """It may stay visible for days. Presence means input: `service.notifications.presence`.

    A page in use suppresses those of its match only, and offers to turn notifications on once.
    """
    (ann, bob), match = table(base, "Ann", "Bob")
    phone = bob.phone(whole)
    page = phone.page
    phone.context.grant_permissions(["notifications"], origin=base)
    page.goto("/")
    until_kept(page)
    (worker,) = phone.context.service_workers
    page.goto(f"/m/{match}")
    offer = page.get_by_role("button", name="Notify me when it’s my turn")
    expect(offer).to_be_visible()
    page.get_by_role("button", name="Not now").click()
    expect(offer).to_be_hidden()
    page.clock.install()
    reports: list[str] = []
    page.on("request", lambda sent: reports.append(sent.url) if _REPORT.search(sent.url) else None)
    page.goto(f"/m/{match}")
    page.wait_for_selector(".game")
    expect(offer).to_be_hidden()
    page.bring_to_front()
    eventually(lambda: len(reports) == 1)
    turn = {"title": "x", "body": "y", "tag": match, "waiting": 1, "url": f"/m/{match}"}
    worker.evaluate("(what) => handlePush(what)", turn)
    assert worker.evaluate(NOTICES) == []
    worker.evaluate("(what) => handlePush(what)", {**turn, "tag": "2", "url": "/m/2"})
    assert [each[0] for each in worker.evaluate(NOTICES)] == ["2"]
    worker.evaluate(CLEAR)
    page.clock.fast_forward(70_000)
    worker.evaluate("(what) => handlePush(what)", turn)
    assert [each[0] for each in worker.evaluate(NOTICES)] == [match]
    ann.post(f"/matches/{match}/say", {"seat": 0, "text": "are you there?"})
    expect(page.get_by_text("are you there?").first).to_be_attached()
    assert [each[0] for each in worker.evaluate(NOTICES)] == [match], "no player has seen it"
    assert len(reports) == 1, "nobody touched the page"
    page.touchscreen.tap(195, 400)
    page.touchscreen.tap(195, 400)
    eventually(lambda: len(reports) == 2)
    eventually(lambda: worker.evaluate(NOTICES) == [])
    phone.close()


BADGES = """() => {
  self.badges = []
  navigator.setAppBadge = async (count) => { badges.push(count) }
  navigator.clearAppBadge = async () => { badges.push(0) }
}"""
RENEWED = """(fresh) => {
  registration.pushManager.subscribe = async () => ({ toJSON: () => fresh })
  return renewSubscription({ options: {} })
}"""
# Lets the next requests of the worker fail with these statuses, and skips the delays between them.
FAIL_NEXT = """(statuses) => {
  const send = self.send ||= fetch.bind(self)
  self.setTimeout = (then) => queueMicrotask(then)
  self.fetch = (...given) => statuses.length
    ? Promise.resolve(new Response("", { status: statuses.shift() })) : send(...given)
}"""


@pytest.mark.usefixtures("service_worker")
def test_the_worker_counts_waiting_tables_and_tells_of_a_new_address(
    whole: Browser, base: str, taking: Receiver
) -> None:
    """The worker sets the badge on the app's icon. Push services sometimes change the address of
    a device."""
    ann = Program(base, "Ann")
    phone = ann.phone(whole)
    phone.context.grant_permissions(["notifications"], origin=base)
    phone.page.goto("/")
    until_kept(phone.page)
    (worker,) = phone.context.service_workers
    worker.evaluate(BADGES)
    turn = {"title": "With Bob", "body": "It’s your turn.", "url": "/m/1", "tag": "1", "waiting": 2}
    for what in (turn, {"gone": "1", "waiting": 1}, {"gone": "2", "waiting": 0}):
        worker.evaluate("(what) => handlePush(what)", what)
    assert worker.evaluate("badges") == [2, 1, 0]
    fresh = Device(taking, "/renewed").subscription
    for statuses in ([503, 503, 503], [401]):
        worker.evaluate(FAIL_NEXT, statuses)
        with pytest.raises(Error, match=f"did not accept .*: {statuses[0]}"):
            worker.evaluate(RENEWED, fresh)
    assert ann.get("/notices")["ways"] == []
    worker.evaluate(FAIL_NEXT, [503])
    worker.evaluate(RENEWED, fresh)
    assert [way["way"] for way in ann.get("/notices")["ways"]] == ["push"]
    phone.close()
