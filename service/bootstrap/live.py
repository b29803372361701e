"""Access to matches, live streams and presence."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

from msgspec import Struct
from redis.asyncio import Redis

from service.bootstrap.people import People
from service.bootstrap.storage import Storage
from service.common.clock import now_ms
from service.live.hub import Hub
from service.live.redis_channels import redis_client
from service.matches.match_access import MatchAccess
from service.matches.share_codes import ShareCodes
from service.notifications.presence import Presence
from service.settings import Settings

_A = TypeVar("_A")
_B = TypeVar("_B")


class Live(Struct, frozen=True):
    """Access to matches, live streams and presence."""

    share_codes: ShareCodes
    access: MatchAccess
    hub: Hub
    presence: Presence


def connect_to_redis(settings: Settings, stack: AsyncExitStack) -> "Redis | None":
    """Return the Redis client, closed with the stack; None if Redis is not configured."""
    if not settings.redis_url:
        return None
    redis = redis_client(settings.redis_url)
    stack.push_async_callback(redis.aclose)
    return redis


async def build_live(
    settings: Settings, *, storage: Storage, people: People, redis: "Redis | None"
) -> Live:
    """Load the share codes and build the hub, access checks and presence of live streams."""
    share_codes = await asyncio.to_thread(ShareCodes.load, storage.store, now_ms())
    access = MatchAccess(
        matches=storage.matches,
        share_codes=share_codes,
        personal=people.personal,
        run_query=storage.writer.run,
    )
    # Only other workers, which need Redis or PostgreSQL, write versions that this one must find.
    has_other_workers = bool(settings.redis_url or settings.database_url)
    hub = Hub(
        redis,
        settings.heartbeat,
        find_signed_out=_in_thread(people.players.find_signed_out),
        find_newer_versions=(
            _in_thread(storage.store.newer_versions) if has_other_workers else None
        ),
        find_accessible_seats=access.accessible_seats,
    )
    return Live(share_codes=share_codes, access=access, hub=hub, presence=Presence(redis))


def _in_thread(call: Callable[[_A], _B]) -> Callable[[_A], Awaitable[_B]]:
    """Return a coroutine function that runs a blocking call in a thread."""
    return lambda value: asyncio.to_thread(call, value)
