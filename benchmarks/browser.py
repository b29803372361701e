"""The app in Chromium: startup, opening by link, folding, legal commands, and jumps in the replay.

A real service serves the built app, and a match of 1,000 decisions is imported into it. A jump is
an input event of the replay's slider. Its time includes Python, style and layout (the layout is
forced); the second figure also includes the wait until the frame is painted.
"""

import json
import random
import statistics
import tempfile
from contextlib import closing
from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, Page

from benchmarks.lighthouse import create_match
from benchmarks.process import new_player
from benchmarks.timeline import MATCH_SETUP, SLUG, long_match
from domain.match.events import is_kernel
from domain.match.timeline import Timeline
from domain.matchfile.writer import export_match
from service.settings import Settings
from tests.browser.chromium import chromium, run_python, workbench
from tests.game_contract.play import opened as table
from tests.game_contract.play import random_steps
from tests.service.running import server

DECISIONS = 1_000
JUMPS = 200
LINKS = 5

FOLD_PYTHON = """
from browser import window
from _native import build, dumps, loads
from domain.match.events import MatchOpened
from domain.match.history import Decision
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.games.SLUG import rules

EVENTS = {each.__name__: each for each in rules.EVENTS}

def read(text):
    plain = loads(text)
    found = []
    for each in plain["events"]:
        given = {**each}
        found.append(build(EVENTS[given.pop("type")], given))
    window.game = [found]
    return len(found)

def fold(_text):
    state = None
    evolve = rules.evolve
    for event in window.game[0]:
        state = evolve(state, event)
    return rules.turn(state)

def follow(_text):
    seats = (Seat("human", "", ""),) * window.game[0][0].seats
    opened = MatchOpened("SLUG", 1, {}, seats, "private", "", "")
    timeline = Timeline(rules, [Decision(1, None, None, (opened,))])
    for event in window.game[0]:
        timeline.append(Decision(timeline.version + 1, 0, None, (event,)))
    return timeline.version

def seek(_text):
    state, most = None, -1
    for event in window.game[0]:
        state = rules.evolve(state, event)
        acting = rules.to_act(state)
        count = len(rules.choices(state, acting[0])) if acting else 0
        if count > most:
            most = count
            window.state = [state]
    return most

def choices(_text):
    state = window.state[0]
    return len(rules.choices(state, rules.to_act(state)[0]))

window.read = read
window.fold = fold
window.follow = follow
window.seek = seek
window.choices = choices
""".replace("SLUG", SLUG)

TIME_CALLS_JS = """([call, argument, times]) => {
  const found = []
  for (let i = 0; i < times; i++) {
    const begin = performance.now()
    window[call](argument)
    found.push(performance.now() - begin)
  }
  return found
}"""

WATCH_MOUNT_JS = """new MutationObserver((changes) => {
  const done = (each) => each.oldValue !== null && !each.target.hasAttribute("data-rising")
  if (!window.risen && changes.some(done)) window.risen = performance.now()
}).observe(document, {subtree: true, attributeFilter: ["data-rising"], attributeOldValue: true})"""

JUMP_JS = """async (versions) => {
  const slider = document.querySelector(".history input[type=range]")
  const found = []
  for (const version of versions) {
    await new Promise(requestAnimationFrame)
    const begin = performance.now()
    slider.value = version
    slider.dispatchEvent(new Event("input", {bubbles: true}))
    document.body.getBoundingClientRect()
    document.querySelector(".board-area svg").getBBox()
    const laid = performance.now()
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = done
      channel.port2.postMessage(0)
    }))
    found.push([laid - begin, performance.now() - begin])
  }
  return found
}"""


def start_times(browser: Browser, base: str, slower: int) -> tuple[float, float]:
    """Return the milliseconds from navigation to a usable page, first without and then with caches.

    ``slower``: factor by which the CPU is throttled.
    """
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=base)
    found = []
    for _ in range(2):
        page = context.new_page()
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto("/new", wait_until="commit")
        page.wait_for_function("document.documentElement.dataset.ready === '1'")
        found.append(
            page.evaluate("""() => {
          const done = performance.getEntriesByName("start")[0]
          return done.startTime + done.duration
        }""")
        )
        close_page(page)
    context.close()
    return found[0], found[1]


def link_times(browser: Browser, base: str, slower: int) -> tuple[float, float]:
    """Return the median milliseconds until a match opened by its link is complete.

    The two figures are for the first visit of a new player and for the second visit. ``slower``:
    factor by which the CPU is throttled.
    """
    runs = []
    for _ in range(LINKS):
        address = create_match(base)
        context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=base)
        context.add_init_script(WATCH_MOUNT_JS)
        runs.append([time_until_mounted(context, address, slower) for _ in range(2)])
        context.close()
    first, again = zip(*runs, strict=True)
    return statistics.median(first), statistics.median(again)


def time_until_mounted(context: BrowserContext, address: str, slower: int) -> float:
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(address, wait_until="commit")
    page.wait_for_function("window.risen", polling=100)  # polling each frame would cause frames
    found: float = page.evaluate("window.risen")
    close_page(page)
    return found


def close_page(page: Page) -> None:
    """Close a page after the caches that speed up a second visit have been filled."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_timeout(500)
    page.close()


def measure_folding(browser: Browser, timeline: Timeline) -> tuple[float, float, float, int]:
    """Measure the rules in the browser.

    Returns decisions folded per second by the game's rules alone; decisions folded per second by
    the kernel event by event, as a phone does; milliseconds to compute the longest list of legal
    commands; and the length of that list.
    """
    decisions = [d for d in timeline.decisions if type(d.command) in timeline.rules.COMMANDS]
    laid_out = [d for d in timeline.decisions if any(not is_kernel(e) for e in d.events)]
    events = [
        msgspec.to_builtins(event)
        for decision in laid_out
        for event in decision.events
        if not is_kernel(event)
    ]
    page = workbench(browser)
    run_python(page, FOLD_PYTHON, "read", json.dumps({"events": events}))
    rates = [
        len(decisions) / statistics.median(page.evaluate(TIME_CALLS_JS, [way, "", 20])) * 1000
        for way in ("fold", "follow")
    ]
    number = page.evaluate("window.seek('')")
    choose = page.evaluate(TIME_CALLS_JS, ["choices", "", 50])
    page.close()
    return rates[0], rates[1], statistics.median(choose), number


def import_match(base: str, timeline: Timeline) -> tuple[str, str]:
    """Import the match into the service; return its id and the token of its player."""
    client, player = new_player(base)
    with closing(client):
        document = export_match("bench", timeline, None)
        answer = client.post("/api/matches/import", json=document)
        assert answer.status_code == 201, answer.text
        return answer.json()["id"], player["token"]


def open_match(browser: Browser, base: str, match_id: str, token: str) -> tuple[Page, float]:
    """Open the match; return the page and the milliseconds until its replay slider appeared."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, base_url=base)
    context.add_cookies([{"name": "player", "value": token, "url": base}])
    page = context.new_page()
    page.goto(f"/m/{match_id}", wait_until="commit")
    page.wait_for_selector(".history input[type=range]")
    return page, page.evaluate("performance.now()")


def percentile(values: list[float], part: int) -> float:
    return statistics.quantiles(values, n=100)[part - 1]


def main() -> None:
    timeline = long_match(DECISIONS)
    count = len(timeline.decisions)
    with (
        tempfile.TemporaryDirectory() as data,
        server(Settings(data=data, play_limit=0, create_limit=0)) as base,
        chromium() as browser,
    ):
        for slower in (1, 4):
            first, again = start_times(browser, base, slower)
            print(f"start, CPU {slower}x slower: first {first:5.0f} ms, again {again:5.0f} ms")
            first, again = link_times(browser, base, slower)
            print(f"a match by link, the same:  first {first:5.0f} ms, again {again:5.0f} ms")
        rate, followed, choose, count_choices = measure_folding(browser, play_without_undo())
        print(f"folding: {rate:6.0f} decisions/s (goal 4,000), with the kernel {followed:6.0f}")
        print(f"all choices of a position that has {count_choices}: {choose:5.1f} ms")
        match_id, token = import_match(base, timeline)
        page, until = open_match(browser, base, match_id, token)
        page.wait_for_timeout(2000)
        print(f"{count} decisions, {timeline.version} versions: on the screen in {until:5.0f} ms")
        rng = random.Random(1)
        versions = [rng.randrange(20, timeline.version) for _ in range(JUMPS)]
        for name, wanted in (("anywhere", versions), ("neighbours", [*range(40, 40 + JUMPS)])):
            found: list[Any] = page.evaluate(JUMP_JS, wanted)
            laid = [pair[0] for pair in found]
            seen = [pair[1] for pair in found]
            print(
                f"jump {name}: script and layout {statistics.median(laid):5.1f} ms median, "
                f"{percentile(laid, 95):5.1f} ms p95; to the next frame "
                f"{statistics.median(seen):5.1f} ms median, {percentile(seen, 95):5.1f} ms p95"
            )


def play_without_undo() -> Timeline:
    """Return a match played at random to its end, without undo."""
    timeline = table(MATCH_SETUP, 1, people=1)
    for _ in random_steps(timeline, random.Random(1), 10_000):
        pass
    return timeline


if __name__ == "__main__":
    main()
