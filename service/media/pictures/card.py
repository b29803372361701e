"""The picture of a match without a scene: title, players and result, but no board.

It shows only public information, so it needs no view of the game.
"""

from collections.abc import Iterator

from domain.drawing.scene import (
    COLOURED_SEATS,
    SEAT_TONES,
    Node,
    circle,
    group,
    path,
    plate,
    text,
    use,
)
from service.media.pictures.fonts import FontSet
from service.media.pictures.render_job import Frame
from service.media.pictures.svg_document import PicturePart, Size, SvgDocument, make_part

DUNE_SYMBOLS = ("dune-1", "dune-2", "dune-3")


class CardPicture:
    """Layout of the cards of one match at one size, over a desert landscape."""

    def __init__(self, frame: Frame, size: Size, fonts: FontSet) -> None:
        self._size = size
        self._fonts = fonts

    def draw(self, frame: Frame) -> SvgDocument:
        """Return the picture of one frame."""
        return SvgDocument(self._size, (*self._desert(len(frame.names)),), (*self._parts(frame),))

    def _desert(self, count: int) -> Iterator[Node]:
        """Draw the sky and the dunes, with a camel in each seat's colour on the first dune."""
        wide, high = self._size
        stops = (
            Node("stop", {"offset": "0", "stop-color": "var(--sky-1)"}),
            Node("stop", {"offset": "1", "stop-color": "var(--sky-2)"}),
        )
        yield Node("linearGradient", {"id": "sky", "x1": 0, "y1": 0, "x2": 0, "y2": 1}, stops)
        sky = {"x": 0, "y": 0, "width": wide, "height": high, "fill": "url(#sky)"}
        yield Node("rect", sky)
        yield circle(wide * 0.78, high * 0.36, high * 0.15, "sun")
        swell = high * 0.05
        for number, fill in enumerate(DUNE_SYMBOLS):
            top, shift = high * (0.6 + 0.13 * number), 0.35 + number * 0.4
            crest = [
                f"{x * wide / 24:g} {top + swell * _wave(x / 24 + shift):g}" for x in range(25)
            ]
            yield path(f"M{'L'.join(crest)}L{wide} {high}H0Z", fill)
            if number == 0:
                yield self._camel_row(count, top, swell)

    def _camel_row(self, count: int, top: float, swell: float) -> Node:
        wide, high = self._size
        size = min(high * 0.22, wide * 0.62 / count)
        camels = []
        for seat in range(count):
            x = wide * 0.06 + size * (seat * 1.06 + 0.5)
            y = top + swell * _wave(x / wide + 0.35) - size * 0.36
            camels.append(use("camel", x, y, size, size * 0.84, SEAT_TONES[seat % COLOURED_SEATS]))
        return group(*camels)

    def _parts(self, frame: Frame) -> Iterator[PicturePart]:
        wide, high = self._size
        big, middle, left = high * 0.11, high * 0.058, wide * 0.05
        size = self._fonts.title_size(frame.title, big, wide - 2 * left)
        title = text(left, high * 0.16, frame.title, size, family="serif", anchor="start")
        yield make_part("title", (0, 0, wide, high * 0.18), title)
        line = self._fonts.fit_text(frame.card_line, middle, wide - 2 * left, True)
        words = text(left, high * 0.245, line, middle, "muted", anchor="start")
        yield make_part("turn", (0, high * 0.18, wide, high * 0.27), words)
        yield from self._seats(frame)

    def _seats(self, frame: Frame) -> Iterator[PicturePart]:
        """Draw a plate for each seat, with its score if the match is over."""
        wide, high = self._size
        scores = frame.scores()
        many = len(frame.names)
        across = min(many, 3 if wide > high and many != 4 else 2)
        rows = -(-many // across)
        step, size = (wide * 0.92) / across, min(high * 0.11, high * 0.33 / rows)
        top = high * 0.97 - rows * size
        for place, seat in enumerate(frame.seat_order()):
            x, y = wide * 0.04 + place % across * step, top + place // across * size
            score = str(scores[seat]) if seat in scores else ""
            yield self._seat(frame, seat, score, (x, y, x + step - 10, y + size - 8))

    def _seat(
        self, frame: Frame, seat: int, score: str, area: tuple[float, float, float, float]
    ) -> PicturePart:
        left, top, right, bottom = area
        wide, high = right - left, bottom - top
        letters, middle = high * 0.46, (top + bottom) / 2
        tone = SEAT_TONES[seat % COLOURED_SEATS]
        bold = seat in frame.to_act
        room = wide - high - 30 - self._fonts.text_width(score, letters, True)
        name = self._fonts.fit_text(frame.names[seat], letters, room, bold)
        base = middle + letters * 0.36
        weight = 700 if bold else 400
        initial = frame.letters[seat]
        return make_part(
            f"seat {seat}",
            area,
            plate(left, top, wide, high, 12, "paper"),
            circle(left + high * 0.5, middle, high * 0.32, tone),
            text(left + high * 0.5, middle + high * 0.13, initial, high * 0.36, "seat-ink"),
            text(left + high, base, name, letters, anchor="start", weight=weight),
            text(right - 18, base, score, letters, tone, anchor="end"),
        )


def _wave(x: float) -> float:
    """Return a smooth wave between -1 and 1 with period 1."""
    share = x % 1
    rise = share * 2 if share < 0.5 else 2 - share * 2
    return 1 - 2 * rise * rise * (3 - 2 * rise)
