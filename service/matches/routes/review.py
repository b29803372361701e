"""The call that tells how a match came about."""

from typing import Any

from litestar import Response, get
from msgspec import UNSET

from domain.match import Timeline
from domain.register import review_of
from domain.review import Words, review
from service.base import heavy
from service.base.injected import Injected, Req
from service.matches import schema
from service.matches.answers import Viewer, seat_answers, signed_answer, standing_answers
from service.matches.parameters import SeatOf
from service.matches.visits import Visit


@get(
    "/api/matches/{match_id:str}/review",
    operation_id="reviewMatch",
    opt={"cost": 10, "packed": True},
    tags=["matches"],
)
async def review_match(
    request: Req, shared: Injected[Visit], seat: SeatOf = None
) -> Response[schema.ReviewAnswer]:
    """How the match came about: standings, and what the game has to say of each seat's play."""
    table = shared.table
    timeline = table.timeline
    viewer = shared.viewer(seat)
    now = timeline.now
    standings = timeline.standings(now)

    def reviewed() -> schema.ReviewAnswer:
        return schema.ReviewAnswer(
            id=table.id,
            game=table.game,
            status=now.status,
            version=timeline.version,
            seats=seat_answers(now.seats, viewer.player),
            standings=UNSET if standings is None else standing_answers(standings),
            review=_findings(timeline, viewer),
            signed=signed_answer(now.opened.source),
        )

    return await heavy.answer(request, timeline.version, reviewed)


def _findings(timeline: Timeline, viewer: Viewer) -> schema.FindingsAnswer | None:
    found = review(timeline, viewer.perspective)
    module = review_of(timeline.now.opened.game)
    if found is None or module is None:
        return None

    def said(words: Words) -> schema.WordsAnswer:
        text = viewer.told(timeline.now.opened.game, module.TEXT, words.key, words.args)
        return schema.WordsAnswer(text, words.key, words.args)

    return schema.FindingsAnswer(
        charts=[
            schema.ChartAnswer(
                said(chart.title),
                [schema.PointAnswer(p.turn, p.version, list(p.values)) for p in chart.points],
                chart.scores,
            )
            for chart in found.charts
        ],
        gains=[
            schema.GainAnswer(gain.seat, gain.version, gain.turn, gain.gain, said(gain.words))
            for gain in found.gains
        ],
        highlights=[
            schema.HighlightAnswer(each.version, said(each.words)) for each in found.highlights
        ],
        own=found.own,
    )


HANDLERS: tuple[Any, ...] = (review_match,)
