"""Request ids, in each answer and each log line, and the access log.

An id given by a trusted proxy is kept; those of other clients are ignored, because they would be
logged as if they were true. Records contain the route of a request, never its path, which may
contain a secret.
"""

import logging
import re
import secrets
import time
import uuid
from collections.abc import Callable
from contextvars import ContextVar, Token
from itertools import count
from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from service.observability import metrics

ACCESS = logging.getLogger("caravanserai.access")

_HEADER = b"x-request-id"
_VALID = re.compile(rb"[A-Za-z0-9._=+/:-]{1,64}")
_GIVEN = "given_request_id"
_BEGUN = "begun_request"
"""Key in the state of a request: its record, when it was passed on after it had begun."""
_SAID = frozenset((_HEADER, b"x-forwarded-for", b"x-forwarded-proto"))
"""Headers set by proxies."""
_HERE = secrets.token_hex(4)
"""Prefix of the ids made in this process."""
_numbers = count(secrets.randbits(24))


class Asked(Struct):
    """The record of a request being answered.

    ``status`` is 0 until the answer begins. ``counted``: whether it was counted already, because it
    may be passed on to another handler that begins it again.
    """

    id: str
    scope: Scope
    began: float
    status: int = 0
    counted: bool = False

    @property
    def method(self) -> str:
        return str(self.scope.get("method", "-"))

    @property
    def route(self) -> str:
        """The path template, "-" without a route."""
        return self.scope.get("path_template") or "-"

    @property
    def match(self) -> str | None:
        """The id of the match in the path, if it is a UUID."""
        named = (self.scope.get("path_params") or {}).get("match_id")
        try:
            return str(uuid.UUID(named)) if isinstance(named, str) else None
        except ValueError:
            return None


_asked: ContextVar[Asked | None] = ContextVar("asked", default=None)


def asked() -> Asked | None:
    """Return the record of the current request, if there is one."""
    return _asked.get()


def behind_proxies(app: Any, trusted: str) -> Any:
    """Wrap the application so that it trusts the forwarded headers of proxies, the id too.

    ``trusted``: comma-separated addresses and networks.
    """
    proxied = ProxyHeadersMiddleware(app, trusted)

    async def called(scope: Any, receive: Any, send: Any) -> None:
        peer = scope.get("client")
        said = [name for name, _ in scope.get("headers", ()) if name in _SAID]
        if not said:
            await app(scope, receive, send)
            return
        if scope["type"] == "http" and peer and peer[0] in proxied.trusted_hosts:
            given = [value for name, value in scope["headers"] if name == _HEADER]
            if len(given) == 1 and _VALID.fullmatch(given[0]):
                scope.setdefault("state", {})[_GIVEN] = given[0].decode()
        await proxied(scope, receive, send)

    return called


class Notes:
    """Assigns ids to requests, counts them and, if ``access_log`` is set, logs them.

    ``leaving``: returns whether this worker is about to stop; then connections are closed after
    their answers, because a request on a connection that is just being closed would be lost.
    """

    def __init__(self, *, access_log: bool, leaving: Callable[[], bool]) -> None:
        self._access_log = access_log
        self._leaving = leaving

    def begin(self, scope: Scope) -> tuple[Asked, Token[Asked | None]]:
        """Begin a request, or continue one passed on; pass the token to `end`."""
        state = scope["state"]
        this = state.pop(_BEGUN, None)
        if this is None:
            given = state.pop(_GIVEN, None)
            this = Asked(given or f"{_HERE}{next(_numbers):08x}", scope, time.perf_counter())
        return this, _asked.set(this)

    def headers(self, this: Asked, status: int) -> list[tuple[bytes, bytes]]:
        """Note the status and return the headers to add to the answer."""
        this.status = status
        named = [(_HEADER, this.id.encode())]
        return [*named, (b"connection", b"close")] if self._leaving() else named

    def pass_on(self, this: Asked) -> None:
        """Mark the request as passed on to another handler, which calls `begin` again."""
        this.scope["state"][_BEGUN] = this

    def end(self, this: Asked, token: Token[Asked | None]) -> None:
        """End a request that was answered or aborted; counts and logs it once."""
        if not this.counted:
            this.counted = True
            metrics.of_requests(this.status).inc()
            if self._access_log:
                _log(this)
        _asked.reset(token)


def noted(app: ASGIApp, notes: Notes) -> ASGIApp:
    """Wrap the application so that all requests are recorded."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        this, token = notes.begin(scope)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message["headers"], *notes.headers(this, message["status"])]
                message = cast(Message, {**message, "headers": headers})
            await send(message)

        try:
            await app(scope, receive, named)
        finally:
            notes.end(this, token)

    return answer


def _log(this: Asked) -> None:
    took = (time.perf_counter() - this.began) * 1000
    more = {"method": this.method, "route": this.route, "status": this.status}
    ACCESS.info(
        "%s %s %d %.1f ms",
        *(this.method, this.route, this.status, took),
        extra={"access": {**more, "ms": round(took, 1)}},
    )
