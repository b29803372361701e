"""WebKit as packaged by Debian: MiniBrowser on a virtual screen, driven over W3C WebDriver.

Touches arrive as mouse events, and a window is at least 447 pixels wide.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.browser.engines.engine import Engine, called
from tests.game_contract.ports import free_port

MINI_BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"
ANSWER_S = 20
"""Seconds to wait for an answer of the driver before it is taken as lost and the call repeated."""
# Records the errors of the page, which WebDriver does not report.
HEAR = """() => {
  if (window.complaints) { return }
  window.complaints = []
  const plain = console.error
  console.error = (...said) => { complaints.push(said.join(" ")); plain(...said) }
  addEventListener("error", event => complaints.push(event.message))
  addEventListener("unhandledrejection", event => complaints.push(String(event.reason)))
}"""


def missing() -> str:
    """Return what is not installed; empty if nothing is missing."""
    needed = [name for name in ("WebKitWebDriver", "Xvfb") if not shutil.which(name)]
    return " and ".join(needed + ([] if _mini_browser() else ["MiniBrowser"]))


def _mini_browser() -> str:
    return next((str(path) for path in sorted(Path("/").glob(MINI_BROWSERS[1:]))), "")


class WebKit(Engine):
    """A session of WebKitWebDriver."""

    def __init__(self, address: str) -> None:
        self._http = httpx.Client(base_url=address, timeout=60)
        options = {"binary": _mini_browser(), "args": ["--automation"]}
        # "none": with other strategies the driver sometimes waits for a page that has loaded.
        wanted = {"webkitgtk:browserOptions": options, "pageLoadStrategy": "none"}
        made = self._ask("/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{made['sessionId']}"
        self._post("/window/rect", {"x": 0, "y": 0, "width": 390, "height": 880})
        self._heard: list[str] = []

    def _ask(self, path: str, body: Any, patience: float = 60) -> Any:
        answer = self._http.post(path, json=body, timeout=patience).json()["value"]
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{path}: {answer['error']}: {answer['message']}")
        return answer

    def _post(self, path: str, body: Any) -> Any:
        return self._ask(self._session + path, body)

    def _ask_again(self, path: str, body: Any) -> Any:
        """Send an idempotent request, repeating it twice if no answer comes.

        The driver sometimes loses an answer during navigation: in about one of ten runs of a test
        on a busy machine.
        """
        for tries_left in (2, 1, 0):
            try:
                return self._ask(self._session + path, body, ANSWER_S)
            except httpx.ReadTimeout:
                if not tries_left:
                    raise
        raise AssertionError

    def visit(self, url: str) -> None:
        self._heard = self.errors()
        self.run("() => { window.left = true }")
        self._ask_again("/url", {"url": url})
        self.wait("() => !window.left && document.body !== null")
        self.run(HEAR)

    def run(self, function: str, *arguments: Any) -> Any:
        script = f"return {called(function, arguments)}"
        for tries_left in range(100, -1, -1):
            try:
                return json.loads(self._ask_again("/execute/sync", {"script": script, "args": []}))
            except RuntimeError as error:
                # The page was left during the call; the next one is loading.
                if not tries_left or "no such frame" not in str(error):
                    raise
                time.sleep(0.05)
        raise AssertionError

    def touch(self, x: float, y: float, held: int = 60) -> None:
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pause", "duration": held},
            {"type": "pointerUp", "button": 0},
        ]
        finger = {"type": "pointer", "id": "finger", "actions": steps}
        self._post("/actions", {"actions": [finger]})

    def type(self, text: str) -> None:
        keys = [{"type": way, "value": key} for key in text for way in ("keyDown", "keyUp")]
        self._post("/actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def give_cookie(self, name: str, value: str, base: str) -> None:
        cookie = {"name": name, "value": value, "path": "/", "httpOnly": True}
        self._post("/cookie", {"cookie": cookie})

    def errors(self) -> list[str]:
        found = self._heard + (self.run("() => window.complaints?.splice(0)") or [])
        self._heard = []
        return found

    def close(self) -> None:
        self._http.delete(self._session)
        self._http.close()


@contextmanager
def webkit() -> Iterator[str]:
    """Run a driver on a virtual screen; yield its URL.

    Its locale is "C", which `Intl` rejects; the app must start nevertheless. The colour scheme is
    dark, while the tests in Chromium use the light one.
    """
    port = free_port()
    with _screen() as display:
        surroundings = {**os.environ, "DISPLAY": display, "LANG": "C.UTF-8"}
        surroundings["GTK_THEME"] = "Adwaita:dark"
        # Compositing without a graphics card takes half of the CPU time of a page.
        surroundings["WEBKIT_DISABLE_COMPOSITING_MODE"] = "1"
        command = ["WebKitWebDriver", f"--port={port}"]
        driver = subprocess.Popen(command, env=surroundings, stderr=subprocess.DEVNULL)
        try:
            _until_listening(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            driver.terminate()
            driver.wait(10)


@contextmanager
def _screen() -> Iterator[str]:
    """Run an X server that chooses a free display; yield the name of the display."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x1024x24"]
    command += ["-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


def _until_listening(port: int) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            assert time.monotonic() < until, "WebKitWebDriver does not start"
            time.sleep(0.05)
