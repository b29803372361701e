"""Example answers of the health checks, by operation id."""

from typing import Any

REQUESTS: dict[str, Any] = {}
ANSWERS: dict[str, Any] = {
    "isAlive": {"status": "ok"},
    "isReady": {"status": "ok", "set_aside": 1},
}
