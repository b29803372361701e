"""The secret of a request: a bearer token or a cookie.

The cookie is ``player``; over TLS it is ``__Host-player``, which no other host and no page without
TLS can set. A ``player`` cookie is still accepted there and is replaced by the new one.
"""

from typing import Any

from litestar.connection import ASGIConnection

COOKIE = "player"
SECURE_COOKIE = "__Host-player"


def request_token(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the caller's secret, if any; a bearer token takes precedence over the cookie.

    An ``Authorization`` header of another scheme gives "". Reads the raw headers, because this is
    called twice for each request.
    """
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_token(request)


def cookie_token(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the secret in the cookie, if any."""
    cookies = request_cookies(request)
    return cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)


def request_cookies(request: ASGIConnection[Any, Any, Any, Any]) -> dict[str, str]:
    """Return all cookies.

    Without a ``Cookie`` header it skips Litestar's parser, which would parse all headers.
    """
    sent = any(name == b"cookie" for name, _ in request.scope["headers"])
    return request.cookies if sent else {}
