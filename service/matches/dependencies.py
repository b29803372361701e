"""Injected dependencies of the match handlers; see `service.http.injection`."""

from typing import Protocol

from litestar.di import Provide

from service.http.injection import AnyRequest, provide_part
from service.matches.actions import MatchActions
from service.matches.lists import MatchLists
from service.matches.match_access import MatchAccess
from service.matches.match_files import MatchFiles
from service.matches.match_finder import MatchFinder
from service.matches.opening_actions import OpeningActions
from service.matches.parameters import IdempotencyKey, InviteCode, MatchId, ShareCode
from service.matches.plans import PlanService
from service.matches.rematch import RematchActions
from service.matches.request_context import Actor, MatchVisitor, Member, request_fingerprint
from service.matches.seat_actions import SeatActions
from service.matches.share_codes import ShareCodes
from service.matches.vacation_service import VacationService
from service.players.authentication import Authenticator


class MatchParts(Protocol):
    """The parts of `Services` that these dependencies use."""

    authenticator: Authenticator
    access: MatchAccess
    finder: MatchFinder
    share_codes: ShareCodes
    actions: MatchActions
    seats: SeatActions
    openings: OpeningActions
    rematches: RematchActions
    files: MatchFiles
    lists: MatchLists
    vacations: VacationService
    plans: PlanService


def dependencies(services: MatchParts) -> dict[str, Provide]:
    """Return the providers of the caller and match of a request, and of the services."""
    return _caller_dependencies(services) | _service_dependencies(services)


def _caller_dependencies(services: MatchParts) -> dict[str, Provide]:
    """Return the providers of the caller and match of a request.

    The match is that of ``match_id`` in the path; the response is 404 if the caller may not see it.
    ``visit``: a caller without a code; ``invited``: the same, or with an invite or share code in
    the query parameter ``invite``; ``shared``: the same, or with a code in ``share``. ``member``: a
    player (otherwise 401); ``actor``: a player about to act, with the Idempotency-Key.
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
        return Member(player, await services.finder.find_match(match_id, player))

    async def actor(
        request: AnyRequest, match_id: MatchId, idempotency_key: IdempotencyKey = None
    ) -> Actor:
        return await build_actor(services, request, match_id, idempotency_key)

    callers = (visit, invited, shared, member, actor)
    return {make.__name__: Provide(make) for make in callers}


def _service_dependencies(services: MatchParts) -> dict[str, Provide]:
    """Return the providers of the services."""
    return {
        "access": provide_part(lambda: services.access),
        "finder": provide_part(lambda: services.finder),
        "share_codes": provide_part(lambda: services.share_codes),
        "play": provide_part(lambda: services.actions),
        # Not "seats", which is a field of request bodies: Litestar takes an error in a field with
        # the name of a dependency for one of the server.
        "seat_actions": provide_part(lambda: services.seats),
        "openings": provide_part(lambda: services.openings),
        "rematches": provide_part(lambda: services.rematches),
        "files": provide_part(lambda: services.files),
        "lists": provide_part(lambda: services.lists),
        "absences": provide_part(lambda: services.vacations),
        "plans": provide_part(lambda: services.plans),
    }


async def build_actor(
    services: MatchParts, request: AnyRequest, match_id: str, key: str | None
) -> Actor:
    """Return the player and match of a request for an action; ``key``: its Idempotency-Key."""
    player = await services.authenticator.require_player(request)
    match = await services.finder.find_match(match_id, player, fresh=False)
    share = services.share_codes.share_of(match.id)
    fingerprint = await request_fingerprint(request, player, key)
    return Actor(player, match, fingerprint, actions=services.actions, share_code=share)


async def build_visitor(
    services: MatchParts, request: AnyRequest, match_id: str, code: str | None
) -> MatchVisitor:
    """Return the caller and match of a read request; ``code``: an invite or share code."""
    player = await services.authenticator.optional_player(request)
    match = await services.finder.find_match(match_id, player, code)
    return MatchVisitor(player, match, services.share_codes.share_of(match.id))
