"""Stopping on a caravanserai (4.1 c), the tail (4.3), skipping (7.2) and the end (5, 6.2)."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.contract.game import IllegalMove
from domain.games.caravanserai import position, rules
from domain.games.caravanserai.commands import PlaceCamel, SetGood, TakeFrom
from domain.games.caravanserai.events import (
    FinalRoundBegan,
    GameEnded,
    GoodMissed,
    GoodSetOnBoard,
    GoodsTaken,
    MarketEmptied,
    TailReturned,
    TurnBegan,
    TurnSkipped,
)
from domain.games.caravanserai.scoring import rank_players, solo_level
from domain.games.caravanserai.state import standing_cells
from tests.domain.caravanserai.notation import Scene, no_draw, of

# --- 4.1 c Stop on a caravanserai -----------------------------------------------------------


def test_ruling_9_the_standing_good_and_one_of_the_market() -> None:
    """Ruling 9, 4.1 c: both come into the reserve."""
    scene = Scene("@ R . .", own="", market="rr")
    events = scene.camel("E")
    cell = scene.place("E")
    assert of(GoodsTaken, events) == [
        GoodsTaken(0, "red", "standing", cell),
        GoodsTaken(0, "red", "market", cell),
    ]
    assert cell not in standing_cells(scene.state)


TWO_OTHERS = """
    . . . a b
   @ r . . .
    . . . . .
"""


def test_ruling_9_an_opponents_good_when_the_market_has_none() -> None:
    """Ruling 9: only one opponent holds the colour, so there is nothing to choose."""
    scene = Scene(TWO_OTHERS, own="", market="w", others=("w", "r"))
    events = scene.camel("E")
    assert of(GoodsTaken, events) == [GoodsTaken(0, "red", "opponent", scene.place("E"), 2)]
    assert (scene.own(0)["red"], scene.own(2)["red"]) == (1, 0)
    assert scene.state.seat == 1


def test_ruling_9_nothing_when_no_opponent_has_one_either() -> None:
    """Ruling 9: else nothing; goods on the board and in caravans are not taken."""
    scene = Scene(TWO_OTHERS, own="", market="w", others=("w", "k"))
    assert of(GoodsTaken, scene.camel("E")) == []


def test_ruling_9_alone_nothing_comes_from_an_empty_market() -> None:
    """Ruling 9 in solo play: there is no opponent."""
    scene = Scene("@ r . . w", own="", market="w", solo=True)
    assert of(GoodsTaken, scene.camel("E")) == []


def test_ruling_23_the_player_chooses_the_opponent() -> None:
    """Ruling 23: before the tail comes back; the turn goes on with the choice."""
    scene = Scene(TWO_OTHERS, own="", market="w", others=("r", "r"))
    cell = scene.place("E")
    events = scene.camel("E")
    assert events[-1] == GoodMissed(0, "red", cell)
    assert of(TailReturned, events) == []
    assert scene.commands() == [TakeFrom(1), TakeFrom(2)]
    for wrong in (-1, 0, 3):
        assert scene.refused(TakeFrom(wrong)) == "no_such_good"
    events = scene.take(1)
    assert events[0] == GoodsTaken(0, "red", "opponent", cell, 1)
    assert len(of(TailReturned, events)) == 1
    assert scene.own(1)["red"] == 0
    assert scene.state.missing is None


# --- 4.3 Pieces taken back at the tail ------------------------------------------------------

TRAIN = """
     . . . . . . . .
    1 2 3 @ . . . . .
     . r . w . k . . .
"""


def test_the_tail_comes_back_into_the_reserve() -> None:
    """4.3: as many pieces as the count, the last ones first; goods and camels to the reserve."""
    scene = Scene(TRAIN, own="pp", camels=5, caravan=("red", "camel", "white"), market="rwk")
    scene.lay("purple", "E E")
    events = scene.camel("E")
    back = of(TailReturned, events)[0]
    assert [kind for _, kind in back.back] == ["red", "camel", "white"]
    assert back.to_set == 1
    me = scene.state.players[0]
    assert (me.camels, scene.own()) == (
        5,
        {"white": 1, "black": 0, "purple": 0, "red": 1, "yellow": 0},
    )
    assert me.kinds == ("camel", "purple", "purple", "camel")


def test_ruling_10_the_count_never_reaches_the_new_lead_camel() -> None:
    """Ruling 10: with nothing omitted and one piece behind, the placed pieces come back but the
    last ones stay: the caravan keeps its length."""
    scene = Scene("@ . . . . . . . .", own="wkk", market="w")
    scene.lay("white", "E")
    scene.lay("black", "E E")
    back = of(TailReturned, scene.camel("E"))[0]
    assert len(back.back) == 4
    assert scene.state.players[0].kinds == ("camel",)
    assert scene.state.players[0].cells == (scene.place("E E E E"),)


def test_length_grows_by_what_is_omitted() -> None:
    """Derived 6: by nothing else."""
    scene = Scene("@ . w . . . . .", own="ww", market="k")
    scene.lay("white", "E E")
    scene.camel("E")
    assert len(scene.state.players[0].cells) == 1 + 2


def test_ruling_11_free_means_no_piece_and_the_player_chooses() -> None:
    """Ruling 11 and 4.3: any colour the market has, any cell of it without caravan or good."""
    scene = Scene(
        """
      . w W r
     1 @ . . k
      . w k R
        """,
        caravan=("camel",),
        market="wwrk",
        own="",
    )
    scene.camel("E")
    offered = set(scene.commands())
    expected = {
        SetGood("white", scene.place("NE")),
        SetGood("white", scene.place("SE")),
        SetGood("red", scene.place("NE E E")),
        SetGood("black", scene.place("E E E")),
        SetGood("black", scene.place("SE E")),
    }
    assert offered == expected
    assert scene.refused(SetGood("white", scene.place("NE E"))) == "occupied"
    assert scene.refused(SetGood("yellow", scene.place("NE"))) == "market_lacks"
    assert scene.refused(SetGood("red", scene.place("NE"))) == "wrong_cell"
    assert scene.refused(SetGood("silk", scene.place("NE"))) == "unknown_colour"
    assert scene.refused(SetGood("red", -1)) == "no_such_cell"
    assert scene.refused(PlaceCamel(scene.at("E")[0])) == "wrong_step"
    scene.set("red", "NE E E")
    assert scene.place("NE E E") in standing_cells(scene.state)
    assert scene.market()["red"] == 0


def test_ruling_11_no_free_cell_of_any_market_colour_is_skipped() -> None:
    """Ruling 11: nothing is set and the turn ends."""
    scene = Scene("1 @ . . . K", caravan=("camel",), market="wk", own="")
    events = scene.camel("E")
    assert of(TailReturned, events)[0].to_set == 1
    assert of(GoodSetOnBoard, events) == []
    assert scene.state.to_set == 0
    assert of(TurnBegan, events)[0].turn == 2


def test_a_good_that_can_go_to_one_place_only_is_set_at_once() -> None:
    """4.3: nothing to choose, so no command is asked for."""
    scene = Scene("1 @ . . . k", caravan=("camel",), market="wk", own="")
    events = scene.camel("E")
    assert of(GoodSetOnBoard, events) == [GoodSetOnBoard(0, "black", scene.place("E E E E"))]


def test_ruling_22_goods_are_set_after_all_pieces_are_back() -> None:
    """Ruling 22: the cells that the tail has left are free; one good at a time."""
    moved = Scene("r w @ . . . . . k", own="pp", market="rrwwk")
    file = moved.file
    file["players"][0]["caravan"] = [[-2, 0, "camel"], [-1, 0, "camel"], [0, 0, "camel"]]
    moved.state = position.load_position(file)
    moved.lay("purple", "E E")
    events = moved.camel("E")
    assert of(TailReturned, events)[0].to_set == 3
    red, white = moved.place("W W"), moved.place("W")
    assert set(moved.commands()) == {
        SetGood("red", red),
        SetGood("white", white),
        SetGood("black", moved.place("E E E E E E")),
    }
    moved.set("white", "W")
    assert moved.state.to_set == 2
    assert SetGood("white", white) not in moved.commands()


def test_lying_camels_come_back_as_camels() -> None:
    """6.1 b: the same effects as any camel, so a good is set for it too."""
    scene = Scene("1 @ . k . w", caravan=("lying",), market="wwkk", own="", expert=True)
    events = scene.camel("E")
    assert of(TailReturned, events)[0].to_set == 1
    assert scene.state.players[0].camels == 7


# --- 5 End of game --------------------------------------------------------------------------

FOUR = """
     . . a . . . b . . . c .
    @ . . . . . . . . . . . .
     . . . . . . . . . . . .
"""


def four(taker: int) -> Scene:
    """Billy, Olivia, Peter and Grace are seats 0 to 3; the taker is to move beside a red
    caravanserai, and the market holds one red good."""
    picture = FOUR.replace("@ .", "@ r")
    return Scene(picture, market="r", others=("", "", ""), own="", seat=taker)


def pass_on(scene: Scene) -> list[Any]:
    """The seat to act moves its camel one step on, straight or round a corner."""
    plain = [
        choice
        for choice in rules.choices(scene.state, scene.state.seat)
        if type(choice) is PlaceCamel and scene.state.board.colours[choice.cell] is None
    ]
    return scene.do(plain[0])


@pytest.mark.parametrize(("taker", "turns_left"), [(1, 2), (3, 0), (0, 3)])
def test_the_examples_of_the_end(taker: int, turns_left: int) -> None:
    """5: Olivia takes the last good, Peter and Grace finish the round and everybody plays once
    more; Grace takes it, everybody plays once more. Ruling 13."""
    scene = four(taker)
    events = scene.camel("E")
    last = 8
    assert of(MarketEmptied, events) == [MarketEmptied(taker, last)]
    played = []
    finals = []
    for _ in range(turns_left + 4):
        finals.append(rules.view(scene.state, None)["final_round"])
        played.append(scene.state.seat)
        assert rules.outcome(scene.state) is None
        events = pass_on(scene)
    assert played == [(taker + 1 + i) % 4 for i in range(turns_left + 4)]
    assert finals == [False] * turns_left + [True] * 4
    assert of(GameEnded, events)[0].reason == "market"
    assert rules.to_act(scene.state) == ()
    assert all(rules.choices(scene.state, seat) == [] for seat in range(4))
    with pytest.raises(IllegalMove) as refusal:
        rules.decide(scene.state, 0, PlaceCamel(0), no_draw)
    assert refusal.value.code == "game_over"


def test_the_final_round_is_announced() -> None:
    """5: with its first turn."""
    scene = four(3)
    events = scene.camel("E")
    assert [type(event) for event in events[-2:]] == [FinalRoundBegan, TurnBegan]
    assert events[-2].round == 2


def test_ruling_13_a_good_set_on_the_board_can_be_the_last() -> None:
    """Ruling 13: taken to be set on the board, the last good triggers the end too."""
    scene = Scene(
        """
     . . a . . .
    1 @ . . r .
     . . . . r .
        """,
        caravan=("camel",),
        market="r",
        own="",
        others=("",),
    )
    scene.camel("E")
    events = scene.set("red", "E E E")
    assert of(MarketEmptied, events) == [MarketEmptied(0, 4)]
    assert scene.state.last_turn == 4


def test_ruling_13_a_good_that_must_be_set_can_be_the_last() -> None:
    """Ruling 13: also when it can go to one place only, so that nobody is asked (4.3)."""
    scene = Scene(
        """
     . . a . . .
    1 @ . . r .
        """,
        caravan=("camel",),
        market="r",
        own="",
        others=("",),
    )
    events = scene.camel("E")
    assert [type(event) for event in events[-3:]] == [GoodSetOnBoard, MarketEmptied, TurnBegan]
    assert events[-2] == MarketEmptied(0, 4)
    for _ in range(3):
        events = pass_on(scene)
    assert events[-1].reason == "market"


def test_ruling_13_goods_that_come_back_do_not_cancel_the_end() -> None:
    """Ruling 13: and emptying the market once more does not put it off."""
    scene = Scene(
        """
     . . a K . . k .
    @ r . . . . . .
     . . . . . . .
        """,
        market="r",
        own="",
        others=("w",),
    )
    scene.camel("E")
    assert scene.state.last_turn == 4
    scene.lay("white", "E")
    assert scene.market()["black"] == 1
    assert scene.state.last_turn == 4
    scene.camel("E")
    state = scene.state
    while state.ranking is None:
        command = rules.choices(state, state.seat)[-1]
        for event in rules.decide(state, state.seat, command, no_draw).events:
            assert type(event) is not MarketEmptied
            state = rules.evolve(state, event)
    assert state.turn == 4


def test_ruling_13_an_empty_market_that_nobody_emptied_does_not_end_the_game() -> None:
    """Ruling 13: the trigger is the taking of the last good."""
    scene = Scene("@ . . . .\n . . a . .", market="", own="", others=("",))
    assert of(MarketEmptied, scene.camel("E")) == []
    assert scene.state.last_turn == 0


# --- 7.2 Skipping ---------------------------------------------------------------------------


def test_ruling_14_who_cannot_place_skips_and_may_play_again() -> None:
    """Ruling 14: a seat without camels and one that is blocked skip; when a camel has come back
    or a cell is free they play."""
    scene = Scene(
        """
       a # . . .
        # @ . . .
       . . . . .
        """,
        others=("",),
        own="",
    )
    events = scene.camel("E")
    assert of(TurnSkipped, events) == [TurnSkipped(1, 2, 1, "blocked")]
    assert of(TurnBegan, events) == [TurnBegan(0, 3, 2)]
    assert scene.state.turn == 3
    bare = Scene("@ . . . .\n . . a . .", others=("",), own="", other_camels=0)
    events = bare.camel("E")
    assert of(TurnSkipped, events) == [TurnSkipped(1, 2, 1, "no-camel")]
    camels = list(bare.state.players)
    camels[1] = replace(camels[1], camels=1)
    bare.state = replace(bare.state, players=tuple(camels))
    assert of(TurnBegan, bare.camel("E")) == [TurnBegan(1, 4, 2)]


def test_ruling_14_who_can_place_must_place() -> None:
    """Ruling 14: there is no command to pass; camel only is always among the choices."""
    scene = Scene("@ . . . .\n . . a . .", others=("",))
    assert any(type(command) is PlaceCamel for command in scene.commands())
    assert all(not isinstance(event, TurnSkipped) for event in scene.camel("E"))


def test_ruling_21_a_round_in_which_everybody_skips_ends_the_game() -> None:
    """Ruling 21: the caravans are counted."""
    picture = "1 @ w . .\n . . . . a"
    scene = Scene(
        picture, caravan=("red",), camels=1, own="w", others=("k",), other_camels=0, market="wk"
    )
    scene.lay("white", "E")
    events = scene.camel("E")
    assert [type(event) for event in events[-4:]] == [TurnSkipped] * 3 + [GameEnded]
    assert [(event.seat, event.round) for event in events[-4:-1]] == [(1, 1), (0, 2), (1, 2)]
    assert events[-1] == GameEnded("stuck", ((0, 3, 1), (1, 1, 1)))


def test_ruling_21_skips_in_different_rounds_do_not_end_the_game() -> None:
    """Ruling 21: two seats and two skips, but one in each of two rounds; the other seat played."""
    scene = Scene("@ . . . .\n . . a . .", others=("",), own="", other_camels=0)
    for round_ in (1, 2):
        events = scene.camel("E")
        assert of(TurnSkipped, events) == [TurnSkipped(1, 2 * round_, round_, "no-camel")]
        assert of(GameEnded, events) == []
        assert events[-1] == TurnBegan(0, 2 * round_ + 1, round_ + 1)


def test_ruling_15_the_last_of_the_final_round_wins_a_tie() -> None:
    """Ruling 15: in the turn order of the round, which begins with the first player (ruling 27)."""
    picture = "@ . . . .\n . . a . .\n. . . . b"
    state = Scene(picture, others=("w", "w"), own="w").state
    assert [seat for seat, *_ in rank_players(state)] == [2, 1, 0]
    assert [seat for seat, *_ in rank_players(replace(state, first=1))] == [0, 2, 1]
    assert [seat for seat, *_ in rank_players(replace(state, first=2))] == [1, 0, 2]


def test_ruling_21_a_round_begins_with_the_first_player() -> None:
    """Rulings 21 and 27: seat 1 began; the skips of one round, and no others, are counted."""
    scene = Scene("@ . . . .\n . . a . .", others=("",), own="", other_camels=0)
    scene.state = replace(scene.state, first=1, turn=2, skips=0)
    events = scene.camel("E")
    assert [type(event) for event in events[-2:]] == [TurnSkipped, TurnBegan]
    assert events[-2:] == [TurnSkipped(1, 3, 2, "no-camel"), TurnBegan(0, 4, 2)]
    assert scene.state.skips == 1


# --- 6.2 Solo -------------------------------------------------------------------------------


def test_ruling_19_two_goods_for_a_camel_in_solo() -> None:
    """6.2, ruling 19: both from the market, one after the other."""
    scene = Scene("1 @ . r . w . k", caravan=("camel",), market="rwkk", own="", solo=True)
    events = scene.camel("E")
    assert of(TailReturned, events)[0].to_set == 2
    scene.set("red", "E E")
    assert scene.state.to_set == 1
    scene.set("black", "E E E E E E")
    assert scene.state.turn == 2


def test_ruling_19_one_good_if_only_one_can_be_set() -> None:
    """Ruling 19: the second is skipped."""
    scene = Scene("1 @ . r . . . .", caravan=("camel",), market="rwkk", own="", solo=True)
    events = scene.camel("E")
    assert of(GoodSetOnBoard, events) == [GoodSetOnBoard(0, "red", scene.place("E E"))]
    assert of(TurnBegan, events) == [TurnBegan(0, 2, 2)]


def test_ruling_19_solo_ends_without_camels_in_the_reserve() -> None:
    """6.2, ruling 19: after a turn that leaves none (an omitted block keeps the tail lying)."""
    scene = Scene("1 @ w . . .", caravan=("red",), camels=1, own="w", market="wk", solo=True)
    scene.lay("white", "E")
    assert scene.camel("E")[-1] == GameEnded("camels", ((0, 3, 1),))


def test_ruling_19_solo_ends_with_an_empty_market() -> None:
    """6.2, ruling 19: at once after the turn, with no further round."""
    scene = Scene("@ r . . .", own="", market="r", solo=True)
    events = scene.camel("E")
    assert events[-1].reason == "market"
    assert of(MarketEmptied, events) == []


def test_ruling_19_solo_ends_when_nothing_can_be_placed() -> None:
    """Ruling 19: the caravan is blocked."""
    scene = Scene("1 2 @ .", caravan=("red", "red"), own="", market="wk", solo=True)
    assert scene.camel("E")[-1] == GameEnded("stuck", ((0, 3, 7),))


def test_ruling_19_solo_goes_on_when_the_market_fills_again_in_the_same_turn() -> None:
    """Ruling 19 looks at the market after the turn."""
    scene = Scene(
        "1 2 3 4 @ r . K . . . .",
        caravan=("red",) * 4,
        own="ww",
        market="r",
        solo=True,
        expert=True,
        camels=3,
    )
    scene.lie("E")
    assert sum(scene.market().values()) == 0
    scene.lay("white", "E E")
    assert scene.camel("E")[-1] == TurnBegan(0, 2, 2)


@pytest.mark.parametrize(
    ("length", "name"),
    [
        (1, None),
        (24, None),
        (25, "Camel driver"),
        (29, "Camel driver"),
        (30, "Great camel driver"),
        (35, "Xiansheng"),
        (39, "Xiansheng"),
        (40, "Tribal chief"),
        (44, "Tribal chief"),
        (45, "Chief of the 5 tribes"),
        (60, "Chief of the 5 tribes"),
    ],
)
def test_ruling_19_the_levels(length: int, name: str | None) -> None:
    """6.2: by the caravan's length; below 25 none."""
    assert solo_level(length) == name


def test_the_solo_outcome_names_the_level() -> None:
    """6.2: one seat, rank 1, its length and level."""
    scene = Scene("@ r . . .", own="", market="r", solo=True)
    scene.camel("E")
    (standing,) = rules.outcome(scene.state) or ()
    assert (standing.seat, standing.rank, standing.score) == (0, 1, 1)
    assert standing.detail == {"length": 1, "reserve": 8, "level": None}


# --- ties -----------------------------------------------------------------------------------


def test_ties_go_to_the_fuller_reserve_then_to_who_played_last() -> None:
    """5 and ruling 15: length, pieces in the reserve (camels and goods), later in turn order."""
    scene = Scene(
        """
        @ . . . .
       a . . b . c
        """,
        own="www",
        others=("wwww", "www", "www"),
    )
    assert rank_players(scene.state) == ((1, 1, 11), (3, 1, 10), (2, 1, 10), (0, 1, 10))
    longer = list(scene.state.players)
    longer[0] = replace(longer[0], cells=(3, *longer[0].cells), kinds=("red", "camel"))
    state = replace(scene.state, players=tuple(longer))
    assert rank_players(state)[0] == (0, 2, 10)
    ended = rules.evolve(state, GameEnded("market", rank_players(state)))
    assert [(s.seat, s.rank, s.score) for s in rules.outcome(ended) or ()] == [
        (0, 1, 2),
        (1, 2, 1),
        (3, 3, 1),
        (2, 4, 1),
    ]
