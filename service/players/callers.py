"""The caller of a request, and the cookie that their device keeps."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from litestar.datastructures import Cookie

from service.base.hosts import Hosts, host_of
from service.base.injected import Req
from service.base.now import clock
from service.base.problems import Fault
from service.base.tokens import COOKIE, SECURE_COOKIE, cookie_of, cookies_of, token_of
from service.players.identity import Player, Players, device_name
from service.players.problems import who_are_you

_YEAR = 400 * 24 * 3600
_T = TypeVar("_T")


class Callers:
    """Knows callers by what their requests show. ``io`` runs a call to the database."""

    def __init__(self, players: Players, io: Callable[..., Awaitable[Any]], hosts: Hosts) -> None:
        self.players = players
        self._io = io
        self._hosts = hosts

    async def ask(self, call: Callable[..., _T], *values: Any) -> _T:
        """What a method of `Players` says at the present time, which is its last argument."""
        answer: _T = await self._io(call, *values, clock())
        return answer

    async def tell(self, call: Callable[..., _T], *values: Any) -> _T:
        """The same where the time does not matter."""
        answer: _T = await self._io(call, *values)
        return answer

    async def maybe_caller(self, request: Req) -> Player | None:
        """The player who asks, None for a passer-by; `Fault` 401 for a bearer token of nobody.

        An unknown cookie counts as none: it is left from a database that is gone.
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
        """The player who asks; `Fault` 401 when it is a passer-by."""
        player = await self.maybe_caller(request)
        if player is None:
            raise who_are_you()
        return player

    async def present_player(self, request: Req) -> Player | None:
        """Whom the caller's device plays as by its cookie, whatever token comes along."""
        token = cookie_of(request)
        return await self._player_of(request, token) if token else None

    async def _player_of(self, request: Req, token: str) -> Player | None:
        player = self.players.trusted(token)
        if player is None and token:
            player = await self.ask(self.players.find, token, device_of(request))
        return player

    def _over_tls(self, request: Req) -> bool:
        """Whether the page came over TLS, also when the proxy that ended it does not say so."""
        if request.scope["scheme"] == "https":
            return True
        hosts = self._hosts
        host = host_of(request.scope)
        origin = request.headers.get("origin", "")
        if origin.startswith("https:") and hosts.is_own(request.scope, host, origin):
            return True
        return hosts.origin.startswith("https:") and hosts.is_public(host)

    def send_cookies(self, request: Req, token: str | None) -> None:
        """Lets the answer to the request give the device a secret, or take it away with None.

        Over TLS the cookie of the old name goes: it would leave the secret where plain http sees
        it.
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
    """What the caller's device is called."""
    return device_name(request.headers.get("user-agent", ""))
