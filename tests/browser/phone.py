"""Playing through the page, as fingers and eyes would."""

import random
import re
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}


class Phone:
    """One browser context with the size of a phone. Console errors are collected."""

    def __init__(self, browser: Browser, base: str, size: dict[str, int] | None = None) -> None:
        self.context: BrowserContext = browser.new_context(
            viewport=size or PHONE, has_touch=True, base_url=base, reduced_motion="reduce"
        )
        self.page: Page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.set_default_timeout(15_000)

    def _hear(self, message: Any) -> None:
        # A lost network is part of some tests; Chromium writes a line for each lost request.
        if message.type == "error" and "net::ERR" not in message.text:
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

    def _by_board(self, rng: random.Random) -> bool:
        """Taps marked cells and kinds until a move is made; False where buttons decide."""
        page = self.page
        before = self.version()
        for _ in range(12):
            if page.locator(".legal").count() == 0:
                return False
            kinds = page.locator(".kind:not([disabled]):not([aria-pressed=true])")
            if kinds.count() and page.locator(".kind[aria-pressed=true]").count() == 0:
                kinds.nth(rng.randrange(kinds.count())).click()
            else:
                self._tap_marked(rng)
            done = page.locator(".block-now .primary, .tray .row .button")
            if done.count() and rng.random() < 0.5:
                done.first.click()
            if self.version() > before or page.locator(".game").get_attribute("data-sending"):
                return True
            if self.changed_hands(before):
                return True
        return self.version() > before

    def changed_hands(self, before: int) -> bool:
        """Whether the last tap was a move."""
        self.settled()
        return self.version() > before

    def _tap_marked(self, rng: random.Random) -> None:
        page = self.page
        page.get_by_role("button", name="Show the whole board").click()
        place = page.evaluate(
            """part => {
              const marks = document.querySelectorAll(".legal")
              const box = marks[Math.floor(part * marks.length)].getBoundingClientRect()
              return [box.x + box.width / 2, box.y + box.height / 2]
            }""",
            rng.random(),
        )
        page.touchscreen.tap(*place)


def fits(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    )
    return wide


def expect_turn(phone: Phone, seconds: float = 1.5) -> None:
    """The phone notices that it is its turn."""
    expect(phone.page.locator(".game.my-turn")).to_have_count(1, timeout=seconds * 1000)
