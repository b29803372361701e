"""Example values of the courtyard game for the API document. Not shipped to the browser."""

from domain.contract.example import Example

EXAMPLE = Example(
    "courtyard",
    options={"keep_secrets": False},
    view={"fountain": 2, "stalls": {"S_bronze": 5}, "to_move": 0, "moves_left": 2},
    command={"type": "Move", "to": "S_gold"},
    label="Move to the gold stall (steps: 1)",
    key="move",
    args={"place": "S_gold", "steps": 1},
    event="PlayerMoved",
    data={"seat": 0, "to": "S_gold"},
    text="Ann moves to the gold stall.",
    refusal=("reach", "no-reach"),
    bad_option=("keep_secrets", "bool"),
    detail={"wealth": 33, "coins": 4, "debt": 0, "sets": 5, "abilities": 3},
    review={},
)
