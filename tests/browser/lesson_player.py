"""Drivers that follow a lesson: by touching the highlighted target, or with the keyboard only."""

import json
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page, TimeoutError

from domain.match.lesson import lesson_of
from tests.browser import scenes
from tests.browser.touch import SETTLED, Finger

MOST = 40
"""Maximum number of touches for one step."""
PATIENCE_S = 60
"""Seconds that a busy machine may take for one step."""
ANSWERED = 1500
"""Milliseconds to wait for the ring to move on after a touch before touching again."""
# The position of the ring at rest and what a touch there would hit; null without a ring.
RINGED = """() => {
  const ring = document.querySelector(".coach-ring:not([hidden])")
  const waits = document.querySelector(".game[data-sending='']")
  if (!ring || !waits) { return null }
  const { x, y, width, height } = ring.getBoundingClientRect()
  const middle = [x + width / 2, y + height / 2]
  const card = document.querySelector(".coach")
  const covered = card.contains(document.elementFromPoint(...middle))
  return { middle, size: [width, height], covered }
}"""
# Whether the focused element is the control that the ring lies round, with the same centre; on a
# board without controls of its own it is the board, whose cursor moves with the arrow keys. The
# control is looked up once at rest, for the ring follows later what a key has scrolled.
REACHED = """() => {
  if (!window.ringedControl?.isConnected) {
    const ring = document.querySelector(".coach-ring:not([hidden])")?.getBoundingClientRect()
    if (!ring) { return false }
    const like = node => {
      const box = node.getBoundingClientRect()
      const near = (a, b) => Math.abs(a - b) < 8  // the ring is cut at the edge of the screen
      const size = ({ width, height }) => Math.max(width, height)
      return near(box.x + box.width / 2, ring.x + ring.width / 2) &&
        near(box.y + box.height / 2, ring.y + ring.height / 2) &&
        Math.abs(size(box) - size(ring)) < 1
    }
    const found = [...document.querySelectorAll("#app *")].findLast(like)
    window.ringedControl = found?.closest("button, a, summary, label, input, [tabindex='0']")
  }
  const [control, active] = [window.ringedControl, document.activeElement]
  return !!control &&
    (control === active || (control.matches("label") && control.contains(active)))
}"""
# The offset from the cursor on the board to the centre of the ring; null without a cursor.
LEFT_TO_GO = """([x, y]) => {
  const box = document.querySelector(".cursor")?.getBoundingClientRect()
  return box ? [x - box.x - box.width / 2, y - box.y - box.height / 2] : null
}"""
ACTIVE = "what => document.activeElement.matches(what)"
FRAME = """() => new Promise(done => {
  delete window.ringedControl
  requestAnimationFrame(() => requestAnimationFrame(done))
})"""
# The match waits for a seat of this device, or is over.
MINE_OR_OVER = """() => document.querySelector(".podium") ||
  document.querySelector(".game.my-turn[data-sending='']")"""
ANSWERED_OR_ASKED = """() => document.querySelector("dialog.sure[open]") ||
  !document.querySelector("dialog[open] .moves")"""
DONE = """() => !document.querySelector("dialog.sure[open]") &&
  document.querySelector(".game")?.dataset.sending === ''"""
FOCUSED = "node => node.isConnected ? node === document.activeElement : null"


class Pupil:
    """Follows a lesson with clicks."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page = page
        lesson = lesson_of(slug)
        self.steps, self.questions = lesson.steps, lesson.questions
        self.slug = slug

    @property
    def total(self) -> int:
        """How many steps and questions the lesson has."""
        return len(self.steps) + len(self.questions)

    def step(self) -> int:
        """Return the current step or question, from 0; `total` at the end."""
        words = self.page.locator(".coach-side .muted").inner_text()
        number = re.search(r"\d+", words)
        return int(number[0]) - 1 if number else self.total

    def rest(self) -> None:
        """Wait until no request is pending and nothing moves."""
        self.page.wait_for_function(
            "document.querySelector('.game')?.dataset.sending === ''"
            " && document.querySelector('.skip')?.hidden !== false"
        )

    def follow(self) -> None:
        """Complete the current step or answer the current question."""
        at = self.step()
        if at >= len(self.steps):
            self.answer(self.questions[at - len(self.steps)].right)
            self.go_on()
            return
        if self.steps[at].is_done is None:
            self.go_on()
        touches = 0
        gives_up_at = time.monotonic() + PATIENCE_S
        while touches < MOST and time.monotonic() < gives_up_at:
            self.rest()
            if self.step() > at:
                return
            touches += self._do(at)
        raise AssertionError(f"step {at + 1} of {self.slug}: {self.steps[at].instruction}")

    def go_on(self) -> None:
        """Press "Next" on the card."""
        name = scenes.say("Next")
        self.press(self.page.locator(".coach").get_by_role("button", name=name, exact=True))

    def answer(self, number: int) -> None:
        """Choose an answer of the current question."""
        self.press(self.page.locator(".possible-answer").nth(number))

    def _do(self, at: int) -> bool:
        """Do the next thing of a step; return False if the page is not yet at rest for it."""
        if self.steps[at].move is None:
            is_my_turn = self.page.locator(".game.my-turn").count() > 0
            if is_my_turn:
                self.any_move()
            return is_my_turn
        ringed = self.page.evaluate(RINGED)
        self.page.wait_for_timeout(60)
        if ringed is None or self.page.evaluate(RINGED) != ringed:
            return False
        self.choose(ringed)
        with suppress(TimeoutError):  # the target was replaced before the tap
            moved = f"was => JSON.stringify(({RINGED})()) !== was"
            was = json.dumps(ringed, separators=(",", ":"))
            self.page.wait_for_function(moved, arg=was, timeout=ANSWERED)
        return True

    def any_move(self) -> None:
        """Play the last move of the list of all moves."""
        for button in self._to_any_move():
            button.press("Enter")

    def _to_any_move(self) -> tuple[Locator, Locator]:
        name = scenes.say("All moves")
        button = self.page.get_by_role("button", name=name)
        return button, self.page.locator(".moves .button").last

    def press(self, what: Locator) -> None:
        """Press a button."""
        raise NotImplementedError

    def choose(self, ringed: Any) -> None:
        """Tap the highlighted target."""
        raise NotImplementedError


class Toucher(Pupil):
    """Follows a lesson with real touches."""

    def __init__(self, page: Page, slug: str) -> None:
        super().__init__(page, slug)
        self.finger = Finger(page)

    def press(self, what: Locator) -> None:
        # The button may be where the last one was, and then ignores taps for a moment.
        self.finger.rest(SETTLED)
        self.finger.tap_on(what)

    def choose(self, ringed: Any) -> None:
        assert not ringed["covered"]
        self.finger.tap(*ringed["middle"])


class Typist(Pupil):
    """Follows a lesson, or plays a match, with Tab, Enter, Space and the arrow keys only."""

    TABS = 150
    """Upper bound of the number of controls of a page."""
    ARROWS = 80
    """Upper bound of the number of steps across a board."""
    TABBED_MOVES = 3
    """Number of moves of a whole match whose buttons are reached with Tab."""

    is_fast = False
    """Whether buttons are focused directly instead of with Tab."""

    def any_move(self) -> None:
        for button in self._to_any_move():
            self.press(button)

    def press(self, what: Locator) -> None:
        """Reach a button with Tab and press it."""
        if self.is_fast:
            what.press("Enter")
            return
        node = what.element_handle()

        def is_focused() -> bool:
            nonlocal node
            found = node.evaluate(FOCUSED)
            if found is None:  # redrawn
                node = what.element_handle()
                found = node.evaluate(FOCUSED)
            return bool(found)

        self._tab_to(is_focused)
        self.page.keyboard.press("Enter")

    def whole_game(self, most: int) -> int:
        """Play arbitrary legal moves to the end, at most ``most``; return their number.

        Only the first `TABBED_MOVES` reach their buttons with Tab; the same buttons are focused
        directly afterwards, which takes a fifth of the time.
        """
        rng = random.Random(self.slug)
        for number in range(most):
            self.page.wait_for_function(MINE_OR_OVER)
            if self.page.locator(".podium").count():
                self.is_fast = False
                return number
            self.is_fast = number >= self.TABBED_MOVES
            self._one_of_the_list(rng)
        raise AssertionError(f"no end of {self.slug} in {most} moves")

    def some_moves(self, moves: int) -> None:
        """Play ``moves`` arbitrary legal moves."""
        rng = random.Random(self.slug)
        for _ in range(moves):
            self.page.wait_for_function(MINE_OR_OVER)
            self._one_of_the_list(rng)
        self.page.wait_for_function(MINE_OR_OVER)

    def _one_of_the_list(self, rng: random.Random) -> None:
        """Open the list of all moves, and a group in it if needed, and choose a move."""
        self.press(self.page.get_by_role("button", name=scenes.say("All moves")))
        moves = self.page.locator("dialog[open] .moves .button")
        moves.first.wait_for()
        ends = self.page.locator("dialog[open] .moves .button", has_text="End turn")
        # A player who never ends a turn may keep the match from ever ending.
        hurries = ends.count() and rng.random() < 0.7
        taken = ends.first if hurries else moves.nth(rng.randrange(moves.count()))
        opens = taken.get_attribute("aria-expanded") == "false"
        self.press(taken)
        if opens:
            entries = self.page.locator("dialog[open] .moves .moves .moves .button")
            entries.first.wait_for()
            self.press(entries.nth(rng.randrange(entries.count())))
        self.page.wait_for_function(ANSWERED_OR_ASKED)
        if self.page.locator("dialog.sure[open]").count():
            self.press(self.page.locator("dialog.sure[open] .confirm"))
        self.page.wait_for_function(DONE)

    def choose(self, _ringed: Any) -> None:
        self.page.evaluate(FRAME)
        self._tab_to(lambda: bool(self.page.evaluate(REACHED)))
        if self.page.evaluate(ACTIVE, ".board-area > svg"):
            self._go_there()
        ticked = self.page.evaluate(ACTIVE, "[type=checkbox], [type=radio]")
        self.page.keyboard.press("Space" if ticked else "Enter")

    def _tab_to(self, there: Callable[[], bool]) -> None:
        for _ in range(self.TABS):
            if there():
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no number of tabs leads to step {self.step() + 1} of {self.slug}")

    def _go_there(self) -> None:
        """Move the cursor over the board to the highlighted cell with the arrow keys."""
        rng = random.Random(self.slug)  # straight ahead there may be no cell
        for _ in range(self.ARROWS):
            self.page.wait_for_timeout(60)  # the camera follows with the next frame
            left = self.page.evaluate(LEFT_TO_GO, self.page.evaluate(RINGED)["middle"])
            if left is None:
                self.page.keyboard.press("ArrowRight")
                continue
            across, down = left
            if abs(across) < 8 and abs(down) < 8:
                return
            sideways = rng.random() < abs(across) / (abs(across) + abs(down))
            names = ("ArrowLeft", "ArrowRight") if sideways else ("ArrowUp", "ArrowDown")
            wanted = (across if sideways else down) > 0
            self.page.keyboard.press(names[wanted if rng.random() < 0.8 else not wanted])
        raise AssertionError("no number of arrows leads there")
