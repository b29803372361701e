"""Injected dependencies of the handlers about matches; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import Req, given
from service.matches.actions import Play
from service.matches.lists import Lists
from service.matches.parameters import IdempotencyKey, Invite, MatchId, Share
from service.matches.plans import Plans
from service.matches.request_context import Actor, Member, Visit, repeat_of
from service.matches.vacation_service import Absences
from service.players.authentication import Callers


class MatchParts(Protocol):
    """The services that these dependencies are taken from."""

    callers: Callers
    play: Play
    lists: Lists
    absences: Absences
    plans: Plans


def dependencies(services: MatchParts) -> dict[str, Provide]:
    """Return the providers of the caller and match of a request, and of the services.

    The match is that of ``match_id`` in the path; 404 where the caller may not see it. ``visit``:
    access by a seat or to a public match; ``invited``: also by the query parameter ``invite``, an
    invite or share code; ``shared``: also by ``share``. ``member``: a player, 401 without one;
    ``actor``: a player about to act, with their Idempotency-Key. Services: ``play``, ``lists``,
    ``absences``, ``plans``.
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
    """Return the player and match of a request that acts; ``key``: the Idempotency-Key."""
    player = await services.callers.caller(request)
    table = await services.play.table(match_id, player, fresh=False)
    return Actor(player, table, services.play, await repeat_of(request, player, key))


async def visit_of(services: MatchParts, request: Req, match_id: str, code: str | None) -> Visit:
    """Return the caller and match of a request that reads; ``code``: an invite or share code."""
    player = await services.callers.maybe_caller(request)
    table = await services.play.table(match_id, player, code)
    return Visit(player, table, services.play.codes.share_of(table.id))
