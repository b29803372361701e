"""Routes for forking, exporting and importing matches, and listing the keys of match files."""

from functools import partial

from litestar import Response, get, post
from litestar.params import JSONBody, RawBody

from domain.presentation import schemas
from service.common.clock import format_timestamp
from service.http import offload
from service.http.injection import AnyRequest, Injected
from service.http.rate_limits import client_address
from service.matches import request_context, schema
from service.matches.lists import MatchLists
from service.matches.match_files import MatchFiles
from service.matches.opening_actions import OpeningActions
from service.matches.parameters import IdempotencyKey
from service.matches.share_codes import ShareCodes
from service.matches.signing import ALGORITHM
from service.players.identity import Player

MAX_FILE_BYTES = 4_194_304
"""Maximum size, in bytes, of a match file: ten times the largest file of a real match."""

_get = partial(get, tags=["matches"])

_post = partial(post, tags=["matches"])


@_post("/api/matches/{match_id:str}/fork", operation_id="forkMatch", opt={"cost": 10, "creates": 2})
async def fork_match(
    request: AnyRequest,
    member: Injected[request_context.Member],
    openings: Injected[OpeningActions],
    lists: Injected[MatchLists],
    share_codes: Injected[ShareCodes],
    data: JSONBody[schema.ForkMatch],
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.MatchAnswer]:
    """Fork a match at a version.

    The new match begins from this match's state at that version. Without ``seats``, you hold all
    its seats.
    """
    repeat = await request_context.request_fingerprint(request, member.player, idempotency_key)
    done = await openings.fork(
        member.match, member.player, data, repeat, client_address(request.scope)
    )
    lists.note_fork(member.match.id)
    return request_context.created_response(done, member.player, share_codes)


@_get(
    "/api/matches/{match_id:str}/export",
    operation_id="exportMatch",
    opt={"cost": 5, "packed": True},
)
async def export_match(
    request: AnyRequest, visit: Injected[request_context.MatchVisitor], files: Injected[MatchFiles]
) -> Response[schema.MatchFile]:
    """Export a match as a file.

    The file is signed if the match was played on this service. The file of a running match contains
    only what the caller may see.
    """
    match = visit.match
    make = await files.prepare_export(match, visit.player)
    name = f"{match.game}-{match.id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return await offload.json_response(request, match.timeline, 0, make, headers)


@_post(
    "/api/matches/import",
    operation_id="importMatch",
    opt={"cost": 20, "creates": 5},
    request_max_body_size=MAX_FILE_BYTES,
)
async def import_match(
    request: AnyRequest,
    player: Injected[Player],
    files: Injected[MatchFiles],
    share_codes: Injected[ShareCodes],
    body: RawBody,
    idempotency_key: IdempotencyKey = None,
) -> Response[schemas.MatchAnswer]:
    """Import a match file as a new match of yours.

    Every decision in the file is first verified against the rules.
    """
    # Read as bytes, because parsing megabytes of JSON would block the event loop.
    repeat = await request_context.request_fingerprint(request, player, idempotency_key)
    done = await files.import_match(player, body, repeat)
    return request_context.created_response(done, player, share_codes)


@_get("/.well-known/caravanserai-keys.json", operation_id="listKeys")
async def list_keys(files: Injected[MatchFiles]) -> schema.KeysAnswer:
    """List the public keys for verifying match files.

    Includes retired keys; the newest key comes first.
    """
    return schema.KeysAnswer(
        keys=[
            schema.KeyAnswer(
                id=key.id,
                algorithm=ALGORITHM,
                public=key.public,
                created=format_timestamp(key.created),
                retired=None if key.retired is None else format_timestamp(key.retired),
            )
            for key in await files.list_public_keys()
        ]
    )
