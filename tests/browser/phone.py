"""Playing through the page, as fingers and eyes would."""

import random
import re
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page, expect

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
PATIENCE = 30_000  # milliseconds for anything to come about on a machine that has others to serve
# Milliseconds in which a phone hears what others did, on however slow a machine. One that has lost
# its live connection notices after 15 seconds.
PROMPT = 10_000
# The middle of what a finger goes for next in the hex game: a kind, then a marked cell, at times
# what lays them. What is in sight is preferred; null where nothing is marked.
AIM = """([lay, part]) => {
  const all = what => [...document.querySelectorAll(what)]
  const middle = node => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return [x + width / 2, y + height / 2]
  }
  const sure = all(".block-now .primary, .tray .row .button")
  const kinds = all(".kind:not([aria-disabled])")
  const cells = all(".legal")
  const board = document.querySelector(".board-area svg")
  let found = sure
  if (!sure.length || (!lay && cells.length)) {
    const chosen = !kinds.length || kinds.some(kind => kind.ariaPressed === "true")
    const near = cells.filter(cell => board.contains(document.elementFromPoint(...middle(cell))))
    if (chosen && cells.length && !near.length) { return "out of sight" }
    found = chosen ? near : kinds
  }
  if (!found.length) { return null }
  const node = found[Math.floor(part * found.length)]
  if (!board.contains(node)) { node.scrollIntoView({ block: "nearest" }) }
  return middle(node)
}"""


class Phone:
    """One browser context with the size of a phone. Console errors are collected."""

    service_workers: Literal["allow", "block"] = "block"
    """To fetch and keep all of the app costs each new context as much as its start; the fixture
    ``service_worker`` lets it."""

    def __init__(self, browser: Browser, base: str, size: dict[str, int] | None = None) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport=size or PHONE,
            has_touch=True,
            base_url=base,
            reduced_motion="reduce",
            service_workers=self.service_workers,
        )
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(PATIENCE)

    def _hear(self, message: Any) -> None:
        # A lost network is part of some tests; Chromium writes a line for each lost request, and
        # another for a service worker that could not be fetched.
        lost = ("net::ERR", "error occurred when fetching the script")
        if message.type == "error" and not any(words in message.text for words in lost):
            self.errors.append(message.text)

    def close(self) -> None:
        """Ends the context; fails when the page complained."""
        self.context.close()
        assert self.errors == [], self.errors

    # -- setting a table -----------------------------------------------------------------------

    def open_table(
        self, names: list[str], *, round_one_phone: bool = False, expert: bool = False
    ) -> None:
        """Opens a table of the hex game for so many players; the first name is the owner's, who
        begins."""
        page = self.page
        page.goto("/")
        page.get_by_role("link", name="Open a table").click()
        page.locator("input[name=gPlayers]").locator(f"nth={len(names) - 1}").check()
        page.get_by_label("Your name").fill(names[0])
        if round_one_phone:
            page.get_by_label(re.compile("Pass one phone round")).check()
            for number, name in enumerate(names[1:], start=2):
                page.get_by_label(f"Name of player {number}").fill(name)
        if len(names) > 1:
            page.locator("input[name=gWhobegins][value=host]").check()
        if expert:
            page.get_by_role("switch", name=re.compile("Expert")).check()
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_url("**/m/*")

    def invitation(self) -> str:
        """The link in the waiting room."""
        return self.page.locator(".link").inner_text()

    def sit_down(self, link: str, name: str) -> None:
        """Follows an invitation."""
        self.page.goto(link)
        self.page.get_by_label("What may we call you?").fill(name)
        self.page.get_by_role("button", name="Sit down").click()
        self.page.wait_for_selector(".game")

    # -- playing -------------------------------------------------------------------------------

    def version(self) -> int:
        """The newest version this phone shows."""
        return int(self.page.locator(".history input").get_attribute("max") or 0)

    def waits_for_me(self) -> bool:
        """Whether it is this phone's turn."""
        return self.page.locator(".game.my-turn").count() == 1

    def over(self) -> bool:
        """Whether the result is up."""
        return self.page.locator(".podium").count() == 1

    def sure(self) -> None:
        """Says yes to the question that comes before a move that cannot be taken back for free."""
        self.page.locator("dialog.sure[open] .confirm").click()

    def asked(self) -> bool:
        """Whether that question is up."""
        return self.page.locator("dialog.sure[open]").count() == 1

    def settled(self) -> None:
        """Waits until what was played is confirmed."""
        self.page.wait_for_function("document.querySelector('.game').dataset.sending === ''")

    def move(self, rng: random.Random) -> None:
        """One step: by the board when fingers can do it, now and then by the list."""
        before = self.version()
        if rng.random() < 0.25 or not self._by_board(rng):
            self.by_list(rng)
        self.settled()
        assert self.version() > before

    def by_list(self, rng: random.Random) -> None:
        """Any move, by the list of all moves."""
        page = self.page
        page.get_by_role("button", name="Every move as a list").click()
        moves = page.locator(".moves .button")
        moves.nth(rng.randrange(moves.count())).click()
        if self.asked():
            self.sure()

    def _by_board(self, rng: random.Random) -> bool:
        """Taps kinds, marked cells and what lays them until a move is made; False where buttons
        decide."""
        before = self.version()
        for _ in range(12):
            if self.asked():
                self.sure()
                self.settled()
                break
            spot = self.page.evaluate(AIM, [rng.random() < 0.5, rng.random()])
            if spot is None:
                break
            if spot == "out of sight":
                self.page.get_by_role("button", name="Show the whole board").click()
                continue
            self.page.touchscreen.tap(*spot)
            self.settled()
            if self.version() > before:
                return True
        return self.version() > before


def fits(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    return wide


def expect_turn(phone: Phone) -> None:
    """The phone notices that it is its turn."""
    expect(phone.page.locator(".game.my-turn")).to_have_count(1, timeout=PROMPT)


def until_kept(page: Page) -> None:
    """Waits until the service worker has the app and answers for this page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def still(page: Page) -> None:
    """Stops the page's clock, which was installed before: no timer runs out by itself."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
