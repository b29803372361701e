"""Examples of what every service tells of itself."""

from typing import Any

REQUESTS: dict[str, Any] = {}
ANSWERS: dict[str, Any] = {
    "isAlive": {"status": "ok"},
    "isReady": {"status": "ok", "set_aside": 1},
}
