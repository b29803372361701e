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
from contextvars import ContextVar
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
_HERE = secrets.token_hex(4)
"""What the ids given in this process begin with."""
_numbers = count(secrets.randbits(24))


class Asked(Struct):
    """A request that is being answered; ``status`` is 0 until the answer begins."""

    id: str
    scope: Scope
    began: float
    status: int = 0

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
        if scope["type"] == "http" and peer and peer[0] in proxied.trusted_hosts:
            given = [value for name, value in scope["headers"] if name == _HEADER]
            if len(given) == 1 and _VALID.fullmatch(given[0]):
                scope.setdefault("state", {})[_GIVEN] = given[0].decode()
        await proxied(scope, receive, send)

    return called


def noted(app: ASGIApp, *, access_log: bool, leaving: Callable[[], bool]) -> ASGIApp:
    """The application with each request known by its id, counted and, if so wished, logged.

    ``leaving``: whether this worker is about to stop; then connections end with their answers,
    for a request on one that is just being closed would be lost.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        given = scope["state"].pop(_GIVEN, None)
        this = Asked(given or f"{_HERE}{next(_numbers):08x}", scope, time.perf_counter())
        before = _asked.set(this)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                this.status = message["status"]
                headers = [*message["headers"], (_HEADER, this.id.encode())]
                if leaving():
                    headers.append((b"connection", b"close"))
                message = cast(Message, {**message, "headers": headers})
            await send(message)

        try:
            await app(scope, receive, named)
        finally:
            meters.of_requests(this.status).inc()
            if access_log:
                _log(this)
            _asked.reset(before)

    return answer


def _log(this: Asked) -> None:
    took = (time.perf_counter() - this.began) * 1000
    more = {"method": this.method, "route": this.route, "status": this.status}
    ACCESS.info(
        "%s %s %d %.1f ms",
        *(this.method, this.route, this.status, took),
        extra={"access": {**more, "ms": round(took, 1)}},
    )
