"""Errors as RFC 9457 problem documents with a stable ``code``. No traceback leaves here."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    InternalServerException,
    ValidationException,
)

from domain.game import IllegalMove
from domain.match import Refused

log = logging.getLogger("caravanserai")

MEDIA_TYPE = "application/problem+json"


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """What went wrong. ``version``: the match's present one (``version_conflict``); ``rule``:
    the rule an illegal move breaks; ``field``: where a request does not fit."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    version: int | None = None
    rule: str | None = None
    field: str | None = None
    decision: int | None = None


class Fault(Exception):
    """An answer that is a problem."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = more


def no_such_match() -> Fault:
    """Also the answer to strangers, so that they cannot tell a private match from none."""
    return Fault(404, "no_such_match", "There is no such match.")


def version_conflict(version: int) -> Fault:
    """Somebody else was quicker; ``version`` is the match's present one."""
    return Fault(409, "version_conflict", "The match has moved on.", version=version)


def not_your_seat() -> Fault:
    return Fault(403, "not_your_seat", "You do not hold this seat.")


def who_are_you() -> Fault:
    return Fault(
        401,
        "no_player",
        "Say who you are: POST /api/players first.",
        headers={"WWW-Authenticate": 'Bearer realm="caravanserai"'},
    )


_REFUSED_STATUS = {
    "no_such_version": 404,
    "no_such_match": 404,
    "no_such_seat": 422,
    "not_your_undo": 403,
}


def _of_refusal(error: Refused) -> Fault:
    return Fault(_REFUSED_STATUS.get(error.code, 409), error.code, error.detail)


def _of_illegal(error: IllegalMove) -> Fault:
    return Fault(422, "illegal_move", error.detail, rule=error.code)


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
        return Fault(500, "internal_error", "Something went wrong here.")
    detail = HTTPStatus(status).description or HTTPStatus(status).phrase
    if status == 400 and isinstance(error, ClientException):
        detail = "The body is not valid JSON."
    return Fault(status, _HTTP_CODES.get(status, "refused"), detail, headers=headers)


def _of_validation(error: ValidationException) -> Fault:
    extra = error.extra if isinstance(error.extra, list) else []
    first = extra[0] if extra and isinstance(extra[0], dict) else {}
    field = str(first.get("key", "")) or None
    message = str(first.get("message", "The request does not fit."))
    return Fault(422, "invalid_request", message, field=field)


def fault_of(error: Exception) -> Fault:
    """The fault any exception is answered with."""
    match error:
        case Fault():
            return error
        case IllegalMove():
            return _of_illegal(error)
        case Refused():
            return _of_refusal(error)
        case HTTPException():
            return _of_http(error)
        case msgspec.ValidationError():
            return Fault(422, "invalid_request", str(error))
        case msgspec.DecodeError() | RecursionError() | UnicodeDecodeError():
            return Fault(400, "malformed_request", "The body is not valid JSON.")
        case _:
            return Fault(500, "internal_error", "Something went wrong here.")


def problem_of(fault: Fault) -> Problem:
    """The document of a fault."""
    title = HTTPStatus(fault.status).phrase
    return Problem("about:blank", title, fault.status, fault.code, fault.detail, **fault.more)


def answer_exception(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Litestar's exception handler for everything."""
    fault = fault_of(error)
    gone = isinstance(error, InternalServerException) and "disconnected" in error.detail
    if fault.status >= 500 and not gone:
        # The message of an unknown error may quote a secret, so only its kind and place are logged.
        log.error("%s %s: %s", request.method, request.url.path, _where(error))
    return Response(
        problem_of(fault), status_code=fault.status, media_type=MEDIA_TYPE, headers=fault.headers
    )


def _where(error: BaseException) -> str:
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join([*places[-6:], type(error).__name__])
