"""The layout of a picture: the game's scene, surrounded by title, turn line and players."""

from collections.abc import Iterator

from domain.drawing import scene as drawing
from service.media.pictures.fonts import FontSet
from service.media.pictures.render_job import Frame
from service.media.pictures.svg_document import Area, PicturePart, Size, SvgDocument, make_part

MAX_SCALE = 1.35
"""Maximum pixels per unit of the scene, so that a small board is not enlarged too much."""
_PILL_WIDTH_PX = 304
"""Width in pixels of the turn line above the board of a square picture."""


class ScenePicture:
    """Layout of the pictures of one match at one size.

    A wide picture has a panel beside the board, a square one has rows above and below it.
    """

    def __init__(self, frame: Frame, size: Size, fonts: FontSet) -> None:
        assert frame.scene is not None
        self._size = size
        self._fonts = fonts
        self._is_wide = size[0] > size[1]
        if self._is_wide:
            self._area = (14, 14, size[1] + 8, size[1] - 14)
        else:
            footer = 46 * -(-len(frame.names) // _plates_per_row(len(frame.names)))
            self._area = (12, 62, size[0] - 12, size[1] - footer - 14)
        left, top, right, bottom = self._area
        x, y, wide, high = frame.scene.box
        self.scale = min((right - left) / wide, (bottom - top) / high, MAX_SCALE)
        self.origin = (
            (left + right) / 2 - (x + wide / 2) * self.scale,
            (top + bottom) / 2 - (y + high / 2) * self.scale,
        )

    def draw(self, frame: Frame) -> SvgDocument:
        """Return the picture of one frame, which must have a scene."""
        assert frame.scene is not None
        around = self._panel if self._is_wide else self._frame
        parts = [*map(self._piece, frame.scene.pieces), *around(frame, frame.scene)]
        return SvgDocument(self._size, tuple(self._ground(frame.scene)), tuple(parts))

    # -- the board -----------------------------------------------------------------------------

    def _ground(self, scene: drawing.Scene) -> Iterator[drawing.Node]:
        wide, high = self._size
        yield drawing.plate(0, 0, wide, high, 0, "ground")
        yield self._place_nodes(0, 0, *scene.ground)

    def _place_nodes(
        self, x: float, y: float, *nodes: drawing.Node, name: str = ""
    ) -> drawing.Node:
        """Group nodes, scaled from scene units to pixels, at a point given in scene units.

        ``name``: the value of the group's ``data-piece`` attribute.
        """
        left, top = self.to_pixels(x, y)
        place = f"translate({left:.2f} {top:.2f}) scale({self.scale:.5f})"
        return drawing.group(*nodes, transform=place, data_piece=name)

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point from scene units to pixels."""
        return self.origin[0] + x * self.scale, self.origin[1] + y * self.scale

    def _piece(self, piece: drawing.Piece) -> PicturePart:
        (x, y), far = self.to_pixels(piece.x, piece.y), piece.reach * self.scale
        node = self._place_nodes(piece.x, piece.y, piece.node, name=piece.name)
        return make_part(piece.name, (x - far, y - far, x + far, y + far), node)

    # -- the panel beside the board --------------------------------------------------------------

    def _panel(self, frame: Frame, scene: drawing.Scene) -> Iterator[PicturePart]:
        """Draw the panel: title, caption, turn line, seats with their holdings, common stock."""
        wide, high = self._size
        left, right = self._area[2] + 14, wide - 24
        many = len(frame.names)
        last = 64 if scene.stock else 0
        step = min(104, (high - 218 - last) // many)
        top = max(20, (high - 172 - last - step * many) // 2)
        size = self._fonts.title_size(frame.title, 50, right - left)
        title = drawing.text(left, top + 50, frame.title, size, family="serif", anchor="start")
        when = self._line(left, top + 82, frame.caption, 24, right - left, "muted")
        yield make_part("title", (left, top, right, top + 60), title)
        yield make_part("when", (left, top + 60, right, top + 100), when)
        yield self._pill(left, top + 128, frame, 30, right - left)
        top += 172
        for place, seat in enumerate(frame.seat_order()):
            yield self._row(
                frame, seat, (left, top + place * step, right, top + (place + 1) * step)
            )
        if scene.stock:
            y = top + many * step + 32
            name = self._line(left + 8, y, frame.stock_name, 26, 200)
            start = left + 30 + self._fonts.text_width(frame.stock_name, 26)
            marks = self._marks(scene.stock, (start, y), 26, right)
            yield make_part("stock", (left, y - 24, right, y + 24), name, *marks)

    def _row(self, frame: Frame, seat: int, area: Area) -> PicturePart:
        """Draw a seat in the panel: medallion, name, holdings as the viewer sees them, score."""
        left, top, right, bottom = area
        high = bottom - top
        tone = drawing.SEAT_TONES[seat % drawing.COLOURED_SEATS]
        middle = top + (high - 7) / 2
        radius = min(32, high / 2 - 5)
        score = _score_text(frame, seat)
        used = self._fonts.text_width(score, 44, True)
        nodes = [
            drawing.plate(left, top, right - left, high - 7, min(12, high // 4), "paper"),
            _medallion(left + 42, middle, seat, frame.letters[seat], radius),
            drawing.text(right - 16, middle + 16, score, 44, tone, anchor="end"),
        ]
        size = min(12, high // 6)
        letters, x = size * 2 + 4, left + 88
        marks = frame.scene.holdings[seat].marks if frame.scene else ()
        bold = seat in frame.to_act
        if high < 60 or not marks:  # Name and holdings share one line.
            room = right - 30 - used - x - self._marks_width(marks, 2 * size)
            name = self._line(x, middle, frame.names[seat], letters, room, bold=bold)
            beside = (x + room + 8, middle)
        else:
            room = right - x - used - 30
            name = self._line(x, middle - high * 0.18, frame.names[seat], letters, room, bold=bold)
            beside = (x, middle + high * 0.22)
        more = self._marks(marks, beside, 2 * size, right - used - 24)
        return make_part(f"seat {seat}", area, *nodes, name, *more)

    def _marks(
        self, marks: tuple[drawing.Mark, ...], at: tuple[float, float], size: float, right: float
    ) -> list[drawing.Node]:
        """Draw symbols with short texts in a row, spread over the available width.

        ``at``: the left end of the row at its vertical middle; ``right``: its right end.
        """
        nodes: list[drawing.Node] = []
        if not marks:
            return nodes
        x, y = at
        letters = _text_size(size)
        step = min((right - x) / len(marks), size + 8 + letters * 1.6)
        for mark in marks:
            sign = _symbol_width(mark, size)
            if mark.symbol:
                middle = x + (sign - 4) / 2
                nodes.append(
                    drawing.use(mark.symbol, middle, y, size * mark.aspect_ratio, size, mark.tone)
                )
            nodes.append(self._line(x + sign, y, mark.text, letters, 200))
            x += max(step, self._marks_width((mark,), size))
        return nodes

    def _marks_width(self, marks: tuple[drawing.Mark, ...], size: float) -> float:
        """Return the minimum width of marks in a row, in pixels."""
        return sum(
            _symbol_width(mark, size) + self._fonts.text_width(mark.text, _text_size(size)) + 8
            for mark in marks
        )

    # -- above and below the board ---------------------------------------------------------------

    def _frame(self, frame: Frame, scene: drawing.Scene) -> Iterator[PicturePart]:
        """Draw the title and the turn line above the board, and the seats in rows below it."""
        wide, high = self._size
        room = wide - _PILL_WIDTH_PX - 16 - 18 - 12
        size = self._fonts.title_size(frame.title, 28, room)
        title = drawing.text(18, 42, frame.title, size, family="serif", anchor="start")
        yield make_part("title", (0, 0, 18 + room, 60), title)
        yield self._pill(wide - 16, 32, frame, 19, _PILL_WIDTH_PX, from_right=True)
        many = len(frame.names)
        rows = -(-many // _plates_per_row(many))
        across = -(-many // rows)
        step = (wide - 24) / across
        for place, seat in enumerate(frame.seat_order()):
            left = 12 + place % across * step
            top = high - 8 - 46 * (rows - place // across)
            yield self._compact_seat(frame, seat, (left + 3, top, left + step - 3, top + 41))

    def _compact_seat(
        self, frame: Frame, seat: int, area: tuple[float, float, float, float]
    ) -> PicturePart:
        left, top, right, bottom = area
        score = _score_text(frame, seat)
        used = self._fonts.text_width(score, 27, True)
        tone = drawing.SEAT_TONES[seat % drawing.COLOURED_SEATS]
        bold = seat in frame.to_act
        room = right - left - 68 - used
        return make_part(
            f"seat {seat}",
            area,
            drawing.plate(left, top, right - left, bottom - top, 12, "paper"),
            _medallion(left + 23, top + 20, seat, frame.letters[seat], 17),
            drawing.text(right - 11, top + 30, score, 27, tone, anchor="end"),
            self._line(left + 47, top + 20, frame.names[seat], 20, room, bold=bold),
        )

    # -- text --------------------------------------------------------------------------------------

    def _line(
        self,
        x: float,
        middle: float,
        words: str,
        size: float,
        max_width: float,
        tone: str = "ink",
        bold: bool = False,
    ) -> drawing.Node:
        """Draw text that begins at ``x`` and is shortened to ``max_width``.

        ``middle``: the vertical middle of the text.
        """
        fitted = self._fonts.fit_text(words, size, max_width, bold)
        weight = 700 if bold else 400
        return drawing.text(
            x, middle + size * 0.36, fitted, size, tone, anchor="start", weight=weight
        )

    def _pill(
        self,
        x: float,
        middle: float,
        frame: Frame,
        size: float,
        max_width: float,
        from_right: bool = False,
    ) -> PicturePart:
        """Draw the turn line on a plate in the colour of the seat it is about (`_headline_colour`).

        ``x``: the left edge of the plate, or with ``from_right`` its right edge.
        """
        said = self._fonts.fit_text(frame.turn_line, size, max_width - size * 1.4, True)
        width = self._fonts.text_width(said, size, True) + size * 1.4
        left, high = x - width if from_right else x, size * 0.92
        whole = (x - max_width, x) if from_right else (x, x + max_width)
        return make_part(
            "turn",
            (whole[0], middle - high, whole[1], middle + high),
            drawing.plate(left, middle - high, width, 2 * high, high, _headline_colour(frame)),
            drawing.text(left + width / 2, middle + size * 0.34, said, size, "seat-ink"),
        )


def _text_size(size: float) -> float:
    """Return the font size of the text beside a symbol of a given size."""
    return size * 0.875


def _symbol_width(mark: drawing.Mark, size: float) -> float:
    """Return the width of a mark's symbol including the gap to its text, 0 without a symbol."""
    return mark.aspect_ratio * size + 4 if mark.symbol else 0


def _plates_per_row(seats: int) -> int:
    """Return the maximum number of seat plates per row below the board of a square picture."""
    return 4 if seats > 6 else 3


def _score_text(frame: Frame, seat: int) -> str:
    score = frame.scene.holdings[seat].score if frame.scene else ""
    final = frame.scores().get(seat)
    return score if score or final is None else str(final)


def _headline_colour(frame: Frame) -> str:
    """Return the colour of the only winner or only seat to act, "action" if it is not just one."""
    seats = frame.winners() if frame.standings is not None else list(frame.to_act)
    return drawing.SEAT_TONES[seats[0] % drawing.COLOURED_SEATS] if len(seats) == 1 else "action"


def _medallion(x: float, y: float, seat: int, letter: str, radius: float) -> drawing.Node:
    """Draw a camel medallion in the colour of a seat, with the seat's letter."""
    size = radius / 23
    initial = drawing.group(
        *drawing.tag(seat % drawing.COLOURED_SEATS, letter, -12),
        transform="translate(15 12) scale(.8)",
    )
    place = f"translate({x:.2f} {y:.2f}) scale({size:.4f})"
    return drawing.group(
        *drawing.medal(seat % drawing.COLOURED_SEATS, 21), initial, transform=place
    )
