"""Prometheus metrics of this process.

Labels are games, outcomes and kinds of channels, never players or matches, so their number is
bounded. Each worker counts for itself.
"""

from functools import cache

from litestar.exceptions import HTTPException
from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)

from domain.contract.game import IllegalMove
from domain.match import Refused

REGISTRY = CollectorRegistry()
"""The registry of the process, shared by all `Services` in it."""

for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=REGISTRY)

_BUCKETS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

command_count = Counter(
    "caravanserai_commands",
    "Commands of players by outcome: accepted, illegal, refused, conflict, failed.",
    ("game", "outcome"),
    registry=REGISTRY,
)
request_count = Counter(
    "caravanserai_requests",
    "Requests by status class; aborted: the client disconnected.",
    ("status",),
    registry=REGISTRY,
)
save_seconds = Histogram(
    "caravanserai_save_seconds",
    "Duration of a transaction of decisions, which may serve several requests.",
    registry=REGISTRY,
    buckets=_BUCKETS_S,
)
save_failure_count = Counter(
    "caravanserai_save_failures",
    "Failed transactions of decisions: database unavailable, locked or full.",
    registry=REGISTRY,
)
fold_seconds = Histogram(
    "caravanserai_fold_seconds",
    "Duration of loading and folding a match that was not in memory.",
    registry=REGISTRY,
    buckets=_BUCKETS_S,
)
conflict_count = Counter(
    "caravanserai_version_conflicts",
    "Saves rejected because another worker or a repeated request saved first.",
    registry=REGISTRY,
)
notifications_sent = Counter(
    "caravanserai_notices_sent", "Notifications delivered.", ("way",), registry=REGISTRY
)
notifications_failed = Counter(
    "caravanserai_notices_failed",
    "Failed attempts to deliver a notification.",
    ("way",),
    registry=REGISTRY,
)
dropped_messages = Counter(
    "caravanserai_live_messages_dropped",
    "Messages of other workers that could not be decoded.",
    registry=REGISTRY,
)


# Cached: looking up a child by its labels takes longer than counting.


@cache
def command_counter(game: str, outcome: str) -> Counter:
    """Return the counter of a game's commands with an outcome."""
    return command_count.labels(game, outcome)


@cache
def request_counter(status: int) -> Counter:
    """Return the counter of answers with a status; 0 for requests that got no answer."""
    return request_count.labels(f"{status // 100}xx" if status else "aborted")


def notification_counter(channel_kind: str, is_success: bool) -> Counter:
    """Return the counter of notifications sent, or failed, by a channel.

    Creates both, because an alert compares the two: for a channel that never worked the counter of
    sent ones would otherwise be missing.
    """
    sent, failed = (
        notifications_sent.labels(channel_kind),
        notifications_failed.labels(channel_kind),
    )
    return sent if is_success else failed


def command_outcome(error: Exception | None) -> str:
    """Return the ``outcome`` label of a command for the exception that it raised."""
    match error:
        case None:
            return "accepted"
        case IllegalMove():
            return "illegal"
        case Refused():
            return "refused"
        case HTTPException() if getattr(error, "code", None) == "version_conflict":
            return "conflict"
        case HTTPException() if error.status_code < 500:
            return "refused"
        case _:
            return "failed"
