"""Each request has an id: in its answer, and on every line of the log that is written for it.

A proxy in front may have given it one; that of anybody else is not believed, for it would be
written as if it were true. What is kept of a request names its route, never its path, in which a
secret may stand.
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

from service.seeing import meters

ACCESS = logging.getLogger("caravanserai.access")

_HEADER = b"x-request-id"
_VALID = re.compile(rb"[A-Za-z0-9._=+/:-]{1,64}")
_GIVEN = "given_request_id"
_BEGUN = "begun_request"
"""In the state of a request: who asked, where that is known already."""
_SAID = frozenset((_HEADER, b"x-forwarded-for", b"x-forwarded-proto"))
"""What proxies say."""
_HERE = secrets.token_hex(4)
"""What the ids given in this process begin with."""
_numbers = count(secrets.randbits(24))


class Asked(Struct):
    """A request that is being answered; ``status`` is 0 until the answer begins. ``counted``: its
    answer was, for it may be passed on to who would begin it anew."""

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
        """The template of the path; "-" where nothing is."""
        return self.scope.get("path_template") or "-"

    @property
    def match(self) -> str | None:
        """The match that the address names, if that is an id."""
        named = (self.scope.get("path_params") or {}).get("match_id")
        try:
            return str(uuid.UUID(named)) if isinstance(named, str) else None
        except ValueError:
            return None


_asked: ContextVar[Asked | None] = ContextVar("asked", default=None)


def asked() -> Asked | None:
    """The request for which this is done, if it is for one."""
    return _asked.get()


def behind_proxies(app: Any, trusted: str) -> Any:
    """The application as a server calls it: it believes what trusted proxies say of a request,
    its id too. ``trusted``: addresses and networks with commas between them."""
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
    """Knows each request by its id, counts it and, if so wished, logs it.

    ``leaving``: whether this worker is about to stop; then connections end with their answers,
    for a request on one that is just being closed would be lost.
    """

    def __init__(self, *, access_log: bool, leaving: Callable[[], bool]) -> None:
        self._access_log = access_log
        self._leaving = leaving

    def begin(self, scope: Scope) -> tuple[Asked, Token[Asked | None]]:
        """A request that comes in, or that was passed on; it is to end with the token."""
        state = scope["state"]
        this = state.pop(_BEGUN, None)
        if this is None:
            given = state.pop(_GIVEN, None)
            this = Asked(given or f"{_HERE}{next(_numbers):08x}", scope, time.perf_counter())
        return this, _asked.set(this)

    def headers(self, this: Asked, status: int) -> list[tuple[bytes, bytes]]:
        """What its answer is to have, now that it begins."""
        this.status = status
        named = [(_HEADER, this.id.encode())]
        return [*named, (b"connection", b"close")] if self._leaving() else named

    def pass_on(self, this: Asked) -> None:
        """Somebody else is to answer it, who begins with it anew."""
        this.scope["state"][_BEGUN] = this

    def end(self, this: Asked, token: Token[Asked | None]) -> None:
        """It is answered, or whoever asked has gone."""
        if not this.counted:
            this.counted = True
            meters.of_requests(this.status).inc()
            if self._access_log:
                _log(this)
        _asked.reset(token)


def noted(app: ASGIApp, notes: Notes) -> ASGIApp:
    """The application with all its requests noted."""

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
