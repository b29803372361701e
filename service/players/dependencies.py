"""What handlers can be given of players: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import Req, given
from service.players.callers import Callers
from service.players.identity import Player


class PlayerParts(Protocol):
    """Parts of the service that these dependencies come from."""

    callers: Callers


def dependencies(services: PlayerParts) -> dict[str, Provide]:
    """``player``: who asks, 401 for a passer-by; ``visitor``: the same or None; ``callers``."""

    async def player(request: Req) -> Player:
        return await services.callers.caller(request)

    async def visitor(request: Req) -> Player | None:
        return await services.callers.maybe_caller(request)

    async def callers() -> Callers:
        return services.callers

    return {"player": given(player), "visitor": given(visitor), "callers": given(callers)}
