"""Example requests for pictures, by operation id."""

from typing import Any

from service.http.examples import GAME

REQUESTS: dict[str, Any] = {
    "drawPreview": {"seats": 2, "options": GAME.options},
}
ANSWERS: dict[str, Any] = {}
