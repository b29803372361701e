"""The content of pictures: one frame or a series of frames of a match, as one viewer sees it.

Throughout this module, ``viewer`` is the seat whose view is shown, or None for a spectator.
"""

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.contract.game import Standing
from domain.contract.registry import TITLES, game_module
from domain.drawing.scene import SYMBOLS, Message, Scene, Symbol, seat_letters
from domain.match.moment import Moment
from domain.match.review import effective_events
from domain.match.seats import FROM_FILE, PHONE
from domain.match.timeline import Timeline
from service.http.i18n import t, translate
from service.matches.seat_names import display_name, vacant_seat_name
from service.media.pictures.palette import Theme
from service.media.pictures.render_job import Frame, RenderJob

MAX_FRAMES = 160
"""Maximum number of frames of an animation. More would take over two seconds to render on a slow
machine, and over a minute to watch.
"""

ReplaceName = Callable[[str, str], str]
"""Type of a function that returns the part of a name (first argument) that the fonts can show, or
the second argument if too little of the name is left.
"""


def keep_name(name: str, _instead: str) -> str:
    """Return the name unchanged; a `ReplaceName` for renderers that can show every character."""
    return name


def still_job(
    timeline: Timeline,
    version: int,
    viewer: int | None = None,
    replace_name: ReplaceName = keep_name,
    theme: Theme = "light",
) -> RenderJob:
    """Return the job for a still at a version; raise `Refused` if there is no such version."""
    made = build_frame(timeline, timeline.at(version), viewer, replace_name)
    return RenderJob("png", (made,), game_symbols(timeline.latest.opened.game), theme)


def animation_job(
    timeline: Timeline,
    first: int = 1,
    last: int | None = None,
    viewer: int | None = None,
    replace_name: ReplaceName = keep_name,
) -> RenderJob:
    """Return the job for an animation from version ``first`` to version ``last``.

    It shows the match at ``first``, then each later event up to ``last`` that is not undone by
    then; if these are too many, an even selection of at most `MAX_FRAMES` frames. ``last`` is the
    latest version by default. Raises `Refused` if there is no such version.
    """
    end = timeline.version if last is None else last
    frames = tuple(_frames(timeline, first, end, viewer, replace_name))
    return RenderJob("gif", frames, game_symbols(timeline.latest.opened.game))


def game_symbols(slug: str) -> tuple[Symbol, ...]:
    """Return the symbols that a game's pictures may use: the common ones and the game's own."""
    return (*SYMBOLS, *getattr(game_module(slug, "symbols"), "SYMBOLS", ()))


def _frames(
    timeline: Timeline, first: int, last: int, viewer: int | None, replace_name: ReplaceName
) -> Iterator[Frame]:
    """Yield the frames of an animation, thinned out evenly if there are too many."""
    start, end = timeline.at(first), timeline.at(last)
    between = [
        (state, version) for version, _, state in effective_events(timeline, first + 1, last)
    ]
    moments = [replace(end, version=version, state=state) for state, version in between[:-1]]
    begun = [start] if start.state is not None else []
    for moment in (*begun, *_thin_out(moments, MAX_FRAMES - 2)):
        yield build_frame(timeline, replace(moment, status="playing"), viewer, replace_name)
    yield build_frame(timeline, end, viewer, replace_name)


def _thin_out(moments: list[Moment], max_count: int) -> list[Moment]:
    """Return at most ``max_count`` of the moments, evenly spaced by index."""
    kept = min(max_count, len(moments))
    return [moments[number * len(moments) // kept] for number in range(kept)]


def build_frame(
    timeline: Timeline, moment: Moment, viewer: int | None, replace_name: ReplaceName = keep_name
) -> Frame:
    """Return the frame of a moment.

    It shows the players' names at that moment, so that pictures of earlier versions never change.
    """
    title = TITLES[moment.opened.game]
    names = tuple(
        replace_name(display_name(seat, i), vacant_seat_name(i))
        for i, seat in enumerate(moment.seats)
    )
    signs = seat_letters(names)
    scene: Scene | None = None
    if moment.state is not None:
        view = timeline.rules.view(moment.state, viewer)
        scene = game_module(title.slug, "picture").scene(view, signs)

    def said(words: Message | None) -> str:
        return translate(title.slug, words.key, words.args, names) if words else ""

    stand = _standing_text(timeline, moment, names, said(scene.note) if scene else "")
    return Frame(
        title=title.title,
        names=names,
        letters=signs,
        to_act=stand.to_act,
        standings=stand.standings,
        scene=scene,
        caption=said(scene.caption) if scene else "",
        stock_name=said(scene.stock_name) if scene else "",
        headline=stand.headline(),
        turn_line=stand.turn_line(),
        card_line=stand.card_line(),
    )


def _standing_text(
    timeline: Timeline, moment: Moment, names: tuple[str, ...], note: str
) -> "StandingText":
    begun = moment.state is not None
    return StandingText(
        names=names,
        status=moment.status,
        turn=timeline.rules.turn(moment.state) if begun else 0,
        to_act=timeline.to_act(moment) if begun else (),
        standings=timeline.standings(moment) if begun else None,
        note=note,
        hearsay=moment.opened.source in (FROM_FILE, PHONE),
    )


class StandingText(Struct, frozen=True):
    """The current state or result of a match, with methods for describing it in text.

    ``note``: a sentence about the position from the game, or "". ``hearsay``: whether it was
    imported from an unsigned file or played on a phone without the service.
    """

    names: tuple[str, ...]
    status: str
    turn: int
    to_act: tuple[int, ...]
    standings: tuple[Standing, ...] | None
    note: str = ""
    hearsay: bool = False

    def headline(self) -> str:
        """Return who is to move, or the result, in one line; marked if ``hearsay`` is set."""
        return self._translate_line(self._current_standing())

    def turn_line(self) -> str:
        """Return the headline with the game's note, or only the note if no seat is to act."""
        if not self.note:
            return self.headline()
        alone = self.turn and not self.to_act and self.standings is None
        both = t("picture.stand_note", stand=self._current_standing(), note=self.note)
        return self._translate_line(self.note if alone else both)

    def card_line(self) -> str:
        """Return the headline, preceded by the turn number while the match is being played."""
        line = self.headline()
        if self.turn and self.standings is None:
            return t("picture.turn_line", turn=self.turn, headline=line)
        return line

    def _translate_line(self, line: str) -> str:
        return t("picture.unsigned", stand=line) if self.hearsay else line

    def _current_standing(self) -> str:
        if self.standings is not None:
            return self._final_result(self.standings)
        if self.status == "open":
            return t("picture.waiting")
        if len(self.to_act) == 1:
            return t("picture.to_move", name=self.names[self.to_act[0]])
        if self.to_act:
            return t("picture.many_to_move", n=len(self.to_act))
        return t("picture.starting")

    def _final_result(self, standings: tuple[Standing, ...]) -> str:
        best = [standing.seat for standing in standings if standing.rank == 1]
        score = standings[0].score
        if len(standings) == 1:
            name = self.names[standings[0].seat]
            return t("picture.solo_result", name=name, score=score)
        if not best:
            return t("picture.nobody_wins")
        if len(best) == 1:
            return t("picture.winner", name=self.names[best[0]], score=score)
        return t("picture.tie", score=score)
