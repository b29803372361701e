"""The routes of the caller's read position in a match and private note about it."""

import asyncio

from litestar import get, put
from litestar.params import JSONBody

from domain.text.joiners import truncate
from domain.text.text_rules import sanitize
from service.http.injection import Injected
from service.matches.request_context import Member
from service.social import schema
from service.social.contacts.contact_list import Contacts


@get("/api/matches/{match_id:str}/own", operation_id="getOwn", tags=["people"])
async def get_own(member: Injected[Member], company: Injected[Contacts]) -> schema.OwnAnswer:
    """Get your read position in a match and your private note about it."""
    return await _own_answer(member, company)


@put("/api/matches/{match_id:str}/seen", operation_id="setSeen", tags=["people"])
async def set_seen(
    member: Injected[Member], company: Injected[Contacts], data: JSONBody[schema.SeenVersion]
) -> schema.OwnAnswer:
    """Set the version up to which you have read a match, for all your devices.

    An earlier version than the stored one is ignored.
    """
    version = min(data.version, member.match.timeline.version)
    await asyncio.to_thread(
        company.personal.set_read_position, member.player.id, member.match.id, version
    )
    return await _own_answer(member, company)


@put("/api/matches/{match_id:str}/note", operation_id="setNote", tags=["people"])
async def set_note(
    member: Injected[Member], company: Injected[Contacts], data: JSONBody[schema.OwnNote]
) -> schema.OwnAnswer:
    """Set your private note about a match.

    An empty text deletes it.
    """
    text = "\n".join([sanitize(line) for line in data.text.splitlines()]).strip()
    kept = truncate(text, schema.MAX_NOTE_CHARS)
    await asyncio.to_thread(company.personal.set_note, member.player.id, member.match.id, kept)
    return await _own_answer(member, company)


async def _own_answer(member: Member, company: Contacts) -> schema.OwnAnswer:
    seen, note = await asyncio.to_thread(
        company.personal.read_position_and_note, member.player.id, member.match.id
    )
    return schema.OwnAnswer(seen=seen, note=note)
