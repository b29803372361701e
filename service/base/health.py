"""Whether the service is well."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol

from litestar import Response, get
from litestar.params import QueryParameter
from msgspec import UNSET, Struct, UnsetType, to_builtins
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.words import N_
from service.base.injected import Injected
from service.base.problems import Fault
from service.base.schema import Answer

_PATIENCE = 1.0
"""Seconds in which Redis must answer."""


class Health(Answer, frozen=True):
    """Whether the service can do its work."""

    status: Literal["ok"]


class Part(Answer, frozen=True):
    """How a part of the service is. ``behind``: decisions that the lists do not show yet;
    ``done`` of ``whole`` parts of the log are folded into the lists that will take their place;
    ``configured``: whether there is to be such a part (Redis); ``open``: live streams of this
    process. The service is ready without Redis, and while it cannot save (``saving``: how the last
    save of this worker ended), for reading goes on.
    """

    ok: bool
    configured: bool | UnsetType = UNSET
    open: int | UnsetType = UNSET
    behind: int | UnsetType = UNSET
    done: int | UnsetType = UNSET
    whole: int | UnsetType = UNSET


class Ready(Health, frozen=True):
    """``set_aside``: how many matches could not be read and are left out of every list, if any;
    ``parts``: each part of the service, when asked for."""

    set_aside: int | UnsetType = UNSET
    parts: dict[str, Part] | UnsetType = UNSET


class _Store(Protocol):
    def ping(self) -> None: ...


class _Building(Protocol):
    @property
    def done(self) -> int: ...

    @property
    def whole(self) -> int: ...


class _Views(Protocol):
    def count_set_aside(self) -> int: ...

    def building(self) -> Sequence[_Building]: ...


class _Saver(Protocol):
    @property
    def failing(self) -> bool: ...


class _Runner(Protocol):
    @property
    def failed(self) -> Any: ...

    def behind(self) -> int: ...


class _Streams(Protocol):
    @property
    def open(self) -> Counter[str]: ...


class _Outbox(Protocol):
    def backlog(self) -> tuple[int, int | None]: ...


class Vitals(Struct, frozen=True):
    """What tells whether the service is well. ``redis`` is None when none is configured;
    ``leaving``: this worker was told to stop."""

    store: _Store
    views: _Views
    runner: _Runner
    streams: _Streams
    outbox: _Outbox
    saver: _Saver
    leaving: bool
    redis: "Redis | None"
    metrics_token: str


@get(
    "/health/live",
    operation_id="isAlive",
    tags=["health"],
    opt={"unlimited": True},
    sync_to_thread=False,
)
def live(vitals: Injected[Vitals]) -> Health:
    """The process answers; 503 when it was told to stop, so that a proxy asks another one."""
    _check_staying(vitals)
    return Health(status="ok")


@get("/health/ready", operation_id="isReady", tags=["health"], opt={"unlimited": True})
async def ready(
    vitals: Injected[Vitals],
    verbose: Annotated[
        str | None,
        QueryParameter(max_length=10, description="With any value or none: each part is told."),
    ] = None,
) -> Response[Ready]:
    """The database answers too, and the lists follow the log.

    ``set_aside`` matches could not be read; they hurt nobody else, but somebody should look.
    While lists are made anew the ones before are shown, and the service is ready.
    """
    _check_staying(vitals)
    told: dict[str, Part] | None = None
    if verbose is None:
        parts, aside = await _essential(vitals, lists=False)
    else:
        # Beside each other: both may hang.
        (parts, aside), other = await asyncio.gather(_essential(vitals, lists=True), redis(vitals))
        streams = Part(ok=True, open=vitals.streams.open.total())
        told = {**parts, "saving": Part(ok=not vitals.saver.failing), "redis": other}
        told["streams"] = streams
    if aside is None:
        raise _not_ready(N_("The database does not answer."), told)
    if vitals.runner.failed is not None:
        raise _not_ready(N_("The lists do not follow what is played."), told)
    answer = Ready(status="ok", set_aside=aside or UNSET, parts=UNSET if told is None else told)
    return Response(answer)


async def _essential(vitals: Vitals, *, lists: bool) -> tuple[dict[str, Part], int | None]:
    """How database and lists are, and the number of matches set aside: None without a database."""
    parts = {"database": Part(ok=False), "lists": Part(ok=vitals.runner.failed is None)}
    try:
        await asyncio.to_thread(vitals.store.ping)
        parts["database"] = Part(ok=True)
        aside = await asyncio.to_thread(vitals.views.count_set_aside)
        if lists:
            parts["lists"] = await asyncio.to_thread(_lists, vitals)
    except Exception:
        return parts, None
    return parts, aside


def _lists(vitals: Vitals) -> Part:
    building = next(iter(vitals.views.building()), None)
    return Part(
        ok=vitals.runner.failed is None,
        behind=vitals.runner.behind(),
        done=UNSET if building is None else building.done,
        whole=UNSET if building is None else building.whole,
    )


async def redis(vitals: Vitals) -> Part:
    """Whether Redis answers in time, where there is to be one."""
    if vitals.redis is None:
        return Part(ok=True, configured=False)
    try:
        async with asyncio.timeout(_PATIENCE):
            await vitals.redis.get("caravanserai:health")
    except (RedisError, OSError):
        return Part(ok=False, configured=True)
    return Part(ok=True, configured=True)


def _check_staying(vitals: Vitals) -> None:
    if vitals.leaving:
        raise Fault(503, "stopping", N_("This worker is stopping."), {"Retry-After": "1"})


def _not_ready(reason: str, parts: dict[str, Part] | None) -> Fault:
    return Fault(503, "not_ready", reason, {"Retry-After": "2"}, parts=to_builtins(parts))


HANDLERS: tuple[Any, ...] = (live, ready)
