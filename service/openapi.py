"""The OpenAPI document, generated from the handlers and completed.

Litestar reads paths, parameters and answers from the handlers. The schemas of bodies come from
msgspec, which knows that unknown fields are rejected and absent ones omitted. Errors, security and
examples are added here. The result is committed as ``openapi/openapi.json`` and served unchanged.
"""

import inspect
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from service import __version__
from service.api_modules import API_MODULES, HANDLERS, dependencies
from service.bootstrap import Services
from service.http.problems import MEDIA_TYPE, Problem
from service.http.schema import Answer, Body
from service.live.examples import STREAM_EXAMPLE
from service.matches.examples import PROPOSED_MATCH_EXAMPLE
from service.matches.schema.files import MATCH_FILE_SCHEMA
from service.settings import Settings

_DESCRIPTION = """Caravan board games as streams of events.

Callers authenticate as a player with the cookie `player`, or with `Authorization: Bearer TOKEN`
and the token from `POST /api/players`. Without access, a private match does not exist (404).
Every error is a problem document (RFC 9457) with a stable `code`. Times are RFC 3339 in UTC."""

_SCHEMA_REF = "#/components/schemas/{name}"

_PLAYER_REQUIRED = {"player", "member", "actor"}
"""Dependencies that require a player; see ``dependencies`` of the API modules."""
_PLAYER_OPTIONAL = {"visitor", "visit", "invited", "shared"}
"""Dependencies that accept a player but do not require one."""

ALL_PROBLEMS = {
    code: what for subject in API_MODULES for code, what in subject.problems.PROBLEMS.items()
}
ALL_ERRORS = {
    name: codes for subject in API_MODULES for name, codes in subject.problems.ERRORS.items()
}
_REQUEST_EXAMPLES = {
    name: body for each in API_MODULES for name, body in each.examples.REQUESTS.items()
}
_ANSWER_EXAMPLES = {
    name: body for each in API_MODULES for name, body in each.examples.ANSWERS.items()
}


@cache
def render_document() -> bytes:
    """Return the document as it is committed and served."""
    return msgspec.json.format(msgspec.json.encode(build_document()), indent=1) + b"\n"


def build_document() -> dict[str, Any]:
    """Return the whole document as plain values."""
    app = Litestar(
        list(HANDLERS),
        dependencies=dependencies(Services(Settings())),
        openapi_config=OpenAPIConfig(
            title="Caravanserai",
            version=__version__,
            description=_DESCRIPTION,
            render_plugins=[JsonRenderPlugin()],
        ),
    )
    found = app.openapi_schema.to_schema()
    found["components"] = _components()
    for path, item in found["paths"].items():
        for operation in item.values():
            _complete_operation(operation)
            if operation["operationId"] == "followMatch":
                _describe_as_stream(operation)
            suffix = path.rpartition(".")[2]
            if suffix in _IMAGES:
                _describe_as_image(operation, *_IMAGES[suffix])
    return found


def _components() -> dict[str, Any]:
    structs = {
        kind
        for subject in API_MODULES
        if subject.schema is not None
        for _, kind in inspect.getmembers(subject.schema, inspect.isclass)
        if issubclass(kind, Answer | Body) and kind not in (Answer, Body)
    }
    _, shapes = msgspec.json.schema_components([*structs, Problem], ref_template=_SCHEMA_REF)
    shapes["Problem"]["properties"]["code"]["enum"] = list(ALL_PROBLEMS)
    shapes["MatchFile"] = MATCH_FILE_SCHEMA
    return {
        "schemas": dict(sorted(shapes.items())),
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "cookie": {
                "type": "apiKey",
                "in": "cookie",
                "name": "player",
                "description": "Over TLS `__Host-player`; the old name still counts.",
            },
        },
    }


def _complete_operation(operation: dict[str, Any]) -> None:
    name = operation["operationId"]
    handler = next(h for h in HANDLERS if h.operation_id == name)
    operation["description"] = inspect.cleandoc(handler.fn.__doc__ or "")
    operation["summary"] = operation["description"].partition("\n\n")[0].rstrip(".")
    operation.pop("deprecated", None)
    operation["security"] = _security(handler)
    operation["parameters"] = [_nonnull_parameter(p) for p in operation.get("parameters", ())]
    for status in [s for s in operation["responses"] if s[0] != "2"]:
        del operation["responses"][status]
    for response in operation["responses"].values():
        _add_success_example(name, response)
    if name == "undoMoves":
        operation["responses"]["202"] = {
            "description": "The others have to agree first: the match with the open proposal.",
            "content": {
                "application/json": {
                    "schema": {"$ref": _SCHEMA_REF.format(name="MatchAnswer")},
                    "examples": {"example": {"value": PROPOSED_MATCH_EXAMPLE}},
                }
            },
        }
    if name == "rematch":
        there = operation["responses"]["201"]
        operation["responses"]["200"] = {**there, "description": "It was there already."}
    operation["responses"].update(_error_responses(name, _middleware_problems(handler)))
    if name == "importMatch":
        # Its handler reads the raw body.
        file = {"schema": {"$ref": _SCHEMA_REF.format(name="MatchFile")}}
        operation["requestBody"] = {"content": {"application/json": file}, "required": True}
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        content["examples"] = {"example": {"value": _REQUEST_EXAMPLES[name]}}


def _security(handler: Any) -> list[dict[str, list[str]]]:
    given = inspect.signature(handler.fn).parameters.keys()
    both: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}]
    if given & _PLAYER_REQUIRED:
        return both
    return [*both, {}] if given & _PLAYER_OPTIONAL else []


def _nonnull_parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    """Return a parameter without null: a query or header can only be absent."""
    shape = dict(parameter["schema"])
    shape.pop("description", None)
    for part in shape.pop("oneOf", ()):
        if part.get("type") != "null":
            shape.update(part)
    if isinstance(shape.get("type"), list):
        shape["type"] = next(kind for kind in shape["type"] if kind != "null")
    if "enum" in shape:
        shape["enum"] = [value for value in shape["enum"] if value is not None]
    if parameter["name"] in _INTEGER_BOUNDS:
        low, high = _INTEGER_BOUNDS[parameter["name"]]
        shape.update(type="integer", minimum=low, maximum=high)
    kept = {key: parameter[key] for key in ("name", "in", "description", "required")}
    return {**kept, "schema": shape}


_INTEGER_BOUNDS = {
    "at": (1, 2**53),
    "from": (1, 2**53),
    "to": (1, 2**53),
    "after": (0, 2**53),
    "seat": (-1, 15),
    "grouped": (0, 1),
    "limit": (0, 500),
}


def _add_success_example(name: str, response: dict[str, Any]) -> None:
    response.pop("headers", None)
    if name in ("createMatch", "forkMatch", "importMatch"):
        response["headers"] = {
            "Location": {"description": "The new match.", "schema": {"type": "string"}}
        }
    for content in response.get("content", {}).values():
        if name == "exportMatch":
            content["schema"] = {"$ref": _SCHEMA_REF.format(name="MatchFile")}
        if name in _ANSWER_EXAMPLES:
            content["examples"] = {"example": {"value": _ANSWER_EXAMPLES[name]}}


def _middleware_problems(handler: Any) -> tuple[str, ...]:
    """Return the problem codes that middleware can raise before any handler runs."""
    if handler.http_methods == {"GET"}:
        return ("bad_host", "duplicate_header", "too_many_requests", "unavailable")
    counted = ("too_many_requests", "unavailable")
    return ("bad_host", "duplicate_header", "foreign_origin", "not_json", "unknown_host", *counted)


def _error_responses(name: str, always: tuple[str, ...]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*ALL_ERRORS[name], *always):
        by_status.setdefault(ALL_PROBLEMS[code][0], []).append(code)
    return {str(status): _error_response(by_status[status]) for status in sorted(by_status)}


def _error_response(codes: list[str]) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": ", ".join(f"`{code}`" for code in codes),
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": _SCHEMA_REF.format(name="Problem")},
                "examples": {code: {"value": _problem_example(code)} for code in codes},
            }
        },
    }
    if ALL_PROBLEMS[codes[0]][0] in (429, 503):
        response["headers"] = {
            "Retry-After": {
                "description": "Seconds to wait.",
                "schema": {"type": "string", "pattern": "^[0-9]+$"},
            }
        }
    return response


def _problem_example(code: str) -> dict[str, Any]:
    from http import HTTPStatus

    status, detail, more = ALL_PROBLEMS[code]
    title = HTTPStatus(status).phrase
    head = {"type": "about:blank", "title": title, "status": status, "code": code}
    return {**head, "detail": detail, **more}


def _describe_as_stream(operation: dict[str, Any]) -> None:
    operation["responses"]["200"] = {
        "description": "A stream of frames.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "examples": {
                    "example": {"value": STREAM_EXAMPLE},
                },
            }
        },
    }


_IMAGES = {
    "svg": ("image/svg+xml", "A QR code."),
    "png": ("image/png", "A picture of 1200 by 630 pixels."),
    "gif": ("image/gif", "An animation of 640 by 640 pixels."),
}


def _describe_as_image(operation: dict[str, Any], media_type: str, description: str) -> None:
    shape = {"type": "string"} if media_type.endswith("xml") else {}
    operation["responses"]["200"] = {
        "description": description,
        "content": {media_type: {"schema": shape}},
    }
