"""Thread pools for work that would block the event loop.

Rendering, encoding and compressing a match with thousands of events takes tenths of a second;
verifying a match file takes seconds. This work has its own threads: when a dozen large files shared
the threads that query the database, lists took a minute to load.
"""

import asyncio
import gzip
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
from litestar import Request, Response

from domain.match.timeline import Timeline
from domain.text.i18n import N_
from service.http.problems import ApiProblem

MAX_INLINE_EVENTS = 300
"""Maximum number of events in a response built on the event loop, because for so few a thread costs
more than it saves.
"""
_MIN_GZIP_BYTES = 1024
_GZIP_LEVEL = 5
_RESPONSE_THREADS = ThreadPoolExecutor(2, "answers")
_MATCH_THREAD = ThreadPoolExecutor(1, "matches")
"""Thread for imports and forks, separate from `_RESPONSE_THREADS` so that reading a long match need
not wait for files being verified."""

_T = TypeVar("_T")


_MAX_PENDING_JOBS = 32
"""Maximum number of unfinished jobs; the file of each, up to 4 MB, is kept in memory."""
_pending_jobs: set[asyncio.Future[Any]] = set()


async def run_match_job(call: Callable[..., _T], *values: Any) -> _T:
    """Run a job that builds a whole match (import or fork) in a thread, one job at a time.

    Raises `ApiProblem` 429 ``too_many_requests`` if too many jobs are unfinished.
    """
    if len(_pending_jobs) >= _MAX_PENDING_JOBS:
        detail = N_("error.too_many_new_games")
        raise ApiProblem(429, "too_many_requests", detail, {"Retry-After": "5"})
    making = asyncio.get_running_loop().run_in_executor(_MATCH_THREAD, call, *values)
    _pending_jobs.add(making)
    making.add_done_callback(_pending_jobs.discard)
    return await making


def is_cheap(timeline: Timeline, version: int) -> bool:
    """Return whether the events since a version are in memory and at most `MAX_INLINE_EVENTS`."""
    away = timeline.moments.unloaded
    here = away == 0 or (away < len(timeline.moments) and version >= timeline.moments[away].version)
    return here and version >= timeline.version - MAX_INLINE_EVENTS


async def run_read(timeline: Timeline, version: int, read: Callable[[], _T]) -> _T:
    """Run a read that goes back to a version of a match, in a thread unless it is cheap."""
    return read() if is_cheap(timeline, version) else await asyncio.to_thread(read)


async def json_response(
    request: Request[Any, Any, Any],
    timeline: Timeline,
    since: int,
    make: Callable[[], Any],
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    """Return a response with the result of ``make`` as JSON, built in a thread unless it is cheap.

    ``make`` reads the events of the match after version ``since``. ``headers``: further headers.
    The body is compressed here if the client accepts gzip, so the handler must set
    ``opt={"packed": True}``.
    """
    packs = "gzip" in request.headers.get("accept-encoding", "")
    if is_cheap(timeline, since):
        body, packed = _encode_body(make, packs)
    else:
        body, packed = await asyncio.get_running_loop().run_in_executor(
            _RESPONSE_THREADS, _encode_body, make, packs
        )
    found = {"Vary": "Accept-Encoding", **(headers or {})}
    if packed:
        found["Content-Encoding"] = "gzip"
    return Response(body, media_type="application/json", headers=found)


def _encode_body(make: Callable[[], Any], use_gzip: bool) -> tuple[bytes, bool]:
    body = msgspec.json.encode(make())
    if not use_gzip or len(body) < _MIN_GZIP_BYTES:
        return body, False
    return gzip.compress(body, _GZIP_LEVEL), True
