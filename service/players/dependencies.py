"""Dependencies of the player route handlers (`service.http.injection`)."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import AnyRequest, provide_part
from service.players.authentication import Authenticator
from service.players.identity import Player


class PlayerParts(Protocol):
    """The services that provide these dependencies."""

    authenticator: Authenticator


def dependencies(services: PlayerParts) -> dict[str, Provide]:
    """Return the providers of ``player``, ``visitor`` and ``callers``.

    ``player``: the caller, with status 401 for an anonymous request; ``visitor``: the caller, or
    None for an anonymous request; ``callers``: the `Authenticator`.
    """

    async def player(request: AnyRequest) -> Player:
        return await services.authenticator.require_player(request)

    async def visitor(request: AnyRequest) -> Player | None:
        return await services.authenticator.optional_player(request)

    return {
        "player": Provide(player),
        "visitor": Provide(visitor),
        "callers": provide_part(lambda: services.authenticator),
    }
