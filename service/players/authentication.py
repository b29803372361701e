"""Authentication of requests, and the cookie that identifies a device."""

from collections.abc import Callable
from typing import Any, TypeVar

from litestar.datastructures import Cookie

from service.common.clock import now_ms
from service.http.hosts import Hosts, host_of
from service.http.injection import AnyRequest
from service.http.problems import ApiProblem
from service.http.tokens import COOKIE, SECURE_COOKIE, cookie_token, request_cookies, request_token
from service.players.identity import Player, PlayerStore, device_name
from service.players.problems import no_player
from service.store.store import RunQuery

_COOKIE_MAX_AGE_S = 400 * 24 * 3600
_T = TypeVar("_T")


class Authenticator:
    """Authenticator of requests, which finds the player of each.

    ``run_query`` runs a database call and awaits its result; ``hosts``: the service's host names.
    """

    def __init__(self, players: PlayerStore, run_query: RunQuery, hosts: Hosts) -> None:
        self.players = players
        self._run_query = run_query
        self._hosts = hosts

    async def call_with_time(self, call: Callable[..., _T], *values: Any) -> _T:
        """Call a method of `PlayerStore` with the current time as an additional last argument."""
        return await self._run_query(call, *values, now_ms())

    async def call(self, call: Callable[..., _T], *values: Any) -> _T:
        """Call a method of `PlayerStore` that does not need the current time."""
        return await self._run_query(call, *values)

    async def optional_player(self, request: AnyRequest) -> Player | None:
        """Return the player of a request, or None if it is anonymous.

        An unknown cookie counts as anonymous, because it may date from a previous database or a
        session that was signed out. Over TLS, a cookie with the old name is replaced. Raises
        `ApiProblem` 401 ``unknown_token`` for an unknown bearer token.
        """
        token = request_token(request.scope)
        if token is None:
            return None
        player = await self._find_player(request, token)
        if player is None and "authorization" in request.headers:
            raise ApiProblem(
                401,
                "unknown_token",
                "error.unknown_token",
                headers={"WWW-Authenticate": 'Bearer realm="caravanserai", error="invalid_token"'},
            )
        known_by = request_cookies(request.scope).get(COOKIE)
        if player is not None and token == known_by and self._is_over_tls(request):
            self.send_cookies(request, token)
        return player

    async def require_player(self, request: AnyRequest) -> Player:
        """Return the player of a request.

        Raises `ApiProblem` 401 ``no_player`` if the request is anonymous, and ``unknown_token`` for
        an unknown bearer token.
        """
        player = await self.optional_player(request)
        if player is None:
            raise no_player()
        return player

    async def cookie_player(self, request: AnyRequest) -> Player | None:
        """Return the player of the device's cookie or None, ignoring any bearer token."""
        token = cookie_token(request.scope)
        return await self._find_player(request, token) if token else None

    async def _find_player(self, request: AnyRequest, token: str) -> Player | None:
        player = self.players.trusted_player(token)
        if player is None and token:
            player = await self.call_with_time(self.players.find, token, request_device(request))
        return player

    def _is_over_tls(self, request: AnyRequest) -> bool:
        """Return whether the page was loaded over TLS, even if the TLS proxy does not say so."""
        if request.scope["scheme"] == "https":
            return True
        hosts = self._hosts
        host = host_of(request.scope)
        origin = request.headers.get("origin", "")
        if origin.startswith("https:") and hosts.is_own(request.scope, host, origin):
            return True
        return hosts.origin.startswith("https:") and hosts.is_public(host)

    def send_cookies(self, request: AnyRequest, token: str | None) -> None:
        """Set the device's cookie in the response to the request.

        ``token``: the device's secret, None to delete the cookie. Over TLS, a cookie with the old
        name is deleted, because browsers would send it, and so the secret, over plain HTTP too.
        """
        secure = self._is_over_tls(request)
        cookies = {COOKIE: None if secure else token}
        if secure:
            cookies[SECURE_COOKIE] = token
        request.scope["state"]["cookies"] = [
            Cookie(
                name,
                value=value or "",
                max_age=_COOKIE_MAX_AGE_S if value else 0,
                httponly=True,
                samesite="lax",
                secure=secure,
            )
            for name, value in cookies.items()
            if value or name in request.cookies
        ]


def request_device(request: AnyRequest) -> str:
    """Return the name of the caller's device, as `device_name` derives it from the User-Agent."""
    return device_name(request.headers.get("user-agent", ""))
