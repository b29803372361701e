"""The review of Pebbles: the scores after each round."""

from collections.abc import Iterable

from domain.games.pebbles.events import PebblesCounted
from domain.match.review import Chart, Findings, Gain, Highlight, Message, Point, Step


def review(steps: Iterable[Step]) -> Findings:
    """Return one chart, and the rounds it is made from."""
    points: list[Point] = []
    gains: list[Gain] = []
    for step in steps:
        scores = step.view["scores"]
        if not points:
            points.append(Point(step.turn, step.version, (0,) * len(scores)))
        if isinstance(step.event, PebblesCounted):
            points.append(Point(step.turn, step.version, scores))
            for seat, won in enumerate(step.event.scores):
                if won:
                    gains.append(Gain(seat, step.version, step.turn, won, Message("review.alone")))
    chart = Chart(Message("review.scores"), tuple(points), scores=True)
    first = [Highlight(point.version, Message("review.first")) for point in points[1:2]]
    return Findings((chart,), tuple(gains), tuple(first))
