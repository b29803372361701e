"""The device secret in a request: a bearer token or a cookie.

The cookie is ``player``; over TLS it is ``__Host-player``, which neither another host nor a page
without TLS can set. A ``player`` cookie is still accepted over TLS and is replaced by the new one.
"""

from litestar.connection import ASGIConnection
from litestar.types import Scope

COOKIE = "player"
SECURE_COOKIE = "__Host-player"


def request_token(scope: Scope) -> str | None:
    """Return the secret in a request, or None; a bearer token takes precedence over the cookie.

    Returns "" for an ``Authorization`` header with another scheme. Reads the raw headers, because
    this is called twice for each request.
    """
    for name, value in scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return cookie_token(scope)


def cookie_token(scope: Scope) -> str | None:
    """Return the secret in the cookie, or None; ``__Host-player`` takes precedence."""
    cookies = request_cookies(scope)
    return cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)


def request_cookies(scope: Scope) -> dict[str, str]:
    """Return all cookies of a request by name.

    Skips Litestar's parser, which parses all headers, if there is no ``Cookie`` header.
    """
    is_sent = any(name == b"cookie" for name, _ in scope["headers"])
    return ASGIConnection(scope).cookies if is_sent else {}
