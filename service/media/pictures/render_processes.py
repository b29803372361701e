"""Processes for rendering pictures, so that rendering does not block other requests.

There is one process per kind of job, so that a still need not wait for a long animation. A process
is started at its first job. If it takes too long or dies, it is killed and replaced at the next
job.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path

import msgspec

from service.media.pictures.render_job import RenderJob
from service.media.pictures.worker import ANSWER_LAYOUT, LENGTH_LAYOUT

RENDER_TIMEOUT_S = {"png": 10.0, "gif": 60.0}
"""Timeout in seconds for rendering a picture, by kind of job."""
MAX_JOBS_PER_PROCESS = 500
"""Number of jobs after which a process is replaced, so that its caches do not grow."""


class RenderFailed(Exception):
    """Error for a picture that failed to render or exceeded the limits of time or memory."""


class RenderProcess:
    """A rendering process, started at the first job, that renders one picture at a time."""

    def __init__(self, fonts: Sequence[Path], timeout_s: float) -> None:
        self._command = [sys.executable, "-m", "service.media.pictures.worker", *map(str, fonts)]
        self._timeout_s = timeout_s
        self._lock = asyncio.Lock()
        self._process: Process | None = None
        self._job_count = 0

    async def render(self, job: bytes) -> bytes:
        """Render an encoded job and return the image file; raise `RenderFailed` on failure."""
        async with self._lock:
            process = await self._ensure_process()
            try:
                async with asyncio.timeout(self._timeout_s):
                    done, made = await _request_picture(process, job)
            except BaseException as problem:
                await self.aclose()
                if isinstance(problem, TimeoutError | EOFError | OSError):
                    raise RenderFailed(f"no answer: {type(problem).__name__}") from problem
                raise
            self._job_count += 1
            if self._job_count >= MAX_JOBS_PER_PROCESS:
                await self.aclose()
        if not done:
            raise RenderFailed(made.decode())
        return made

    async def _ensure_process(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
            self._job_count = 0
        return self._process

    async def aclose(self) -> None:
        """Kill the process; the next job starts another one."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()


async def _request_picture(process: Process, job: bytes) -> tuple[bool, bytes]:
    """Send a job to a process; return whether it succeeded, and the image file or error message."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(LENGTH_LAYOUT.pack(len(job)) + job)
    await process.stdin.drain()
    length, done = ANSWER_LAYOUT.unpack(await process.stdout.readexactly(ANSWER_LAYOUT.size))
    return done, await process.stdout.readexactly(length)


class RenderPool:
    """A pool with one rendering process for each kind of job."""

    def __init__(self, fonts: Sequence[Path] = ()) -> None:
        self._processes = {
            kind: RenderProcess(fonts, seconds) for kind, seconds in RENDER_TIMEOUT_S.items()
        }

    async def render(self, job: RenderJob) -> bytes:
        """Render a job and return the image file; raise `RenderFailed` on failure."""
        encoded = await asyncio.to_thread(msgspec.msgpack.encode, job)
        return await self._processes[job.kind].render(encoded)

    async def aclose(self) -> None:
        """Stop all processes."""
        for drawer in self._processes.values():
            await drawer.aclose()
