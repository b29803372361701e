"""What handlers can be given of matches: see `service.base.injected`."""

from typing import Protocol

from litestar.di import Provide

from service.base.injected import Req, given
from service.matches.lists import Lists
from service.matches.parameters import IdempotencyKey, Invite, MatchId, Share
from service.matches.plans import Plans
from service.matches.play import Play
from service.matches.vacations import Absences
from service.matches.visits import Actor, Member, Visit, repeat_of
from service.players.callers import Callers


class MatchParts(Protocol):
    """Parts of the service that these dependencies come from."""

    callers: Callers
    play: Play
    lists: Lists
    absences: Absences
    plans: Plans


def dependencies(services: MatchParts) -> dict[str, Provide]:
    """The table of the ``match_id`` in the address, 404 where the caller may not look at it.

    ``visit``: as who holds a seat or anybody at a public one; ``invited``: the invite or share
    code opens it as well; ``shared``: the share code does. ``member``: a player, 401 for a
    passer-by; ``actor``: a player who is to do something there. ``play``, ``lists``, ``absences``,
    ``plans``.
    """

    async def visit(request: Req, match_id: MatchId) -> Visit:
        return await visit_of(services, request, match_id, None)

    async def invited(request: Req, match_id: MatchId, invite: Invite = None) -> Visit:
        return await visit_of(services, request, match_id, invite)

    async def shared(request: Req, match_id: MatchId, share: Share = None) -> Visit:
        return await visit_of(services, request, match_id, share)

    async def member(request: Req, match_id: MatchId) -> Member:
        player = await services.callers.caller(request)
        return Member(player, await services.play.table(match_id, player))

    async def actor(
        request: Req, match_id: MatchId, idempotency_key: IdempotencyKey = None
    ) -> Actor:
        return await actor_of(services, request, match_id, idempotency_key)

    async def play() -> Play:
        return services.play

    async def lists() -> Lists:
        return services.lists

    async def absences() -> Absences:
        return services.absences

    async def plans() -> Plans:
        return services.plans

    made = (visit, invited, shared, member, actor, play, lists, absences, plans)
    return {make.__name__: given(make) for make in made}


async def actor_of(services: MatchParts, request: Req, match_id: str, key: str | None) -> Actor:
    """A player who is to do something at a table; ``key``: the Idempotency-Key."""
    player = await services.callers.caller(request)
    table = await services.play.table(match_id, player, fresh=False)
    return Actor(player, table, services.play, await repeat_of(request, player, key))


async def visit_of(services: MatchParts, request: Req, match_id: str, code: str | None) -> Visit:
    """Somebody who may look at a match, if only by its invite or share code."""
    player = await services.callers.maybe_caller(request)
    table = await services.play.table(match_id, player, code)
    return Visit(player, table, services.play.codes.share_of(table.id))
