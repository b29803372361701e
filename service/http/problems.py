"""Errors as RFC 9457 problem documents with a stable ``code``; tracebacks are never sent."""

import sqlite3
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from eventsourcing.persistence import InterfaceError, InternalError, OperationalError
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    InternalServerException,
    ValidationException,
)
from litestar.plugins.problem_details import (
    ProblemDetailsConfig,
    ProblemDetailsException,
    ProblemDetailsPlugin,
)
from psycopg.errors import ReadOnlySqlTransaction

from domain.contract.game import IllegalMove
from domain.contract.registry import TITLES, rules_of
from domain.match import Refused
from domain.text.i18n import ENGLISH, N_, TranslatableError, Sentence
from domain.text.msgspec_errors import translate_error
from projections.database.postgres import DatabaseUnavailable
from service.common.log_safety import logger, where
from service.http.i18n import t, told

log = logger()

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error answer.

    ``code``: stable, for programs. ``detail``: what went wrong, in the language of the answer;
    ``key`` is the same in English with placeholders for ``args``. ``version``: present version of
    the match (``version_conflict``). ``rule``: the rule that an illegal move breaks. ``field``: the
    field or parameter that is invalid. ``present`` and ``offered``: the player of the device and
    the one it would become. ``parts``: state of each part of the service (``not_ready``).
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


class Fault(ProblemDetailsException):
    """An exception that is answered as a problem document; ``more``: extra fields of it.

    ``args`` fill the placeholders of ``detail``, which is translated when the answer is made, in
    the message domain ``room``.
    """

    room = "service"

    def __init__(
        self,
        status: int,
        code: str,
        detail: Sentence,
        headers: Mapping[str, str] | None = None,
        *,
        args: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        self.sentence = detail
        self.args_told = dict(args or {})
        own = {name: value for name, value in more.items() if value is not None}
        super().__init__(
            detail=ENGLISH.format_message(self.room, detail, self.args_told),
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


def fault_like(error: TranslatableError, status: int, code: str, **more: Any) -> Fault:
    """Return a `Fault` with the message of an error, in that error's message domain."""
    fault = Fault(status, code, error.sentence, args=error.message_args, **more)
    fault.room = error.text_domain
    return fault


def misfitting(message: str, **more: Any) -> Fault:
    """Return `Fault` 422 ``invalid_request`` for an invalid value; ``message`` is msgspec's."""
    sentence, args = translate_error(message)
    fault = Fault(422, "invalid_request", sentence, args=args, **more)
    fault.room = "kernel"
    return fault


def _of_refusal(error: Refused) -> Fault:
    return fault_like(error, _REFUSED_STATUS.get(error.code, 409), error.code)


def _of_illegal(error: IllegalMove) -> Fault:
    return fault_like(error, 422, "illegal_move", rule=error.code)


NO_JSON = N_("The body is not valid JSON.")

_TITLES = {
    400: N_("Bad Request"),
    401: N_("Unauthorized"),
    403: N_("Forbidden"),
    404: N_("Not Found"),
    405: N_("Method Not Allowed"),
    409: N_("Conflict"),
    413: N_("Request Entity Too Large"),
    415: N_("Unsupported Media Type"),
    421: N_("Misdirected Request"),
    422: N_("Unprocessable Entity"),
    429: N_("Too Many Requests"),
    500: N_("Internal Server Error"),
    503: N_("Service Unavailable"),
}
_DETAILS = {
    400: N_("Bad request syntax or unsupported method"),
    401: N_("No permission -- see authorization schemes"),
    403: N_("Request forbidden -- authorization will not help"),
    404: N_("Nothing matches the given URI"),
    405: N_("Specified method is invalid for this resource"),
    413: N_("Entity is too large"),
    415: N_("Entity body in unsupported format"),
}
"""Python's descriptions of HTTP statuses, listed for translators."""

_HTTP_CODES = {
    400: "malformed_request",
    401: "no_player",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
}


def _of_http(error: HTTPException) -> Fault:
    headers = dict(error.headers or {})
    if isinstance(error, ValidationException):
        return _of_validation(error)
    status = error.status_code
    if status >= 500:
        return _unexpected()
    detail = _DETAILS.get(status) or HTTPStatus(status).description or HTTPStatus(status).phrase
    if status == 400 and isinstance(error, ClientException):
        detail = NO_JSON
    return Fault(status, _HTTP_CODES.get(status, "refused"), detail, headers=headers)


def _of_validation(error: ValidationException) -> Fault:
    extra = error.extra if isinstance(error.extra, list) else []
    first = extra[0] if extra and isinstance(extra[0], dict) else {}
    field = str(first.get("key", "")) or None
    return misfitting(str(first.get("message", "")), field=field)


def _of_shape(error: msgspec.ValidationError) -> Fault:
    return misfitting(str(error))


def _of_body(_error: Exception) -> Fault:
    return Fault(400, "malformed_request", NO_JSON)


_AWAY = N_("The database cannot be used now; try again in a moment.")
_RETRY = {"Retry-After": "2"}


def _of_database(error: Exception) -> Fault:
    """Return `Fault` 503 ``unavailable``: the database is unreachable, locked or full.

    Nothing is left half done; the cause is in the log.
    """
    log.error("database: %s: %s", type(error).__name__, str(error)[:200].strip())
    return Fault(503, "unavailable", _AWAY, _RETRY)


def _unexpected() -> Fault:
    return Fault(500, "internal_error", "Something went wrong here.")


def _told(fault: Fault) -> Fault:
    """Translate a fault into the language of the answer, in place, and return it."""
    table = rules_of(fault.room).TEXT if fault.room in TITLES else None
    sentence, args = fault.sentence, fault.args_told
    fault.detail = told(fault.room, sentence, args, table)
    fault.title = t(_TITLES.get(fault.status_code, HTTPStatus(fault.status_code).phrase))
    own: Any = fault.extra
    own["key"] = sentence if isinstance(sentence, str) else sentence.other
    if args:
        own["args"] = args
    return fault


def _route(request: Request[Any, Any, Any]) -> str:
    """Return the path template of a request; its path may contain a secret."""
    return request.scope.get("path_template") or "-"


_IN_ORDER = ("stopping",)
"""Problem codes of 5xx that are expected and not logged as errors."""


def _answer_fault(request: Request[Any, Any, Any], error: Fault) -> Response[Any]:
    if error.status_code >= 500 and error.code not in _IN_ORDER:
        log.error("%s %s: %s", request.method, _route(request), where(error))
    return _told(error).to_response(request)


def answer_unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer 500 to an unexpected exception; Litestar's exception handler.

    A client that disconnected is not logged as an error.
    """
    gone = isinstance(error, InternalServerException) and "disconnected" in error.detail
    if not gone:
        # The message may quote a secret, so only type and place are logged.
        log.error("%s %s: %s", request.method, _route(request), where(error))
    return _told(_unexpected()).to_response(request)


def _telling(fault_of: Callable[[Any], Fault]) -> Callable[[Any], Fault]:
    """Wrap a conversion so that its fault is translated; the plugin answers it directly."""
    return lambda error: _told(fault_of(error))


def problem_details() -> ProblemDetailsPlugin:
    """Return Litestar's plugin with the conversion of each type of exception."""
    return ProblemDetailsPlugin(
        ProblemDetailsConfig(
            exception_handler=_answer_fault,
            exception_to_problem_detail_map={
                IllegalMove: _telling(_of_illegal),
                Refused: _telling(_of_refusal),
                HTTPException: _telling(_of_http),
                msgspec.ValidationError: _telling(_of_shape),
                msgspec.DecodeError: _telling(_of_body),
                RecursionError: _telling(_of_body),
                UnicodeDecodeError: _telling(_of_body),
                DatabaseUnavailable: _telling(_of_database),
                OperationalError: _telling(_of_database),
                InterfaceError: _telling(_of_database),
                InternalError: _telling(_of_database),  # of PostgreSQL, read-only
                ReadOnlySqlTransaction: _telling(_of_database),
                sqlite3.OperationalError: _telling(_of_database),
            },
        )
    )


Problems = dict[str, tuple[int, str, dict[str, Any]]]
"""Type of ``PROBLEMS`` in each API module: status, example of ``detail``, extra fields by code."""
