"""A connection to which an answer goes in one piece."""

from asyncio import AbstractEventLoop, Transport
from typing import Any

_MOST = 65_536
"""Bytes that are held back at most: who writes more hears in time that the other side is slow."""


class Corked:
    """A transport that hands on what is written in one turn of the event loop in one go.

    uvicorn writes the head of an answer and its body one after the other, and each write is a
    call to the system, wakes whoever reads, and makes them read twice.
    """

    def __init__(self, transport: Transport, loop: AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held: list[bytes] = []
        self._size = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Writes by the end of this turn."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(data)
        self._size += len(data)
        if self._size > _MOST:
            self._flush()

    def _flush(self) -> None:
        if self._held:
            whole = b"".join(self._held)
            self._held.clear()
            self._size = 0
            # The other side may have gone since this was written: uvloop raises then.
            if not self._transport.is_closing():
                self._transport.write(whole)

    def close(self) -> None:
        """Closes once all is written."""
        self._flush()
        self._transport.close()

    def abort(self) -> None:
        """Closes at once."""
        self._held.clear()
        self._transport.abort()
