"""Values shared by the examples of the API document, and the examples of the health checks.

`REQUESTS` and `ANSWERS` are by operation id; values that depend on a game come from the game.
"""

from typing import Any

from domain.contract.example import Example
from domain.contract.registry import TITLES, game_module

EXAMPLE_GAME: Example = next(
    (part.EXAMPLE for slug in TITLES if (part := game_module(slug, "example")) is not None),
    Example(next(iter(TITLES))),
)
"""The examples of the first game in the lobby that has an ``example`` module."""

EXAMPLE_DIGEST = "c914f71a18f99cec9b583cf73e828a1a3c99bbcf189c19c365f3aceafbb18a4c"

REQUESTS: dict[str, Any] = {}
ANSWERS: dict[str, Any] = {
    "isAlive": {"status": "ok"},
    "isReady": {"status": "ok", "set_aside": 1},
}
