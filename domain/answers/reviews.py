"""The answer with the review of a match."""

from typing import Any

from msgspec import UNSET

from domain.answers import shapes
from domain.answers.matches import seat_answers, signed_answer, standing_answers
from domain.answers.viewing import Viewer
from domain.register import review_of
from domain.review import Words, review


def review_answer(match_id: str, viewer: Viewer) -> shapes.ReviewAnswer:
    """Return the review of a match: seats, standings and the game's findings."""
    timeline = viewer.timeline
    now = timeline.now
    standings = timeline.standings(now)
    return shapes.ReviewAnswer(
        id=match_id,
        game=now.opened.game,
        status=now.status,
        version=timeline.version,
        seats=seat_answers(now.seats, viewer.player, viewer.language),
        standings=UNSET if standings is None else standing_answers(standings),
        review=_findings(viewer),
        signed=signed_answer(now.opened.source),
    )


def _findings(viewer: Viewer) -> shapes.FindingsAnswer | None:
    timeline = viewer.timeline
    found = review(timeline, viewer.perspective)
    module = review_of(timeline.now.opened.game)
    if found is None or module is None:
        return None
    charts = [
        shapes.ChartAnswer(
            title=_said(viewer, module, chart.title),
            points=[
                shapes.PointAnswer(turn=p.turn, version=p.version, values=list(p.values))
                for p in chart.points
            ],
            scores=chart.scores,
        )
        for chart in found.charts
    ]
    gains = [
        shapes.GainAnswer(
            seat=gain.seat,
            version=gain.version,
            turn=gain.turn,
            gain=gain.gain,
            words=_said(viewer, module, gain.words),
        )
        for gain in found.gains
    ]
    highlights = [
        shapes.HighlightAnswer(version=each.version, words=_said(viewer, module, each.words))
        for each in found.highlights
    ]
    return shapes.FindingsAnswer(charts=charts, gains=gains, highlights=highlights, own=found.own)


def _said(viewer: Viewer, module: Any, words: Words) -> shapes.WordsAnswer:
    text = viewer.told(viewer.timeline.now.opened.game, module.TEXT, words.key, words.args)
    return shapes.WordsAnswer(text=text, key=words.key, args=words.args)
