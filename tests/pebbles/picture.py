"""The picture of Pebbles: a disc for each seat."""

from typing import Any

from domain.drawing.scene import SEAT_TONES, Holding, Message, Piece, Scene, circle, group, text


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> Scene:
    """Return the picture of a view."""
    discs = [
        Piece(
            f"disc {seat}",
            80 + 120 * seat,
            60,
            group(
                circle(0, 0, 40, SEAT_TONES[seat], "ink", 3 if shut else 1),
                text(0, 9, letters[seat], 28, "seat-ink"),
            ),
            42,
        )
        for seat, shut in enumerate(view["shut"])
    ]
    count = Piece("round", 200, 114, text(0, 0, str(view["round"]), 12), 14)
    return Scene(
        box=(0, 0, 400, 120),
        ground=(),
        pieces=(*discs, count),
        caption=Message("picture.round", {"round": view["round"]}),
        holdings=tuple([Holding(str(score)) for score in view["scores"]]),
    )
