"""What time it is."""

import time
from datetime import UTC, datetime


def clock() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


def timestamp(milliseconds: int) -> str:
    """RFC 3339 in UTC."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
