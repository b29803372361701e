"""A response is written in one piece, and nothing written is lost or delayed for long."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import pytest
import uvloop

from service.http.write_coalescing import CoalescingTransport


class Wire:
    """A transport that records its calls."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def write(self, data: bytes) -> None:
        self.calls.append(data)

    def close(self) -> None:
        self.calls.append("closed")

    def abort(self) -> None:
        self.calls.append("aborted")

    def is_closing(self) -> bool:
        return False


def written(*calls: tuple[str, Any]) -> list[Any]:
    """Return what is written in the loop iteration of the calls and in the next one."""

    async def run() -> list[Any]:
        wire: Any = Wire()
        coalescing = CoalescingTransport(wire, asyncio.get_running_loop())
        for name, given in calls:
            getattr(coalescing, name)(*given)
        at_once = len(wire.calls)
        await asyncio.sleep(0)
        return [wire.calls[:at_once], wire.calls[at_once:]]

    return asyncio.run(run())


def test_head_and_body_leave_in_one_piece() -> None:
    assert written(("write", [b"head"]), ("write", [b"body"])) == [[], [b"headbody"]]


def test_large_body_is_written_at_once() -> None:
    much = b"x" * 70_000
    assert written(("write", [b"head"]), ("write", [much])) == [[b"head" + much], []]


def test_data_is_flushed_before_close() -> None:
    assert written(("write", [b"head"]), ("close", [])) == [[b"head", "closed"], []]


def test_abort_drops_pending_data() -> None:
    assert written(("write", [b"head"]), ("abort", [])) == [["aborted"], []]


@pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_write_to_a_killed_client_does_not_raise(new_loop: Callable[[], Any]) -> None:
    """uvloop: "the handler is closed", a traceback in the log for each such stream."""
    errors: list[Any] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, what: errors.append(what))
        ours, theirs = socket.socketpair()
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        coalescing = CoalescingTransport(transport, loop)
        coalescing.write(b"a frame of a stream")
        transport.abort()
        theirs.close()
        await asyncio.sleep(0.1)
        coalescing.write(b"one more")
        await asyncio.sleep(0.1)

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(run())
    assert errors == []
