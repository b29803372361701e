"""HTTP protocol with timeouts against slow clients (slow loris).

uvicorn limits only the idle time between two requests. A client that sends a head or body byte by
byte, or that never reads its answer, would hold a connection indefinitely; an endless head would
fill the memory.
"""

from asyncio import TimerHandle, Transport
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http.write_coalescing import Corked

_RATE = 2048
"""Minimum rate, in bytes a second, at which a body or an answer must progress."""
_HEAD = 65_536
"""Maximum bytes of a head that arrives in pieces; the parser would keep any number."""


def patient(head: float, body: float, answer: float) -> type[HttpToolsProtocol]:
    """Return the protocol class with these timeouts in seconds; 0 disables one.

    ``head`` limits the whole head. ``body`` and ``answer`` are intervals, in each of which a body
    or the reading of an answer has to progress by `_RATE`.
    """
    fields = {"head_timeout": head, "body_timeout": body, "answer_timeout": answer}
    return type("PatientProtocol", (_Patient,), fields)


class _Patient(HttpToolsProtocol):
    """Protocol that closes connections whose request stalls or whose answer is not read.

    A request that arrives in one piece, as almost all do, starts no timer.
    """

    head_timeout: float
    body_timeout: float
    answer_timeout: float

    _request = 0
    _part: str | None = "head"
    _watched: tuple[int, str] | None = None
    _arrival: TimerHandle | None = None
    _taking: TimerHandle | None = None
    _head = 0
    _received = 0
    _received_before = 0
    _left_before = 0

    # -- incoming requests ------------------------------------------------------------------------

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(Any, Corked(transport, self.loop)))
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._part = None
        self._watch()
        self._rest()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        self._head = self._head + len(data) if self._part == "head" else 0
        # Data before a request counts as a head: line breaks alone would stop uvicorn's own timer.
        self._part = self._part or "head"
        super().data_received(data)
        self._watch()
        if self._part == "head" and self._head > _HEAD:
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._request += 1
        self._part = "head"

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._part = "body"

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._part = None

    def _watch(self) -> None:
        """Keep a timer for the part of a request that is arriving, and only for that."""
        watched = self._part and (self._request, self._part)
        if watched == self._watched:
            return
        if self._arrival is not None:
            self._arrival.cancel()
            self._arrival = None
        self._watched = watched or None
        if self._part == "head" and self.head_timeout:
            self._arrival = self.loop.call_later(self.head_timeout, self.transport.close)
        elif self._part == "body" and self.body_timeout:
            self._expect_more()

    def _expect_more(self) -> None:
        self._received_before = self._received
        self._arrival = self.loop.call_later(self.body_timeout, self._look_at_body)

    def _look_at_body(self) -> None:
        came = self._received - self._received_before
        if came >= _RATE * self.body_timeout or self.flow.read_paused:
            self._expect_more()
        else:
            self.transport.close()

    # -- outgoing answers -------------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.answer_timeout:
            self._expect_less()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._rest()

    def _expect_less(self) -> None:
        # The system's send buffer drains in large steps, so the interval must not be short.
        self._left_before = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(self.answer_timeout, self._look_at_answer)

    def _look_at_answer(self) -> None:
        taken = self._left_before - self.transport.get_write_buffer_size()
        if taken >= _RATE * self.answer_timeout:
            self._expect_less()
        else:
            # Closing would wait until the rest of the buffer is sent.
            self.transport.abort()

    def _rest(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None
