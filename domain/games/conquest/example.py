"""Example values of Caravan Conquest for the API document. Not shipped to the browser."""

from domain.contract.example import Example

EXAMPLE = Example(
    "conquest",
    options={"map": "short"},
    view={"round": 3, "prices": {"silk": 10, "spice": 5}, "step": "move", "steps_left": 2},
    layout={"map": {"kind": "short", "start": [3, 0], "finish": [2, 7]}},
    command={"type": "Move", "to": [3, 2]},
    label="Move to row 4, column 3",
    key="move",
    args={"row": 4, "column": 3},
    event="CaravanMoved",
    data={"seat": 0, "to": [3, 2]},
    text="Ann moves to row 4, column 3.",
    event_key="moved",
    refusal=("no_way", "refusal.no_way"),
    bad_option=("map", "str"),
    detail={"finished": 14, "gold": 96, "silk": 4, "spice": 7, "treasure": 1, "equipment": 35},
)
