"""Origin guard: CSRF and DNS-rebinding checks.

A page of any site can make a browser send a form to any address. Requests with methods other than
GET, HEAD and OPTIONS are therefore checked before they are handled:

- ``Origin``, which browsers send with each such request, must be the service's own: the same host
  and port as the request itself, or ``PUBLIC_URL``. ``null`` (a sandbox, a file) is foreign.
- ``Sec-Fetch-Site``, when sent, must not be ``cross-site``, nor ``same-site``: another port of the
  same machine is another service. ``none`` (started by the user) passes.
- A page over http whose host name allows DNS rebinding is rejected (see `service.http.hosts`); over
  https the certificate proves the name.
- ``Host``, ``Origin`` and ``Sec-Fetch-Site`` may each occur once in a request, because proxies and
  servers disagree on which of two counts. Their values are trimmed and compared without regard to
  case.
- A body must be declared as JSON, which a form cannot do. A form is accepted only if the address
  itself is a secret, as in links in mails.

Programs send neither ``Origin`` nor ``Sec-Fetch-Site`` and pass; they may omit the content type.
``Host`` and the number of these headers are checked for all methods.
"""

from typing import Protocol, cast

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.http.hosts import Hosts, host_of
from service.http.problems import ApiProblem

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_CHECKED_HEADERS = frozenset(
    (b"sec-fetch-site", b"origin", b"content-type", b"content-length", b"transfer-encoding")
)
_SINGLE_VALUE_HEADERS = frozenset((b"host", b"origin", b"sec-fetch-site"))
"""Headers that may occur only once in a request."""


class OriginGuardParts(Protocol):
    """The parts of `Services` that the origin guard uses."""

    hosts: Hosts


class OriginGuard(ASGIMiddleware):
    """Middleware that rejects requests made by pages of other sites.

    Raises `ApiProblem` 400 ``duplicate_header`` or ``bad_host``, 403 ``foreign_origin``, 415
    ``not_json``, 421 ``unknown_host``.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, parts: OriginGuardParts) -> None:
        self._parts = parts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Check the request and pass it on; raises `ApiProblem` if it is not allowed."""
        # `form` marks a handler whose unguessable address is the only credential it needs.
        self.check(scope, allow_form=bool(scope["route_handler"].opt.get("form")))
        await next_app(scope, receive, send)

    def check(self, scope: Scope, *, allow_form: bool) -> None:
        """Raise `ApiProblem` if the request is not allowed.

        ``allow_form``: whether the body need not be JSON.
        """
        _reject_duplicate_headers(scope)
        host = host_of(scope)
        if scope.get("method") not in _SAFE_METHODS:
            sent = scope["headers"]
            headers = {
                name: value.decode("latin-1").strip()
                for name, value in sent
                if name in _CHECKED_HEADERS
            }
            site = headers[b"sec-fetch-site"].lower() if b"sec-fetch-site" in headers else None
            origin = headers[b"origin"].lower() if b"origin" in headers else None
            hosts = self._parts.hosts
            own = origin is None or hosts.is_own(scope, host, origin)
            if site in ("cross-site", "same-site") or not own:
                raise ApiProblem(403, "foreign_origin", "error.foreign_origin")
            if origin and origin.startswith("http:") and hosts.is_rebindable(host):
                raise ApiProblem(421, "unknown_host", "error.unknown_host")
            by_program = origin is None and site is None
            if not allow_form and not _is_json(headers, is_browser_absent=by_program):
                raise ApiProblem(415, "not_json", "error.not_json")


def _reject_duplicate_headers(scope: Scope) -> None:
    single = [name for name, _ in scope["headers"] if name in _SINGLE_VALUE_HEADERS]
    if len(single) > len(set(single)):
        raise ApiProblem(400, "duplicate_header", "error.duplicate_header")


def _is_json(headers: dict[bytes, str], *, is_browser_absent: bool) -> bool:
    if headers.get(b"content-length", "0") == "0" and b"transfer-encoding" not in headers:
        return True
    kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind == "":
        return is_browser_absent
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def head_middleware(app: ASGIApp) -> ASGIApp:
    """Wrap the application so that HEAD gets the same response as GET, without the body."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "HEAD":
            await app(scope, receive, send)
            return
        ended = False

        async def bare(message: Message) -> None:
            nonlocal ended
            if message["type"] != "http.response.body":
                await send(message)
            elif not ended:
                ended = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        # Pass a copy, because the server must still see the method HEAD in its own scope.
        await app(cast(Scope, {**scope, "method": "GET"}), receive, bare)

    return answer
