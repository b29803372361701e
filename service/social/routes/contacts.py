"""Routes for the caller's contacts and results."""

import asyncio
from typing import Annotated

from litestar import get, put
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET

from domain.text.i18n import N_
from service.common.clock import format_timestamp
from service.http.injection import Injected
from service.http.problems import ApiProblem
from service.players.identity import Player
from service.social import schema
from service.social.contacts.contact_list import Contacts
from service.social.personal_store import Contact, Stance, opaque_id


@get("/api/players/me/history", operation_id="getHistory", tags=["people"], opt={"cost": 2})
async def get_history(
    player: Injected[Player], company: Injected[Contacts]
) -> schema.HistoryAnswer:
    """Get your results by game, and the matches you left voluntarily."""
    tallies = await company.results_by_game(player.id)
    left = await company.left_matches(player.id)
    return schema.HistoryAnswer(
        games=[
            schema.TallyAnswer(game=each.game, matches=each.matches, won=each.won, best=each.best)
            for each in tallies
        ],
        left=[
            schema.LeftMatchAnswer(
                game=each.game, created=format_timestamp(each.created), match=each.match or UNSET
            )
            for each in left
        ]
        or UNSET,
    )


@get("/api/players/me/people", operation_id="listPeople", tags=["people"], opt={"cost": 5})
async def list_people(player: Injected[Player], company: Injected[Contacts]) -> schema.PeopleAnswer:
    """List your recent opponents and the people you have muted or blocked."""
    known = await company.list_contacts(player.id)
    return schema.PeopleAnswer(items=[_person_answer(player, one) for one in known])


@put(
    "/api/players/me/people/{person:str}",
    operation_id="setPerson",
    tags=["people"],
    opt={"cost": 5},
)
async def set_person(
    player: Injected[Player],
    company: Injected[Contacts],
    person: Annotated[str, PathParameter(description="The person's id.", max_length=40)],
    data: JSONBody[schema.Stance],
) -> schema.PersonAnswer:
    """Mute, block or unblock a person.

    The person is not notified.
    """
    one = await company.find(player.id, person)
    if one is None:
        raise ApiProblem(404, "no_such_person", "error.no_such_person")
    stance = Stance(one.name, data.muted, data.blocked)
    if not await asyncio.to_thread(company.personal.set_stance, player.id, one.player, stance):
        detail = N_("error.too_many_people")
        raise ApiProblem(409, "too_many_people", detail)
    return _person_answer(player, Contact(one.player, one.name, one.matches, one.last, stance))


def _person_answer(player: Player, contact: Contact) -> schema.PersonAnswer:
    return schema.PersonAnswer(
        id=opaque_id(player.id, contact.player),
        name=contact.name,
        matches=contact.matches,
        last=format_timestamp(contact.last) if contact.last else None,
        muted=contact.stance.muted,
        blocked=contact.stance.blocked,
    )
