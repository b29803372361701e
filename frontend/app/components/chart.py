"""A line chart of values over turns; seats differ in colour and marker shape."""

from collections.abc import Callable, Sequence
from typing import Any

from _native import fill, observe_size, size_of, svg

from frontend.app.core.dom import el, tone
from frontend.app.core.i18n import join_list, t
from frontend.app.core.types import Data, Node

HEIGHT_PX = 260
MARGIN_LEFT_PX, MARGIN_RIGHT_PX, MARGIN_TOP_PX, MARGIN_BOTTOM_PX = 34, 16, 12, 30
MARKER_DISTANCE_PX = 14
MARKER_SHAPES = (
    "M2.6-7.2A7.2 7.2 0 1 0 6.5 4 5.9 5.9 0 1 1 2.6-7.2Z",  # crescent
    "M0-7 1.8-2.2 6.7-2.2 2.7 .9 4.2 5.7 0 2.8-4.2 5.7-2.7 .9-6.7-2.2-1.8-2.2Z",  # star
    "M0-7 6 0 0 7-6 0Z",  # lozenge
    "M0-6.5 6.5 5H-6.5Z",  # triangle
    "M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",  # cross
    "M0-6a6 6 0 1 0 .1 0ZM0-2.2a2.2 2.2 0 1 1-.1 0Z",  # ring
    "M-5-5H5V5H-5Z",  # square
    "M0-7.5Q8 4.2 0 6.8-8 4.2 0-7.5Z",  # drop
)
"""SVG path data of the marker shapes, by seat number; the signs of the seats on the trails map."""


def marker(seat: int, **place: Any) -> Node:
    """Build a seat's marker; ``place`` holds further SVG attributes."""
    given = {"class": "dot-mark", "d": MARKER_SHAPES[seat], "style": tone(seat)}
    return svg("path", {**given, **place})


def legend(names: Sequence[str]) -> Node:
    """Build the legend with each seat's marker and name."""
    lines = []
    for seat, name in enumerate(names):
        sign = svg("svg", {"viewBox": "-10 -10 20 20", "aria-hidden": "true"}, marker(seat))
        lines.append(el("li", {}, sign, name))
    return el("ul", {"class": "legend"}, lines)


def chart(title: str, points: list[Data], names: Sequence[str]) -> Node:
    """Build a chart of ``[{"turn", "values"}]`` (one value per seat), with legend and data table.

    The chart is redrawn when its width changes; the collapsed table is the accessible alternative.
    """
    description = _description(title, points, names)
    picture = svg("svg", {"class": "chart", "role": "img", "aria-label": description})
    holder = el("div", {}, picture)
    drawn = [0]

    def fit(*_entries: object) -> None:
        width = max(240, size_of(holder)[0])
        if width != drawn[0]:
            drawn[0] = width
            _draw(picture, points, len(names), width)

    observe_size(holder, fit)
    return el("div", {"class": "stack"}, legend(names), holder, _table(points, names))


def _description(title: str, points: list[Data], names: Sequence[str]) -> str:
    ends = [
        t("review.chart_value", name=name, value=points[-1]["values"][seat])
        for seat, name in enumerate(names)
    ]
    return t("review.chart_description", title=title, ends=join_list(ends))


def _grid_step(most: int) -> int:
    """Return the distance of the grid's lines: 5, 10, 20, 50, 100 and so on, for at most 7 lines
    up to the value ``most``."""
    size = 5
    while True:
        for step in (size, size * 2, size * 4):
            if most <= 6 * step:
                return step
        size *= 10


def _draw(picture: Any, points: list[Data], seats: int, width: int) -> None:
    turns = max(1, points[-1]["turn"])
    most = max([max(point["values"]) for point in points] + [5])
    step = _grid_step(most)
    top = (most + step - 1) // step * step
    wide = width - MARGIN_LEFT_PX - MARGIN_RIGHT_PX
    high = HEIGHT_PX - MARGIN_TOP_PX - MARGIN_BOTTOM_PX

    def at(turn: int, length: int) -> tuple[Any, ...]:
        return MARGIN_LEFT_PX + wide * turn // turns, MARGIN_TOP_PX + high - high * length // top

    picture.setAttribute("viewBox", f"0 0 {width} {HEIGHT_PX}")
    parts = []
    for length in range(0, top + 1, step):
        _, y = at(0, length)
        line = f"M{MARGIN_LEFT_PX} {y}H{width - MARGIN_RIGHT_PX}"
        parts.append(svg("path", {"class": "grid", "d": line}))
        place = {"class": "axis", "x": MARGIN_LEFT_PX - 8, "y": y + 5, "text-anchor": "end"}
        parts.append(svg("text", place, str(length)))
    every = max(1, (turns + 4) // 5)
    for turn in range(0, turns + 1, every):
        x, _ = at(turn, 0)
        place = {"class": "axis", "x": x, "y": HEIGHT_PX - 8, "text-anchor": "middle"}
        parts.append(svg("text", place, t("review.start") if turn == 0 else str(turn)))
    for seat in range(seats):
        parts.append(_line(points, seat, at))
    fill(picture, parts)


def _line(points: list[Data], seat: int, at: Callable[[int, int], tuple[int, int]]) -> Node:
    """Build a seat's line, with markers at the start, at the end and wherever its value changes,
    but none closer to the one before than `MARKER_DISTANCE_PX`."""
    line, marks, before, marked_x = [], [], None, -MARKER_DISTANCE_PX
    for number, point in enumerate(points):
        length = point["values"][seat]
        x, y = at(point["turn"], length)
        line.append(f"{x} {y}")
        is_apart = length != before and x - marked_x >= MARKER_DISTANCE_PX
        if is_apart or number == len(points) - 1:
            marked_x = x
            marks.append(marker(seat, transform=f"translate({x} {y})"))
        before = length
    path = svg("path", {"class": "line", "d": "M" + "L".join(line)})
    return svg("g", {"style": tone(seat)}, path, marks)


def _table(points: list[Data], names: Sequence[str]) -> Node:
    titles = [t("review.turn_column"), *names]
    head = el("tr", {}, [el("th", {"scope": "col"}, title) for title in titles])
    rows, before = [], None
    for point in points:
        if point["values"] == before:
            continue
        before = point["values"]
        cells = [el("td", {}, str(length)) for length in before]
        first = t("review.start") if point["turn"] == 0 else str(point["turn"])
        rows.append(el("tr", {}, el("th", {"scope": "row"}, first), cells))
    table = el("table", {"class": "facts"}, el("thead", {}, head), el("tbody", {}, rows))
    summary = el("summary", {}, t("review.show_as_table"))
    return el("details", {}, summary, el("div", {"class": "scroller"}, table))
