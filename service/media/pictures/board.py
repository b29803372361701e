"""The board alone as an SVG of a few kilobytes, for lists of matches and games.

It is drawn in the service's own process and scales without loss.
"""

from cachetools import LRUCache

from domain.contract.registry import TITLES, game_module
from domain.drawing.scene import group, seat_letters
from domain.drawing.svg import keep_value
from domain.match.timeline import Timeline
from service.http.i18n import current_language
from service.http.problems import ApiProblem
from service.matches import preview
from service.matches.seat_names import display_name
from service.media.pictures.frames import game_symbols
from service.media.pictures.palette import Theme, token_resolver
from service.media.pictures.svg_document import SvgSerializer

_MAX_CACHE_BYTES = 8 * 1024 * 1024
"""Maximum size of the cache in bytes."""

_examples: LRUCache[tuple[str, Theme], bytes] = LRUCache(64)


def render_board(timeline: Timeline, version: int, theme: Theme | None) -> bytes:
    """Return the board at a version as SVG, as a spectator sees it.

    Before the game begins, an example board with the same options is drawn. If ``theme`` is None,
    colours stay CSS variables, to be defined by the page that embeds the SVG. Raises `ApiProblem`
    404 ``no_board`` if the game draws no board.
    """
    moment = timeline.at(version)
    if moment.state is None:
        opened = moment.opened
        timeline = preview.build_preview(opened.game, opened.options, len(moment.seats))
        moment = timeline.latest
    picture = game_module(moment.opened.game, "picture")
    if picture is None:
        raise ApiProblem(404, "no_board", "error.no_board")
    names = [display_name(seat, number) for number, seat in enumerate(moment.seats)]
    scene = picture.scene(timeline.rules.view(moment.state, None), seat_letters(names))
    pieces = [
        group(piece.node, transform=f"translate({piece.x:.2f} {piece.y:.2f})")
        for piece in scene.pieces
    ]
    left, top, wide, high = (round(each) for each in scene.box)
    colours = keep_value if theme is None else token_resolver(theme)
    printer = SvgSerializer(game_symbols(moment.opened.game), colours)
    area = (left, top, left + wide, top + high)
    return printer.serialize([*scene.ground, *pieces], area).encode()


def render_example(slug: str, theme: Theme) -> bytes:
    """Return an example board at the start of a game as SVG; boards are cached.

    The game has default options and the median of its possible numbers of seats. Raises
    `ApiProblem` if the game is unknown or draws no board.
    """
    known = _examples.get((slug, theme))
    if known is None:
        seats = TITLES[slug].seats if slug in TITLES else (0,)
        timeline = preview.build_preview(slug, {}, seats[len(seats) // 2])
        known = render_board(timeline, timeline.version, theme)
        _examples[slug, theme] = known
    return known


class Boards:
    """The boards of matches as SVG, with a cache of the most recently used ones."""

    def __init__(self) -> None:
        self._cache: LRUCache[tuple[str, int, str, Theme | None], bytes] = LRUCache(
            _MAX_CACHE_BYTES, getsizeof=len
        )

    def board_of_match(
        self, match_id: str, timeline: Timeline, version: int, theme: Theme | None
    ) -> bytes:
        """Return the board of a match at a version as `render_board` does, cached.

        It is cached by match, version, language and theme.
        """
        key = match_id, version, current_language().tag, theme
        known = self._cache.get(key)
        if known is None:
            known = render_board(timeline, version, theme)
            self._cache[key] = known
        return known
