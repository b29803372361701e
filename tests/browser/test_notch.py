"""Phones with a notch and a home bar: no text or tap target is under either."""

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.contract.registry import TITLES
from tests.browser.phone import Phone
from tests.browser.scenes import kept
from tests.browser.service import Program, table

pytestmark = pytest.mark.browser

UPRIGHT, LYING = (390, 844), (844, 390)
INSETS = {UPRIGHT: (47, 0, 34, 0), LYING: (0, 47, 21, 47)}
"""Top, right, bottom, left, as phones with a notch have them."""
# What lies in them, after it was scrolled away from the edge as far as it goes.
UNDER = """([top, right, bottom, left]) => {
  const found = []
  const front = [...document.querySelectorAll("dialog[open]")].at(-1) || document
  const what = "button, a[href], input, select, textarea, summary, .tap, .turn, .toast, h2, h3, p"
  for (const node of front.querySelectorAll(what)) {
    const all = node.closest("label") || node
    if (!all.checkVisibility({ visibilityProperty: true }) || all.closest(".hush")) { continue }
    all.scrollIntoView({ block: "center", inline: "center" })
    const box = all.getBoundingClientRect()
    const tall = box.height > innerHeight - top - bottom
    const outside = box.x < left - 1 || box.right > innerWidth - right + 1 ||
      (!tall && (box.y < top - 1 || box.bottom > innerHeight - bottom + 1))
    if (box.width > 1 && box.height > 1 && outside) {
      const name = node.getAttribute("aria-label") || node.textContent.slice(0, 40)
      found.push(`${node.tagName} "${name}" ${[box.x, box.y, box.right, box.bottom]}`)
    }
  }
  return found
}"""


def hold(page: Page, size: tuple[int, int]) -> None:
    """Turns the phone."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    top, right, bottom, left = INSETS[size]
    insets = {"top": top, "right": right, "bottom": bottom, "left": left}
    both = {**insets, **{f"{side}Max": wide for side, wide in insets.items()}}
    devtools = page.context.new_cdp_session(page)
    devtools.send("Emulation.setSafeAreaInsetsOverride", {"insets": both})  # type: ignore[arg-type]
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")


def under(page: Page) -> list[str]:
    """What lies under notch or bar, upright and lying."""
    found = []
    for size, insets in INSETS.items():
        hold(page, size)
        found += [f"{size}: {each}" for each in page.evaluate(UNDER, [*insets])]
    return found


def at_table(browser: Browser, base: str, slug: str) -> Phone:
    """The phone of who is to act at a new table of a game."""
    seats = next(n for n in TITLES[slug].seats if n > 1)
    people, match_id = table(base, *"ABCDEF"[:seats], game=slug)
    (acting, *_) = people[0].get(f"/matches/{match_id}")["to_act"]
    phone = people[acting].phone(browser)
    phone.page.goto(f"/m/{match_id}")
    phone.page.wait_for_selector(".game:not([data-rising])")
    return phone


@pytest.mark.parametrize("slug", TITLES)
def test_a_table_and_what_lies_over_it(browser: Browser, base: str, slug: str) -> None:
    phone = at_table(browser, base, slug)
    page = phone.page
    assert under(page) == []
    page.get_by_role("button", name="All moves").press("Enter")
    expect(page.locator("dialog[open]")).to_be_visible()
    assert under(page) == []
    page.keyboard.press("Escape")
    phone.context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('offline'))")
    expect(page.locator(".offline:not(.newer)")).to_be_visible()
    assert under(page) == []
    phone.close()


def test_a_result_and_the_pages(browser: Browser, base: str) -> None:
    ann = Program(base, "Ann")
    over = kept(ann, "courtyard-3-v1.json")
    phone = ann.phone(browser)
    page = phone.page
    places = {
        f"/m/{over}": ".podium",
        "/": ".table-card",
        "/new?game=conquest": "fieldset",
        "/you": ".card .button",
        "/rules/courtyard": ".guide section",
        "/learn/courtyard": ".coach",
    }
    for at, ready in places.items():
        page.goto(at)
        page.wait_for_selector(ready)
        assert [f"{at}: {each}" for each in under(page)] == []
    phone.close()


def test_what_lies_under_a_notch_is_found(browser: Browser, base: str) -> None:
    phone = Program(base, "Ann").phone(browser)
    phone.page.goto("/")
    phone.page.wait_for_selector(".hero")
    phone.page.evaluate(
        "document.body.append(document.querySelector('.bar .brand, a').cloneNode())"
    )
    style = "document.body.lastChild.style"
    phone.page.evaluate(f"{style} = 'position: fixed; top: 0; left: 0; width: 60px; height: 48px'")
    assert len(under(phone.page)) == 2
    phone.close()
