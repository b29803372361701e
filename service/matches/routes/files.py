"""The calls that branch a match off and take it home."""

from typing import Any

from litestar import Response, get, post
from litestar.params import JSONBody, RawBody

from service.base import heavy
from service.base.injected import Injected, Req
from service.base.limits import address_of
from service.base.now import timestamp
from service.matches import schema
from service.matches.lists import Lists
from service.matches.parameters import IdempotencyKey
from service.matches.play import Play
from service.matches.signing import ALGORITHM
from service.matches.visits import Member, Visit, created, repeat_of
from service.players.identity import Player

MAX_FILE = 4_194_304
"""Bytes of a match file: ten times the largest of a real match."""


@post(
    "/api/matches/{match_id:str}/fork",
    operation_id="forkMatch",
    tags=["matches"],
    opt={"cost": 10, "creates": 2},
)
async def fork_match(
    request: Req,
    member: Injected[Member],
    play: Injected[Play],
    lists: Injected[Lists],
    data: JSONBody[schema.ForkMatch],
    idempotency_key: IdempotencyKey = None,
) -> Response[schema.MatchAnswer]:
    """A new match that begins as this one stood at a version; without ``seats`` all are yours."""
    repeat = await repeat_of(request, member.player, idempotency_key)
    done = await play.fork(member.table, member.player, data, repeat, address_of(request))
    lists.forked(member.table.id)
    return created(done, member.player, play)


@get(
    "/.well-known/caravanserai-keys.json",
    operation_id="listKeys",
    tags=["matches"],
)
async def list_keys(play: Injected[Play]) -> schema.KeysAnswer:
    """The public keys that this service has signed match files with, the newest first."""
    return schema.KeysAnswer(
        keys=[
            schema.KeyAnswer(
                id=key.id,
                algorithm=ALGORITHM,
                public=key.public,
                created=timestamp(key.created),
                retired=None if key.retired is None else timestamp(key.retired),
            )
            for key in await play.public_keys()
        ]
    )


@get(
    "/api/matches/{match_id:str}/export",
    operation_id="exportMatch",
    opt={"cost": 5, "packed": True},
    tags=["matches"],
)
async def export_match(
    request: Req, visit: Injected[Visit], play: Injected[Play]
) -> Response[schema.MatchFile]:
    """The match file, signed if the match was played here.

    That of a running match holds only what the caller may see.
    """
    table = visit.table
    make = await play.export(table, visit.player)
    name = f"{table.game}-{table.id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return await heavy.answer(request, table.timeline, 0, make, headers)


@post(
    "/api/matches/import",
    operation_id="importMatch",
    tags=["matches"],
    opt={"cost": 20, "creates": 5},
    request_max_body_size=MAX_FILE,
)
async def import_match(
    request: Req,
    player: Injected[Player],
    play: Injected[Play],
    body: RawBody,
    idempotency_key: IdempotencyKey = None,
) -> Response[schema.MatchAnswer]:
    """Store a match file as a match of yours, after every decision was proved by the rules."""
    # As bytes: reading some megabytes of JSON is not for the event loop.
    repeat = await repeat_of(request, player, idempotency_key)
    return created(await play.import_file(player, body, repeat), player, play)


HANDLERS: tuple[Any, ...] = (fork_match, export_match, import_match, list_keys)
