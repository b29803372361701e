"""Dependencies of route handlers about players (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import Req, given
from service.players.authentication import Callers
from service.players.identity import Player


class PlayerParts(Protocol):
    """The services that these dependencies are taken from."""

    callers: Callers


def dependencies(services: PlayerParts) -> dict[str, Provide]:
    """Return the providers of ``player``, ``visitor`` and ``callers``.

    ``player``: the caller, 401 for an anonymous request; ``visitor``: the caller or None.
    """

    async def player(request: Req) -> Player:
        return await services.callers.caller(request)

    async def visitor(request: Req) -> Player | None:
        return await services.callers.maybe_caller(request)

    async def callers() -> Callers:
        return services.callers

    return {"player": given(player), "visitor": given(visitor), "callers": given(callers)}
