"""Accidental touches: what a tap opens is hit neither by the same tap nor by the second tap of a
double tap."""

import json
import re
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Error, Page, Request, Route, expect

from tests.browser.every_scene import EVERY
from tests.browser.phone import Phone
from tests.browser.scenes import (
    SIZES,
    SMALL,
    SWEEPS,
    USUAL,
    Scene,
)
from tests.browser.service import Program
from tests.browser.short_match import in_the_last_turn
from tests.browser.stand import Stand
from tests.browser.test_caravane import race
from tests.browser.test_caravanserail import seated, settle
from tests.browser.touch import CHANGES_NOTHING, SETTLED, Finger, place

pytestmark = pytest.mark.browser

REST_S = 0.45
"""Seconds after which another tap is a new gesture."""
SENT_MS = 300
"""Milliseconds within which a page sends what was tapped."""


def bidding(base: str) -> tuple[Program, str]:
    """Caravane: the first bid."""
    people, match_id = race(base, "Ann", "Bea", "Cleo")
    return people[0], match_id


def planning(base: str) -> tuple[Program, str]:
    """Caravansérail: the first programme."""
    people, match_id = seated(base, 6)
    settle(people, match_id)
    return people[0], match_id


SECRETS = {"caravane": bidding, "caravanserail": planning}


@pytest.fixture(scope="module", params=SECRETS)
def secret(request: pytest.FixtureRequest, base: str) -> tuple[Program, str]:
    """A player with a secret choice to make, and the match id."""
    return SECRETS[request.param](base)


def opened(browser: Browser, player: Program, match_id: str) -> tuple[Phone, Finger]:
    """Open the match on the player's phone."""
    phone = player.phone(browser)
    finger = Finger(phone.page)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".cover-button")
    return phone, finger


def resize(page: Page, size: tuple[int, int]) -> None:
    """Change the size of the phone and reload the page."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.reload()
    page.wait_for_selector(".game.my-turn")
    page.wait_for_selector(".cover-button")


def shut(page: Page) -> None:
    """Close the cover again, without a pointer."""
    page.locator(".cover-button").press("Enter")
    expect(page.locator(".covered:not(:empty)")).to_have_count(0)


@pytest.mark.parametrize("sizes", SWEEPS, ids=len)
def test_tap_on_a_cover_hits_nothing_under_it(
    browser: Browser, secret: tuple[Program, str], sizes: list[tuple[int, int]]
) -> None:
    """This holds anywhere on the cover, for a mouse, and for each tap of a triple tap."""
    phone, finger = opened(browser, *secret)
    page = phone.page
    for size in sizes:
        resize(page, size)
        before = phone.version()
        for across, down in ((0.5, 0.5), (0.15, 0.2), (0.85, 0.8), (0.35, 0.9)):
            finger.tap_on(page.locator(".cover-button"), across, down)
            expect(page.locator(".covered")).not_to_be_empty()
            page.wait_for_timeout(60)
            assert finger.strays() == [], (size, across, down)
            assert finger.sent == [], (size, across, down)
            shut(page)
        page.mouse.click(*place(page.locator(".cover-button")))
        expect(page.locator(".covered")).not_to_be_empty()
        shut(page)
        finger.rest(REST_S)
        finger.double_tap(*place(page.locator(".cover-button")), times=3)
        page.wait_for_timeout(SENT_MS)
        assert finger.sent == [], size
        if page.locator(".covered:not(:empty)").count():
            shut(page)
        page.mouse.click(*place(page.locator(".cover-button")), click_count=3, delay=20)
        page.wait_for_timeout(SENT_MS)
        assert finger.sent == [], size
        assert phone.version() == before
    phone.close()


def test_a_tap_on_a_slow_phone_is_not_a_hold(browser: Browser, secret: tuple[Program, str]) -> None:
    """On a slow phone, drawing the content under the cover takes longer than a tap may last."""
    phone, finger = opened(browser, *secret)
    session = phone.context.new_cdp_session(phone.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 12})
    finger.tap_on(phone.page.locator(".cover-button"))
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    expect(phone.page.locator(".cover-button")).to_have_text("Hide")
    phone.page.wait_for_timeout(SENT_MS)
    expect(phone.page.locator(".covered")).not_to_be_empty()
    phone.close()


def test_holding_looks_for_as_long_as_the_finger_stays(
    browser: Browser, secret: tuple[Program, str]
) -> None:
    phone, finger = opened(browser, *secret)
    covered = phone.page.locator(".covered")
    finger.down(*place(phone.page.locator(".cover-button")))
    phone.page.wait_for_timeout(600)
    expect(covered).not_to_be_empty()
    finger.lift()
    expect(phone.page.locator(".covered:not(:empty)")).to_have_count(0)
    assert finger.sent == []
    phone.close()


def test_taps_keys_and_assistive_clicks_still_work(browser: Browser, base: str) -> None:
    """The guard must not refuse too much: a tap, a quick second tap on the same control, a key and
    a click by assistive technology all count."""
    player, match_id = bidding(base)
    phone, finger = opened(browser, player, match_id)
    page = phone.page
    page.locator(".cover-button").press("Enter")
    amount = page.locator(".amount")
    more = page.get_by_role("button", name="One more")
    spot = place(more)
    for _ in range(3):
        finger.tap(*spot)
        page.wait_for_timeout(40)
    expect(amount).to_have_text("3")
    more.press("Enter")
    more.press(" ")
    expect(amount).to_have_text("5")
    more.evaluate("node => node.click()")
    expect(amount).to_have_text("6")
    finger.tap_on(page.locator(".confirm"))
    phone.settled()
    assert len(finger.sent) == 1
    phone.close()


# Puts a button over the page. `redraw` replaces it by another with this label and listener, or
# takes it out and puts it back.
REDRAWN = """() => {
  const draw = (label) => {
    const node = document.createElement("button")
    node.textContent = label
    node.style.cssText = "position: fixed; inset: 100px auto auto 50px; width: 200px; height: 60px"
    node.addEventListener("click", () => { window.planted.push(label) })
    return node
  }
  window.planted = []
  window.button = document.body.appendChild(draw("Build"))
  window.redraw = (label) => {
    const node = label ? draw(label) : window.button
    window.button.remove()
    window.button = document.body.appendChild(node)
  }
}"""


@pytest.mark.parametrize("kind", ["mouse", "finger"])
def test_a_press_is_not_lost_when_a_redraw_replaces_its_button(
    browser: Browser, base: str, kind: str
) -> None:
    """An event from the service may redraw a button between press and release. What looks the same
    in its place is clicked once, anything else is not."""
    phone = Program(base, "Ann").phone(browser)
    page = phone.page
    finger = Finger(page)
    page.goto("/")
    page.wait_for_selector(".tables[aria-busy=false]")  # the click guard has started with the app
    page.evaluate(REDRAWN)
    at = (150, 130)
    page.mouse.move(*at)
    for label, landed in (("Build", 1), ("", 2), ("Sell", 2)):
        if kind == "mouse":
            page.mouse.down()
        else:
            finger.rest(SETTLED)
            finger.down(*at)
        page.evaluate("label => redraw(label)", label)
        if kind == "mouse":
            page.mouse.up()
        else:
            finger.lift()
        page.wait_for_timeout(SENT_MS)
        assert page.evaluate("planted") == ["Build"] * landed
    phone.close()


@pytest.mark.parametrize("wait_s", [0.3, 1.2], ids=["double", "impatient"])
def test_result_that_opens_by_itself_is_hit_by_no_tap_meant_for_the_board(
    browser: Browser, base: str, wait_s: float
) -> None:
    """The last move takes ``wait_s`` to be saved; the second tap falls on "Rematch" just after."""
    person, match_id = in_the_last_turn(base, "Ann", "Bob")
    phone = person.phone(browser)
    page = phone.page
    finger = Finger(page)
    page.goto(f"/m/{match_id}")
    page.wait_for_selector(".game.my-turn")
    while not phone.asked():  # until the move that ends the game, which is to be confirmed
        page.get_by_role("button", name="All moves").press("Enter")
        page.locator(".moves .button").last.press("Enter")
        phone.settled()
    held: list[Route] = []
    page.route(re.compile("/commands"), lambda route: held.append(route))
    finger.tap_on(page.locator("dialog.sure .confirm"))
    page.wait_for_timeout(wait_s * 1000)
    held[0].continue_()
    rematch = page.get_by_role("button", name="Rematch", exact=True)
    expect(rematch).to_be_visible()
    spot = place(rematch)
    finger.tap_at(*spot, finger.now())
    page.wait_for_timeout(SENT_MS)
    assert not [sent for sent in finger.sent if sent.endswith("/rematch")]
    finger.rest(SETTLED)
    finger.tap(*spot)
    page.wait_for_url(lambda address: match_id not in address)
    phone.close()


# --- every button of every screen -----------------------------------------------------------------

# Tracks a gesture of several taps: the target of its first press, and each click that reached the
# app on another target. A control redrawn in the same place counts as the same. `missed`: whether
# the first press hit another node than the button that was looked up.
GESTURE = """() => {
  const controls = "a[href], button, input, select, textarea, summary, label, dialog, .tap"
  const box = node => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return [x, y, width, height]
  }
  const alike = (one, other) => one.every((each, at) => Math.abs(each - other[at]) < 5)
  let own = null, was = [], kind = ""
  window.landed = []
  window.newGesture = () => { own = null; window.landed = []; window.clicks = 0 }
  addEventListener("pointerdown", event => {
    if (own === null) {
      own = event.target.closest(controls)
      was = own && box(own)
      kind = own && own.className
      window.missed = !window.aimed?.contains(event.target)
    }
  }, true)
  addEventListener("click", () => { window.clicks += 1 }, true)
  document.addEventListener("click", event => {
    const hit = event.detail > 0 && event.target.closest && event.target.closest(controls)
    if (hit && hit !== own && !(own && hit.className === kind && alike(box(hit), was))) {
      const pressed = own && own.outerHTML.slice(0, 80)
      window.landed.push(`${hit.outerHTML.slice(0, 120)} after ${pressed}`)
    }
  }, true)
}"""
# All controls of the topmost layer, identified by label (ignoring numbers), class and index. The
# first entry of a list of moves represents all.
PRESSED = """
  const dialogs = [...document.querySelectorAll("dialog[open]")]
  const inFront = node => {
    const { x, y, width, height } = node.getBoundingClientRect()
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)
    return hit && hit.closest("dialog") === node
  }
  const top = dialogs.find(inFront) || dialogs.at(-1) || document
  const seen = {}
  const all = [...top.querySelectorAll("button, summary, a.button, a.table-card")]
    .filter(node => node.checkVisibility() && !node.disabled && !node.closest(".toasts, .tongues"))
    .map(node => {
      const one = node.closest(".moves, .table-card")
      const name = one ? one.className : node.ariaLabel || node.textContent.trim()
      const key = [name.replace(/\\d+/g, "#"), node.className].join("|")
      seen[key] = (seen[key] || 0) + 1
      return { node, key, name, look: node.className, nth: seen[key] }
    })
"""
BUTTONS = f"""() => {{ {PRESSED}
  return all.filter(each => each.nth === 1).map(({{ key, name, look }}) => [key, name, look])
}}"""
SPOT = f"""wanted => {{ {PRESSED}
  const found = all.find(each => each.key === wanted)
  if (!found) {{ return null }}
  found.node.scrollIntoView({{ block: "nearest", inline: "nearest" }})
  window.aimed = found.node
  const {{ x, y, width, height }} = found.node.getBoundingClientRect()
  const spot = [x + width / 2, y + height / 2]
  return found.node.contains(document.elementFromPoint(...spot)) ? spot : null
}}"""
LOOK = """() => JSON.stringify([location.href, document.querySelectorAll("dialog[open]").length,
  [...document.querySelectorAll("button, summary, .table-card, select, textarea, input")]
    .filter(node => node.checkVisibility() && !node.closest(".toasts"))
    .map(node =>
      [node.ariaLabel, node.textContent, node.ariaPressed, node.value, node.disabled])])"""
HEIGHT = "document.documentElement.scrollHeight"
# Controls that send a request: once per gesture, not twice.
SENDS = re.compile(
    r"Undo (step|turn|round)|^Undo (all|to here)|^Only my last|^Ask to|Redo|^Settle in|^Seal|"
    r"^Attack|^Done$|^Pass \(|"
    r"^Pay |^Change$|^Take |^Gain |^Send|^Accept|^Decline|^Withdraw|^Cancel request|^Bid|^Keep|"
    r"^Set aside|^Pack|^Start at|^Place|^Lay |^Create (game|link)|^Preview|^Join|another device|"
    r"^Hide from|^Leave (game|table)|Save|^Whole game|^Last turn|^Play vs|^Pass and play on|"
    r"^Move( here| on)?$|^Stop here|^Stay |^Sell \d|^Drop \d|"
    r"^Give up |^Discard |pay \d+ gold$|"
    r"^(Roll|Reroll|End turn|Draw minor)|"
    r"^Same players|recovery code$|"
    r"^Move online|^Remove|^Delete( line \d+| plan| whole plan)?$|^Only if|^Whatever|"
    r"^(Unm|M)ute|^Block"
)
PLAYS = ("confirm", "pack", "token")
SIZES_IN_TURN = sorted(SIZES, key=lambda size: size not in (SMALL, USUAL))


def may_send(scene: Scene, name: str, look: str) -> bool:
    """Return whether a control is meant to send a request."""
    moves = scene.name in ("the list of moves", "chosen beforehand") and name != "Close"
    return moves or bool(SENDS.search(name)) or any(each in look.split() for each in PLAYS)


class Sweep:
    """Taps each button of each scene twice, as fast as a double tap.

    Requests that change something are held back and then refused, so that the scene stays as it
    is; only requests that set the scene up are answered. A button is looked up by its name before
    each tap. Those that change nothing on the page are tapped at two sizes, the others at all six.
    """

    def __init__(self, browser: Browser, base: str) -> None:
        self.stand = Stand(browser, base)
        self.page = self.stand.page
        self.page.add_init_script(f"({GESTURE})()")
        self.finger = Finger(self.page)
        self.page.route("**/api/**", self._hold_back)
        self.page.on("request", self._asked)
        for end in ("requestfinished", "requestfailed"):
            self.page.on(end, lambda request: self.asking.discard(request))  # type: ignore[call-overload]
        self.asking: set[Request] = set()
        self.waiting: list[Route] = []
        self.arranging = False
        self.known: set[tuple[tuple[int, int], str]] = set()
        self.changing: set[str] = set()
        self.faults: list[tuple[str, tuple[int, int], str, list[str]]] = []
        self.skipped: list[tuple[str, tuple[int, int], str]] = []
        self.tapped = 0
        self.held = 0

    def _hold_back(self, route: Route) -> None:
        harmless = route.request.method == "GET" or route.request.url.endswith(CHANGES_NOTHING)
        if harmless or self.arranging:
            route.continue_()
        else:
            self.waiting.append(route)

    def _asked(self, request: Request) -> None:
        if request.method == "GET" and not request.url.partition("?")[0].endswith("/live"):
            self.asking.add(request)

    def _refuse(self) -> None:
        detail = {"status": 403, "code": "stopped", "detail": "This is only tried out."}
        while self.waiting:
            route = self.waiting.pop()
            route.fulfill(status=403, json=detail, content_type="application/problem+json")
            self.page.wait_for_timeout(40)

    def _settled(self) -> str:
        """Return how the page looks once nothing is requested and it neither changes nor moves."""
        look, height = "", 0
        for _ in range(60):
            was = look, height
            with suppress(Error):  # the document is being replaced
                look, height = str(self.page.evaluate(LOOK)), self.page.evaluate(HEIGHT)
                if (look, height) == was and not self.asking:
                    break
            self.page.wait_for_timeout(30)
        return look

    def _hold(self, scene: Scene, size: tuple[int, int]) -> str:
        self.held += 1
        self.asking.clear()
        self.arranging = True
        self.stand.hold(scene, size)
        self.arranging = False
        return self._settled()

    def over(self, scene: Scene, sizes: list[tuple[int, int]]) -> None:
        """Tap each button of a scene; buttons shared by the game's scenes are tapped once."""
        here: set[str] = set()
        for size in sizes:
            first = size in (SMALL, USUAL)
            if first or any((size, key) not in self.known for key in here & self.changing):
                here |= self._at(scene, size, None if first else self.changing)

    def _at(self, scene: Scene, size: tuple[int, int], wanted: set[str] | None) -> set[str]:
        """Tap the wanted buttons (None: all) at a size; return all buttons that exist."""
        before = self._hold(scene, size)
        buttons = self.page.evaluate(BUTTONS)
        for key, name, look in buttons:
            if (size, key) in self.known or (wanted is not None and key not in wanted):
                continue
            self.known.add((size, key))
            if not self._tap(scene, size, (name, look), key):
                before = self._hold(scene, size)
                if not self._tap(scene, size, (name, look), key):
                    self.skipped.append((scene.name, size, name))
                    continue
            if self.page.evaluate(LOOK) != before:
                self.changing.add(key)
                before = self._put_back(before) or self._hold(scene, size)
        return {key for key, _, _ in buttons}

    def _tap(self, scene: Scene, size: tuple[int, int], button: tuple[str, str], key: str) -> bool:
        """Return whether the button was there to be tapped."""
        spot = self.page.evaluate(SPOT, key)
        if spot is None:
            return False
        self.finger.sent.clear()
        self.page.evaluate("window.newGesture()")
        self.finger.double_tap(*spot)
        self._clicked()
        if self.page.evaluate("window.missed"):
            self._refuse()
            return False
        if may_send(scene, *button):
            self._sent()
        self.tapped += 1
        found = list(self.page.evaluate("window.landed"))
        if len(self.finger.sent) > may_send(scene, *button):
            found.extend(self.finger.sent)
        if found:
            self.faults.append((scene.name, size, button[0], found))
        refused = bool(self.waiting)
        self._refuse()
        if refused:
            self._settled()  # what was refused is shown as before, which may move other buttons
        return True

    def _clicked(self) -> None:
        """Wait until the browser has dispatched the clicks of both taps, if there are any and the
        page is still the same."""
        for _ in range(10):
            if self.page.evaluate("window.clicks") in (2, None):
                return
            self.page.wait_for_timeout(25)

    def _sent(self) -> None:
        """Wait for the requests of a press: they are stored before they are sent, and on a busy
        machine would be counted for the next button."""
        for _ in range(120):
            if self.finger.sent:
                return
            self.page.wait_for_timeout(25)

    def _put_back(self, before: str) -> str | None:
        """Close the sheet or leave the page that the tap has opened.

        Return how the page looks then; None if it does not look as before.
        """
        look = self._settled()
        (address, sheets, _), (address_before, sheets_before, _) = map(json.loads, (look, before))
        if (address, sheets) == (address_before, sheets_before):
            return look  # only the selection has changed
        if address == address_before:
            self.page.keyboard.press("Escape")
        else:
            self.page.go_back()
        look = self._settled()
        return look if look == before else None

    def close(self) -> None:
        """Close the phone and print a summary."""
        self.stand.phone.context.close()
        print(f"{self.tapped} buttons tapped, {self.held} screens, {len(self.skipped)} skipped")


# The games have 800 buttons, which takes minutes. The normal run covers the app's own screens and
# one game, each at one size.
LONG = [pytest.param(each, SIZES_IN_TURN, marks=pytest.mark.soak) for each in EVERY]


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("scenes", "sizes"),
    [("plain", [SMALL]), ("caravane", [USUAL]), *LONG],
    ids=lambda each: each if isinstance(each, str) else str(len(each)),
)
def test_no_button_hits_what_it_opened(
    browser: Browser, base: str, scenes: str, sizes: list[tuple[int, int]]
) -> None:
    """Double-tap every button of every screen: buttons that open something send nothing, buttons
    that send do so once, and no click hits anything that was not there at the first tap."""
    sweep = Sweep(browser, base)
    for scene in EVERY[scenes](base):
        sweep.over(scene, sizes)
    sweep.close()
    assert sweep.faults == []
    assert sweep.tapped > 20 * len(sizes)
    assert len(sweep.skipped) < 5, sweep.skipped


def test_the_sweep_finds_a_planted_fault(browser: Browser, base: str) -> None:
    """With the click guard off, a tap falls through what it opened. Links are still handled by the
    app, because full page loads are not under test."""
    player, match_id = bidding(base)
    sweep = Sweep(browser, base)
    sweep.page.add_init_script(
        """const prevent = Event.prototype.preventDefault
        Event.prototype.preventDefault = function () {
          if (this.target.closest?.("a[href]")) prevent.call(this)
        }
        Event.prototype.stopImmediatePropagation = () => {}"""
    )
    here = ".game.my-turn .cover-button"
    sweep.over(Scene("bidding", player, f"/m/{match_id}", here), [SMALL])
    sweep.close()
    assert any("Table menu" in name for _, _, name, _ in sweep.faults), sweep.faults
