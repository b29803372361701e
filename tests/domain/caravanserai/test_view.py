"""The public view, as defined by the contract and used by the client."""

import random
from typing import Any

import msgspec

from domain.contract.game import ALL_SEEING
from domain.contract.options import schema_of
from domain.games.caravanserai import rules
from domain.games.caravanserai.events import CamelPlaced, GoodsTaken, TailReturned
from domain.games.caravanserai.pieces import COLOURS, ZONES
from domain.games.caravanserai.title import TITLE
from domain.text.english import english_messages
from tests.domain.caravanserai.notation import Scene, no_draw
from tests.game_contract.play import opened


def test_the_title() -> None:
    """Lobby information: 1 to 6 seats, the expert option with its default."""
    assert (TITLE.slug, TITLE.seats) == ("caravanserai", (1, 2, 3, 4, 5, 6))
    assert schema_of(TITLE)["properties"]["expert"]["default"] is False
    assert schema_of(TITLE)["additionalProperties"] is False


def test_the_view_of_the_contract() -> None:
    """Every field of the contract, in its form, for any viewer alike."""
    rng = random.Random(3)
    state: Any = None
    for event in rules.setup(rules.Options(expert=True), 4, rng.randrange).events:
        state = rules.evolve(state, event)
    for _ in range(60):
        view = rules.view(state, None)
        assert view == rules.view(state, 2) == rules.view(state, ALL_SEEING)
        assert msgspec.json.decode(msgspec.json.encode(view)) == view
        assert all(
            len(c) == 4 and c[2] in (None, *COLOURS) and c[3] in ZONES for c in view["cells"]
        )
        places = {tuple(cell[:2]): cell[2] for cell in view["cells"]}
        assert len(places) == len(view["cells"]) == len(view["tile_of"]) == len(view["names"])
        assert all(places[tuple(place)] in COLOURS for place in view["standing"])
        assert list(view["market"]) == list(COLOURS)
        for seat, player in enumerate(view["players"]):
            assert player["seat"] == seat
            assert player["length"] == len(player["caravan"])
            assert all(
                kind in (*COLOURS, "camel", "lying") and (q, r) in places
                for q, r, kind in player["caravan"]
            )
        assert isinstance(view["final_round"], bool)
        assert len(view["tiles"]) == 27
        if state.ranking is not None:
            break
        command = rng.choice(rules.choices(state, state.seat))
        for event in rules.decide(state, state.seat, command, no_draw).events:
            state = rules.evolve(state, event)


def test_cell_numbers_are_places_in_the_view() -> None:
    """Cells are sorted row by row, from left to right."""
    state = Scene(" . .\n. @ .").state
    assert [cell[:2] for cell in rules.view(state, None)["cells"]] == [
        [0, -1],
        [1, -1],
        [-1, 0],
        [0, 0],
        [1, 0],
    ]
    assert rules.view(state, None)["names"] == ["A1", "A2", "B1", "B2", "B3"]


def test_the_preview_of_the_placement() -> None:
    """The running count, why blocks are omitted, and what the camel would bring back."""
    scene = Scene("1 2 @ . w . . . . .", caravan=("red", "black"), own="wwkkk")
    placement = rules.view(scene.state, None)["placement"]
    assert (placement["pieces"], placement["count"], placement["sizes"]) == (0, 0, [1, 2])
    assert placement["gives_back"] == [[-2, 0, "red"]]
    scene.lay("white", "E E")
    placement = rules.view(scene.state, None)["placement"]
    assert placement["cells"] == [[1, 0, "white"], [2, 0, "white"]]
    assert (placement["pieces"], placement["omitted"], placement["count"]) == (2, 2, 0)
    assert placement["blocks"][0]["why"] == "match"
    assert placement["gives_back"] == [[-2, 0, "red"]]
    scene.lay("black", "E E E")
    placement = rules.view(scene.state, None)["placement"]
    assert placement["blocks"][1]["omitted"] is False
    assert placement["blocks"][1]["why"] == "plain"
    assert (placement["count"], placement["count_with_camel"]) == (3, 4)
    assert [kind for *_, kind in placement["gives_back"]] == ["red", "black", "camel", "white"]
    known = english_messages("caravanserai")
    assert all("why-" + block["why"] in known for block in placement["blocks"])
    assert placement["may_lie_down"] is False


def test_the_preview_stays_until_the_tail_is_back() -> None:
    """4.3: at every version between the camel and the tail the same pieces are about to come
    back, and none afterwards; the goods for the camel (4.1 c) lie in between."""
    scene = Scene("1 2 @ R . . k . k", caravan=("camel", "black"), own="ww", market="rrk")
    state = scene.state
    before = rules.view(state, None)["placement"]["gives_back"]
    told = []
    for event in scene.camel("E"):
        state = rules.evolve(state, event)
        told.append((type(event), rules.view(state, None)["placement"]["gives_back"]))
    assert before == [[-2, 0, "camel"]]
    assert told == [
        (CamelPlaced, before),
        (GoodsTaken, before),
        (GoodsTaken, before),
        (TailReturned, []),
    ]


def test_nothing_is_hidden() -> None:
    """Redaction changes nothing, no event reveals anything, no secret or timed trait."""
    scene = Scene("@ . . w")
    events = scene.camel("E")
    assert [rules.redact(event, None) for event in events] == events
    assert not any(rules.reveals(event) for event in events)
    assert rules.take_back(scene.state, 0) == []
    assert rules.time_limit(scene.state) is None


def test_the_lists_of_a_board_are_made_once_and_are_those_of_this_board() -> None:
    small, large = (opened(("caravanserai", seats, {}), 1).latest.state for seats in (2, 6))
    shown = rules.view(small, None)
    assert rules.view(small, None)["cells"] is shown["cells"]
    assert shown["cells"] == [list(cell) for cell in small.board.cells]
    assert rules.view(large, None)["cells"] == [list(cell) for cell in large.board.cells]
    assert rules.view(large, None)["names"] == list(large.board.names)
