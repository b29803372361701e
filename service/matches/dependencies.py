"""Injected dependencies of the match handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import AnyRequest, provide
from service.matches.actions import MatchActions
from service.matches.lists import MatchLists
from service.matches.parameters import IdempotencyKey, InviteCode, MatchId, ShareCode
from service.matches.plans import PlanService
from service.matches.request_context import Actor, MatchVisitor, Member, request_fingerprint
from service.matches.vacation_service import VacationService
from service.players.authentication import Authenticator


class MatchParts(Protocol):
    """The parts of `Services` that these dependencies use."""

    authenticator: Authenticator
    actions: MatchActions
    lists: MatchLists
    vacations: VacationService
    plans: PlanService


def dependencies(services: MatchParts) -> dict[str, Provide]:
    """Return the providers of the caller and match of a request, and of the services.

    The match is that of ``match_id`` in the path; the response is 404 if the caller may not see it.
    ``visit``: a caller without a code; ``invited``: the same, or with an invite or share code in
    the query parameter ``invite``; ``shared``: the same, or with a code in ``share``. ``member``: a
    player (otherwise 401); ``actor``: a player about to act, with the Idempotency-Key. Services:
    ``play``, ``lists``, ``absences``, ``plans``.
    """

    async def visit(request: AnyRequest, match_id: MatchId) -> MatchVisitor:
        return await build_visitor(services, request, match_id, None)

    async def invited(
        request: AnyRequest, match_id: MatchId, invite: InviteCode = None
    ) -> MatchVisitor:
        return await build_visitor(services, request, match_id, invite)

    async def shared(
        request: AnyRequest, match_id: MatchId, share: ShareCode = None
    ) -> MatchVisitor:
        return await build_visitor(services, request, match_id, share)

    async def member(request: AnyRequest, match_id: MatchId) -> Member:
        player = await services.authenticator.require_player(request)
        return Member(player, await services.actions.find_match(match_id, player))

    async def actor(
        request: AnyRequest, match_id: MatchId, idempotency_key: IdempotencyKey = None
    ) -> Actor:
        return await build_actor(services, request, match_id, idempotency_key)

    async def play() -> MatchActions:
        return services.actions

    async def lists() -> MatchLists:
        return services.lists

    async def absences() -> VacationService:
        return services.vacations

    async def plans() -> PlanService:
        return services.plans

    made = (visit, invited, shared, member, actor, play, lists, absences, plans)
    return {make.__name__: provide(make) for make in made}


async def build_actor(
    services: MatchParts, request: AnyRequest, match_id: str, key: str | None
) -> Actor:
    """Return the player and match of a request for an action; ``key``: its Idempotency-Key."""
    player = await services.authenticator.require_player(request)
    table = await services.actions.find_match(match_id, player, fresh=False)
    return Actor(player, table, services.actions, await request_fingerprint(request, player, key))


async def build_visitor(
    services: MatchParts, request: AnyRequest, match_id: str, code: str | None
) -> MatchVisitor:
    """Return the caller and match of a read request; ``code``: an invite or share code."""
    player = await services.authenticator.optional_player(request)
    table = await services.actions.find_match(match_id, player, code)
    return MatchVisitor(player, table, services.actions.share_codes.share_of(table.id))
