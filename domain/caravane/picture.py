"""The drawing of Caravane: the silk road, the camels on it, the bids last opened.

Measures are those of `domain.caravane.road`. See `domain.scene`. Ships to the browser.
"""

from collections.abc import Sequence
from typing import Any

from domain.caravane.board import LENGTHS, PALACES, SPECIAL
from domain.caravane.road import (
    BANDS,
    FAR_LEFT,
    FAR_RIGHT,
    FOOT,
    HEIGHT,
    SKY,
    SPOTS,
    STEP,
    WIDTH,
    band,
    dunes,
    stand,
    way,
)
from domain.caravane.signs import SYMBOLS as SYMBOLS
from domain.scene import (
    SEAT_TONES,
    Holding,
    Mark,
    Node,
    Piece,
    Scene,
    Words,
    circle,
    drawn_once,
    group,
    medal,
    oval,
    path,
    tag,
    text,
    use,
)
from domain.words import Plural, Sentence

TEXT: dict[str, Sentence] = {
    "prepare": "Getting ready",
    "bidding": "Stage {stage} of {stages} · round {round}",
    "moving": "The camels move",
    "result": Plural(
        "Final result after {round} round", "Final result after {round} rounds", "round"
    ),
}

GAINS = {"water": "+2", "leak": "–2", "bale": "+1", "damage": "–1"}
BOX = (0, -SKY, WIDTH, HEIGHT + SKY)


# --- the ground -------------------------------------------------------------------------------


def land() -> list[Node]:
    """The ground of the three stages and the road that climbs through them."""
    nodes = []
    for number, depth, foot, top in BANDS:
        nodes.append(path(band(foot, top), "sand-" + depth))
        nodes.append(path(dunes(number), "", "cell-line", 2.5, opacity=0.75))
    line = way()
    nodes.append(path(line, "", "tile-line", 43, stroke_opacity=0.55))
    nodes.append(path(line, "", "sand-central", 38))
    nodes.append(path(line, "", "#ffffff", 38, "road", stroke_opacity=0.3))
    nodes.append(path(line, "", "paper-edge", 3, dots="1 12"))
    return nodes


def square(spot: int, what: str | None, word: str) -> list[Node]:
    """A square of the road: what happens on it as a sign, and in a short word."""
    x, y = SPOTS[spot]
    if what is None:
        return [circle(x, y, 15, "sand-intermediate", "tile-line", 2)]
    dots = "8 6" if what in ("leak", "damage") else ""
    ring = circle(x, y, 25, "paper", "tile-line", 3, dots=dots)
    at, anchor = (x, y - 34 if y < FOOT - 5 * STEP - 60 else y + 47), "middle"
    if x in (FAR_LEFT, FAR_RIGHT):  # at a turn there is no room below
        left = x == FAR_LEFT
        at, anchor = (x + (34 if left else -34), y + 8), "start" if left else "end"
    words = text(*at, word, 23, kind="sign-word", halo="sand-central", anchor=anchor)
    return [ring, use("sign-" + what, x, y, 38), words]


def palace(number: int, spot: int, silk: Sequence[str]) -> list[Node]:
    """The palace at the end of a stage, and the bales that wait there by place."""
    x, y = SPOTS[spot]
    at, anchor = x, "middle"
    if len(silk) > 4:
        at, anchor = (8, "start") if x < WIDTH // 2 else (WIDTH - 8, "end")
    words = " · ".join(silk)
    return [
        oval(x, y + 6, 44, 26, "paper", "tile-line", 3),
        use(f"palace-{number}", x, y - 40, 92),
        text(at, y + 48, words, 25, kind="silk-word", halo="sand-central", anchor=anchor),
    ]


def camp() -> Node:
    """The tent at the start."""
    x, y = SPOTS[0]
    return use("camp", x + 36, y - 2, 72)


# --- the camels -------------------------------------------------------------------------------


def camels(
    places: Sequence[int], letters: Sequence[str], own: int | None = None
) -> tuple[list[Piece], list[Piece]]:
    """Each seat's camel by the spots they stand on, and their letters, which lie over all camels,
    so that a crowd is legible."""
    medals, tags = [], []
    for seat, (x, y) in enumerate(stand(list(places))):
        medals.append(Piece(f"camel {seat}", x, y, _camel(seat, seat == own), 30))
        tags.append(Piece(f"tag {seat}", x, y, _tag(seat, letters[seat]), 34))
    return medals, tags


def _camel(seat: int, own: bool) -> Node:
    halo = circle(0, 0, 27, "legal-halo")
    parts = medal(seat, 23, edge=7 if own else 5, lift=4)
    return group(halo, *parts, kind="camel own" if own else "camel", data_seat=str(seat))


def _tag(seat: int, letter: str) -> Node:
    return group(*tag(seat, letter, 7), kind="camel", data_tag=str(seat))


# --- the picture ------------------------------------------------------------------------------


def scene(view: dict[str, Any], letters: tuple[str, ...]) -> Scene:
    """The picture of a view; ``letters`` tell the seats apart besides their colours."""
    racers = view["racers"]
    lengths = [stage["length"] for stage in view["track"]]
    before = sum(lengths[: max(1, view["stage"]) - 1])
    medals, tags = camels([before + racer["square"] for racer in racers], letters)
    return Scene(
        box=BOX,
        ground=_ground(len(racers)),
        pieces=(*medals, *tags),
        caption=_caption(view),
        holdings=tuple([_holding(view, racer) for racer in racers]),
        note=Words("moving") if view["phase"] == "move" else None,
    )


@drawn_once
def _ground(seats: int) -> tuple[Node, ...]:
    nodes, before = land(), 0
    for number, length in enumerate(LENGTHS, start=1):
        for place in range(1, length):
            what = SPECIAL[number - 1].get(place)
            nodes += square(before + place, what, GAINS[what] if what else "")
        before += length
        nodes += palace(number, before, [str(bales) for bales in PALACES[number - 1][:seats]])
    return (*nodes, camp())


def _caption(view: dict[str, Any]) -> Words:
    if view["phase"] == "over":
        return Words("result", {"round": view["round"]})
    if not view["stage"]:
        return Words("prepare")
    stages = len(view["track"])
    return Words("bidding", {"stage": view["stage"], "stages": stages, "round": view["round"]})


def _holding(view: dict[str, Any], racer: dict[str, Any]) -> Holding:
    """The bales of silk, and what the seat bid in the round that everybody saw last."""
    seat, last = racer["seat"], view["last"]
    marks: list[Mark] = []
    if last and last["gourds"][seat] is not None:
        marks.append(Mark("sign-water", str(last["gourds"][seat])))
        if last["bags"][seat]:
            marks.append(Mark("sign-bag", str(last["bags"][seat])))
        marks.append(Mark("camel", f"+{last['steps'][seat]}", SEAT_TONES[seat], 1.2))
    return Holding(str(racer["bales"]), tuple(marks))
