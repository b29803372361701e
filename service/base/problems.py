"""Errors as RFC 9457 problem documents with a stable ``code``. No traceback leaves here."""

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

from domain.game import IllegalMove
from domain.match import Refused
from domain.misfits import misfit
from domain.register import TITLES, rules_of
from domain.words import ENGLISH, N_, Explained, Sentence
from projections.postgres import Away
from service.base.languages import t, told
from service.base.text import logger, where

log = logger()

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong. ``version``: the match's present one (``version_conflict``); ``rule``:
    the rule an illegal move breaks; ``field``: where a request does not fit;
    ``present`` and ``offered``: who a device plays as and who it would become; ``parts``: of the
    service, which of them is well. ``detail`` is in
    the language of the answer; ``key`` is the same in English with holes for ``args``."""

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
    """An answer that is a problem; ``more``: fields of its own.

    ``args`` fill the holes of its ``detail``, which is put into the language of the answer when
    that is made, in the words of its ``room``.
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
            detail=ENGLISH.say(self.room, detail, self.args_told),
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


def fault_like(error: Explained, status: int, code: str, **more: Any) -> Fault:
    """A fault that says what the error says, in the words of the room that it comes from."""
    fault = Fault(status, code, error.sentence, args=error.args_told, **more)
    fault.room = error.room
    return fault


def misfitting(message: str, **more: Any) -> Fault:
    """The fault of a value that does not fit; ``message`` is the library's."""
    sentence, args = misfit(message)
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
"""What Python's library says of a status, for translators to find."""

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
    """The database is away, locked or full: the log says why, nothing was half done."""
    log.error("database: %s: %s", type(error).__name__, str(error)[:200].strip())
    return Fault(503, "unavailable", _AWAY, _RETRY)


def _unexpected() -> Fault:
    return Fault(500, "internal_error", "Something went wrong here.")


def _told(fault: Fault) -> Fault:
    """The fault in the language of the answer."""
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
    """Where the request went: its path may hold a secret, so only the template of it."""
    return request.scope.get("path_template") or "-"


_IN_ORDER = ("stopping",)
"""Codes of 5xx that are no fault: somebody wanted it so."""


def _answer_fault(request: Request[Any, Any, Any], error: Fault) -> Response[Any]:
    if error.status_code >= 500 and error.code not in _IN_ORDER:
        log.error("%s %s: %s", request.method, _route(request), where(error))
    return _told(error).to_response(request)


def answer_unexpected(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Litestar's exception handler for what nobody foresaw."""
    gone = isinstance(error, InternalServerException) and "disconnected" in error.detail
    if not gone:
        # Its message may quote a secret, so only its kind and place are logged.
        log.error("%s %s: %s", request.method, _route(request), where(error))
    return _told(_unexpected()).to_response(request)


def _telling(fault_of: Callable[[Any], Fault]) -> Callable[[Any], Fault]:
    """The plugin answers what was made of another exception at once."""
    return lambda error: _told(fault_of(error))


def problem_details() -> ProblemDetailsPlugin:
    """Litestar's plugin, told how each kind of exception is answered."""
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
                Away: _telling(_of_database),
                OperationalError: _telling(_of_database),
                InterfaceError: _telling(_of_database),
                InternalError: _telling(_of_database),  # of PostgreSQL, which may only be read
                ReadOnlySqlTransaction: _telling(_of_database),
                sqlite3.OperationalError: _telling(_of_database),
            },
        )
    )


Problems = dict[str, tuple[int, str, dict[str, Any]]]
"""What a subject documents of its problems: see ``PROBLEMS`` in each."""
