"""The interface of a browser engine: one phone, driven over WebDriver or WebDriver BiDi."""

import json
import os
import time
from abc import ABC, abstractmethod
from typing import Any

import pytest

from tests.browser.chromium import asset
from tests.browser.phone import PATIENCE
from tests.browser.service import Program

# The centre of the first visible node that matches the selector and contains the text. Null if
# there is none, or if something else covers its centre.
AIM = """(what, words) => {
  const named = node => (node.ariaLabel || "") + node.textContent
  const shown = node => node.getClientRects().length > 0
  const node = [...document.querySelectorAll(what)]
    .find(each => shown(each) && named(each).includes(words))
  if (!node) { return null }
  node.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" })
  const { x, y, width, height } = node.getBoundingClientRect()
  const [across, down] = [x + width / 2, y + height / 2]
  const hit = document.elementFromPoint(across, down)
  const control = hit && (hit.closest("label")?.control === node ? node : hit)
  return control && node.contains(control) ? [across, down] : null
}"""


class Engine(ABC):
    """One browser with one page in it."""

    # -- implemented for each protocol ---------------------------------------------------------

    @abstractmethod
    def visit(self, url: str) -> None:
        """Open a URL; the service may be unreachable."""

    @abstractmethod
    def run(self, function: str, *arguments: Any) -> Any:
        """Run a JavaScript function and return its result, decoded from JSON."""

    @abstractmethod
    def touch(self, x: float, y: float, held: int = 60) -> None:
        """Touch a point for ``held`` milliseconds."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Type text into the focused element."""

    @abstractmethod
    def give_cookie(self, name: str, value: str, base: str) -> None:
        """Set a cookie for the service at ``base``."""

    @abstractmethod
    def errors(self) -> list[str]:
        """Return the errors that the page has logged since the last call."""

    @abstractmethod
    def close(self) -> None:
        """Close the browser and its resources."""

    # -- built on these ------------------------------------------------------------------------

    def be(self, player: Program) -> None:
        """Sign in as this player."""
        self.visit(player.base + asset("icon-192.png"))
        self.give_cookie("player", player.token, player.base)
        self.run("() => localStorage.setItem('player', '1')")

    def wait(self, function: str, *arguments: Any) -> Any:
        """Poll a function until its result is truthy; return the result."""
        until = time.monotonic() + PATIENCE / 1000
        while not (answer := self.run(function, *arguments)):
            if time.monotonic() > until:
                shown = self.run("() => document.body?.innerText")
                raise AssertionError(f"{function} {arguments} never came. The page shows: {shown}")
            time.sleep(0.05)
        return answer

    def see(self, what: str, words: str = "") -> str:
        """Wait for a node with this text; return its whole text."""
        found: str = self.wait(
            """(what, words) => [...document.querySelectorAll(what)].map(each => each.innerText)
              .find(text => text.includes(words))?.concat(" ")""",
            what,
            words,
        )
        return found.strip()

    def tap(self, what: str, words: str = "", held: int = 60) -> None:
        """Touch the first such node once it is at rest and uncovered."""
        self.rest_and_touch(AIM, what, words, held=held)

    def rest_and_touch(self, aim: str, *arguments: Any, held: int = 60) -> None:
        """Touch the point that a function returns, once it is stable."""
        before, spot = None, self.wait(aim, *arguments)
        while spot != before:
            time.sleep(0.05)
            before, spot = spot, self.wait(aim, *arguments)
        self.touch(*spot, held)


def called(function: str, arguments: tuple[Any, ...]) -> str:
    """Return a JavaScript expression that calls a function with arguments.

    Its value is the result as JSON, or a promise of that.
    """
    say = "value => JSON.stringify(value ?? null)"
    value = f"({function})(...{json.dumps(arguments)})"
    return f"((say, value) => value?.then ? value.then(say) : say(value))({say}, {value})"


def need(missing: str) -> None:
    """Skip the test if an engine is not installed; in CI, fail."""
    if missing:
        reason = f"{missing} is not installed"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
