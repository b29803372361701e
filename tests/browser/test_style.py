"""The style page: every colour and symbol in both themes, offline use and loading on demand."""

import re

import pytest
from playwright.sync_api import Browser, expect

from domain.contract.registry import TITLES
from frontend.build import game_styles
from tests.browser.phone import Phone, until_kept
from tests.browser.test_readability import _themes, contrast

pytestmark = pytest.mark.browser

SYMBOL = re.compile(r'<symbol [^>]*id="([^"]+)"')
READY = ".themes h4"


def test_every_colour_and_every_sign_by_day_and_by_night(browser: Browser, base: str) -> None:
    """Each theme lists all its colour tokens, correct contrast ratios and all symbols of the games.

    Every symbol is drawn: none has an empty bounding box.
    """
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/style")
    page.wait_for_selector(READY)
    for panel, theme in ((".by-day", "light"), (".by-night", "dark")):
        tokens = _themes()[theme]
        swatches = page.locator(f"{panel} .swatches li").all_inner_texts()
        told = dict(text.split("\n")[:2] for text in swatches)
        assert {name: told[name] for name in tokens} == tokens
        for pair in [name for name in told if " / " in name]:
            upper, lower = pair.split(" / ")
            exact = contrast(tokens[upper], tokens[lower])
            assert abs(float(told[pair]) - exact) < 0.11, f"{theme}: {pair}"
        shown = page.locator(f"{panel} .piece use").evaluate_all(
            "nodes => nodes.map(node => node.getAttribute('href'))"
        )
        drawn = [
            f"#{game}-{name}"
            for game in TITLES
            for name in SYMBOL.findall(game_styles()[game]["svg"])
        ]
        assert sorted(shown) == sorted(drawn)
        headings = page.locator(f"{panel} h4").all_inner_texts()
        assert {title.title for title in TITLES.values()} <= set(headings)
    empty = page.locator(".piece use").evaluate_all(
        "nodes => nodes.filter(node => !node.getBBox().width).map(node => node.outerHTML)"
    )
    assert empty == []
    phone.close()


def test_a_sheet_wears_the_theme_that_it_is_shown_in(browser: Browser, base: str) -> None:
    """A sheet that is opened from a theme's panel has the colours of that theme."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/style")
    papers = []
    for panel in (".by-day", ".by-night"):
        page.locator(panel).get_by_role("button", name="Result", exact=True).click()
        sheet = page.locator("dialog[open]")
        expect(sheet.get_by_text("Player 2")).to_be_visible()
        papers.append(sheet.evaluate("node => getComputedStyle(node).backgroundColor"))
        page.go_back()
        expect(sheet).to_have_count(0)
    assert papers[0] != papers[1]
    phone.close()


@pytest.mark.usefixtures("service_worker")
def test_it_comes_when_it_is_opened_also_without_a_network(browser: Browser, base: str) -> None:
    """The home page does not load the style page's script; the style page opens offline."""
    phone = Phone(browser, base)
    page = phone.page
    page.goto("/")
    until_kept(page)
    scripts = page.locator("script").evaluate_all("nodes => nodes.map(node => node.src)")
    assert not [address for address in scripts if "/assets/style." in address]
    phone.context.set_offline(True)
    page.goto("/style")
    page.wait_for_selector(READY)
    assert page.locator(".by-night .piece").count() > 40
    phone.close()
