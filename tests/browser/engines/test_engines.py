"""Matches against other people in WebKit and Firefox; most browser tests use Chromium only."""

import random
import threading
import time
from pathlib import Path

import pytest

from tests.browser import phone
from tests.browser.engines.engine import Engine
from tests.browser.service import Program, played, table, unlimited
from tests.browser.test_last_known import KEPT
from tests.browser.touch import AIMING
from tests.game_contract.ports import free_port
from tests.service.running import server

pytestmark = pytest.mark.browser

# No action is unconfirmed, and this version or a later one is shown.
# A page that is still being built is in the document, hidden behind its placeholder.
SHOWS = """version => !document.querySelector(".game[data-rising]") &&
  document.querySelector(".game")?.dataset.sending === "" &&
  Number(document.querySelector(".history input")?.max) >= version"""
SHOWS_OR_ASKS = f"version => !!document.querySelector('dialog.sure[open]') || ({SHOWS})(version)"
PAGE = "() => document.documentElement.outerHTML"
LAST_MOVE = """() => {
  const moves = document.querySelectorAll(".moves .button")
  moves[moves.length - 1]?.scrollIntoView({ block: "center", behavior: "instant" })
  const box = moves[moves.length - 1]?.getBoundingClientRect()
  return box && [box.x + box.width / 2, box.y + box.height / 2]
}"""


def version_of(player: Program, match_id: str) -> int:
    version: int = player.get(f"/matches/{match_id}")["version"]
    return version


def by_board(engine: Engine, version: int) -> None:
    """Play a move of the hex game by touching kinds, cells and the button that places them."""
    before, lay = None, False
    until = time.monotonic() + phone.PATIENCE / 1000
    while not engine.run(SHOWS, version + 1):
        assert time.monotonic() < until
        spot = engine.run(phone.AIM, [lay, 0.5])
        if spot == "out of sight":
            engine.tap("button", "Show whole board")
        elif spot and spot == before:  # it is at rest
            engine.touch(*spot)
            time.sleep(AIMING)
            lay = not lay
        before = spot


def by_list(engine: Engine, version: int) -> None:
    """Play the last move of the list; in the hex game this leads to an early end."""
    engine.tap("button", "All moves")
    time.sleep(AIMING)  # a tap that follows too soon is ignored as a double tap
    engine.rest_and_touch(LAST_MOVE)
    engine.wait(SHOWS_OR_ASKS, version + 1)
    if not engine.run(SHOWS, version + 1):
        time.sleep(AIMING)
        engine.tap("dialog.sure[open] .confirm")
    engine.wait(SHOWS, version + 1)


OVER_THE_TABLE = "() => !!document.querySelector('dialog[open]')"


def while_touched(engine: Engine, bob: Program, match_id: str, rng: random.Random) -> None:
    """Let Bob move during a touch on a button that is then redrawn; check that buttons still work.

    The touch itself may be lost; the next one must not be.
    """
    move = threading.Timer(0.2, bob.step, (match_id, rng))
    move.start()
    engine.tap("button", "Game log", held=1200)
    move.join()
    time.sleep(AIMING)
    if not engine.run(OVER_THE_TABLE):
        engine.tap("button", "All moves")
        engine.wait(OVER_THE_TABLE)
        time.sleep(AIMING)
    engine.tap("dialog[open] button", "Close")
    engine.wait(f"() => !({OVER_THE_TABLE})()")


def test_match_to_its_end(engine: Engine, base: str) -> None:
    """Ann makes her first moves by touch, on the board and from the list, and the rest over HTTP;
    the page follows to the result."""
    (ann, bob), match_id = table(base, "Ann", "Bob")
    engine.be(ann)
    engine.visit(f"{base}/m/{match_id}")
    last = random.Random()
    last.choice = lambda choices: choices[-1]  # type: ignore[method-assign]
    moves = touched = 0
    while (match := ann.get(f"/matches/{match_id}"))["status"] != "finished":
        if match["to_act"] == [1]:
            if not touched:
                while_touched(engine, bob, match_id, last)
            else:
                bob.step(match_id, last)
            touched += 1
            continue
        if moves < 5:
            engine.wait(SHOWS, match["version"])
            (by_board if moves < 3 else by_list)(engine, match["version"])
        else:
            ann.step(match_id, last)
        moves += 1
    assert moves > 12
    standings = [str(each["score"]) for each in match["standings"]]
    shown = engine.see(".podium")
    assert all(score in shown for score in standings), shown


def open_cover(engine: Engine) -> None:
    """Tap the cover until it stays open.

    A driver lets the finger go only after the page has handled the touch. On a busy machine that
    takes so long that the tap counts as a long press, which shows the content only while it lasts.
    """
    engine.tap(".cover-button[aria-expanded=false]")
    while engine.run("() => document.querySelector('.covered:not(:empty)')") is None:
        engine.tap(".cover-button[aria-expanded=false]")


def test_a_bid_stays_under_its_cover(engine: Engine, base: str) -> None:
    """A bid is on the bidder's page only while the cover is open, and on no page once made.

    In Chromium the whole pages of matches with different bids are compared.
    """
    (ann, bea), match_id = table(base, "Ann", "Bea", game="caravane")
    engine.be(ann)
    engine.visit(f"{base}/m/{match_id}")
    engine.see(".cover-button")
    assert engine.run("() => document.querySelector('.covered').innerHTML") == ""
    open_cover(engine)
    for _ in range(3):
        engine.tap("button", "One more")
    engine.see(".amount", "3")
    before = version_of(ann, match_id)
    engine.tap(".confirm")
    engine.wait(SHOWS, before + 1)
    (racer,) = [r for r in ann.get(f"/matches/{match_id}")["view"]["racers"] if r["seat"] == 0]
    assert racer["bid"]["gourds"] == 3
    for person in (ann, bea):
        if person is bea:
            engine.be(bea)
            engine.visit(f"{base}/m/{match_id}")
            engine.wait(SHOWS, before + 1)
            engine.see(".cover-button")
        page = engine.run(PAGE)
        assert "gourds left" not in page
        assert "Your bid:" not in page


def test_moves_are_taken_back_and_a_reload_needs_no_service(engine: Engine, tmp_path: Path) -> None:
    """Undo a move; with the service stopped, reload the match and queue a move until it is back."""
    port = free_port()
    with server(unlimited(tmp_path), port=port) as base:
        (ann, bob), match_id = played(base, 8, "Ann", "Bob", seed=4)
        (seat,) = ann.get(f"/matches/{match_id}")["to_act"]
        player = (ann, bob)[seat]
        engine.be(player)
        engine.visit(f"{base}/m/{match_id}")
        version = version_of(player, match_id)
        engine.wait(SHOWS, version)
        by_list(engine, version)
        moved = version_of(player, match_id)
        engine.tap("button", "Undo step")
        engine.wait(SHOWS, moved + 1)
        log = player.get(f"/matches/{match_id}/events")["events"]
        assert log[-1]["type"] == "MovesUndone"
        engine.wait("() => navigator.serviceWorker.controller !== null")
        version = version_of(player, match_id)
        engine.wait(KEPT, [match_id, version])
    engine.visit(f"{base}/m/{match_id}")
    engine.see(".offline", "Last updated ")
    engine.wait(SHOWS, version)
    engine.tap("button", "All moves")
    engine.tap(".moves .button")
    engine.see(".offline", "are saved and will be sent later.")
    with server(unlimited(tmp_path), port=port):
        engine.wait(SHOWS, version + 1)
        engine.wait("() => document.querySelector('.offline').getClientRects().length === 0")
        assert version_of(player, match_id) > version


def test_text_beyond_the_basic_plane_and_the_count_of_waiting_matches(
    engine: Engine, base: str
) -> None:
    """Characters beyond U+FFFF in names and chat are shown in the match and in the list.

    The title counts the matches in which it is your turn, as these engines show no app badge.
    """
    shrug = "\U0001f937\U0001f3fd\u200d\u2642\ufe0f"
    (ann, bob), match_id = table(base, f"Ann {shrug}", "Bob")
    table(base, "Cid", "Dan")  # somebody else's
    ann.post(f"/matches/{match_id}/say", {"seat": 0, "text": "\U00020bb7\U0001f42a", "to": None})
    engine.be(bob)
    engine.visit(base)
    engine.see(".table-card", f"Ann {shrug}")
    engine.wait("() => document.title === 'Caravanserai'")
    last = random.Random(1)
    while ann.get(f"/matches/{match_id}")["to_act"] == [0]:
        ann.step(match_id, last)
    engine.visit(f"{base}/m/{match_id}")
    engine.wait("() => document.title.startsWith('(1) ● Your turn')")
    engine.see(".game", f"Ann {shrug}")
    engine.tap("button", "Game log")
    engine.see("dialog[open]", "\U00020bb7\U0001f42a")
    engine.visit(base)
    engine.wait("() => document.title === '(1) Caravanserai'")
