"""Rendered pictures match small golden images within a tolerance.

``python -m tests.service.test_golden`` renders the golden images again; check the changes by eye.
"""

from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from domain.contract.registry import TITLES
from domain.match.timeline import Timeline
from service.media.pictures.frames import still_job
from service.media.pictures.picture_renderer import PictureRenderer
from service.media.pictures.render_job import RenderJob
from tests.game_contract.recorded_matches import file_of, timeline_of

FOLDER = Path(__file__).parent / "golden"
SMALLER = 3
"""So many times smaller than a still they are kept."""
MOMENTS = {"begins": 0.0, "middle": 0.6, "over": 1.0}
CASES = [(slug, moment) for slug in TITLES if file_of(slug) for moment in MOMENTS]
STUDIO = PictureRenderer()


@cache
def match_of(slug: str) -> Timeline:
    document = file_of(slug)
    assert document is not None
    return timeline_of(document)


def order(slug: str, moment: str) -> RenderJob:
    timeline = match_of(slug)
    return still_job(timeline, max(1, int(timeline.version * MOMENTS[moment])))


def drawn(slug: str, moment: str) -> Image.Image:
    data = STUDIO.render(order(slug, moment))
    return Image.open(BytesIO(data)).convert("RGB").reduce(SMALLER)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "moment"), CASES)
def test_picture_matches_golden_image(slug: str, moment: str) -> None:
    kept = Image.open(FOLDER / f"{slug}-{moment}.png").convert("RGB")
    gap = ImageChops.difference(drawn(slug, moment), kept)
    assert max(ImageStat.Stat(gap).mean) < 2
    far = gap.convert("L").point(lambda value: 255 if value > 40 else 0).histogram()[255]
    assert far < 0.005 * gap.width * gap.height


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for slug, moment in CASES:
        small = drawn(slug, moment).quantize(256, Image.Quantize.MEDIANCUT)
        small.save(FOLDER / f"{slug}-{moment}.png", optimize=True)


if __name__ == "__main__":
    main()
