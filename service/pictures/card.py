"""A card for any game: its title, who plays, and where the match stands. Nothing of the board.

It shows only what everybody at a table knows, so it needs no view of the game.
"""

from functools import lru_cache

from PIL import Image

from service.pictures import paint
from service.pictures.paint import INK, MUTED, PAPER, WHITE, Colour, Pad
from service.pictures.scene import Scene

SKY = tuple(map(paint.rgb, ("#f8dfa8", "#f4ca8c", "#f0b574")))
SUN = paint.rgb("#fff4d6")
DUNES = tuple(map(paint.rgb, ("#d79a53", "#c07f3b", "#9a5c27")))


class CardPicture:
    """Cards of one match in one size."""

    def __init__(self, scene: Scene, size: tuple[int, int]) -> None:
        self._size = size
        self._ground = self._desert(scene)

    def _desert(self, scene: Scene) -> Image.Image:
        """An evening: a camel of each seat's colour walks along a dune."""
        wide, high = self._size
        pad = Pad(self._size, 1, (0, 0), SKY[0], smooth=3)
        for band in range(48):
            share = band / 48
            low, rest = divmod(share * 2, 1)
            one, two = SKY[int(low)], SKY[int(low) + 1]
            red, green, blue = (round(a + (b - a) * rest) for a, b in zip(one, two, strict=True))
            pad.band(0, high * share, wide, high * (share + 1 / 48), (red, green, blue))
        pad.circle((wide * 0.78, high * 0.36), high * 0.15, SUN)
        for number, fill in enumerate(DUNES):
            top = high * (0.6 + 0.13 * number)
            pad.polygon(self._dune(top, high * 0.05, 0.35 + number * 0.4), fill)
            if number == 0:
                self._walkers(pad, scene, top)
        return pad.done()

    def _dune(self, top: float, swell: float, shift: float) -> list[tuple[float, float]]:
        wide, high = self._size
        crest = [(x * wide / 24, top + swell * _wave(x / 24 + shift)) for x in range(25)]
        return [*crest, (wide, high), (0, high)]

    def _walkers(self, pad: Pad, scene: Scene, top: float) -> None:
        wide, high = self._size
        swell = high * 0.05
        size = min(high * 0.22, wide * 0.62 / len(scene.names))
        for seat in range(len(scene.names)):
            x = wide * 0.06 + size * (seat * 1.06 + 0.5)
            y = top + swell * _wave(x / wide + 0.35) - size * 0.36
            pad.figure(paint.CAMEL, (x, y), size, scene.colour(seat))

    def draw(self, scene: Scene) -> Image.Image:
        """The match at one moment."""
        canvas = self._ground.copy()
        wide, high = self._size
        big, middle = round(high * 0.1), round(high * 0.05)
        left = round(wide * 0.05)
        title = paint.fitted(scene.title, big, wide - 2 * left)
        paint.write(canvas, (left, high * 0.12), title, big, INK, bold=True)
        turn = f"Turn {scene.turn} · " if scene.turn and scene.standings is None else ""
        line = paint.fitted(turn + scene.headline(), middle, wide - 2 * left)
        paint.write(canvas, (left, high * 0.22), line, middle, MUTED)
        self._seats(canvas, scene)
        return canvas

    def _seats(self, canvas: Image.Image, scene: Scene) -> None:
        """The seats on plates; with their scores when the match is over."""
        wide, high = self._size
        scores = {s.seat: s.score for s in scene.standings or ()}
        many = len(scene.names)
        across = min(many, 3 if wide > high and many != 4 else 2)
        rows = -(-len(scene.names) // across)
        step, size = (wide * 0.92) / across, min(high * 0.11, high * 0.33 / rows)
        top = high * 0.97 - rows * size
        places = []
        for place, seat in enumerate(scene.order()):
            x, y = wide * 0.04 + place % across * step, top + place // across * size
            part = _plate(round(step - 10), round(size - 8), scene.colour(seat))
            canvas.paste(part, (round(x), round(y)), part)
            places.append((seat, x, y + (size - 8) / 2))
        letters = round(size * 0.42)
        for seat, x, y in places:
            room = step - size * 0.8 - 30
            if seat in scores:
                end = x + step - 28
                tone = scene.colour(seat)
                number = str(scores[seat])
                room -= paint.write(canvas, (end, y), number, letters, tone, "rm", bold=True) + 10
            name = paint.fitted(scene.names[seat], letters, room)
            bold = seat in scene.to_act
            paint.write(canvas, (x + size * 0.8, y), name, letters, INK, bold=bold)


@lru_cache(maxsize=64)
def _plate(wide: int, high: int, tone: Colour) -> Image.Image:
    """A plate with a dot in a seat's colour."""
    pad = Pad((wide, high), 1)
    pad.rounded(0, 0, wide - 0.5, high - 0.5, 12, PAPER)
    pad.circle((high * 0.5, high / 2), high * 0.27, tone, WHITE, 3)
    return pad.done()


def _wave(x: float) -> float:
    """A soft line between -1 and 1, repeating after 1."""
    part = x % 1
    rise = part * 2 if part < 0.5 else 2 - part * 2
    return 1 - 2 * rise * rise * (3 - 2 * rise)
