"""HTTP protocol with timeouts against slow clients (slow loris).

uvicorn limits only the idle time between two requests. A client that sends a head or body byte by
byte, or that never reads the response, could keep a connection open indefinitely, and an endless
head would exhaust the memory.
"""

from asyncio import TimerHandle, Transport
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http.write_coalescing import CoalescingTransport

_MIN_BYTES_PER_S = 2048
"""Minimum rate, in bytes per second, at which a request body or a response must progress."""
_MAX_HEAD_BYTES = 65_536
"""Maximum size, in bytes, of a head that arrives in pieces; the parser has no limit."""


def timeout_protocol(
    head_timeout_s: float, body_timeout_s: float, answer_timeout_s: float
) -> type[HttpToolsProtocol]:
    """Return a protocol class with these timeouts in seconds; 0 disables a timeout.

    ``head_timeout_s`` limits the whole head. ``body_timeout_s`` and ``answer_timeout_s`` are
    intervals in each of which the request body must arrive, or the response must be read, at a rate
    of at least `_MIN_BYTES_PER_S`.
    """
    fields = {
        "head_timeout_s": head_timeout_s,
        "body_timeout_s": body_timeout_s,
        "answer_timeout_s": answer_timeout_s,
    }
    return type("PatientProtocol", (_TimeoutProtocol,), fields)


class _TimeoutProtocol(HttpToolsProtocol):
    """Protocol that closes connections whose request stalls or whose response is not read.

    On a connection that is kept open, a request that arrives in one piece, as almost all do, starts
    no timer.
    """

    head_timeout_s: float
    body_timeout_s: float
    answer_timeout_s: float

    _request = 0
    _part: str | None = "head"
    _timed_part: tuple[int, str] | None = None
    _request_timer: TimerHandle | None = None
    _answer_timer: TimerHandle | None = None
    _head_bytes = 0
    _received_bytes = 0
    _received_bytes_before = 0
    _unsent_bytes_before = 0

    # -- incoming requests ------------------------------------------------------------------------

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(Any, CoalescingTransport(transport, self.loop)))
        self._update_request_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._part = None
        self._update_request_timer()
        self._cancel_answer_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received_bytes += len(data)
        self._head_bytes = self._head_bytes + len(data) if self._part == "head" else 0
        # Data before a request counts as head, because even line breaks stop uvicorn's timer.
        self._part = self._part or "head"
        super().data_received(data)
        self._update_request_timer()
        if self._part == "head" and self._head_bytes > _MAX_HEAD_BYTES:
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

    def _update_request_timer(self) -> None:
        """Start the timer for the part of the request that is arriving, and cancel any other."""
        timed_part = self._part and (self._request, self._part)
        if timed_part == self._timed_part:
            return
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None
        self._timed_part = timed_part or None
        if self._part == "head" and self.head_timeout_s:
            self._request_timer = self.loop.call_later(self.head_timeout_s, self.transport.close)
        elif self._part == "body" and self.body_timeout_s:
            self._start_body_timer()

    def _start_body_timer(self) -> None:
        self._received_bytes_before = self._received_bytes
        self._request_timer = self.loop.call_later(self.body_timeout_s, self._check_body_progress)

    def _check_body_progress(self) -> None:
        received_bytes = self._received_bytes - self._received_bytes_before
        if received_bytes >= _MIN_BYTES_PER_S * self.body_timeout_s or self.flow.read_paused:
            self._start_body_timer()
        else:
            self.transport.close()

    # -- outgoing responses -----------------------------------------------------------------------

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.answer_timeout_s:
            self._start_answer_timer()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_answer_timer()

    def _start_answer_timer(self) -> None:
        # The system's send buffer drains in large steps, so the interval must not be short.
        self._unsent_bytes_before = self.transport.get_write_buffer_size()
        self._answer_timer = self.loop.call_later(
            self.answer_timeout_s, self._check_answer_progress
        )

    def _check_answer_progress(self) -> None:
        sent_bytes = self._unsent_bytes_before - self.transport.get_write_buffer_size()
        if sent_bytes >= _MIN_BYTES_PER_S * self.answer_timeout_s:
            self._start_answer_timer()
        else:
            # Closing would wait until the rest of the buffer is sent.
            self.transport.abort()

    def _cancel_answer_timer(self) -> None:
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None
