"""The caller of a request: cookie ``player`` or a bearer token."""

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

from service.identity import Player
from service.problems import Fault, who_are_you

COOKIE = "player"


def token_of(request: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The secret the caller shows, if any; a bearer token goes before the cookie.

    Reads the raw headers: every request comes by here twice.
    """
    for name, value in request.scope["headers"]:
        if name == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else ""
    return request.cookies.get(COOKIE)


async def maybe_caller(request: Request[Any, Any, Any]) -> Player | None:
    """The player who asks, None for a passer-by; `Fault` 401 for a bearer token of nobody.

    An unknown cookie counts as none: it is left from a database that is gone.
    """
    token = token_of(request)
    if token is None:
        return None
    state = request.app.state
    player: Player | None = state.players.known(token)
    if player is None and token:
        player = await state.saver.io(state.players.find, token)
    if player is None and "authorization" in request.headers:
        raise Fault(
            401,
            "unknown_token",
            "Nobody here has this token.",
            headers={"WWW-Authenticate": 'Bearer realm="caravanserai", error="invalid_token"'},
        )
    return player


async def caller(request: Request[Any, Any, Any]) -> Player:
    """The player who asks; `Fault` 401 when it is a passer-by."""
    player = await maybe_caller(request)
    if player is None:
        raise who_are_you()
    return player
