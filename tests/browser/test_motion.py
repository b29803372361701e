"""Animations and transitions: under 300 ms, and none if the user prefers reduced motion."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from frontend.build import game_styles, page_style
from frontend.bundles import FRONTEND
from tests.browser.chromium import ORIGIN

SHORT = 0.3
"""Upper limit, exclusive, in seconds for animations that delay the user."""
NOBODY_WAITS = {
    "shimmer": "stands for what is not there yet",
    "beckon": "shows where to tap for as long as the step is due",
    "march": "shows what may be tapped, and ends by itself",
    "breathe": "likewise",
    "bob": "likewise",
    "rise": "the sun over a result that is there and can be left already",
    "come-home": "the caravans under it",
}
"""Animations that may last longer, because none of them delays the user, each with its reason."""
_BLOCK = re.compile(r"\{([^{}]*)\}")
_MOTION = re.compile(r"\b(transition|animation)(?:-duration)?\s*:\s*([^;}]+)")
_DELAY = re.compile(r"\b(?:transition|animation)-delay\s*:\s*([^;}]+)")
_TIME = re.compile(r"(?<![\w.-])(-?\d*\.?\d+)(ms|s)\b")
_IN_CODE = re.compile(r"\b(?:duration|delay)\"?\s*[:=]\s*(\d+)", re.IGNORECASE)


def sheets() -> dict[str, str]:
    """Return all style sheets of the build by name: that of the page, and one for each game."""
    games = {game: look["css"] for game, look in game_styles().items() if "css" in look}
    return {"page": page_style(), **games}


def motions(css: str) -> Iterator[tuple[str, float]]:
    """Yield each animation or transition as written, and the seconds until it ends.

    The total includes the delay: the second time of the value, or a separate ``*-delay`` property
    in the same rule.
    """
    for block in _BLOCK.findall(css):
        delay = max([sum(_times(each)) for each in _DELAY.findall(block)], default=0.0)
        for _, value in _MOTION.findall(block):
            for part in re.sub(r"\([^)]*\)", "", value).split(","):
                if times := _times(part):
                    yield part.strip(), sum(times) + delay


def _times(value: str) -> list[float]:
    """Return the times in a value, in seconds; negative delays count as zero."""
    found = [float(n) / (1000 if unit == "ms" else 1) for n, unit in _TIME.findall(value)]
    return [max(0.0, each) for each in found]


def long(css: str) -> list[str]:
    """Return the animations and transitions that last too long and are not exceptions."""
    return [
        words
        for words, lasts in motions(css)
        if lasts >= SHORT and not NOBODY_WAITS.keys() & set(words.split())
    ]


def test_no_motion_is_waited_for() -> None:
    """No style sheet, script or module has a duration or delay of `SHORT` or more."""
    assert {name: found for name, css in sheets().items() if (found := long(css))} == {}
    code = [*(FRONTEND / "shim").rglob("*.js"), *(FRONTEND / "app").rglob("*.py")]
    lasting = [float(each) for path in code for each in _IN_CODE.findall(path.read_text())]
    assert [each for each in lasting if each >= SHORT * 1000] == []


def test_every_exception_is_in_use() -> None:
    words = {word for css in sheets().values() for part, _ in motions(css) for word in part.split()}
    assert words >= NOBODY_WAITS.keys()


def test_long_motions_are_found() -> None:
    css = "a { transition: left .2s, top cubic-bezier(.1, 1s, 0, 1) 300ms } b { animation: x 1s 9 }"
    assert long(css) == ["top cubic-bezier 300ms", "x 1s 9"]
    waits = "a { animation: y .2s ease .1s both } b { transition: left .2s; transition-delay: .1s }"
    assert long(waits) == ["y .2s ease .1s both", "left .2s"]
    assert long("a { animation: z .2s -1s } b { transition: left 50ms .2s }") == []


MOVING = """() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule.selectorText && /transition|animation/.test(rule.cssText))
  .flatMap((rule) => rule.selectorText.split(","))"""
# The selectors whose element would be animated. Builds an element with the classes of each
# selector's last part; the style of a pseudo-element is read through its element.
MOVES = """(selectors) => selectors.filter((selector) => {
  const [simple, pseudo] = selector.trim().split("::")
  const names = simple.split(/[\\s>+~]+/).at(-1).match(/\\.[\\w-]+/g) || []
  const node = document.createElement("div")
  node.className = names.map((name) => name.slice(1)).join(" ")
  document.body.append(node)
  const told = getComputedStyle(node, pseudo ? "::" + pseudo : null)
  const moves = told.animationName !== "none" || /[1-9]/.test(told.transitionDuration)
  node.remove()
  return moves
})"""


@pytest.mark.browser
@pytest.mark.parametrize("name", sheets())
def test_nothing_moves_for_who_wants_no_motion(browser: Browser, name: str) -> None:
    """No animated selector of a style sheet has an effect under ``prefers-reduced-motion``."""
    page = browser.new_page(reduced_motion="reduce")
    own = sheets()[name] if name != "page" else ""
    blank = f"<!doctype html><style>{page_style()}</style><style>{own}</style><p>"
    page.route("**/*", lambda route: route.fulfill(body=blank, content_type="text/html"))
    page.goto(ORIGIN)
    selectors = page.evaluate(MOVING)
    assert selectors
    assert page.evaluate(MOVES, selectors) == []
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(MOVES, selectors)
    page.context.close()
