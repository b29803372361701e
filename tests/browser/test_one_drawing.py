"""The page and the rendered pictures show the same drawing: the same pieces, places and shapes.

A recorded match of each game is opened in the page at two versions. The board is compared with the
SVG that the service renders for the same version.
"""

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

from domain.contract.registry import TITLES, game_module
from service.media.pictures.frames import still_job
from service.media.pictures.layout import ScenePicture
from service.media.pictures.picture_renderer import PictureRenderer
from service.media.pictures.render_job import STILL_SIZE_PX
from service.settings import Settings
from tests.browser.service import Program
from tests.game_contract.recorded_matches import file_of, timeline_of
from tests.service.running import server

pytestmark = pytest.mark.browser

GAMES = [slug for slug in TITLES if file_of(slug) and game_module(slug, "picture")]
SHAPES = {
    "path": ("d",),
    "circle": ("cx", "cy", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "rect": ("x", "y", "width", "height", "rx"),
    "use": ("href", "x", "y", "width", "height"),
}
Shape = tuple[Any, ...]
READ = """([shapes]) => {
  const values = (node, names) => names.map(name => node.getAttribute(name))
  const told = (node) => [node.tagName, ...values(node, shapes[node.tagName])]
  const within = (root) => [root, ...root.querySelectorAll("*")]
    .filter(node => node.tagName in shapes).map(told)
  const svg = document.querySelector("[data-piece]").ownerSVGElement
  const unit = svg.getScreenCTM().inverse()
  const pieces = [...svg.querySelectorAll("[data-piece]")].map(node => {
    const at = unit.multiply(node.getScreenCTM())
    return [node.getAttribute("data-piece"), at.e, at.f, within(node)]
  })
  return [pieces, within(svg)]
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(Settings(data=str(tmp_path_factory.mktemp("data")))) as address:
        yield address


@pytest.mark.parametrize("slug", GAMES)
def test_page_and_picture_are_one_drawing(slug: str, browser: Browser, base: str) -> None:
    """Pieces have the same place and shapes in both; the page has every shape of the ground."""
    document = file_of(slug)
    assert document is not None
    timeline = timeline_of(document)
    ann = Program(base, "Ann")
    match = ann.post("/matches/import", document, 201)
    phone = ann.phone(browser)
    for part in (0.3, 0.8):
        version = int(timeline.version * part)
        phone.page.goto(f"/m/{match['id']}?v={version}")
        phone.page.wait_for_selector("[data-piece]")
        told, everything = phone.page.evaluate(READ, [SHAPES])
        pieces, ground = _rendered(timeline, version)
        page = {name: (x, y, [_shape(each) for each in shapes]) for name, x, y, shapes in told}
        both = page.keys() & pieces.keys()
        more = {name.split()[0] for name in page.keys() - both}
        assert more <= {"band"}, "the page marks the latest move; all else is in the picture too"
        assert len(both) >= 0.8 * len(pieces), "the picture adds only letters of seats"
        for name in both:
            assert page[name][:2] == pytest.approx(pieces[name][:2], abs=0.05), name
            assert page[name][2] == pieces[name][2], name
        missing = set(ground) - {_shape(each) for each in everything}
        assert missing == set()
    phone.close()


def _rendered(timeline: Any, version: int) -> tuple[dict[str, Any], list[Shape]]:
    """Render the SVG of a version; return its pieces and the shapes of its ground.

    Pieces are keyed by name; each is a tuple of x and y, in units of the drawing, and its shapes.
    """
    order = still_job(timeline, version)
    studio = PictureRenderer()
    drawer = studio.layout_for(order.frames[0], STILL_SIZE_PX)
    assert isinstance(drawer, ScenePicture)
    root = ElementTree.fromstring(studio.frame_svg(order, order.frames[0], STILL_SIZE_PX))
    left, top = drawer.origin
    pieces = {}
    for node in root:
        name = node.get("data-piece")
        if name is not None:
            found = re.match(r"translate\((\S+) (\S+)\)", node.get("transform", ""))
            assert found is not None
            x, y = (float(found[1]) - left) / drawer.scale, (float(found[2]) - top) / drawer.scale
            pieces[name] = (x, y, _shapes(node))
    ground = next(node for node in root if node.tag.endswith("}g"))
    return pieces, _shapes(ground)


def _shapes(node: ElementTree.Element) -> list[Shape]:
    found = []
    for each in node.iter():
        tag = each.tag.rpartition("}")[2]
        if tag in SHAPES:
            found.append(_shape([tag, *(each.get(name) for name in SHAPES[tag])]))
    return found


def _shape(told: list[Any]) -> Shape:
    """Parse the numbers in the attributes of a shape: page and service format them differently."""
    return (told[0], *(_numbers(value) for value in told[1:]))


def _numbers(value: str | None) -> Any:
    if value is None:
        return None
    parts = re.split(r"(-?\d*\.?\d+)", value)
    numbers = [round(float(part), 2) if number % 2 else part for number, part in enumerate(parts)]
    return tuple(0.0 if part == 0 else part for part in numbers)
