"""The device secret in a request: a bearer token or a cookie.

The cookie is ``player``; over TLS it is ``__Host-player``, which neither another host nor a page
without TLS can set. A ``player`` cookie is still accepted over TLS and is replaced by the new one.
"""

from typing import Any

from litestar.connection import ASGIConnection

COOKIE = "player"
SECURE_COOKIE = "__Host-player"


def request_token(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the secret in a request, or None; a bearer token takes precedence over the cookie.

    Returns "" for an ``Authorization`` header with another scheme. Reads the raw headers, because
    this is called twice for each request.
    """
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_token(request)


def cookie_token(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the secret in the cookie, or None; ``__Host-player`` takes precedence."""
    cookies = request_cookies(request)
    return cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)


def request_cookies(request: ASGIConnection[Any, Any, Any, Any]) -> dict[str, str]:
    """Return all cookies of a request by name.

    Skips Litestar's parser, which parses all headers, if there is no ``Cookie`` header.
    """
    sent = any(name == b"cookie" for name, _ in request.scope["headers"])
    return request.cookies if sent else {}
