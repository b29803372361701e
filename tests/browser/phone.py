"""A phone that plays through the page, as a person would."""

import random
import re
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
NO_OVERLAY = "!(history.state && history.state.over)"
"""True once a closed overlay has left the history; a visit begun before would be cancelled."""
PATIENCE = 30_000  # milliseconds to wait for anything on a busy machine
# Milliseconds within which a phone receives the moves of others, even on a slow machine. A lost
# live connection is noticed after 15 seconds.
PROMPT = 10_000
# The centre of the next tap target in the hex game: a colour, then a marked cell, sometimes the
# button that places them. Prefers visible targets; null if nothing is marked.
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


# Clicks a link to a path, and marks what the page showed until then.
FOLLOW_LINK = """path => {
  for (const node of document.querySelector("#app").children) {
    node.dataset.left = ""
  }
  const link = document.createElement("a")
  link.setAttribute("href", path)
  document.body.append(link)
  link.click()
  link.remove()
}"""


def follow_link(page: Page, path: str) -> None:
    """Show the page at a path in the running app, which is not started again.

    Starting the app takes several times as long as showing a page.
    """
    page.evaluate(FOLLOW_LINK, path)
    page.wait_for_function("!document.querySelector('#app > [data-left]')")


def show_history(page: Page) -> None:
    """Unfold the replay controls with the keyboard; on wide screens they are never folded."""
    page.wait_for_selector(".game:not([data-rising]) .strip")
    unfold = page.locator(".strip > .button")
    if unfold.is_visible() and unfold.get_attribute("aria-expanded") == "false":
        unfold.press("Enter")


def open_menu(page: Page) -> Locator:
    """Open the menu of the match page with the keyboard; return its sheet."""
    page.get_by_role("button", name="Table menu").press("Enter")
    return page.locator("dialog[open]", has=page.get_by_role("heading", name="This table"))


def unfold(page: Page) -> None:
    """Open the folded options of a new table."""
    page.locator(".options:not([open]) > summary").click()


class Phone:
    """One browser context with the size of a phone. Console errors are collected."""

    service_workers: Literal["allow", "block"] = "block"
    """Blocked by default: caching the whole app costs each new context as much as its start. The
    fixture ``service_worker`` allows it."""

    def __init__(self, browser: Browser, base: str, size: dict[str, int] | None = None) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport=size or PHONE,
            has_touch=True,
            base_url=base,
            reduced_motion="reduce",
            service_workers=self.service_workers,
        )
        self.page: Page = self.context.new_page()
        # A test makes its moves itself; `test_forced_moves` turns the setting on again.
        self.page.add_init_script("localStorage.setItem('forced-moves', 'off')")
        self.errors: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(PATIENCE)

    def _hear(self, message: Any) -> None:
        # Some tests cut the network; Chromium logs an error for each failed request, and another
        # for a service worker that could not be fetched.
        lost = ("net::ERR", "error occurred when fetching the script")
        if message.type == "error" and not any(words in message.text for words in lost):
            self.errors.append(message.text)

    def close(self) -> None:
        """Close the context; fail if the page logged errors."""
        self.context.close()
        assert self.errors == [], self.errors

    # -- opening a match -----------------------------------------------------------------------

    def open_table(
        self, names: list[str], *, round_one_phone: bool = False, expert: bool = False
    ) -> None:
        """Open a match of the hex game for these players; the first is the owner and starts."""
        page = self.page
        page.goto("/")
        page.get_by_role("link", name="New game").click()
        page.locator("input[name=gPlayers]").locator(f"nth={len(names) - 1}").check()
        page.get_by_label("Your name").fill(names[0])
        if round_one_phone:
            page.get_by_label("Pass and play (one phone)").check()
            for number, name in enumerate(names[1:], start=2):
                page.get_by_label(f"Name of player {number}").fill(name)
        unfold(page)
        if len(names) > 1:
            page.locator("input[name=gFirstplayer][value=host]").check()
        if expert:
            page.get_by_role("switch", name=re.compile("Expert")).check()
        page.get_by_role("button", name="Create game").click()
        page.wait_for_url("**/m/*")

    def invitation(self) -> str:
        """Return the invite link of the waiting room."""
        return self.page.locator(".link").inner_text()

    def sit_down(self, link: str, name: str) -> None:
        """Open an invite link and take a seat."""
        self.page.goto(link)
        self.page.get_by_label("What’s your name?").fill(name)
        self.page.get_by_role("button", name="Join").click()
        self.page.wait_for_selector(".game")

    # -- playing -------------------------------------------------------------------------------

    def version(self) -> int:
        """Return the latest version this phone shows."""
        return int(self.page.locator(".history input").get_attribute("max") or 0)

    def waits_for_me(self) -> bool:
        """Return whether it is this phone's turn."""
        return self.page.locator(".game.my-turn").count() == 1

    def over(self) -> bool:
        """Return whether the result is shown."""
        return self.page.locator(".podium").count() == 1

    def sure(self) -> None:
        """Accept the confirmation of a move whose undo would need consent."""
        self.page.locator("dialog.sure[open] .confirm").click()

    def asked(self) -> bool:
        """Return whether that confirmation is shown."""
        return self.page.locator("dialog.sure[open]").count() == 1

    def settled(self) -> None:
        """Wait until all moves are confirmed."""
        self.page.wait_for_function("document.querySelector('.game').dataset.sending === ''")

    def move(self, rng: random.Random) -> None:
        """Make one move: on the board where possible, sometimes from the list."""
        before = self.version()
        if rng.random() < 0.25 or not self._by_board(rng):
            self.by_list(rng)
        self.settled()
        assert self.version() > before

    def by_list(self, rng: random.Random) -> None:
        """Make any move from the list of all moves."""
        page = self.page
        page.get_by_role("button", name="All moves").click()
        moves = page.locator(".moves .button")
        moves.nth(rng.randrange(moves.count())).click()
        if self.asked():
            self.sure()

    def _by_board(self, rng: random.Random) -> bool:
        """Tap colours, marked cells and the button that places them until a move is made.

        Return False if only buttons are offered.
        """
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
                self.page.get_by_role("button", name="Show whole board").click()
                continue
            self.page.touchscreen.tap(*spot)
            self.settled()
            if self.version() > before:
                return True
        return self.version() > before


def fits(page: Page) -> bool:
    """Return whether the page does not scroll horizontally."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    return wide


def expect_turn(phone: Phone) -> None:
    """Wait until the phone shows that it is its turn."""
    expect(phone.page.locator(".game.my-turn")).to_have_count(1, timeout=PROMPT)


def until_kept(page: Page) -> None:
    """Wait until the service worker has cached the app and controls this page."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def still(page: Page) -> None:
    """Pause the page's clock, which must be installed: no timer fires by itself."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 2)
