"""Values shared by the examples in the API document, and the examples of the health checks.

`REQUESTS` and `ANSWERS` contain request and response bodies by operation id. Values that depend on
a game come from the game.
"""

from typing import Any

from domain.contract.example import Example
from domain.contract.registry import TITLES, game_module

EXAMPLE_GAME: Example = next(
    (part.EXAMPLE for slug in TITLES if (part := game_module(slug, "example")) is not None),
    Example(next(iter(TITLES))),
)
"""The example of the first game in the lobby that has an ``example`` module.

If no game has one, an example of the first game with default values.
"""

EXAMPLE_DIGEST = "c914f71a18f99cec9b583cf73e828a1a3c99bbcf189c19c365f3aceafbb18a4c"

REQUESTS: dict[str, Any] = {}
ANSWERS: dict[str, Any] = {"isAlive": {"status": "ok"}, "isReady": {"status": "ok", "set_aside": 1}}
