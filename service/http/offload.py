"""Thread pools for work that would block the event loop.

Rendering, JSON and gzip of a match with thousands of events take tenths of a second, verifying a
match file takes seconds. This work has threads of its own: when a dozen large files occupied the
threads that query the database, lists took a minute to load.
"""

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response

from domain.match import Timeline
from service.http.problems import Fault

FEW = 300
"""Number of events up to which an answer is built on the event loop: handing it to a thread would
cost more than it saves.
"""
_WORTH_PACKING = 1024
_LEVEL = 5
_ANSWERS = ThreadPoolExecutor(2, "answers")
_MATCHES = ThreadPoolExecutor(1, "matches")
"""Separate from `_ANSWERS`, so that reading a long match need not wait for files being verified."""

_T = TypeVar("_T")


_MOST_COMING = 32
"""Maximum number of waiting jobs: their files are kept in memory, up to 4 MB each."""
_coming: set[asyncio.Future[Any]] = set()


async def made(call: Callable[..., _T], *values: Any) -> _T:
    """Run a job that builds a whole match (import or fork) in a thread, one job at a time.

    Raises `Fault` 429 ``too_many_requests`` when too many are waiting.
    """
    if len(_coming) >= _MOST_COMING:
        detail = "Too many matches are made at once; wait a little."
        raise Fault(429, "too_many_requests", detail, {"Retry-After": "5"})
    making = asyncio.get_running_loop().run_in_executor(_MATCHES, call, *values)
    _coming.add(making)
    making.add_done_callback(_coming.discard)
    return await making


def is_near(timeline: Timeline, version: int) -> bool:
    """Return whether at most `FEW` events happened since a version and all are in memory."""
    away = timeline.moments.unloaded
    here = away == 0 or (away < len(timeline.moments) and version >= timeline.moments[away].version)
    return here and version >= timeline.version - FEW


async def looked_back(timeline: Timeline, version: int, look: Callable[[], _T]) -> _T:
    """Run a read that goes back to a version of a match; in a thread if that is far back."""
    return look() if is_near(timeline, version) else await asyncio.to_thread(look)


async def answer(
    request: Request[Any, Any, Any],
    timeline: Timeline,
    since: int,
    make: Callable[[], Any],
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """Return the result of ``make`` as JSON, built in a thread if ``since`` is far back.

    ``make`` reads the events of the match since that version. The body is compressed here if the
    caller accepts gzip, so the handler must set ``opt={"packed": True}``.
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
