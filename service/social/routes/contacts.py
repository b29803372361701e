"""The routes about the caller's contacts and results."""

import asyncio
from typing import Annotated, Any

from litestar import get, put
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET

from domain.text.i18n import N_
from service.common.clock import timestamp
from service.http.injection import Injected
from service.http.problems import Fault
from service.players.identity import Player
from service.social import schema
from service.social.contacts.contact_list import Company
from service.social.personal_store import Companion, Stance, handle


@get("/api/players/me/history", operation_id="getHistory", tags=["people"], opt={"cost": 2})
async def get_history(player: Injected[Player], company: Injected[Company]) -> schema.HistoryAnswer:
    """Get your results by game, and the matches you left."""
    tallies = await company.tallies(player.id)
    left = await company.left(player.id)
    return schema.HistoryAnswer(
        games=[
            schema.TallyAnswer(game=each.game, matches=each.matches, won=each.won, best=each.best)
            for each in tallies
        ],
        left=[
            schema.LeftMatchAnswer(
                game=each.game, created=timestamp(each.created), match=each.match or UNSET
            )
            for each in left
        ]
        or UNSET,
    )


@get("/api/players/me/people", operation_id="listPeople", tags=["people"], opt={"cost": 5})
async def list_people(player: Injected[Player], company: Injected[Company]) -> schema.PeopleAnswer:
    """List recent opponents and people you muted or blocked."""
    known = await company.known(player.id)
    return schema.PeopleAnswer(items=[_person(player, one) for one in known])


@put(
    "/api/players/me/people/{person:str}",
    operation_id="setPerson",
    tags=["people"],
    opt={"cost": 5},
)
async def set_person(
    player: Injected[Player],
    company: Injected[Company],
    person: Annotated[str, PathParameter(description="The person's id.", max_length=40)],
    data: JSONBody[schema.Stance],
) -> schema.PersonAnswer:
    """Mute, block or unblock a person.

    The person is not notified.
    """
    one = await company.find(player.id, person)
    if one is None:
        raise Fault(404, "no_such_person", "You have sat with no such person.")
    stance = Stance(one.name, data.muted, data.blocked)
    if not await asyncio.to_thread(company.own.take, player.id, one.player, stance):
        detail = N_("You have muted or blocked very many people already.")
        raise Fault(409, "too_many_people", detail)
    return _person(player, Companion(one.player, one.name, one.matches, one.last, stance))


def _person(player: Player, one: Companion) -> schema.PersonAnswer:
    return schema.PersonAnswer(
        id=handle(player.id, one.player),
        name=one.name,
        matches=one.matches,
        last=timestamp(one.last) if one.last else None,
        muted=one.stance.muted,
        blocked=one.stance.blocked,
    )


HANDLERS: tuple[Any, ...] = (get_history, list_people, set_person)
