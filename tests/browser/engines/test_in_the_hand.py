"""Features of a single device in WebKit and Firefox.

Lessons, local matches, the hand-over between seats, and French on a narrow dark screen.
"""

import time
from pathlib import Path

import pytest

from domain.match.lesson import lesson_of
from service import app
from tests.browser.chromium import asset
from tests.browser.engines.engine import Engine
from tests.browser.engines.test_each_game import FITS, VERSION, by_list
from tests.browser.engines.test_engines import PAGE, SHOWS, version_of
from tests.browser.lesson_player import ANSWERED, MINE_OR_OVER, MOST, RINGED
from tests.browser.phone import SMALL
from tests.browser.service import played, unlimited
from tests.browser.test_caravane import race
from tests.browser.touch import AIMING, THERE
from tests.game_contract.ports import free_port
from tests.game_contract.strict_english import format_message
from tests.service.running import server

pytestmark = pytest.mark.browser

SHORTEST = "courtyard"
STEP = "() => document.querySelector('.coach-side .muted').innerText"
# The centre of the highlighted element and whether it is covered, or "done" after the step. The
# centre is rounded: the highlight ring changes its size, not its centre.
DUE = f"""step => {{
  if (({STEP})() !== step) {{ return "done" }}
  const ringed = ({RINGED})()
  return ringed && {{ spot: ringed.middle.map(Math.round), covered: ringed.covered }}
}}"""
READY = "() => document.documentElement.dataset.ready === '1'"
NO_SHEET = "() => !document.querySelector('dialog[open]')"
FRAMES = (b"content-security-policy", b"x-frame-options")
NIGHT = "() => matchMedia('(prefers-color-scheme: dark)').matches"
# Replace the page with an iframe of the given size: a WebKit window cannot be as narrow as a phone.
FRAME = """(address, { width, height }) => {
  document.body.innerHTML = `<iframe src="${address}" width="${width}" height="${height}"
    style="border: 0"></iframe>`
}"""
IN_FRAME = """(what, width) => {
  const page = document.querySelector("iframe").contentWindow
  const there = page.document.querySelector(what)
  return page.innerWidth === width && !!there && there.getClientRects().length > 0
}"""
FRAMED = """() => {
  const { document: page, innerWidth } = document.querySelector("iframe").contentWindow
  return [page.documentElement.lang, page.documentElement.scrollWidth <= innerWidth]
}"""


def follow(engine: Engine) -> None:
    """Touch the highlighted element each time it is at rest, until the step is done."""
    step = engine.run(STEP)
    before, touches = None, 0
    while (due := engine.wait(DUE, step)) != "done":
        if due != before:
            before = due
            time.sleep(0.06)
            continue
        assert touches < MOST, step
        assert not due["covered"], step
        engine.touch(*due["spot"])
        touches += 1
        time.sleep(AIMING)
        until = time.monotonic() + ANSWERED / 1000
        while engine.run(DUE, step) == due and time.monotonic() < until:
            time.sleep(0.05)


def ask_for_the_rules(engine: Engine) -> None:
    """Open the sheet with the rules over the match, then close it."""
    engine.tap("button", "Table menu")
    time.sleep(AIMING)
    engine.tap("dialog[open] button", "Rules")
    engine.see("dialog[open] h3", "Your turn")
    time.sleep(AIMING)
    engine.tap("dialog[open] button", "Close")
    engine.wait(NO_SHEET)
    # A tap at nearly the same place would be ignored as a double tap: see `click_guard.js`.
    time.sleep(THERE)


def test_a_lesson_to_its_end(engine: Engine, base: str) -> None:
    """Follow every step; open the rules and ask why a space is not legal on the way."""
    engine.visit(f"{base}/learn/{SHORTEST}")
    for number, step in enumerate(lesson_of(SHORTEST).steps):
        engine.see(".coach", f"{number + 1} of ")
        if number == 1:
            ask_for_the_rules(engine)
            engine.tap(".tap[data-space=T_NE]")
            engine.see(".courtyard-desk", "steps away; you have 3.")
        if step.is_done is None:
            time.sleep(THERE)
            engine.tap(".coach button", "Next")
        else:
            follow(engine)
    for question in lesson_of(SHORTEST).questions:
        engine.see(".coach", format_message(SHORTEST, question.question, {}))
        time.sleep(THERE)  # the answers are where "Next" was
        engine.tap(f".possible-answer:nth-of-type({question.right + 1})")
        time.sleep(THERE)
        engine.tap(".coach button", "Next")
    engine.see(".coach", "You’re ready to play.")


def test_a_match_of_the_phone_needs_no_service_and_is_handed_over(
    engine: Engine, tmp_path: Path
) -> None:
    """Play offline from the home page; once the service is back, upload the match to it."""
    port = free_port()
    with server(unlimited(tmp_path), port=port) as base:
        engine.visit(base)
        engine.wait("() => navigator.serviceWorker.controller !== null")
    engine.visit(base)
    engine.wait(READY)
    engine.tap(".game-card a[href='/play/caravanserai']")
    engine.wait(f"() => !!({MINE_OR_OVER})()")
    version = engine.run(VERSION)
    by_list(engine)
    moved = engine.run(VERSION)
    assert moved > version
    with server(unlimited(tmp_path), port=port):
        engine.visit(base)
        engine.tap("button", "Move online")
        engine.wait("() => /^[/]m[/](?!phone-)/.test(location.pathname)")
        engine.wait(SHOWS, moved)
        engine.see(".lineages", "Played offline: the random draws were made")


def test_who_gets_the_phone_next_finds_nothing_of_a_bid(engine: Engine, base: str) -> None:
    """The hand-over screen shows nothing of any seat, and the next seat's page only its own.

    In Chromium the whole pages of matches with different bids are compared.
    """
    (ann, _), match_id = race(base, "Ann", "Bea", one_phone=True)
    engine.be(ann)
    engine.visit(f"{base}/m/{match_id}")
    engine.tap("dialog[open] button", "I’m Ann")
    engine.see(".covered", "15 of 15 left")
    for _ in range(3):
        engine.tap("button", "One more")
    engine.see(".amount", "3")
    version = version_of(ann, match_id)
    engine.tap(".confirm")
    engine.see("dialog[open]", "Pass the phone to Bea")
    engine.wait(SHOWS, version + 1)
    assert engine.run("() => document.querySelectorAll('.control, .fact').length") == 0
    page = engine.run(PAGE)
    assert "gourds left" not in page
    assert "of 15 left" not in page
    time.sleep(AIMING)
    engine.tap("dialog[open] button", "I’m Bea")
    engine.wait(NO_SHEET)
    engine.see(".covered", "15 of 15 left")
    assert engine.run("() => document.querySelector('.amount').innerText") == "0"
    assert "our bid:" not in engine.run(PAGE)


def test_french_by_night_on_a_narrow_phone(
    engine: Engine, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home page and a match in French fit a narrow screen in dark mode."""
    # Allow framing, which the security headers forbid.
    headers = [each for each in app._SECURITY_HEADERS if each[0] not in FRAMES]
    assert len(headers) == len(app._SECURITY_HEADERS) - len(FRAMES)
    monkeypatch.setattr(app, "_SECURITY_HEADERS", headers)
    (ann, _), match_id = played(base, 6, "Ann", "Bob")
    engine.be(ann)
    engine.visit(f"{base}/settings")
    engine.tap(".tongues button", "Français")
    engine.see("h1", "Réglages")
    engine.visit(base)
    assert engine.run(NIGHT)
    assert engine.run(FITS)
    engine.visit(base + asset("icon-192.png"))
    for address, there in (("/", ".table-card"), (f"/m/{match_id}", ".game .turn")):
        engine.run(FRAME, address, SMALL)
        engine.wait(IN_FRAME, there, SMALL["width"])
        assert engine.run(FRAMED) == ["fr", True], address
    engine.visit(f"{base}/settings")
    engine.tap(".tongues button", "English")
    engine.see("h1", "Settings")
    assert engine.run("() => document.documentElement.lang") == "en"
