"""Request ids, which are added to each response and log line, and the access log.

An id from a trusted proxy is kept; ids from other clients are ignored, because they may be forged.
Records contain the route of a request, never its path, which may contain a secret.
"""

import logging
import re
import secrets
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar, Token
from itertools import count
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.observability import metrics

ACCESS_LOG = logging.getLogger("caravanserai.access")

_REQUEST_ID_HEADER = b"x-request-id"
_REQUEST_ID_PATTERN = re.compile(rb"[A-Za-z0-9._=+/:-]{1,64}")
_GIVEN_ID_KEY = "given_request_id"
_PROXY_HEADERS = frozenset((_REQUEST_ID_HEADER, b"x-forwarded-for", b"x-forwarded-proto"))
"""Headers that proxies set, which are trusted only if the request comes from a trusted proxy."""
_ID_PREFIX = secrets.token_hex(4)
"""Prefix of the request ids that this process generates."""
_numbers = count(secrets.randbits(24))


class RequestRecord(Struct):
    """The record of a request that is being processed.

    ``id``: the request id; ``started_s``: when it started, on the clock of ``time.perf_counter``;
    ``status``: the response status, 0 until the response starts.
    """

    id: str
    scope: Scope
    started_s: float
    status: int = 0

    @property
    def method(self) -> str:
        return str(self.scope.get("method", "-"))

    @property
    def route(self) -> str:
        """The path template of the route, "-" if there is no route."""
        return self.scope.get("path_template") or "-"

    @property
    def match(self) -> str | None:
        """The match id in the path, or None if there is none or it is not a UUID."""
        named = (self.scope.get("path_params") or {}).get("match_id")
        try:
            return str(uuid.UUID(named)) if isinstance(named, str) else None
        except ValueError:
            return None


_current_record: ContextVar[RequestRecord | None] = ContextVar("asked", default=None)


def current_request() -> RequestRecord | None:
    """Return the record of the current request, or None outside of requests."""
    return _current_record.get()


def trust_proxies(app: Any, trusted: str) -> Any:
    """Wrap the application so that it uses the headers of trusted proxies, including request ids.

    ``trusted``: the addresses and networks of the proxies, separated by commas.
    """
    proxied = ProxyHeadersMiddleware(app, trusted)

    async def called(scope: Any, receive: Any, send: Any) -> None:
        peer = scope.get("client")
        proxy_headers = [name for name, _ in scope.get("headers", ()) if name in _PROXY_HEADERS]
        if not proxy_headers:
            await app(scope, receive, send)
            return
        if scope["type"] == "http" and peer and peer[0] in proxied.trusted_hosts:
            given = [value for name, value in scope["headers"] if name == _REQUEST_ID_HEADER]
            if len(given) == 1 and _REQUEST_ID_PATTERN.fullmatch(given[0]):
                scope.setdefault("state", {})[_GIVEN_ID_KEY] = given[0].decode()
        await proxied(scope, receive, send)

    return called


class RequestLog:
    """Request log, which assigns ids to requests, counts them and optionally logs them.

    ``access_log``: whether to write the access log. ``is_draining`` returns whether this worker is
    about to stop. If so, clients are told to close their connections after the response, because a
    request sent on a connection that the worker is closing would be lost.
    """

    def __init__(self, *, access_log: bool, is_draining: Callable[[], bool]) -> None:
        self._access_log = access_log
        self._is_draining = is_draining

    def begin_request(self, scope: Scope) -> tuple[RequestRecord, Token[RequestRecord | None]]:
        """Begin a request; return its record and the token to pass to `end_request`."""
        given = scope["state"].pop(_GIVEN_ID_KEY, None)
        record = RequestRecord(
            given or f"{_ID_PREFIX}{next(_numbers):08x}", scope, time.perf_counter()
        )
        return record, _current_record.set(record)

    def response_headers(self, record: RequestRecord, status: int) -> list[tuple[bytes, bytes]]:
        """Store the status in the record and return the headers to add to the response."""
        record.status = status
        named = [(_REQUEST_ID_HEADER, record.id.encode())]
        return [*named, (b"connection", b"close")] if self._is_draining() else named

    def end_request(self, record: RequestRecord, token: Token[RequestRecord | None]) -> None:
        """End a completed or aborted request: count it, and log it if there is an access log."""
        metrics.request_counter(record.status).inc()
        if self._access_log:
            _log_request(record)
        _current_record.reset(token)


def request_log_middleware(app: ASGIApp, request_log: RequestLog) -> ASGIApp:
    """Wrap the application so that the request log records all HTTP requests."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        this, token = request_log.begin_request(scope)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = request_log.response_headers(this, message["status"])
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        try:
            await app(scope, receive, named)
        finally:
            request_log.end_request(this, token)

    return answer


def _log_request(record: RequestRecord) -> None:
    took = (time.perf_counter() - record.started_s) * 1000
    more = {"method": record.method, "route": record.route, "status": record.status}
    ACCESS_LOG.info(
        "%s %s %d %.1f ms",
        *(record.method, record.route, record.status, took),
        extra={"access": {**more, "ms": round(took, 1)}},
    )
