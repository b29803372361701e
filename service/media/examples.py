"""Example request bodies of the picture routes, by operation id."""

from typing import Any

from service.http.examples import EXAMPLE_GAME

REQUESTS: dict[str, Any] = {"drawPreview": {"seats": 2, "options": EXAMPLE_GAME.options}}
ANSWERS: dict[str, Any] = {}
