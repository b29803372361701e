"""Misbehaving webhook receivers, each on its own local port."""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
FLOOD = b"x" * 65_536


async def _head(reader: asyncio.StreamReader) -> None:
    await reader.readuntil(b"\r\n\r\n")


async def hang(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Accept, and never answer."""
    while await reader.read(65_536):
        pass


async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one byte at a time."""
    await _head(reader)
    for byte in b"HTTP/1.1 200 OK\r\n" + b"X-Slow: 1\r\n" * 1000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.2)


async def endless_head(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send headers without end."""
    await _head(reader)
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-More: " + b"y" * 1000 + b"\r\n")
        await writer.drain()


async def interim(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send interim responses without end."""
    await _head(reader)
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100)
        await writer.drain()


async def huge_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reject with an endless body."""
    await _head(reader)
    writer.write(b"HTTP/1.1 500 No\r\nContent-Length: 999999999999\r\n\r\n")
    while True:
        writer.write(FLOOD)
        await writer.drain()


async def reset(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Reset the connection."""
    transport = writer.transport
    transport.abort()


async def loop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Redirect the caller to itself."""
    await _head(reader)
    host, port = writer.get_extra_info("sockname")[:2]
    writer.write(f"HTTP/1.1 307 Go\r\nLocation: http://{host}:{port}/\r\n\r\n".encode())
    await writer.drain()


async def close(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Close at once."""


async def nonsense(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer with something that is not HTTP."""
    await _head(reader)
    writer.write(b"\x00\xff\r\nHTTP/9.9 \xf0\x9f\r\n\r\n")
    await writer.drain()


async def absurd_date(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a Retry-After in an absurd year."""
    await _head(reader)
    date = b"Fri, 01 Jan 9999 00:00:00 +9999999999"
    writer.write(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\nRetry-After: " + date + b"\r\n\r\n")
    await writer.drain()


async def honest(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept the request."""
    await _head(reader)
    writer.write(b"HTTP/1.1 204 Taken\r\n\r\n")
    await writer.drain()


HOSTILE: dict[str, Talk] = {
    "hang": hang,
    "trickle": trickle,
    "endless head": endless_head,
    "interim": interim,
    "huge body": huge_body,
    "reset": reset,
    "redirect loop": loop,
    "close": close,
    "nonsense": nonsense,
    "absurd date": absurd_date,
}
"""By what they do. One that hangs and is called by https is one whose TLS handshake never ends."""


class Receivers:
    """Servers in their own thread.

    ``open``, ``most_open``: current and maximum number of connections; ``given_up``: calls that
    ended before the response was complete.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.open = 0
        self.most_open = 0
        self.calls = 0
        self._servers: list[asyncio.Server] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, talk: Talk) -> str:
        """Add a server; return its host and port."""
        return asyncio.run_coroutine_threadsafe(self._add(talk), self._loop).result(30)

    async def _add(self, talk: Talk) -> str:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._tasks.add(task)
            self.calls += 1
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            try:
                await talk(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                return
            finally:
                self.open -= 1
                self._tasks.discard(task)
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1000)
        self._servers.append(server)
        host, port = server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        """Stop everything."""
        for server in self._servers:
            server.close()
        for task in list(self._tasks):
            task.cancel()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*self._tasks, return_exceptions=True), 5)


@contextmanager
def receivers() -> Iterator[Receivers]:
    """Yield servers that run while the block does."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    made = Receivers(loop)
    try:
        yield made
    finally:
        asyncio.run_coroutine_threadsafe(made.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
