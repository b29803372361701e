"""Text on pictures: names in every script for which there are fonts."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from domain.contract.registry import TITLES
from domain.drawing.scene import text
from domain.drawing.svg import node_markup
from service.media.pictures.fonts import MAX_LINE_CHARS, FontSet, check_fonts, find_extra_fonts
from service.media.pictures.palette import resolve_light
from service.media.pictures.raster import Rasterizer

HAN = Path(__file__).parent / "fonts" / "han.ttf"
"""A few Chinese letters of Droid Sans Fallback (Apache License 2.0)."""
SHIPPED = FontSet()
WITH_HAN = FontSet([HAN])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("José", "José"),
        ("Zoë Šimák", "Zoë Šimák"),
        ("Jürgen Groß", "Jürgen Groß"),
        ("Ольга", "Ольга"),
        ("Ελένη", "Ελένη"),
        ("Nguyễn", "Nguyễn"),
        ("Jose\u0301", "José"),
        ("Bob 🐫", "Bob"),
        ("王小明", "Seat 2"),
        ("🐫", "Seat 2"),
        ("  ", "Seat 2"),
    ],
)
def test_names_are_shown_as_far_as_the_fonts_go(name: str, shown: str) -> None:
    assert SHIPPED.supported_text(name, "Seat 2") == shown


def test_additional_font_adds_its_glyphs() -> None:
    assert WITH_HAN.supported_text("王小明", "Seat 2") == "王小明"
    assert WITH_HAN.supported_text("Anna 王", "Seat 2") == "Anna 王"


@pytest.mark.parametrize("name", ["José", "Ольга", "Ελένη", "王小明"])
def test_every_letter_has_its_own_glyph(name: str) -> None:
    """Rendered for real: each letter differs from the missing-glyph box."""
    raster = Rasterizer(WITH_HAN.files)
    looks = {_drawn(raster, letter) for letter in name}
    assert len(looks) == len(set(name))
    assert _drawn(raster, "\U0010fffd") not in looks
    assert _drawn(raster, " ") not in looks


def _drawn(raster: Rasterizer, words: str) -> bytes:
    node = text(100, 60, words, 40)
    inner = node_markup(node, resolve_light)
    document = f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="90">{inner}</svg>'
    return Image.open(BytesIO(raster.render_png(document))).tobytes()


@pytest.mark.parametrize("words", ["Ann and 3 to move", "Ольга", "王小明", "ÁÉÍ ff fi"])
def test_rendered_width_matches_measured_width(words: str) -> None:
    """The rendered text fits into the measured width and does not waste much of it."""
    raster = Rasterizer(WITH_HAN.files)
    node = text(10, 60, words, 40, anchor="start")
    inner = node_markup(node, resolve_light)
    document = f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="90">{inner}</svg>'
    drawn = Image.open(BytesIO(raster.render_png(document)))
    box = ImageChops.difference(drawn, Image.new("RGBA", drawn.size)).getbbox()
    assert box is not None
    room = WITH_HAN.text_width(words, 40, bold=True)
    assert 0.85 * room < box[2] - 10 <= room + 2


@pytest.mark.parametrize("title", [each.title for each in TITLES.values()])
@pytest.mark.parametrize("room", [200, 330, 900])
def test_title_shrinks_to_fit(title: str, room: int) -> None:
    """And no smaller: it fills the space or has its usual size."""
    size = SHIPPED.title_size(title, 50, room)
    node = text(10, 60, title, size, family="serif", anchor="start")
    inner = node_markup(node, resolve_light)
    document = f'<svg xmlns="http://www.w3.org/2000/svg" width="1100" height="90">{inner}</svg>'
    drawn = Image.open(BytesIO(Rasterizer(SHIPPED.files).render_png(document)))
    box = ImageChops.difference(drawn, Image.new("RGBA", drawn.size)).getbbox()
    assert box is not None
    assert box[2] - 10 <= room + 2
    assert size == 50 or box[2] - 10 > 0.9 * room


def test_long_names_are_cut() -> None:
    cut = SHIPPED.fit_text("W" * 40, 26, 200)
    assert cut.endswith("…")
    assert SHIPPED.text_width(cut, 26) <= 200


def test_fitting_gives_the_longest_beginning() -> None:
    for words in ("Ann", "", "A rather long name of forty letters here", "i " * 90):
        for width in (5, 20, 80, 200, 1_000):
            assert SHIPPED.fit_text(words, 20, width) == _slowly(words, 20, width)


def _slowly(words: str, size: float, width: float) -> str:
    if SHIPPED.text_width(words, size) <= width:
        return words
    while words and SHIPPED.text_width(words.rstrip() + "…", size) > width:
        words = words[:-1]
    return words.rstrip() + "…"


def test_a_long_name_costs_no_more_than_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fitting 5,000 letters took 14 seconds; now it takes at most nine measurements of a bounded
    line."""
    measured: list[int] = []
    words = FontSet()
    real = words.text_width

    def counted(line: str, *rest: Any) -> float:
        measured.append(len(line))
        return real(line, *rest)

    monkeypatch.setattr(words, "text_width", counted)
    for line in ("W" * 5_000, "W" * 500_000, "i" * 100):
        measured.clear()
        fitted = words.fit_text(line, 40, 300)
        assert fitted.endswith("…")
        assert 3 < len(fitted) < 60
        assert len(measured) <= 10
        assert max(measured) <= MAX_LINE_CHARS + 1
    assert len(words.supported_text("W" * 500_000, "")) == MAX_LINE_CHARS


def test_further_fonts_are_named_or_found(tmp_path: Path) -> None:
    assert find_extra_fonts("none") == ()
    assert find_extra_fonts(str(HAN)) == (HAN,)
    for found in find_extra_fonts(""):
        assert found.is_file()
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    for wrong in (broken, tmp_path / "missing.ttf"):
        with pytest.raises((OSError, ValueError)):
            check_fonts([wrong])
    assert check_fonts([HAN]) == (HAN,)
