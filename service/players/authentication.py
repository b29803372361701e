"""Authentication of requests, and the cookie that a device keeps."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from litestar.datastructures import Cookie

from service.common.clock import clock
from service.http.hosts import Hosts, host_of
from service.http.injection import Req
from service.http.problems import Fault
from service.http.tokens import COOKIE, SECURE_COOKIE, cookie_of, cookies_of, token_of
from service.players.identity import Player, Players, device_name
from service.players.problems import who_are_you

_YEAR = 400 * 24 * 3600
_T = TypeVar("_T")


class Callers:
    """Finds the player of a request. ``io`` runs a database call."""

    def __init__(self, players: Players, io: Callable[..., Awaitable[Any]], hosts: Hosts) -> None:
        self.players = players
        self._io = io
        self._hosts = hosts

    async def ask(self, call: Callable[..., _T], *values: Any) -> _T:
        """Call a method of `Players` with the current time added as its last argument."""
        answer: _T = await self._io(call, *values, clock())
        return answer

    async def tell(self, call: Callable[..., _T], *values: Any) -> _T:
        """Call a method of `Players` that takes no time."""
        answer: _T = await self._io(call, *values)
        return answer

    async def maybe_caller(self, request: Req) -> Player | None:
        """Return the player of a request, None for an anonymous one.

        An unknown cookie counts as none: it stems from a database that no longer exists. Raises
        `Fault` 401 ``unknown_token`` for an unknown bearer token.
        """
        token = token_of(request)
        if token is None:
            return None
        player = await self._player_of(request, token)
        if player is None and "authorization" in request.headers:
            raise Fault(
                401,
                "unknown_token",
                "Nobody here has this token.",
                headers={"WWW-Authenticate": 'Bearer realm="caravanserai", error="invalid_token"'},
            )
        known_by = cookies_of(request).get(COOKIE)
        if player is not None and token == known_by and self._over_tls(request):
            self.send_cookies(request, token)
        return player

    async def caller(self, request: Req) -> Player:
        """Return the player of a request; `Fault` 401 ``no_player`` for an anonymous one."""
        player = await self.maybe_caller(request)
        if player is None:
            raise who_are_you()
        return player

    async def present_player(self, request: Req) -> Player | None:
        """Return the player of the device's cookie, regardless of any bearer token, or None."""
        token = cookie_of(request)
        return await self._player_of(request, token) if token else None

    async def _player_of(self, request: Req, token: str) -> Player | None:
        player = self.players.trusted(token)
        if player is None and token:
            player = await self.ask(self.players.find, token, device_of(request))
        return player

    def _over_tls(self, request: Req) -> bool:
        """Tell whether the page came over TLS, even if a proxy that ended TLS does not say so."""
        if request.scope["scheme"] == "https":
            return True
        hosts = self._hosts
        host = host_of(request.scope)
        origin = request.headers.get("origin", "")
        if origin.startswith("https:") and hosts.is_own(request.scope, host, origin):
            return True
        return hosts.origin.startswith("https:") and hosts.is_public(host)

    def send_cookies(self, request: Req, token: str | None) -> None:
        """Set the device's cookie in the answer to the request; None deletes it.

        Over TLS the cookie with the old name is deleted: it would expose the secret to plain http.
        """
        secure = self._over_tls(request)
        cookies = {COOKIE: None if secure else token}
        if secure:
            cookies[SECURE_COOKIE] = token
        request.scope["state"]["cookies"] = [
            Cookie(
                name,
                value=value or "",
                max_age=_YEAR if value else 0,
                httponly=True,
                samesite="lax",
                secure=secure,
            )
            for name, value in cookies.items()
            if value or name in request.cookies
        ]


def device_of(request: Req) -> str:
    """Return the name of the caller's device (`device_name`)."""
    return device_name(request.headers.get("user-agent", ""))
