"""Requirements on the rules text of every game."""

import random
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from domain.contract.guide import Picture, Points, Ruling
from domain.contract.registry import TITLES, game_module
from domain.drawing.scene import SYMBOLS
from domain.drawing.svg import SVG_NAMESPACE, node_markup, symbol_markup
from tests.game_contract.play import opened, option_sets, random_steps
from tests.game_contract.strict_english import STRICT_ENGLISH, format_message

GUIDES = {slug: game_module(slug, "guide") for slug in TITLES if game_module(slug, "guide")}
STEPS = 120


def parts(slug: str, kind: type) -> list[Any]:
    """Return all parts of a guide of one kind."""
    return [part for each in GUIDES[slug].GUIDE for part in each.parts if isinstance(part, kind)]


def test_every_game_has_a_guide() -> None:
    assert set(GUIDES) == set(TITLES)


@pytest.mark.parametrize("slug", GUIDES)
def test_every_ruling_appears_once(slug: str) -> None:
    told = [number for part in parts(slug, Ruling) for number in part.numbers]
    assert sorted(told) == list(range(1, GUIDES[slug].RULINGS + 1))


@pytest.mark.parametrize("slug", GUIDES)
def test_every_text_of_a_guide_is_known(slug: str) -> None:
    """Headings, paragraphs, lists, rulings and captions, in sentences without placeholders."""
    ids = [each.heading for each in GUIDES[slug].GUIDE] + parts(slug, str)
    ids += [each.sentence for kind in (Ruling, Picture) for each in parts(slug, kind)]
    ids += [sentence for each in parts(slug, Points) for sentence in each.sentences]
    assert len(ids) > 20
    for message_id in ids:
        assert "{" not in STRICT_ENGLISH.translate(slug, message_id, {})


@pytest.mark.parametrize("slug", GUIDES)
def test_every_picture_is_drawn(slug: str) -> None:
    known = {
        each.name for each in (*SYMBOLS, *getattr(game_module(slug, "symbols"), "SYMBOLS", ()))
    }
    symbols = "".join(symbol_markup(each) for each in game_module(slug, "symbols").SYMBOLS)
    assert parts(slug, Picture)
    for picture in parts(slug, Picture):
        drawing = symbols + "".join(node_markup(node) for node in picture.draw())
        ET.fromstring(f'<svg xmlns="{SVG_NAMESPACE}">{drawing}</svg>')
        assert set(re.findall(r'href="#([\w-]+)"', drawing)) <= known
        assert picture.box[2] > 0 < picture.box[3]


@pytest.mark.parametrize("slug", GUIDES)
def test_every_moment_has_its_section(slug: str) -> None:
    guide = GUIDES[slug]
    names = [each.name for each in guide.GUIDE]
    assert len(set(names)) == len(names)
    timeline = opened((slug, min(TITLES[slug].seats), option_sets(TITLES[slug])[-1]), 5)
    seen = set()
    for _ in random_steps(timeline, random.Random(5), STEPS):
        state = timeline.latest.state
        for seat in (None, *timeline.to_act(timeline.latest)):
            view = timeline.rules.view(state, seat)
            seen.add(guide.topic(view, seat))
            assert seat is None or format_message(slug, guide.hint(view, seat), {})
    assert seen <= set(names)
    assert len(seen) > 1, "one section for everything is none"
