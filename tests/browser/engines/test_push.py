"""Web Push end to end in Firefox, through a push service for tests (`autopush`).

The app subscribes the browser; the service sends an encrypted message about a move, and the service
worker shows it as a notification.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from frontend.build import build
from service.notifications.delivery import sender
from service.settings import Settings
from tests.browser.chromium import asset
from tests.browser.engines import firefox
from tests.browser.engines.autopush import DELIVERED, PushService, push_service
from tests.browser.engines.engine import need
from tests.browser.engines.firefox import Connection, Firefox
from tests.browser.service import Program, table
from tests.browser.touch import THERE
from tests.service.notifications.receivers import eventually
from tests.service.running import server

pytestmark = pytest.mark.browser

# The notifications that the service worker shows; any page of the app's origin may ask for them.
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.getRegistration("/")
  const shown = await worker.getNotifications()
  return shown.map(each => [each.tag, each.title, each.body, each.lang])
}"""
SUBSCRIBED = """async () => {
  const worker = await navigator.serviceWorker.getRegistration("/")
  return Boolean(worker && await worker.pushManager.getSubscription())
}"""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Send notifications at once, also to a player who has just moved."""
    monkeypatch.setattr(sender, "ACTIVE_AFTER_MOVE_MS", 0)
    monkeypatch.setattr(sender, "POLL_INTERVAL_S", 0.1)


@pytest.fixture(scope="module")
def pushes() -> Iterator[PushService]:
    with push_service() as made:
        yield made
        assert made.wrong == []


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory, pushes: PushService) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("push")
    limits: Any = {"play_limit": 0, "create_limit": 0, "notice_delay": 0.0}
    settings = Settings(data=str(folder), notice_hosts=pushes.taking.place, **limits)
    with server(settings) as address:
        yield address


@pytest.fixture(scope="module")
def connection(pushes: PushService) -> Iterator[Connection]:
    need(firefox.missing())
    build()
    preferences = {
        "dom.push.enabled": True,
        "dom.push.connection.enabled": True,
        "dom.push.serverURL": pushes.url,
        "dom.push.testing.allowInsecureServerURL": True,
        "dom.serviceWorkers.enabled": True,
        "dom.webnotifications.enabled": True,
        "dom.webnotifications.serviceworker.enabled": True,
        "permissions.default.desktop-notification": 1,
        # Firefox draws notifications itself, as the machine has no desktop to show them.
        "alerts.useSystemBackend": False,
    }
    with firefox.firefox(preferences) as made:
        yield made


@pytest.fixture
def phone(connection: Connection) -> Iterator[Firefox]:
    made = Firefox(connection)
    try:
        yield made
        assert made.errors() == []
    finally:
        made.close()


def switched_on(phone: Firefox, person: Program) -> None:
    """Sign in as this person and turn on notifications on this device in the settings."""
    phone.be(person)
    phone.visit(person.base + "/you")
    phone.tap("button", "Notify me when it’s my turn")
    phone.see("button", "Notify me on this device")
    # An earlier tap at the same place would be ignored as a double tap: see `click_guard.js`.
    time.sleep(THERE)
    phone.tap("button", "Notify me on this device")
    phone.see("[aria-label='Turn off this device']", "Turn off")
    phone.wait(SUBSCRIBED)


def shows(phone: Firefox, what: Callable[[Any], bool]) -> None:
    """Wait until the notifications shown satisfy a condition."""
    eventually(lambda: what(phone.run(SHOWN)), 30)


def on_to(people: list[Program], match: str, seat: int) -> None:
    """Play at random until it is the turn of this seat."""
    rng = random.Random(5)
    while (acting := people[0].get(f"/matches/{match}")["to_act"]) != [seat]:
        people[acting[0]].step(match, rng)


def test_a_turn_is_shown_with_the_page_closed_and_withdrawn_once_played(
    phone: Firefox, base: str, pushes: PushService
) -> None:
    """A notification of a turn arrives with no page open, and is closed once the turn is played.

    Tapping one with no page open opens the match with the unseen events.
    """
    people, match = table(base, "Ann", "Bob")
    switched_on(phone, people[1])
    # Close the last page of the app.
    phone.visit("about:blank")
    before = len(pushes.acks)
    on_to(people, match, 1)
    eventually(lambda: len(pushes.acks) > before, 30)
    assert set(pushes.acks[before:]) == {DELIVERED}
    # A static file of the same origin can query the notifications without starting the app.
    phone.visit(base + asset("icon-192.png"))
    shows(phone, lambda shown: len(shown) == 1)
    ((tag, title, body, language),) = phone.run(SHOWN)
    assert (tag, title, language) == (match, "Caravanserai with Ann", "en")
    assert body.startswith("It’s your turn. Ann"), body
    phone.visit("about:blank")
    on_to(people, match, 0)  # Bob plays on another device
    eventually(lambda: len(pushes.acks) > before + 1, 30)
    assert set(pushes.acks[before:]) == {DELIVERED}
    phone.visit(base + asset("icon-192.png"))
    shows(phone, lambda shown: shown == [])
    people[1].put(
        f"/matches/{match}/seen", {"version": people[1].get(f"/matches/{match}")["version"]}
    )
    phone.visit("about:blank")
    on_to(people, match, 1)
    phone.tap_notice("Caravanserai with Ann")
    phone.turn_to(f"{base}/m/{match}")
    phone.see(".turn", "Your turn")
    phone.see(".since summary", "since your last visit.")
    shows(phone, lambda shown: shown == [])


def test_the_page_of_the_match_takes_its_notice_away(phone: Firefox, base: str) -> None:
    """Opening the match closes its notification. Tapping one navigates the open page to the match
    and opens no second one."""
    people, match = table(base, "Ann", "Bob")
    switched_on(phone, people[1])
    on_to(people, match, 1)
    shows(phone, lambda shown: [each[0] for each in shown] == [match])
    phone.visit(f"{base}/m/{match}")
    phone.see(".turn", "Your turn")
    shows(phone, lambda shown: shown == [])
    phone.visit(f"{base}/you")
    phone.see("button", "Notify me when it’s my turn")
    on_to(people, match, 0)
    on_to(people, match, 1)
    phone.tap_notice("Caravanserai with Ann")
    phone.turn_to(f"{base}/m/{match}")
    phone.see(".turn", "Your turn")
    assert [*phone.pages()] == [f"{base}/m/{match}"], "and no page beside it"


def test_a_test_message_arrives_and_switching_off_ends_the_subscription(
    phone: Firefox, base: str, pushes: PushService
) -> None:
    """The test message is shown; turning off deletes the channel and the subscription."""
    bob = Program(base, "Bob")
    switched_on(phone, bob)
    before, ended = len(pushes.acks), len(pushes.ended)
    phone.tap("button", "Test")
    phone.see("#toasts", "Test message sent.")
    shows(phone, lambda shown: [each[0] for each in shown] == ["test"])
    assert phone.run(SHOWN)[0][1:] == [
        "Caravanserai",
        "This is a test. Notifications will look like this.",
        "en",
    ]
    assert pushes.acks[before:] == [DELIVERED]
    phone.tap("button", "Turn off")
    eventually(lambda: len(pushes.ended) > ended)
    eventually(lambda: bob.get("/notices")["ways"] == [])
    assert phone.run(SUBSCRIBED) is False
