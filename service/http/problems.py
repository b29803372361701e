"""Errors as RFC 9457 problem documents with a stable ``code``; tracebacks are never sent."""

import sqlite3
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from eventsourcing.persistence import InterfaceError, InternalError, OperationalError
from litestar import Request, Response, exceptions
from litestar.plugins import problem_details
from psycopg.errors import ReadOnlySqlTransaction

from domain.contract.game import IllegalMove
from domain.match.seats import Refused
from domain.text.i18n import ENGLISH, N_, TranslatableError
from domain.text.msgspec_errors import translate_error
from projections.database.postgres import DatabaseUnavailable
from service.common.log_safety import error_location, service_logger
from service.http.i18n import t, translate

log = service_logger()

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of an error response.

    ``code``: stable code for programs. ``detail``: what went wrong, in the language of the
    response; ``key``: the id of that message; ``args``: its arguments. ``version``: the current
    version of the match (``version_conflict``). ``rule``: the rule that an illegal move breaks.
    ``field``: the field or parameter that is invalid. ``decision``: the decision of a match file
    that is invalid (``bad_file``). ``present`` and ``offered``: the current player of the device
    and the player who would replace them. ``parts``: the state of each part of the service
    (``not_ready``).
    """

    type: str
    title: str
    status: int
    code: str
    detail: str
    version: int | None = None
    rule: str | None = None
    field: str | None = None
    decision: int | None = None
    present: str | None = None
    offered: str | None = None
    parts: dict[str, Any] | None = None
    key: str | None = None
    args: dict[str, Any] | None = None


class ApiProblem(problem_details.ProblemDetailsException):
    """An exception that is rendered as a problem document.

    ``args`` fill the placeholders of the message, which is one of the text domain ``text_domain``
    and is translated when the response is built. ``more``: additional fields of the document;
    fields with the value None are omitted.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message_id: str,
        headers: Mapping[str, str] | None = None,
        *,
        args: Mapping[str, Any] | None = None,
        text_domain: str = "service",
        **more: Any,
    ) -> None:
        self.message_id = message_id
        self.message_args = dict(args or {})
        self.text_domain = text_domain
        own = {name: value for name, value in more.items() if value is not None}
        super().__init__(
            detail=ENGLISH.format_message(text_domain, message_id, self.message_args),
            status_code=status,
            headers=dict(headers or {}),
            type_="about:blank",
            title=HTTPStatus(status).phrase,
            extra={"code": code, **own},
        )
        self.code = code


_REFUSED_STATUS = {
    "no_such_version": 404,
    "no_such_match": 404,
    "no_such_seat": 422,
    "not_your_undo": 403,
    "not_your_seat": 403,
}


def problem_from(error: TranslatableError, status: int, code: str, **more: Any) -> ApiProblem:
    """Return an `ApiProblem` with the message of an error, in that error's text domain.

    ``more``: additional fields of the problem document.
    """
    return ApiProblem(
        status,
        code,
        error.message_id,
        args=error.message_args,
        text_domain=error.text_domain,
        **more,
    )


def invalid_value(message: str, **more: Any) -> ApiProblem:
    """Return `ApiProblem` 422 ``invalid_request`` for an invalid value.

    ``message``: the error message of msgspec. ``more``: additional fields of the problem document.
    """
    message_id, args = translate_error(message)
    return ApiProblem(422, "invalid_request", message_id, args=args, text_domain="kernel", **more)


def _problem_from_refusal(error: Refused) -> ApiProblem:
    return problem_from(error, _REFUSED_STATUS.get(error.code, 409), error.code)


def _problem_from_illegal_move(error: IllegalMove) -> ApiProblem:
    return problem_from(error, 422, "illegal_move", rule=error.code)


INVALID_JSON = N_("error.malformed_request")

_TITLES = {
    400: N_("http.title.400"),
    401: N_("http.title.401"),
    403: N_("http.title.403"),
    404: N_("http.title.404"),
    405: N_("http.title.405"),
    409: N_("http.title.409"),
    413: N_("http.title.413"),
    415: N_("http.title.415"),
    421: N_("http.title.421"),
    422: N_("http.title.422"),
    429: N_("http.title.429"),
    500: N_("http.title.500"),
    503: N_("http.title.503"),
}
_DETAILS = {
    400: N_("http.detail.400"),
    401: N_("http.detail.401"),
    403: N_("http.detail.403"),
    404: N_("http.detail.404"),
    405: N_("http.detail.405"),
    413: N_("http.detail.413"),
    415: N_("http.detail.415"),
}
"""Message ids by HTTP status; a status without its own is described as 400."""

_HTTP_CODES = {
    400: "malformed_request",
    401: "no_player",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}


def _problem_from_http(error: exceptions.HTTPException) -> ApiProblem:
    headers = dict(error.headers or {})
    if isinstance(error, exceptions.ValidationException):
        return _problem_from_validation(error)
    status = error.status_code
    if status >= 500:
        return _internal_error()
    detail = _DETAILS.get(status, _DETAILS[400])
    if status == 400 and isinstance(error, exceptions.ClientException):
        detail = INVALID_JSON
    return ApiProblem(status, _HTTP_CODES.get(status, "refused"), detail, headers=headers)


def _problem_from_validation(error: exceptions.ValidationException) -> ApiProblem:
    extra = error.extra if isinstance(error.extra, list) else []
    first = extra[0] if extra and isinstance(extra[0], dict) else {}
    field = str(first.get("key", "")) or None
    return invalid_value(str(first.get("message", "")), field=field)


def _problem_from_msgspec(error: msgspec.ValidationError) -> ApiProblem:
    return invalid_value(str(error))


def _malformed_body(_error: Exception) -> ApiProblem:
    return ApiProblem(400, "malformed_request", INVALID_JSON)


_DATABASE_UNAVAILABLE = N_("error.unavailable")
_RETRY_HEADERS = {"Retry-After": "2"}


def _database_unavailable(error: Exception) -> ApiProblem:
    """Return `ApiProblem` 503 ``unavailable``: the database is unreachable, locked or full.

    Nothing was partially written; the cause is in the log.
    """
    log.error("database: %s: %s", type(error).__name__, str(error)[:200].strip())
    return ApiProblem(503, "unavailable", _DATABASE_UNAVAILABLE, _RETRY_HEADERS)


def _internal_error() -> ApiProblem:
    return ApiProblem(500, "internal_error", "error.internal")


def _translate_problem(problem: ApiProblem) -> ApiProblem:
    """Translate a problem into the language of the current request, in place, and return it."""
    args = problem.message_args
    problem.detail = translate(problem.text_domain, problem.message_id, args)
    problem.title = t(_TITLES.get(problem.status_code, _TITLES[400]))
    own: Any = problem.extra
    own["key"] = problem.message_id
    if args:
        own["args"] = args
    return problem


def _route_template(request: Request[Any, Any, Any]) -> str:
    """Return the path template of a request for the log, since its path may contain a secret."""
    return request.scope.get("path_template") or "-"


_EXPECTED_CODES = ("stopping",)
"""Codes of 5xx problems that are expected and not logged as errors."""


def _answer_problem(request: Request[Any, Any, Any], error: ApiProblem) -> Response[Any]:
    if error.status_code >= 500 and error.code not in _EXPECTED_CODES:
        log.error("%s %s: %s", request.method, _route_template(request), error_location(error))
    return _translate_problem(error).to_response(request)


def answer_unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Return response 500 for an unexpected exception, as Litestar's exception handler.

    The disconnection of a client is not logged as an error.
    """
    gone = isinstance(error, exceptions.InternalServerException) and "disconnected" in error.detail
    if not gone:
        # The message may quote a secret, so only the type and location are logged.
        log.error("%s %s: %s", request.method, _route_template(request), error_location(error))
    return _translate_problem(_internal_error()).to_response(request)


def _with_translation(convert: Callable[[Any], ApiProblem]) -> Callable[[Any], ApiProblem]:
    """Wrap a conversion so that its problem is translated, because the plugin renders it as is."""
    return lambda error: _translate_problem(convert(error))


def problem_details_plugin() -> problem_details.ProblemDetailsPlugin:
    """Return Litestar's plugin configured to convert exceptions to problem documents."""
    return problem_details.ProblemDetailsPlugin(
        problem_details.ProblemDetailsConfig(
            exception_handler=_answer_problem,
            exception_to_problem_detail_map={
                IllegalMove: _with_translation(_problem_from_illegal_move),
                Refused: _with_translation(_problem_from_refusal),
                exceptions.HTTPException: _with_translation(_problem_from_http),
                msgspec.ValidationError: _with_translation(_problem_from_msgspec),
                msgspec.DecodeError: _with_translation(_malformed_body),
                RecursionError: _with_translation(_malformed_body),
                UnicodeDecodeError: _with_translation(_malformed_body),
                DatabaseUnavailable: _with_translation(_database_unavailable),
                OperationalError: _with_translation(_database_unavailable),
                InterfaceError: _with_translation(_database_unavailable),
                InternalError: _with_translation(_database_unavailable),  # PostgreSQL is read-only.
                ReadOnlySqlTransaction: _with_translation(_database_unavailable),
                sqlite3.OperationalError: _with_translation(_database_unavailable),
            },
        )
    )


ProblemTable = dict[str, tuple[int, str, dict[str, Any]]]
"""Type of ``PROBLEMS`` in an API module: by code, the status, example detail, and extra fields."""
