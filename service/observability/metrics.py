"""Prometheus metrics of this process.

Labels are games, outcomes, status classes and kinds of channels, never players or matches, so the
number of time series is bounded. Each worker has its own metrics.
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
from domain.match.seats import Refused

REGISTRY = CollectorRegistry()
"""The registry of this process, shared by all applications in it."""

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


# The next two functions are cached, because looking up a counter by labels is slower than counting.


@cache
def command_counter(game: str, outcome: str) -> Counter:
    """Return the counter for a game's commands with an outcome (`command_outcome`)."""
    return command_count.labels(game, outcome)


@cache
def request_counter(status: int) -> Counter:
    """Return the counter for responses with a status; 0 stands for requests without a response."""
    return request_count.labels(f"{status // 100}xx" if status else "aborted")


def notification_counter(channel_kind: str, is_success: bool) -> Counter:
    """Return the counter for notifications sent through a kind of channel, or failed to be sent.

    Creates both counters, because an alert compares them, and the first would otherwise be missing
    for a kind of channel that never worked.
    """
    sent, failed = (
        notifications_sent.labels(channel_kind),
        notifications_failed.labels(channel_kind),
    )
    return sent if is_success else failed


def command_outcome(error: Exception | None) -> str:
    """Return the ``outcome`` label of a command.

    ``error``: the exception that the command raised, None if it was accepted.
    """
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
