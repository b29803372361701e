"""Position files: round trips, and error messages that name the malformed field."""

import copy
import json
import random
from typing import Any

import pytest

from domain.games.caravanserai.position import BadPosition, load_position
from tests.domain.caravanserai.notation import Scene
from tests.domain.caravanserai.position_files import dump_position
from tests.domain.caravanserai.test_perft import turn_start

DROP = object()


@pytest.mark.parametrize("seed", range(12))
def test_there_and_back(seed: int) -> None:
    """A dumped state loads to the same position, whatever the order of cells."""
    rng = random.Random(seed)
    state = turn_start(rng, 1 + seed % 6, seed % 2 == 0, 60)
    file = json.loads(json.dumps(dump_position(state)))
    loaded = load_position(file)
    assert dump_position(loaded) == file
    assert (loaded.players, loaded.market, loaded.seat) == (state.players, state.market, state.seat)
    assert (loaded.expert, loaded.solo) == (state.expert, state.solo)
    assert loaded.board.cells == state.board.cells
    rng.shuffle(file["cells"])
    assert load_position(file) == loaded


def test_colours_left_out_count_nothing() -> None:
    """Maps of goods name only what is there; unknown fields are ignored."""
    file = Scene("@ . .").file
    file["market"] = {"red": 2}
    file["players"][0]["goods"] = {}
    file["note"] = "a bug report"
    state = load_position(file)
    assert (sum(state.market), sum(state.players[0].goods)) == (2, 0)


def changed(file: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    file = copy.deepcopy(file)
    at: Any = file
    for key in path[:-1]:
        at = at[key]
    if value is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return file


BROKEN = [
    (("expert",), 1, "expert"),
    (("expert",), DROP, "expert"),
    (("solo",), "no", "solo"),
    (("solo",), True, "solo"),
    (("cells",), DROP, "cells"),
    (("cells",), {}, "cells"),
    (("cells", 0), [0, 0, None], "cells[0]"),
    (("cells", 0), [0.5, 0, None, "outer"], "cells[0]"),
    (("cells", 0), ["0", 0, None, "outer"], "cells[0]"),
    (("cells", 0), [9, 9, "green", "outer"], "cells[0]"),
    (("cells", 0), [9, 9, 3, "outer"], "cells[0]"),
    (("cells", 0), [9, 9, None, "inner"], "cells[0]"),
    (("cells", 1), [0, 0, None, "outer"], "cells[1]"),
    (("standing",), None, "standing"),
    (("standing",), [[50, 50]], "standing[0]"),
    (("standing",), [[1, 0]], "standing[0]"),
    (("standing",), [[2, 0], [2, 0]], "standing[1]"),
    (("standing",), [[2]], "standing[0]"),
    (("standing",), [[True, 0]], "standing[0]"),
    (("standing",), ["20"], "standing[0]"),
    (("market",), [], "market"),
    (("market",), DROP, "market"),
    (("market",), {"green": 1}, "market"),
    (("market", "red"), -1, "market.red"),
    (("market", "red"), 1.0, "market.red"),
    (("market", "red"), None, "market.red"),
    (("players",), [], "players"),
    (("players",), "me", "players"),
    (("players",), [None], "players[0]"),
    (("players", 0, "camels"), -1, "players[0].camels"),
    (("players", 0, "camels"), DROP, "players[0].camels"),
    (("players", 1, "goods"), {"red": -2}, "players[1].goods.red"),
    (("players", 1, "goods"), {"rot": 2}, "players[1].goods"),
    (("players", 0, "caravan"), [], "players[0].caravan"),
    (("players", 0, "caravan"), [[0, 0, "red"]], "players[0].caravan"),
    (("players", 0, "caravan"), [[0, 0, "horse"]], "players[0].caravan[0]"),
    (("players", 0, "caravan"), [[7, 7, "camel"]], "players[0].caravan[0]"),
    (("players", 0, "caravan"), [[0, 0]], "players[0].caravan[0]"),
    (("players", 0, "caravan"), [[0, 0, "camel"], [0, 0, "camel"]], "players[0].caravan[1]"),
    (("players", 1, "caravan"), [[0, 0, "camel"]], "players[1].caravan[0]"),
    (("players", 1, "caravan"), [], "players[1].caravan"),
    (("players", 1, "caravan"), DROP, "players[1].caravan"),
    (("to_move",), 2, "to_move"),
    (("to_move",), -1, "to_move"),
    (("to_move",), True, "to_move"),
    (("to_move",), DROP, "to_move"),
]


@pytest.mark.parametrize(("path", "value", "field"), BROKEN)
def test_a_malformed_file_names_the_field(path: tuple[Any, ...], value: Any, field: str) -> None:
    """The contract: a malformed file gives a line that names the field."""
    file = Scene("@ . w . a", others=("rk",)).file
    load_position(file)
    with pytest.raises(BadPosition) as bad:
        load_position(changed(file, path, value))
    message = str(bad.value)
    assert message.startswith(field + ":")
    assert "\n" not in message


def test_a_good_cannot_stand_where_a_caravan_lies() -> None:
    """One piece to a cell."""
    file = Scene("@ . w . a", others=("rk",)).file
    file["players"][0]["caravan"] = [[2, 0, "red"], [1, 0, "red"], [0, 0, "camel"]]
    file["standing"] = [[2, 0]]
    with pytest.raises(BadPosition, match=r"^standing"):
        load_position(file)


@pytest.mark.parametrize("value", [None, [], "position", 3, True])
def test_no_object_at_all(value: Any) -> None:
    """Any JSON value gets a one-line error."""
    with pytest.raises(BadPosition, match=r"^position: must be an object$"):
        load_position(value)
