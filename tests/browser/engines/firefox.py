"""Firefox as packaged by Debian, driven over WebDriver BiDi.

No separate driver is needed, and touches are real touch events.
"""

import json
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

from tests.browser.engines.engine import Engine, called
from tests.browser.phone import PATIENCE, PHONE

PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1,  # as on a phone, though the machine has no touch screen
    "ui.prefersReducedMotion": 1,
    # On a busy machine a tap takes half a second, which would be a long press without a click.
    "apz.max_tap_time": 5000,
    "ui.click_hold_context_menus.delay": 5000,
    "layout.css.prefers-color-scheme.content-override": 0,  # dark; the tests in Chromium use light
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
}
_CLICK = "document.elementFromPoint(innerWidth / 2, innerHeight / 2).click()"
_ALERT_TEXT = """[...document.querySelectorAll("[id^=alert]")]
  .map(each => each.value || each.textContent || "").join(" ")"""
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


def missing() -> str:
    """Return what is not installed; empty if nothing is missing."""
    return "" if shutil.which("firefox-esr") else "firefox-esr"


class Connection:
    """A BiDi session: one command at a time, collecting the events in between."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._asked = 0
        self.told: list[Any] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command and return its result.

        Raises:
            RuntimeError: Firefox answers with an error.
        """
        self._asked += 1
        question = {"id": self._asked, "method": method, "params": parameters}
        self._socket.send(json.dumps(question))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") != self._asked:
                self.told.append(answer)
            elif answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            else:
                return answer["result"]


class Firefox(Engine):
    """A page in a user context, which has its own cookies and storage."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        ask = connection.ask
        self._owner = ask("browser.createUserContext")["userContext"]
        made = ask("browsingContext.create", type="tab", userContext=self._owner)
        self._page = made["context"]
        self._tell("browsingContext.setViewport", viewport=PHONE)

    def _tell(self, method: str, **parameters: Any) -> Any:
        return self._connection.ask(method, context=self._page, **parameters)

    def visit(self, url: str) -> None:
        self._tell("browsingContext.navigate", url=url, wait="interactive")

    def run(self, function: str, *arguments: Any) -> Any:
        answer = self._connection.ask(
            "script.evaluate",
            expression=called(function, arguments),
            target={"context": self._page},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def touch(self, x: float, y: float, held: int = 60) -> None:
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": held},
            {"type": "pointerUp", "button": 0},
        ]
        glass = {"pointerType": "touch"}
        finger = {"type": "pointer", "id": "finger", "parameters": glass, "actions": steps}
        self._tell("input.performActions", actions=[finger])

    def type(self, text: str) -> None:
        keys = [{"type": way, "value": key} for key in text for way in ("keyDown", "keyUp")]
        self._tell("input.performActions", actions=[{"type": "key", "id": "keys", "actions": keys}])

    def give_cookie(self, name: str, value: str, base: str) -> None:
        cookie = {
            "name": name,
            "value": {"type": "string", "value": value},
            "domain": urlsplit(base).hostname,
            "httpOnly": True,
        }
        jar = {"type": "storageKey", "userContext": self._owner}
        self._connection.ask("storage.setCookie", cookie=cookie, partition=jar)

    def tap_notice(self, words: str) -> None:
        """Click the notification with this text, which Firefox shows in a window of its own."""
        self._in_window(self._notice(words), _CLICK)

    def _notice(self, words: str) -> str:
        until = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < until:
            windows = self._connection.ask("browsingContext.getTree", **{"moz:scope": "chrome"})
            for window in windows["contexts"]:
                context = str(window["context"])
                alert = window["url"].endswith("/alert.xhtml")
                if alert and words in self._in_window(context, _ALERT_TEXT):
                    return context
            time.sleep(0.05)
        raise AssertionError(f"no notice says {words!r}")

    def _in_window(self, window: str, script: str) -> Any:
        """Run a script in a window of Firefox's interface, which accepts no touches."""
        answer = self._connection.ask(
            "script.evaluate", expression=script, target={"context": window}, awaitPromise=False
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def pages(self) -> dict[str, str]:
        """Return the browsing contexts of the open pages, by URL."""
        tree = self._connection.ask("browsingContext.getTree", maxDepth=0)["contexts"]
        return {each["url"]: each["context"] for each in tree if each["userContext"] == self._owner}

    def turn_to(self, url: str) -> None:
        """Wait until a page with this URL is open; direct all further calls to it."""
        until = time.monotonic() + PATIENCE / 1000
        while url not in (pages := self.pages()):
            assert time.monotonic() < until, f"{url} is not open, but {[*pages]}"
            time.sleep(0.05)
        self._page = pages[url]

    def errors(self) -> list[str]:
        self._connection.ask("session.status")  # its answer comes after all earlier events
        told, self._connection.told = self._connection.told, []
        entries = [event["params"] for event in told if event["method"] == "log.entryAdded"]
        return [entry["text"] for entry in entries if entry["level"] == "error"]

    def close(self) -> None:
        self._connection.ask("browser.removeUserContext", userContext=self._owner)


@contextmanager
def firefox(more: Mapping[str, object] = {}) -> Iterator[Connection]:
    """Run a headless Firefox with a temporary profile; yield its BiDi session.

    ``more`` adds preferences.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        given = {**PREFERENCES, **more}
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in given.items()]
        Path(profile, "user.js").write_text("\n".join(lines))
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", profile]
        command += ["--remote-debugging-port=0"]
        # Needed to reach windows of Firefox's interface, such as notifications.
        command += ["--remote-allow-system-access"]
        browser = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert browser.stderr is not None
        found = next((match for line in browser.stderr if (match := LISTENING.search(line))), None)
        assert found, "Firefox did not start"
        threading.Thread(target=browser.stderr.read, daemon=True).start()  # else the pipe fills
        try:
            with connect(found[1] + "/session", max_size=None) as socket:
                yield Connection(socket)
        finally:
            browser.terminate()
            browser.wait(20)
