"""Processes that render pictures, so that rendering does not block other requests.

There is one process per kind of order, started with the first: a still need not wait for the
animation of a whole match. A process that takes too long or dies is killed and replaced at the next
order.
"""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from pathlib import Path

import msgspec

from service.media.pictures.render_job import Order
from service.media.pictures.worker import ANSWER, LENGTH

SECONDS = {"png": 10.0, "gif": 60.0}
"""Timeout in seconds for a picture, by kind."""
ORDERS = 500
"""Number of orders after which a process is replaced, so that its caches do not grow."""


class CannotDraw(Exception):
    """A picture took too long, needed too much memory or is inconsistent."""


class Drawer:
    """One process, started at the first order; it draws one picture at a time."""

    def __init__(self, fonts: Sequence[Path], seconds: float) -> None:
        self._command = [sys.executable, "-m", "service.media.pictures.worker", *map(str, fonts)]
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._drawn = 0

    async def draw(self, order: bytes) -> bytes:
        """Return the image file of an encoded order; raises `CannotDraw` when it fails."""
        async with self._turn:
            process = await self._running()
            try:
                async with asyncio.timeout(self._seconds):
                    done, made = await _asked(process, order)
            except BaseException as problem:
                await self._end()
                if isinstance(problem, TimeoutError | EOFError | OSError):
                    raise CannotDraw(f"no answer: {type(problem).__name__}") from problem
                raise
            self._drawn += 1
            if self._drawn >= ORDERS:
                await self._end()
        if not done:
            raise CannotDraw(made.decode())
        return made

    async def _running(self) -> Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
            )
            self._drawn = 0
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()

    async def aclose(self) -> None:
        """End the process."""
        await self._end()


async def _asked(process: Process, order: bytes) -> tuple[bool, bytes]:
    """Send an order and return the answer: whether it succeeded, and the file or the error."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(LENGTH.pack(len(order)) + order)
    await process.stdin.drain()
    length, done = ANSWER.unpack(await process.stdout.readexactly(ANSWER.size))
    return done, await process.stdout.readexactly(length)


class Drawers:
    """One process for each kind of order."""

    def __init__(self, fonts: Sequence[Path] = ()) -> None:
        self._drawers = {kind: Drawer(fonts, seconds) for kind, seconds in SECONDS.items()}

    async def draw(self, order: Order) -> bytes:
        """Return the image file; raises `CannotDraw` when it fails."""
        encoded = await asyncio.to_thread(msgspec.msgpack.encode, order)
        return await self._drawers[order.kind].draw(encoded)

    async def aclose(self) -> None:
        """End the processes."""
        for drawer in self._drawers.values():
            await drawer.aclose()
