"""Health checks: liveness and readiness of one worker."""

import asyncio
from typing import Annotated, Literal, Protocol

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import UNSET, Struct, UnsetType, to_builtins
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.text.i18n import N_
from projections.read_models import ReadModels
from projections.runner import Runner
from service.http.injection import Injected
from service.http.problems import ApiProblem
from service.http.rate_limits import StreamSlots
from service.http.schema import Answer

_REDIS_TIMEOUT_S = 1.0
"""Timeout of the check of Redis, in seconds."""


class Health(Answer, frozen=True):
    """The state of a healthy worker."""

    status: Literal["ok"]


class Part(Answer, frozen=True):
    """The state of one part of the service.

    ``ok``: whether the part works. ``configured``: whether Redis is configured. ``open``: number of
    live streams of this process. ``behind``: number of decisions that the lists do not show yet.
    ``done`` and ``whole``, only while new lists are being built: how many parts of the log have
    been processed, and how many there are. The service is ready without Redis, and also while it
    cannot save, because reading still works; the part ``saving`` is ok if this worker's last save
    did not fail.
    """

    ok: bool
    configured: bool | UnsetType = UNSET
    open: int | UnsetType = UNSET
    behind: int | UnsetType = UNSET
    done: int | UnsetType = UNSET
    whole: int | UnsetType = UNSET


class Ready(Health, frozen=True):
    """The state of a worker that is ready.

    ``set_aside``: number of matches that cannot be read and are left out of every list; absent if
    there are none. ``parts``: the state of each part by name, only with ``verbose``.
    """

    set_aside: int | UnsetType = UNSET
    parts: dict[str, Part] | UnsetType = UNSET


class _Store(Protocol):
    def ping(self) -> None: ...


class _Writer(Protocol):
    @property
    def is_failing(self) -> bool: ...


class _Outbox(Protocol):
    def backlog(self) -> tuple[int, int | None]: ...


class HealthSources(Struct, frozen=True, kw_only=True):
    """The parts of the service that the health checks and metrics inspect.

    ``redis``: None if Redis is not configured. ``is_draining``: whether this worker is about to
    stop. ``metrics_token``: the bearer token for the metrics, which are disabled if it is empty.
    """

    store: _Store
    views: ReadModels
    runner: Runner
    streams: StreamSlots
    outbox: _Outbox
    saver: _Writer
    is_draining: bool
    redis: "Redis | None"
    metrics_token: str


@get(
    "/health/live",
    operation_id="isAlive",
    tags=["health"],
    opt={"unlimited": True},
    sync_to_thread=False,
)
def check_liveness(vitals: Injected[HealthSources]) -> Health:
    """Check that the worker responds.

    Returns 503 ``stopping`` once the worker is about to stop, so that a proxy uses another one.
    """
    _check_not_draining(vitals)
    return Health(status="ok")


@get("/health/ready", operation_id="isReady", tags=["health"], opt={"unlimited": True})
async def check_readiness(
    vitals: Injected[HealthSources],
    verbose: Annotated[
        str | None,
        QueryParameter(max_length=10, description="If present, include the state of each part."),
    ] = None,
) -> Response[Ready]:
    """Check that the database responds and the lists are being updated.

    ``set_aside`` is the number of matches that cannot be read; other matches are not affected, but
    the operator should investigate. While lists are being rebuilt, the previous ones are shown and
    the service is ready. Returns 503 ``not_ready`` if the database does not respond or the lists
    are not being updated, and 503 ``stopping`` once the worker is about to stop.
    """
    _check_not_draining(vitals)
    all_parts: dict[str, Part] | None = None
    if verbose is None:
        parts, aside = await _check_essentials(vitals, lists=False)
    else:
        # Check concurrently, because both checks may take long.
        (parts, aside), other = await asyncio.gather(
            _check_essentials(vitals, lists=True), check_redis(vitals)
        )
        streams = Part(ok=True, open=vitals.streams.open.total())
        all_parts = {**parts, "saving": Part(ok=not vitals.saver.is_failing), "redis": other}
        all_parts["streams"] = streams
    if aside is None:
        raise _not_ready_problem(N_("error.not_ready.database"), all_parts)
    if vitals.runner.last_error is not None:
        raise _not_ready_problem(N_("error.not_ready.lists"), all_parts)
    answer = Ready(
        status="ok", set_aside=aside or UNSET, parts=UNSET if all_parts is None else all_parts
    )
    return Response(answer)


async def _check_essentials(
    vitals: HealthSources, *, lists: bool
) -> tuple[dict[str, Part], int | None]:
    """Return the state of the database and the lists, and the number of matches set aside.

    The number is None if the database does not respond. ``lists``: whether to determine also how
    far the lists are behind and how far a rebuild has got.
    """
    parts = {"database": Part(ok=False), "lists": Part(ok=vitals.runner.last_error is None)}
    try:
        await asyncio.to_thread(vitals.store.ping)
        parts["database"] = Part(ok=True)
        aside = await asyncio.to_thread(vitals.views.count_quarantined)
        if lists:
            parts["lists"] = await asyncio.to_thread(_check_lists, vitals)
    except Exception:
        return parts, None
    return parts, aside


def _check_lists(vitals: HealthSources) -> Part:
    building = next(iter(vitals.views.building()), None)
    return Part(
        ok=vitals.runner.last_error is None,
        behind=vitals.runner.count_behind(),
        done=UNSET if building is None else building.done,
        whole=UNSET if building is None else building.whole,
    )


async def check_redis(vitals: HealthSources) -> Part:
    """Return the state of Redis: ``ok`` if it responds within `_REDIS_TIMEOUT_S` seconds.

    If Redis is not configured, ``ok`` is true and ``configured`` is false.
    """
    if vitals.redis is None:
        return Part(ok=True, configured=False)
    try:
        async with asyncio.timeout(_REDIS_TIMEOUT_S):
            await vitals.redis.get("caravanserai:health")
    except (RedisError, OSError):
        return Part(ok=False, configured=True)
    return Part(ok=True, configured=True)


def _check_not_draining(vitals: HealthSources) -> None:
    if vitals.is_draining:
        raise ApiProblem(503, "stopping", N_("error.stopping"), {"Retry-After": "1"})


def _not_ready_problem(reason: str, parts: dict[str, Part] | None) -> ApiProblem:
    return ApiProblem(503, "not_ready", reason, {"Retry-After": "2"}, parts=to_builtins(parts))
