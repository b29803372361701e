"""The secret that a request shows: a bearer token, or a cookie.

The cookie is ``player``; where the page is served over TLS it is ``__Host-player``, which no other
name and no page without TLS can set. The old one still counts there and is replaced by the new.
"""

from typing import Any

from litestar.connection import ASGIConnection

COOKIE = "player"
SECURE_COOKIE = "__Host-player"


def token_of(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret the caller shows, if any; a bearer token goes before the cookie.

    Reads the raw headers: every request comes by here twice.
    """
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_of(request)


def cookie_of(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret that a device keeps by itself."""
    cookies = cookies_of(request)
    return cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)


def cookies_of(request: ASGIConnection[Any, Any, Any, Any]) -> dict[str, str]:
    """All cookies. Where none are sent, the library would take all headers apart to see that."""
    sent = any(name == b"cookie" for name, _ in request.scope["headers"])
    return request.cookies if sent else {}
