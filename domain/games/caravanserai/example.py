"""Example values of Caravanserai for the API document. Not shipped to the browser."""

from domain.contract.example import Example

EXAMPLE = Example(
    "caravanserai",
    options={"expert": False},
    view={"cells": [[0, 0, None, "central"]], "final_round": False},
    layout={"cells": [[0, 0, None, "central"]]},
    command={"type": "PlaceCamel", "cell": [2, -3]},
    label="Place camel on K5",
    key="place-camel",
    args={"cell": "K5"},
    event="CamelPlaced",
    data={"seat": 0, "cell": [2, -3]},
    text="Ann placed a camel",
    event_key="camel-placed",
    refusal=("same_colour", "refusal.same_colour"),
    bad_option=("expert", "bool"),
    detail={"length": 21, "reserve": 9},
    review={"lengths": [], "seats": [], "longest": None},
)
