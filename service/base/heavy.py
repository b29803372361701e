"""Work that takes long, done away from the event loop.

Rendering, JSON and gzip of a match of thousands of events take tenths of a second, proving a
file takes seconds; on the event loop everybody would wait for them. It has threads of its own:
where a dozen large files took up those that ask the database, nobody saw a list for a minute.
"""

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response

from domain.match import Timeline
from service.base.problems import Fault

FEW = 300
"""Events up to which an answer is made at once: a thread would cost more than it saves."""
_WORTH_PACKING = 1024
_LEVEL = 5
_ANSWERS = ThreadPoolExecutor(2, "answers")
_MATCHES = ThreadPoolExecutor(1, "matches")
"""Whoever reads a long match need not wait until all files that come in are proved."""

_T = TypeVar("_T")


_MOST_COMING = 32
"""Files that wait are in memory, up to 4 MB each."""
_coming: set[asyncio.Future[Any]] = set()


async def made(call: Callable[..., _T], *values: Any) -> _T:
    """What makes a whole match, from a file or as a fork: one at a time.

    `Fault` 429 when too many wait.
    """
    if len(_coming) >= _MOST_COMING:
        detail = "Too many matches are made at once; wait a little."
        raise Fault(429, "too_many_requests", detail, {"Retry-After": "5"})
    making = asyncio.get_running_loop().run_in_executor(_MATCHES, call, *values)
    _coming.add(making)
    making.add_done_callback(_coming.discard)
    return await making


def is_near(timeline: Timeline, version: int) -> bool:
    """Whether few events have happened since a version, and all of them are in memory."""
    away = timeline.moments.away
    here = away == 0 or (away < len(timeline.moments) and version >= timeline.moments[away].version)
    return here and version >= timeline.version - FEW


async def looked_back(timeline: Timeline, version: int, look: Callable[[], _T]) -> _T:
    """What a look at a match shows that goes back to a version: in a thread when that is far."""
    return look() if is_near(timeline, version) else await asyncio.to_thread(look)


async def answer(
    request: Request[Any, Any, Any],
    timeline: Timeline,
    since: int,
    make: Callable[[], Any],
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """What ``make`` gives, as JSON; it looks at what happened in the match since a version.

    The handler says ``opt={"packed": True}``, for it is packed here if the caller can unpack.
    """
    packs = "gzip" in request.headers.get("accept-encoding", "")
    if is_near(timeline, since):
        body, packed = _written(make, packs)
    else:
        body, packed = await asyncio.get_running_loop().run_in_executor(
            _ANSWERS, _written, make, packs
        )
    found = {"Vary": "Accept-Encoding", **(headers or {})}
    if packed:
        found["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=found)


def _written(make: Callable[[], Any], packs: bool) -> tuple[bytes, bool]:
    body = msgspec.json.encode(make())
    if not packs or len(body) < _WORTH_PACKING:
        return body, False
    return gzip.compress(body, _LEVEL), True
