"""The response with the review of a match."""

from msgspec import UNSET

from domain.contract.registry import review_module
from domain.match.review import Message, compute_findings
from domain.presentation import schemas
from domain.presentation.matches import seat_answers, signed_answer, standing_answers
from domain.presentation.viewpoint import Viewer


def review_answer(match_id: str, viewer: Viewer) -> schemas.ReviewAnswer:
    """Return the review of a match: seats, standings and the game's findings."""
    timeline = viewer.timeline
    now = timeline.latest
    standings = timeline.standings(now)
    return schemas.ReviewAnswer(
        id=match_id,
        game=now.opened.game,
        status=now.status,
        version=timeline.version,
        seats=seat_answers(now.seats, viewer.player, viewer.language),
        standings=UNSET if standings is None else standing_answers(standings),
        review=_findings(viewer),
        signed=signed_answer(now.opened.source),
    )


def _findings(viewer: Viewer) -> schemas.FindingsAnswer | None:
    timeline = viewer.timeline
    found = compute_findings(timeline, viewer.perspective)
    module = review_module(timeline.latest.opened.game)
    if found is None or module is None:
        return None
    charts = [
        schemas.ChartAnswer(
            title=_message_answer(viewer, chart.title),
            points=[
                schemas.PointAnswer(turn=p.turn, version=p.version, values=list(p.values))
                for p in chart.points
            ],
            scores=chart.scores,
        )
        for chart in found.charts
    ]
    gains = [
        schemas.GainAnswer(
            seat=gain.seat,
            version=gain.version,
            turn=gain.turn,
            gain=gain.gain,
            words=_message_answer(viewer, gain.message),
        )
        for gain in found.gains
    ]
    highlights = [
        schemas.HighlightAnswer(version=each.version, words=_message_answer(viewer, each.message))
        for each in found.highlights
    ]
    return schemas.FindingsAnswer(charts=charts, gains=gains, highlights=highlights, own=found.own)


def _message_answer(viewer: Viewer, words: Message) -> schemas.WordsAnswer:
    latest = viewer.timeline.latest
    message = (latest.opened.game, words.key, words.args)
    text = viewer.address(*message, latest) or viewer.translate(*message)
    return schemas.WordsAnswer(text=text, key=words.key, args=words.args)
