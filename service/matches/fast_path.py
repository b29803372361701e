"""Fast path for the two most frequent requests: commands, and reading a match.

Litestar's request parsing and dependency injection cost more than the rules of a command or the
view of a match. So valid requests of these two kinds are answered before Litestar and its
middleware, which would run once for the request and once for each part of the answer. Requests
that do not match exactly, and exceptions raised while one is handled, are passed on to Litestar,
which produces the error answer.
"""

import re
from typing import Any, Protocol

from litestar import Request, Response
from litestar.config.compression import CompressionConfig
from litestar.enums import ScopeType
from litestar.middleware.compression.middleware import CompressionMiddleware
from litestar.serialization import encode_json
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import UNSET, DecodeError, Struct
from msgspec.json import Decoder
from msgspec.structs import replace

from domain.presentation.events import event_answers
from service.http.i18n import Languages, listen
from service.http.injection import Req
from service.http.origin_guard import Door
from service.http.problems import Fault
from service.http.rate_limits import RAISED, Limit
from service.http.read_throttle import Turns
from service.http.strict_json import refuse_null
from service.matches import schema
from service.matches.actions import Play
from service.matches.dependencies import MatchParts, visit_of
from service.matches.idempotency import idempotency
from service.matches.lists import Lists
from service.matches.presenters import Viewer, match_answer
from service.matches.request_context import Actor, Visit, told
from service.observability.request_log import Asked, Notes
from service.settings import Settings

PATH = "/api/matches/{match_id:str}/commands"
_PATH = re.compile(r"/api/matches/([^/]{1,64})/commands")
_TEMPLATE = PATH.replace(":str", "")
LOOK_PATH = "/api/matches/{match_id:str}"
_LOOK_PATH = re.compile(r"/api/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_LOOK_TEMPLATE = LOOK_PATH.replace(":str", "")
_VIEWS = {b"": "whole", b"view=whole": "whole", b"view=changing": "changing"}
_COMMANDS = Decoder(schema.PlayCommands)
_JSON = (b"content-type", b"application/json")
MAX_BODY_BYTES = 65_536
"""The largest body the fast path reads; a smaller ``MAX_BODY`` setting applies here too."""


async def played(actor: Actor, data: schema.PlayCommands, view: str) -> schema.PlayedAnswer:
    """Execute commands of a seat and return the new events and the match."""
    done = await actor.does(Play.commands, data)
    viewer = Viewer(done.timeline, actor.player.id, done.seat)
    return schema.PlayedAnswer(
        version=done.timeline.version,
        events=event_answers(viewer, done.before),
        match=actor.told(done, view),
    )


async def looked(
    visit: Visit, seat: int | None, view: str, play: Play, lists: Lists
) -> schema.MatchAnswer:
    """Return the current match, with its forks and its rematch."""
    table, player = visit.table, visit.player
    answer = told(match_answer(table.id, visit.viewer(seat), share=visit.share), view)
    rematch = await play.rematch_told(table, player)
    forks = await lists.forks(table.id, player)
    return replace(answer, forks=forks, rematch=rematch or UNSET)


async def tell_what_went_wrong(request: Req) -> Response[bytes] | None:
    """Raise the exception that the fast path stored, before Litestar handles the request.

    Also rejects query parameters that are ``null`` (`refuse_null`).
    """
    raised: Exception | None = request.scope["state"].pop(RAISED, None)
    if raised is not None:
        raise raised
    await refuse_null(request)
    return None


class _Call(Struct, frozen=True):
    """A command request, from its URL and headers; ``key``: its Idempotency-Key."""

    match_id: str
    view: str
    key: str | None
    gzip: bool


def _call_of(scope: Scope, max_body_bytes: int) -> _Call | None:
    """Parse a command request; None where Litestar has to handle it, as for a body too large."""
    if scope["type"] != ScopeType.HTTP or scope["method"] != "POST":
        return None
    found = _PATH.fullmatch(scope["path"])
    view = _VIEWS.get(scope["query_string"])
    if found is None or view is None:
        return None
    length, keys, gzip = 0, [], False
    for name, value in scope["headers"]:
        if name == b"content-length":
            length = int(value) if value.isdigit() else 0
        elif name == b"idempotency-key":
            keys.append(value.decode("latin-1"))
        elif name == b"accept-encoding":
            gzip = b"gzip" in value
    key = keys[0] if keys else None
    if (
        not 0 < length <= max_body_bytes
        or len(keys) > 1
        or (key is not None and not 1 <= len(key) <= 200)
    ):
        return None
    return _Call(found[1], view, key, gzip)


class _Look(Struct, frozen=True):
    """A request for the current match, from its URL and headers."""

    match_id: str
    view: str
    gzip: bool


def _look_of(scope: Scope) -> _Look | None:
    """Parse a read request; None where Litestar has to handle it, as for a GET with a body."""
    if scope["type"] != ScopeType.HTTP or scope["method"] != "GET":
        return None
    found = _LOOK_PATH.fullmatch(scope["path"])
    view = _VIEWS.get(scope["query_string"])
    if found is None or view is None:
        return None
    gzip = False
    for name, value in scope["headers"]:
        if name == b"transfer-encoding" or (name == b"content-length" and value != b"0"):
            return None
        if name == b"accept-encoding":
            gzip = b"gzip" in value
    return _Look(found[1], view, gzip)


class _Way(Struct, frozen=True):
    """An ASGI exchange in progress; ``headers``: the language headers of the answer."""

    asked: Asked
    gzip: bool
    headers: list[tuple[bytes, bytes]]
    receive: Receive
    send: Send


async def _body_of(receive: Receive) -> bytes | None:
    """Return the whole body; None if the client disconnected."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message["body"]
        if not message.get("more_body"):
            return body


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `Receive` that replays a body that was read already."""
    left: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return left.pop() if left else await receive()

    return receive_again


class QuickParts(MatchParts, Protocol):
    """The services that the fast path needs."""

    languages: Languages
    turns: Turns
    settings: Settings


class ShortWay:
    """ASGI wrapper of the application that answers commands and match reads itself."""

    def __init__(
        self,
        app: ASGIApp,
        services: QuickParts,
        door: Door,
        limit: Limit,
        notes: Notes,
        compression: CompressionConfig,
    ) -> None:
        self._app = app
        self._notes = notes
        self._services = services
        self._door = door
        self._limit = limit
        self._compression = compression
        self._max_body_bytes = min(MAX_BODY_BYTES, services.settings.max_body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or pass it on to the application."""
        look = _look_of(scope)
        call = None if look else _call_of(scope, self._max_body_bytes)
        asked_for = look or call
        if asked_for is None or not self._may_come_in(scope):
            await self._app(scope, receive, send)
            return
        this, token = self._notes.begin(scope)
        way = _Way(this, asked_for.gzip, listen(scope, self._services.languages), receive, send)
        try:
            if look is not None:
                await self._look(look, way)
            elif call is not None:
                await self._call(call, way)
        finally:
            self._notes.end(this, token)

    async def _call(self, call: _Call, way: _Way) -> None:
        body = await _body_of(way.receive)
        if body is None:
            return
        answer = await self._answer(call, body, way.asked.scope)
        if answer is None:
            await self._pass_on(way, _again(body, way.receive))
            return
        await self._send(answer, way)

    async def _pass_on(self, way: _Way, receive: Receive | None = None) -> None:
        """Pass the request on to the application; ``receive`` replays a body already read."""
        self._notes.pass_on(way.asked)
        await self._app(way.asked.scope, receive or way.receive, way.send)

    async def _look(self, look: _Look, way: _Way) -> None:
        """Answer a read: apply the rate limit at once, then wait for the read throttle."""
        scope = way.asked.scope
        scope["path_template"] = _LOOK_TEMPLATE
        scope["path_params"] = {"match_id": look.match_id}
        request: Req = Request(scope)

        async def answer() -> None:
            try:
                body = encode_json(await self._looked(request, look))
            except Exception as error:
                scope["state"][RAISED] = error
                await self._pass_on(way)
                return
            await self._send(body, way)

        try:
            await self._limit.count(request)
        except Exception as error:
            scope["state"][RAISED] = error
            await self._pass_on(way)
            return
        await self._services.turns.read(answer)

    async def _looked(self, request: Req, look: _Look) -> schema.MatchAnswer:
        services = self._services
        visit = await visit_of(services, request, look.match_id, None)
        return await looked(visit, None, look.view, services.play, services.lists)

    def _may_come_in(self, scope: Scope) -> bool:
        try:
            self._door.look(scope, forms=False)
        except Fault:
            return False  # Litestar's path answers with the reason.
        return True

    async def _answer(self, call: _Call, body: bytes, scope: Scope) -> bytes | None:
        """Execute a command request; None where Litestar has to answer, also with an error."""
        try:
            data = _COMMANDS.decode(body)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return None
        scope["path_template"] = _TEMPLATE
        scope["path_params"] = {"match_id": call.match_id}
        try:
            request: Req = Request(scope)
            await self._limit.count(request)
            return encode_json(await self._played(request, call, body, data))
        except Exception as error:
            scope["state"][RAISED] = error
            return None

    async def _played(
        self, request: Req, call: _Call, body: bytes, data: schema.PlayCommands
    ) -> schema.PlayedAnswer:
        services = self._services
        player = await services.callers.caller(request)
        table = await services.play.table(call.match_id, player, fresh=False)
        path = request.scope["path"]
        repeat = idempotency(call.key, player, path, body) if call.key is not None else None
        return await played(Actor(player, table, services.play, repeat), data, call.view)

    async def _send(self, answer: bytes, way: _Way) -> None:
        headers = [_JSON, (b"content-length", b"%d" % len(answer))]
        more = [*self._notes.headers(way.asked, 200), *way.headers]
        if not way.gzip:
            headers += more
        start: Message = {"type": "http.response.start", "status": 200, "headers": headers}
        body: Message = {"type": "http.response.body", "body": answer, "more_body": False}
        if not way.gzip:
            await way.send(start)
            await way.send(body)
            return

        async def ready(_scope: Scope, _receive: Receive, send: Send) -> None:
            await send(start)
            await send(body)

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *more]
            await way.send(message)

        packed = CompressionMiddleware(ready, self._compression)
        await packed(way.asked.scope, way.receive, complete)
