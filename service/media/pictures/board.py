"""The board alone as a small SVG, for lists of tables and of games: a drawing of some
kilobytes, made in the process itself, sharp at every size."""

from cachetools import LRUCache

from domain.markup import as_is
from domain.match import Timeline
from domain.register import TITLES, part_of
from domain.scene import group, letters
from service.base.languages import language
from service.base.problems import Fault
from service.matches import preview
from service.matches.names import called
from service.media.pictures.frames import symbols_of
from service.media.pictures.palette import Theme, resolver
from service.media.pictures.sheet import Printer

_KEPT = 8 * 1024 * 1024
"""Bytes of boards that are kept."""

_examples: LRUCache[tuple[str, Theme], bytes] = LRUCache(64)


def board(timeline: Timeline, version: int, theme: Theme | None) -> bytes:
    """The board at a version as everybody at the table may see it; before the game begins, one
    that is laid out by the same options. Without a theme its colours are the tokens of the page
    that it stands in. `Fault` 404 where the game draws none."""
    moment = timeline.at(version)
    if moment.state is None:
        opened = moment.opened
        timeline = preview.laid_out(opened.game, opened.options, len(moment.seats))
        moment = timeline.now
    picture = part_of(moment.opened.game, "picture")
    if picture is None:
        raise Fault(404, "no_board", "This game draws no board.")
    names = [called(seat, number) for number, seat in enumerate(moment.seats)]
    scene = picture.scene(timeline.rules.view(moment.state, None), letters(names))
    pieces = [
        group(piece.node, transform=f"translate({piece.x:.2f} {piece.y:.2f})")
        for piece in scene.pieces
    ]
    left, top, wide, high = (round(each) for each in scene.box)
    colours = as_is if theme is None else resolver(theme)
    printer = Printer(symbols_of(moment.opened.game), colours)
    area = (left, top, left + wide, top + high)
    return printer.document([*scene.ground, *pieces], area).encode()


def example(slug: str, theme: Theme) -> bytes:
    """The board of a game as it may lie at the beginning, with the seats that are in the middle of
    those it is for."""
    known = _examples.get((slug, theme))
    if known is None:
        seats = TITLES[slug].seats if slug in TITLES else (0,)
        timeline = preview.laid_out(slug, {}, seats[len(seats) // 2])
        known = board(timeline, timeline.version, theme)
        _examples[slug, theme] = known
    return known


class Boards:
    """Boards of matches; the latest are kept."""

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[str, int, str, Theme | None], bytes] = LRUCache(
            _KEPT, getsizeof=len
        )

    def of(self, match_id: str, timeline: Timeline, version: int, theme: Theme | None) -> bytes:
        """The board of a match at a version."""
        key = match_id, version, language().tag, theme
        known = self._kept.get(key)
        if known is None:
            known = board(timeline, version, theme)
            self._kept[key] = known
        return known
