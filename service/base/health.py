"""Whether the service is well."""

import asyncio
from typing import Any, Literal, Protocol

from litestar import Response, get
from msgspec import UNSET, Struct, UnsetType

from service.base.injected import Injected
from service.base.problems import Fault
from service.base.schema import Answer


class Health(Answer, frozen=True):
    """Whether the service can do its work."""

    status: Literal["ok"]


class Ready(Health, frozen=True):
    """``set_aside``: how many matches could not be read and are left out of every list, if any."""

    set_aside: int | UnsetType = UNSET


class _Store(Protocol):
    def ping(self) -> None: ...


class _Views(Protocol):
    def count_set_aside(self) -> int: ...


class _Runner(Protocol):
    @property
    def failed(self) -> Any: ...


class Vitals(Struct, frozen=True):
    """What tells whether the service is well."""

    store: _Store
    views: _Views
    runner: _Runner


@get(
    "/health/live",
    operation_id="isAlive",
    tags=["health"],
    opt={"unlimited": True},
    sync_to_thread=False,
)
def live() -> Health:
    """The process answers."""
    return Health(status="ok")


@get("/health/ready", operation_id="isReady", tags=["health"], opt={"unlimited": True})
async def ready(vitals: Injected[Vitals]) -> Response[Ready]:
    """The database answers too, and the lists follow the log.

    ``set_aside`` matches could not be read; they hurt nobody else, but somebody should look.
    """
    try:
        await asyncio.to_thread(vitals.store.ping)
        count = await asyncio.to_thread(vitals.views.count_set_aside)
    except Exception:
        raise Fault(503, "not_ready", "The database does not answer.") from None
    if vitals.runner.failed is not None:
        raise Fault(503, "not_ready", "The lists do not follow what is played.")
    return Response(Ready(status="ok", set_aside=count or UNSET))


HANDLERS: tuple[Any, ...] = (live, ready)
