"""Fast path for the two most frequent requests: playing commands and reading a match.

Litestar's request parsing and dependency injection cost more than executing a command or building
the view of a match. Valid requests of these two types are therefore handled before Litestar and
its middleware, which would run once for the request and once for each part of the response.
Requests that do not match exactly, and requests whose handling raises an exception, are passed on
to Litestar, which produces the error response.
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
from service.http.i18n import Languages, negotiate_language
from service.http.injection import AnyRequest
from service.http.origin_guard import OriginGuard
from service.http.problems import ApiProblem
from service.http.rate_limits import PENDING_ERROR, RateLimitMiddleware
from service.http.read_throttle import ReadThrottle
from service.http.strict_json import reject_null_parameters
from service.matches import schema
from service.matches.dependencies import MatchParts, build_visitor
from service.matches.idempotency import fingerprint_request
from service.matches.lists import MatchLists
from service.matches.presenters import Viewer, match_answer
from service.matches.rematch import RematchActions
from service.matches.request_context import Actor, MatchVisitor, with_view
from service.observability.request_log import RequestLog, RequestRecord
from service.settings import Settings

COMMANDS_PATH = "/api/matches/{match_id:str}/commands"
_COMMANDS_PATTERN = re.compile(r"/api/matches/([^/]{1,64})/commands")
_COMMANDS_TEMPLATE = COMMANDS_PATH.replace(":str", "")
MATCH_PATH = "/api/matches/{match_id:str}"
_MATCH_PATTERN = re.compile(r"/api/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_MATCH_TEMPLATE = MATCH_PATH.replace(":str", "")
_VIEW_BY_QUERY = {b"": "whole", b"view=whole": "whole", b"view=changing": "changing"}
_COMMANDS_DECODER = Decoder(schema.PlayCommands)
_JSON_HEADER = (b"content-type", b"application/json")
MAX_BODY_BYTES = 65_536
"""Maximum size, in bytes, of a body on the fast path; a smaller ``MAX_BODY`` setting prevails."""


async def play_response(actor: Actor, data: schema.PlayCommands, view: str) -> schema.PlayedAnswer:
    """Execute commands of a seat; return the new events and the match as seen by the seat.

    ``view``: "whole" or "changing" (`with_view`).
    """
    done = await actor.run(actor.actions.play_commands, data)
    viewer = Viewer(done.timeline, actor.player.id, done.seat)
    return schema.PlayedAnswer(
        version=done.timeline.version,
        events=event_answers(viewer, done.version_before),
        match=actor.match_answer(done, view),
    )


async def match_response(
    visit: MatchVisitor, seat: int | None, view: str, rematches: RematchActions, lists: MatchLists
) -> schema.MatchAnswer:
    """Return the current match with its forks and its rematch.

    ``seat``: the seat to view it from, as in `OptionalSeat`; ``view``: "whole" or "changing".
    """
    table, player = visit.match, visit.player
    answer = with_view(match_answer(table.id, visit.viewer(seat), share=visit.share_code), view)
    rematch = await rematches.find_rematch(table, player)
    forks = await lists.list_forks(table.id, player)
    return replace(answer, forks=forks, rematch=rematch or UNSET)


async def raise_pending_error(request: AnyRequest) -> Response[bytes] | None:
    """Raise the exception that the fast path has stored, if any, before Litestar's handler runs.

    Also rejects query parameters that are ``null`` (`reject_null_parameters`). Always returns None,
    so that Litestar continues.
    """
    raised: Exception | None = request.scope["state"].pop(PENDING_ERROR, None)
    if raised is not None:
        raise raised
    await reject_null_parameters(request)
    return None


class _CommandRequest(Struct, frozen=True):
    """A command request as described by its URL and headers.

    ``view``: "whole" or "changing"; ``idempotency_key``: its Idempotency-Key, None without one.
    """

    match_id: str
    view: str
    idempotency_key: str | None
    accepts_gzip: bool


def _parse_command_request(scope: Scope, max_body_bytes: int) -> _CommandRequest | None:
    """Parse a command request; return None if Litestar has to handle the request.

    This is so for any other request, an empty or too large body, and an invalid Idempotency-Key.
    """
    if scope["type"] != ScopeType.HTTP or scope["method"] != "POST":
        return None
    found = _COMMANDS_PATTERN.fullmatch(scope["path"])
    view = _VIEW_BY_QUERY.get(scope["query_string"])
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
    return _CommandRequest(found[1], view, key, gzip)


class _MatchRequest(Struct, frozen=True):
    """A request for the current match as described by its URL and headers.

    ``view``: "whole" or "changing".
    """

    match_id: str
    view: str
    accepts_gzip: bool


def _parse_match_request(scope: Scope) -> _MatchRequest | None:
    """Parse a request for the current match; return None if Litestar has to handle the request.

    This is so for any other request, and for a GET with a body.
    """
    if scope["type"] != ScopeType.HTTP or scope["method"] != "GET":
        return None
    found = _MATCH_PATTERN.fullmatch(scope["path"])
    view = _VIEW_BY_QUERY.get(scope["query_string"])
    if found is None or view is None:
        return None
    gzip = False
    for name, value in scope["headers"]:
        if name == b"transfer-encoding" or (name == b"content-length" and value != b"0"):
            return None
        if name == b"accept-encoding":
            gzip = b"gzip" in value
    return _MatchRequest(found[1], view, gzip)


class _Exchange(Struct, frozen=True):
    """An ASGI request in progress; ``headers``: the language headers of the response."""

    record: RequestRecord
    accepts_gzip: bool
    headers: list[tuple[bytes, bytes]]
    receive: Receive
    send: Send


async def _read_body(receive: Receive) -> bytes | None:
    """Return the whole request body, or None if the client disconnected."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message["body"]
        if not message.get("more_body"):
            return body


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a `Receive` that first replays a body that has already been read."""
    left: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Any:
        return left.pop() if left else await receive()

    return receive_again


class FastPathParts(MatchParts, Protocol):
    """The parts of `Services` that the fast path uses."""

    languages: Languages
    read_throttle: ReadThrottle
    settings: Settings


class FastPath:
    """ASGI wrapper of the application that handles commands and reads of matches itself."""

    def __init__(
        self,
        app: ASGIApp,
        parts: FastPathParts,
        guard: OriginGuard,
        limit: RateLimitMiddleware,
        request_log: RequestLog,
        compression: CompressionConfig,
    ) -> None:
        self._app = app
        self._request_log = request_log
        self._parts = parts
        self._guard = guard
        self._limit = limit
        self._compression = compression
        self._max_body_bytes = min(MAX_BODY_BYTES, parts.settings.max_body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or pass it on to the application."""
        look = _parse_match_request(scope)
        call = None if look else _parse_command_request(scope, self._max_body_bytes)
        asked_for = look or call
        if asked_for is None or not self._passes_guard(scope):
            await self._app(scope, receive, send)
            return
        record, token = self._request_log.begin_request(scope)
        exchange = _Exchange(
            record,
            asked_for.accepts_gzip,
            negotiate_language(scope, self._parts.languages),
            receive,
            send,
        )
        try:
            if look is not None:
                await self._answer_read(look, exchange)
            elif call is not None:
                await self._answer_command(call, exchange)
        finally:
            self._request_log.end_request(record, token)

    async def _answer_command(self, command: _CommandRequest, exchange: _Exchange) -> None:
        body = await _read_body(exchange.receive)
        if body is None:
            return
        answer = await self._execute_command(command, body, exchange.record.scope)
        if answer is None:
            await self._delegate(exchange, _replay_body(body, exchange.receive))
            return
        await self._send(answer, exchange)

    async def _delegate(self, exchange: _Exchange, receive: Receive | None = None) -> None:
        """Pass the request on to the application; ``receive``: replays a body already read."""
        self._request_log.hand_over(exchange.record)
        await self._app(exchange.record.scope, receive or exchange.receive, exchange.send)

    async def _answer_read(self, read: _MatchRequest, exchange: _Exchange) -> None:
        """Handle a read: apply the rate limit at once, then wait for the read throttle."""
        scope = exchange.record.scope
        scope["path_template"] = _MATCH_TEMPLATE
        scope["path_params"] = {"match_id": read.match_id}
        request: AnyRequest = Request(scope)

        async def answer() -> None:
            try:
                body = encode_json(await self._match_answer(request, read))
            except Exception as error:
                scope["state"][PENDING_ERROR] = error
                await self._delegate(exchange)
                return
            await self._send(body, exchange)

        try:
            await self._limit.count(request)
        except Exception as error:
            scope["state"][PENDING_ERROR] = error
            await self._delegate(exchange)
            return
        await self._parts.read_throttle.run(answer)

    async def _match_answer(self, request: AnyRequest, read: _MatchRequest) -> schema.MatchAnswer:
        services = self._parts
        visit = await build_visitor(services, request, read.match_id, None)
        return await match_response(visit, None, read.view, services.rematches, services.lists)

    def _passes_guard(self, scope: Scope) -> bool:
        try:
            self._guard.check(scope, allow_form=False)
        except ApiProblem:
            return False  # Litestar produces the error response.
        return True

    async def _execute_command(
        self, command: _CommandRequest, body: bytes, scope: Scope
    ) -> bytes | None:
        """Execute a command request and return the response body as JSON.

        Returns None if Litestar has to respond: the body is invalid, or an exception was raised,
        which is stored under `PENDING_ERROR`.
        """
        try:
            data = _COMMANDS_DECODER.decode(body)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return None
        scope["path_template"] = _COMMANDS_TEMPLATE
        scope["path_params"] = {"match_id": command.match_id}
        try:
            request: AnyRequest = Request(scope)
            await self._limit.count(request)
            return encode_json(await self._played_answer(request, command, body, data))
        except Exception as error:
            scope["state"][PENDING_ERROR] = error
            return None

    async def _played_answer(
        self, request: AnyRequest, command: _CommandRequest, body: bytes, data: schema.PlayCommands
    ) -> schema.PlayedAnswer:
        services = self._parts
        player = await services.authenticator.require_player(request)
        table = await services.finder.find_match(command.match_id, player, fresh=False)
        share = services.share_codes.share_of(table.id)
        path = request.scope["path"]
        repeat = (
            fingerprint_request(command.idempotency_key, player, path, body)
            if command.idempotency_key is not None
            else None
        )
        return await play_response(
            Actor(player, table, services.actions, share, repeat), data, command.view
        )

    async def _send(self, answer: bytes, exchange: _Exchange) -> None:
        headers = [_JSON_HEADER, (b"content-length", b"%d" % len(answer))]
        more = [*self._request_log.response_headers(exchange.record, 200), *exchange.headers]
        if not exchange.accepts_gzip:
            headers += more
        start: Message = {"type": "http.response.start", "status": 200, "headers": headers}
        body: Message = {"type": "http.response.body", "body": answer, "more_body": False}
        if not exchange.accepts_gzip:
            await exchange.send(start)
            await exchange.send(body)
            return

        async def ready(_scope: Scope, _receive: Receive, send: Send) -> None:
            await send(start)
            await send(body)

        async def complete(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *more]
            await exchange.send(message)

        packed = CompressionMiddleware(ready, self._compression)
        await packed(exchange.record.scope, exchange.receive, complete)
