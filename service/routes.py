"""The HTTP calls of the contract: read the request, ask `Play`, shape the answer."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeVar

import segno
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from domain.register import TITLES
from service import answers, schema
from service.answers import Eyes, match_answer
from service.callers import COOKIE, caller, maybe_caller
from service.identity import Player
from service.lists import Lists
from service.play import Done, Idempotency, Play, clock, idempotency
from service.problems import Fault, not_your_seat
from service.tables import Table

Req = Request[Any, Any, Any]
_B = TypeVar("_B")

_MatchId = Annotated[str, PathParameter(description="The match.", max_length=64)]
_Seat = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=15, description="Look through this seat of yours, if you hold several."
    ),
]
_Invite = Annotated[
    str | None,
    QueryParameter(max_length=100, description="The invite or share code of a private match."),
]
_IdempotencyKey = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Makes a retry safe: same key and body, same answer.",
    ),
]
MAX_FILE = 8_388_608
_YEAR = 400 * 24 * 3600


# --- players ----------------------------------------------------------------------------------


@post(
    "/api/players",
    operation_id="createPlayer",
    tags=["players"],
    opt={"creates": True, "packed": True},
)
async def create_player(
    request: Req, data: JSONBody[schema.NewPlayer]
) -> Response[schema.NewPlayerAnswer]:
    """Become a player: no sign-up, just a name for this device."""
    state = request.app.state
    player, token = await state.saver.io(state.players.create, data.name, clock())
    return _welcome(request, player, token)


def _welcome(request: Req, player: Player, token: str) -> Response[schema.NewPlayerAnswer]:
    settings = request.app.state.settings
    secure = request.url.scheme == "https" or settings.public_url.startswith("https:")
    cookie = Cookie(
        COOKIE, value=token, max_age=_YEAR, httponly=True, samesite="lax", secure=secure
    )
    body = schema.NewPlayerAnswer(player_id=player.id, name=player.name, token=token)
    return Response(body, status_code=201, cookies=[cookie])


@get("/api/players/me", operation_id="whoAmI", tags=["players"])
async def who_am_i(request: Req) -> schema.PlayerAnswer:
    """The player of this device."""
    player = await caller(request)
    return schema.PlayerAnswer(player_id=player.id, name=player.name)


@post("/api/players/link", operation_id="linkDevice", tags=["players"], status_code=201)
async def link_device(request: Req) -> schema.DeviceLink:
    """A one-time link to become the same player on another device; good for ten minutes."""
    player = await caller(request)
    state = request.app.state
    code, expires = await state.saver.io(state.players.link, player, clock())
    return schema.DeviceLink(
        code=code, url=f"{base_url(request)}/#link={code}", expires=answers.timestamp(expires)
    )


@post(
    "/api/players/link/claim",
    operation_id="claimDevice",
    tags=["players"],
    opt={"creates": True, "packed": True},
)
async def claim_device(
    request: Req, data: JSONBody[schema.ClaimLink]
) -> Response[schema.NewPlayerAnswer]:
    """Become the player of a device link; the link is used up."""
    state = request.app.state
    player, token = await state.saver.io(state.players.claim, data.code, clock())
    return _welcome(request, player, token)


def base_url(request: Req) -> str:
    """The address people use, without a slash at the end."""
    configured: str = request.app.state.settings.public_url
    return (configured or str(request.base_url)).rstrip("/")


# --- games and matches ------------------------------------------------------------------------


@get("/api/games", operation_id="listGames", tags=["games"], sync_to_thread=False)
def list_games() -> list[schema.GameAnswer]:
    """The games on offer."""
    return [
        schema.GameAnswer(
            slug=t.slug,
            title=t.title,
            designer=t.designer,
            min_seats=min(t.seats),
            max_seats=max(t.seats),
            seats=list(t.seats),
            options=t.options,
            about=t.about,
        )
        for t in TITLES.values()
    ]


@post("/api/matches", operation_id="createMatch", tags=["matches"], opt={"creates": True})
async def create_match(
    request: Req, data: JSONBody[schema.NewMatch], idempotency_key: _IdempotencyKey = None
) -> Response[schema.MatchAnswer]:
    """Open a table. The match starts at once when no seat is open."""
    player = await caller(request)
    repeat = await _repeat(request, player, idempotency_key)
    return _created(await _play(request).open(player, data, repeat), player)


@get("/api/matches", operation_id="listMatches", tags=["matches"])
async def list_matches(
    request: Req,
    which: Annotated[
        Literal["mine", "public"],
        QueryParameter(name="scope", description="Your matches, or those open to all."),
    ] = "mine",
    status: Annotated[
        schema.Status | None, QueryParameter(description="Only matches of this status.")
    ] = None,
    cursor: Annotated[
        str | None, QueryParameter(max_length=200, description="`next` of the page before.")
    ] = None,
) -> schema.MatchesAnswer:
    """Matches, the latest changed first. Your own last move is always in it."""
    player = await (caller(request) if which == "mine" else maybe_caller(request))
    lists: Lists = request.app.state.lists
    return await lists.page(which, player, status, cursor)


def _created(done: Done, player: Player) -> Response[schema.MatchAnswer]:
    answer = match_answer(done.match_id, Eyes(done.timeline, player.id))
    location = f"/api/matches/{done.match_id}"
    return Response(answer, status_code=201, headers={"Location": location})


@post(
    "/api/matches/{match_id:str}/join", operation_id="joinMatch", tags=["matches"], status_code=200
)
async def join_match(
    request: Req, match_id: _MatchId, data: JSONBody[schema.JoinMatch]
) -> schema.MatchAnswer:
    """Take an open seat; the match starts when the last one is taken."""
    player = await caller(request)
    play = _play(request)
    table = await play.table(match_id, player, data.invite, fresh=False)
    done = await play.join(table, player, data)
    return match_answer(done.match_id, Eyes(done.timeline, player.id))


@get("/api/matches/{match_id:str}", operation_id="getMatch", tags=["matches"])
async def get_match(
    request: Req,
    match_id: _MatchId,
    at: Annotated[
        int | None, QueryParameter(ge=1, le=2**53, description="The match at this version.")
    ] = None,
    seat: _Seat = None,
    invite: _Invite = None,
) -> schema.MatchAnswer:
    """The match as the caller may see it, now or at any earlier version."""
    player = await maybe_caller(request)
    table = await _play(request).table(match_id, player, invite)
    eyes = Eyes(table.timeline, player.id if player else None, seat)
    answer = match_answer(table.id, eyes, at)
    if at is not None:
        return answer
    lists: Lists = request.app.state.lists
    return replace(answer, forks=await lists.forks(table.id, player))


@get("/api/matches/{match_id:str}/choices", operation_id="listChoices", tags=["matches"])
async def list_choices(
    request: Req, match_id: _MatchId, seat: _Seat = None
) -> schema.ChoicesAnswer:
    """Every legal command of one of the caller's seats; none when it is not to act."""
    player = await maybe_caller(request)
    table = await _play(request).table(match_id, player)
    eyes = Eyes(table.timeline, player.id if player else None, seat)
    if eyes.seat is None:
        raise not_your_seat()
    return schema.ChoicesAnswer(
        version=table.timeline.version,
        seat=eyes.seat,
        choices=answers.choice_answers(eyes, eyes.seat),
    )


@get("/api/matches/{match_id:str}/events", operation_id="listEvents", tags=["matches"])
async def list_events(
    request: Req,
    match_id: _MatchId,
    after: Annotated[
        int, QueryParameter(ge=0, le=2**53, description="Only events later than this version.")
    ] = 0,
    seat: _Seat = None,
    invite: _Invite = None,
) -> schema.EventsAnswer:
    """What happened, in words and as data, redacted for the caller."""
    player = await maybe_caller(request)
    table = await _play(request).table(match_id, player, invite)
    eyes = Eyes(table.timeline, player.id if player else None, seat)
    return schema.EventsAnswer(
        version=table.timeline.version, events=answers.event_answers(eyes, after)
    )


@get(
    "/api/matches/{match_id:str}/live",
    operation_id="followMatch",
    tags=["matches"],
    opt={"packed": True},
    media_type="text/event-stream",
)
async def follow_match(
    request: Req,
    match_id: _MatchId,
    invite: _Invite = None,
    last_event_id: Annotated[
        str | None,
        HeaderParameter(
            name="Last-Event-ID",
            max_length=40,
            description="The newest version the client has seen.",
        ),
    ] = None,
) -> Stream:
    """Server-sent events: ``id`` and ``data`` are the version the match has reached."""
    player = await maybe_caller(request)
    table = await _play(request).table(match_id, player, invite)
    hub = request.app.state.hub
    listener = hub.listen(table.id)
    listener.hear(table.timeline.version)
    seen = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
    if seen > table.timeline.version:
        seen = 0
    return Stream(
        hub.frames(table.id, listener, seen),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@get(
    "/api/matches/{match_id:str}/invite.svg",
    operation_id="drawInvite",
    tags=["matches"],
    media_type="image/svg+xml",
)
async def draw_invite(request: Req, match_id: _MatchId) -> Response[bytes]:
    """The invitation as a QR code, for those who may invite."""
    player = await caller(request)
    table = await _play(request).table(match_id, player)
    answer = match_answer(table.id, Eyes(table.timeline, player.id))
    if not isinstance(answer.invite, str):
        raise Fault(409, "not_open", "No seat is open to be invited to.")
    url = f"{base_url(request)}/join/{table.id}?invite={answer.invite}"
    image = segno.make(url, error="m").svg_inline(scale=6, border=4, dark="#000", light="#fff")
    # The inline form lacks the namespace that an image of its own needs.
    image = image.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return Response(
        image.encode(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"}
    )


# --- playing ----------------------------------------------------------------------------------


@post(
    "/api/matches/{match_id:str}/commands",
    operation_id="playCommands",
    tags=["playing"],
    status_code=200,
)
async def play_commands(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.PlayCommands],
    idempotency_key: _IdempotencyKey = None,
) -> schema.PlayedAnswer:
    """Carry out commands of a seat, one after the other: all of them or none."""
    player, done = await _acted(request, match_id, idempotency_key, Play.commands, data)
    eyes = Eyes(done.timeline, player.id, done.seat)
    whole = Eyes(done.timeline, player.id)
    return schema.PlayedAnswer(
        version=done.timeline.version,
        events=answers.event_answers(eyes, done.before),
        match=match_answer(done.match_id, whole),
    )


@post(
    "/api/matches/{match_id:str}/undo", operation_id="undoMoves", tags=["playing"], status_code=200
)
async def undo_moves(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.UndoMoves],
    idempotency_key: _IdempotencyKey = None,
) -> Response[schema.MatchAnswer]:
    """Take moves back; 202 with an open proposal when the others have to agree first."""
    player, done = await _acted(request, match_id, idempotency_key, Play.undo, data)
    answer = match_answer(done.match_id, Eyes(done.timeline, player.id))
    return Response(answer, status_code=done.status)


@post(
    "/api/matches/{match_id:str}/undo/answer",
    operation_id="answerProposal",
    tags=["playing"],
    status_code=200,
)
async def answer_proposal(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.AnswerProposal],
    idempotency_key: _IdempotencyKey = None,
) -> schema.MatchAnswer:
    """Agree to an open take-back or decline it."""
    player, done = await _acted(request, match_id, idempotency_key, Play.answer, data)
    return match_answer(done.match_id, Eyes(done.timeline, player.id))


@post("/api/matches/{match_id:str}/say", operation_id="sayWords", tags=["playing"], status_code=200)
async def say_words(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.SayWords],
    idempotency_key: _IdempotencyKey = None,
) -> schema.MatchAnswer:
    """Say something to everybody at the table, or to one seat only; it is not undone by undo."""
    player, done = await _acted(request, match_id, idempotency_key, Play.say, data)
    return match_answer(done.match_id, Eyes(done.timeline, player.id))


@post(
    "/api/matches/{match_id:str}/redo", operation_id="redoMoves", tags=["playing"], status_code=200
)
async def redo_moves(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.RedoMoves],
    idempotency_key: _IdempotencyKey = None,
) -> schema.MatchAnswer:
    """Bring back what the last undo took away."""
    player, done = await _acted(request, match_id, idempotency_key, Play.redo, data)
    return match_answer(done.match_id, Eyes(done.timeline, player.id))


# --- branching off and taking home ------------------------------------------------------------


@post(
    "/api/matches/{match_id:str}/fork",
    operation_id="forkMatch",
    tags=["matches"],
    opt={"creates": True},
)
async def fork_match(
    request: Req,
    match_id: _MatchId,
    data: JSONBody[schema.ForkMatch],
    idempotency_key: _IdempotencyKey = None,
) -> Response[schema.MatchAnswer]:
    """A new match that begins as this one stood at a version; without ``seats`` all are yours."""
    player = await caller(request)
    play = _play(request)
    table = await play.table(match_id, player)
    repeat = await _repeat(request, player, idempotency_key)
    return _created(await play.fork(table, player, data, repeat), player)


@get("/api/matches/{match_id:str}/export", operation_id="exportMatch", tags=["matches"])
async def export_match(request: Req, match_id: _MatchId) -> Response[schema.MatchFile]:
    """The match file; that of a running match holds only what the caller may see."""
    player = await maybe_caller(request)
    table = await _play(request).table(match_id, player)
    document = _play(request).export(table, player)
    name = f"{document['game']}-{table.id[:8]}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(document, headers=headers)


@post(
    "/api/matches/import",
    operation_id="importMatch",
    tags=["matches"],
    opt={"creates": True},
    request_max_body_size=MAX_FILE,
)
async def import_match(
    request: Req, data: JSONBody[schema.MatchFile], idempotency_key: _IdempotencyKey = None
) -> Response[schema.MatchAnswer]:
    """Store a match file as a match of yours, after every decision was proved by the rules."""
    player = await caller(request)
    repeat = await _repeat(request, player, idempotency_key)
    return _created(await _play(request).bring(player, data, repeat), player)


async def _acted(
    request: Req,
    match_id: str,
    key: str | None,
    action: Callable[[Play, Table, Player, _B, Idempotency | None], Awaitable[Done]],
    data: _B,
) -> tuple[Player, Done]:
    """Who asked, and what an action at a table led to."""
    player = await caller(request)
    play = _play(request)
    table = await play.table(match_id, player, fresh=False)
    repeat = await _repeat(request, player, key)
    return player, await action(play, table, player, data, repeat)


def _play(request: Req) -> Play:
    play: Play = request.app.state.play
    return play


async def _repeat(request: Req, player: Player, key: str | None) -> Idempotency | None:
    if key is None:
        return None
    return idempotency(key, player, request.url.path, await request.body())


# --- health -----------------------------------------------------------------------------------


@get(
    "/health/live",
    operation_id="isAlive",
    tags=["health"],
    opt={"unlimited": True},
    sync_to_thread=False,
)
def live() -> schema.Health:
    """The process answers."""
    return schema.Health(status="ok")


@get("/health/ready", operation_id="isReady", tags=["health"], opt={"unlimited": True})
async def ready(request: Req) -> Response[schema.Health]:
    """The database answers too."""
    try:
        await asyncio.to_thread(request.app.state.store.ping)
    except Exception:
        raise Fault(503, "not_ready", "The database does not answer.") from None
    return Response(schema.Health(status="ok"))


HANDLERS: tuple[Any, ...] = (
    create_player,
    who_am_i,
    link_device,
    claim_device,
    list_games,
    create_match,
    list_matches,
    join_match,
    get_match,
    list_choices,
    list_events,
    follow_match,
    draw_invite,
    play_commands,
    undo_moves,
    answer_proposal,
    say_words,
    redo_moves,
    fork_match,
    export_match,
    import_match,
    live,
    ready,
)
