"""Who may change something from where.

Browsers carry pages of strangers, and a page may send a form to any address. So a call that
changes something is looked at before anything else:

- ``Origin``, which browsers send with each such call, must be our own page: the same host and
  port as the call itself, or ``PUBLIC_URL``. ``null`` (a sandbox, a file) is foreign.
- ``Sec-Fetch-Site``, when sent, must not be ``cross-site``, nor ``same-site``: another port of
  the same machine is another service. ``none`` (the person's own doing) passes.
- A page over http whose name could have been pointed here by a stranger is turned away (see
  `service.base.hosts`); over https the certificate has proved the name.
- ``Host``, ``Origin`` and ``Sec-Fetch-Site`` may stand once in a call: proxies and servers do not
  agree on which of two counts. Their values are trimmed and compared without regard to case.
- A body must say that it is JSON, which a form cannot. A program need not say it. Only where the
  address is a secret of its own, as in the links of mails, may a form be sent.

Programs send neither of the two headers and pass.
"""

from typing import cast

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.base.hosts import Hosts, host_of
from service.base.problems import Fault

_SAFE = ("GET", "HEAD", "OPTIONS")
_LOOKED_AT = frozenset(
    (b"sec-fetch-site", b"origin", b"content-type", b"content-length", b"transfer-encoding")
)
_SINGLE = frozenset((b"host", b"origin", b"sec-fetch-site"))
"""Headers that a call may carry once."""


class Door(ASGIMiddleware):
    """Refuses calls that another site's page makes; `Fault` 400, 403, 415 or 421."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Passes on what may come in."""
        # Whether the call needs nothing but its address, which nobody can guess.
        self.look(scope, forms=bool(scope["route_handler"].opt.get("form")))
        await next_app(scope, receive, send)

    def look(self, scope: Scope, *, forms: bool) -> None:
        """Raises `Fault` for what may not; ``forms``: its body may be that of a form."""
        _refuse_duplicates(scope)
        host = host_of(scope)
        if scope.get("method") not in _SAFE:
            sent = scope["headers"]
            headers = {
                name: value.decode("latin-1").strip() for name, value in sent if name in _LOOKED_AT
            }
            site = headers[b"sec-fetch-site"].lower() if b"sec-fetch-site" in headers else None
            origin = headers[b"origin"].lower() if b"origin" in headers else None
            own = origin is None or self._hosts.is_own(scope, host, origin)
            if site in ("cross-site", "same-site") or not own:
                raise Fault(403, "foreign_origin", "Another site's page may not do this.")
            if origin and origin.startswith("http:") and self._hosts.can_be_pointed(host):
                raise Fault(
                    421, "unknown_host", "Under this name: only once ALLOWED_HOSTS names it."
                )
            by_program = origin is None and site is None
            if not forms and not _is_json(headers, by_program=by_program):
                raise Fault(415, "not_json", "The body must be application/json.")


def _refuse_duplicates(scope: Scope) -> None:
    single = [name for name, _ in scope["headers"] if name in _SINGLE]
    if len(single) > len(set(single)):
        detail = "Host, Origin and Sec-Fetch-Site may be sent once."
        raise Fault(400, "duplicate_header", detail)


def _is_json(headers: dict[bytes, str], *, by_program: bool) -> bool:
    if headers.get(b"content-length", "0") == "0" and b"transfer-encoding" not in headers:
        return True
    kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind == "":
        return by_program
    return kind == "application/json" or (
        kind.startswith("application/") and kind.endswith("+json")
    )


def answer_head(app: ASGIApp) -> ASGIApp:
    """The application with HEAD answered like GET, without the body."""

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

        # A copy: the server looks at its own scope to see that no body is due.
        await app(cast(Scope, {**scope, "method": "GET"}), receive, bare)

    return answer
