"""Examples of live updates for the API document."""

from typing import Any

REQUESTS: dict[str, Any] = {}
ANSWERS: dict[str, Any] = {}

STREAM_EXAMPLE = (
    'id: 17\r\ndata: {"version":17}\r\n\r\n'
    'event: looking\r\ndata: {"seats":[0,2],"watching":1}\r\n\r\n'
)
