"""The OpenAPI document: what the handlers say, completed with what Litestar cannot know.

Litestar reads paths, parameters and answers from the handlers. The shapes of bodies come from
msgspec itself, which knows unknown fields are refused and absent ones are left out. Errors,
security and examples are added here. The result is committed as ``openapi/openapi.json`` and
served as it is.
"""

import inspect
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from domain.matchfile import FORMAT, FORMAT_VERSION
from service import schema
from service.handlers import HANDLERS
from service.problems import MEDIA_TYPE, Problem

_ABOUT = """Caravan board games as streams of events.

A caller is a player: the cookie `player`, or `Authorization: Bearer TOKEN` with the token that
`POST /api/players` gives. A private match does not exist for strangers: they get 404.
Every error is a problem document (RFC 9457) with a stable `code`. Times are RFC 3339 in UTC."""

_REF = "#/components/schemas/{name}"

PROBLEMS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "malformed_request": (400, "The body is not valid JSON.", {}),
    "no_player": (401, "Say who you are: POST /api/players first.", {}),
    "unknown_token": (401, "Nobody here has this token.", {}),
    "not_your_seat": (403, "You do not hold this seat.", {}),
    "wrong_invite": (403, "This invitation is not for this match.", {}),
    "not_your_undo": (403, "Only the seat that took back may play it again.", {}),
    "no_such_match": (404, "There is no such match.", {}),
    "no_such_version": (404, "There are versions 1 to 17.", {}),
    "no_such_link": (404, "This link was used already or has run out.", {}),
    "version_conflict": (409, "The match has moved on.", {"version": 18}),
    "not_your_turn": (409, "It is not this seat's turn.", {}),
    "not_started": (409, "Seats are still open.", {}),
    "match_over": (409, "The match is over.", {}),
    "imported": (409, "An imported match is for review; fork it to play.", {}),
    "not_open": (409, "This match has no such open seat.", {}),
    "no_open_seat": (409, "All seats are taken.", {}),
    "seat_taken": (409, "Somebody else has this seat.", {}),
    "nothing_to_undo": (409, "There is nothing to take back.", {}),
    "proposal_open": (409, "Another take-back is waiting for an answer.", {}),
    "no_proposal": (409, "No take-back is waiting for an answer.", {}),
    "own_proposal": (409, "The others answer this take-back.", {}),
    "nothing_to_redo": (409, "There is nothing to play again.", {}),
    "hidden": (409, "Parts of this match are hidden from you until it ends.", {}),
    "too_large": (413, "Entity is too large", {}),
    "illegal_move": (422, "This block is too long.", {"rule": "wrong_size"}),
    "invalid_request": (422, "Expected `int`, got `str`", {"field": "seat"}),
    "key_reused": (422, "This Idempotency-Key came with another body before.", {}),
    "bad_text": (422, "There is nothing to say in that.", {"field": "text"}),
    "no_such_seat": (422, "There is no such seat.", {}),
    "bad_name": (422, "A name has 1 to 40 visible characters.", {"field": "name"}),
    "no_such_game": (404, "There is no such game.", {"field": "game"}),
    "wrong_seats": (422, "Seats: one of [1, 2, 3, 4, 5, 6].", {"field": "seats"}),
    "no_person": (422, "At least one seat is a person's.", {"field": "seats"}),
    "bad_option": (422, "expert: must be of type boolean", {"field": "expert"}),
    "bad_cursor": (422, "This is no cursor of ours.", {"field": "cursor"}),
    "bad_file": (422, "decision 7: the rules give other events", {"decision": 7}),
    "too_many_requests": (429, "Too many requests", {}),
    "not_ready": (503, "The database does not answer.", {}),
}
"""Every code: its status, an example of its detail, and fields of its own."""

_BODY = ("malformed_request", "too_large", "invalid_request")
_ME = ("no_player", "unknown_token")
_MAYBE = ("unknown_token",)
_MATCH = ("no_such_match",)
_ACT = (*_BODY, *_ME, *_MATCH, "not_your_seat", "version_conflict", "key_reused", "imported")

ERRORS: dict[str, tuple[str, ...]] = {
    "createPlayer": (*_BODY, "bad_name"),
    "whoAmI": _ME,
    "linkDevice": _ME,
    "claimDevice": (*_BODY, "no_such_link"),
    "listGames": (),
    "createMatch": (
        *_BODY,
        *_ME,
        "no_such_game",
        "wrong_seats",
        "no_person",
        "bad_option",
        "bad_name",
        "key_reused",
    ),
    "listMatches": (*_ME, "invalid_request", "bad_cursor"),
    "joinMatch": (
        *_BODY,
        *_ME,
        *_MATCH,
        "wrong_invite",
        "not_open",
        "no_open_seat",
        "seat_taken",
        "version_conflict",
        "bad_name",
    ),
    "getMatch": (*_MAYBE, *_MATCH, "no_such_version", "not_your_seat", "invalid_request"),
    "listChoices": (*_MAYBE, *_MATCH, "not_your_seat", "invalid_request"),
    "listEvents": (*_MAYBE, *_MATCH, "not_your_seat", "invalid_request"),
    "followMatch": (*_MAYBE, *_MATCH, "invalid_request"),
    "drawInvite": (*_ME, *_MATCH, "not_open", "invalid_request"),
    "reviewMatch": (*_MAYBE, *_MATCH, "not_your_seat", "invalid_request"),
    "drawPicture": (*_MAYBE, *_MATCH, "no_such_version", "invalid_request"),
    "drawAnimation": (*_MAYBE, *_MATCH, "no_such_version", "invalid_request"),
    "playCommands": (*_ACT, "not_your_turn", "not_started", "match_over", "illegal_move"),
    "undoMoves": (*_ACT, "nothing_to_undo", "proposal_open", "no_such_version"),
    "answerProposal": (*_ACT, "no_proposal", "own_proposal"),
    "sayWords": (*_ACT, "no_such_seat", "bad_text"),
    "redoMoves": (*_ACT, "nothing_to_redo", "not_your_undo"),
    "forkMatch": (
        *_BODY,
        *_ME,
        *_MATCH,
        "no_such_version",
        "not_started",
        "match_over",
        "hidden",
        "not_your_seat",
        "wrong_seats",
        "bad_name",
        "key_reused",
    ),
    "exportMatch": (*_MAYBE, *_MATCH, "invalid_request"),
    "importMatch": (*_BODY, *_ME, "bad_file", "key_reused"),
    "isAlive": (),
    "isReady": ("not_ready",),
}
"""What can go wrong, by operation."""

_OPEN = {"createPlayer", "claimDevice", "listGames", "isAlive", "isReady"}
_OPTIONAL = {
    "listMatches",
    "getMatch",
    "listChoices",
    "listEvents",
    "followMatch",
    "reviewMatch",
    "drawPicture",
    "drawAnimation",
    "exportMatch",
}

_ID = "5f0c2f0e-6a53-4c7e-9a35-0d2f1f6c7a11"
_COMMITMENT = "c914f71a18f99cec9b583cf73e828a1a3c99bbcf189c19c365f3aceafbb18a4c"
_SEATS = [
    {"seat": 0, "kind": "human", "name": "Ann", "you": True},
    {"seat": 1, "kind": "human", "name": "Bob", "you": False},
]
_MATCH_EXAMPLE = {
    "id": _ID,
    "game": "caravanserai",
    "options": {"expert": False},
    "status": "playing",
    "visibility": "private",
    "version": 17,
    "latest_version": 17,
    "seats": _SEATS,
    "to_act": [1],
    "turn": 2,
    "view": {"cells": [[0, 0, None, "central"]], "final_round": False},
    "undo": {
        "kind": "free",
        "reason": "Only your own moves are taken back, and nothing new came to light.",
        "seat": 0,
        "step": 16,
        "turn": 12,
    },
    "redo": False,
    "fairness": {"commitment": _COMMITMENT},
}
_OPEN_EXAMPLE = {
    **_MATCH_EXAMPLE,
    "status": "open",
    "version": 1,
    "latest_version": 1,
    "seats": [_SEATS[0], {"seat": 1, "kind": "open", "name": "", "you": False}],
    "to_act": [],
    "turn": 0,
    "view": None,
    "undo": {
        "kind": None,
        "reason": "The match has not begun.",
        "seat": 0,
        "step": None,
        "turn": None,
    },
    "invite": "mzxw6ytboi2gk3lq",
}
_PROPOSED_EXAMPLE = {
    **_MATCH_EXAMPLE,
    "undo": {
        "kind": "consent",
        "reason": "Bob has moved since.",
        "seat": 0,
        "step": 12,
        "turn": 12,
        "proposal": {
            "seat": 0,
            "to_version": 12,
            "reason": "Bob has moved since.",
            "waiting": [1],
        },
    },
}
_EVENT_EXAMPLE = {
    "version": 17,
    "type": "CamelPlaced",
    "seat": 0,
    "at": "2026-01-31T18:20:11.042Z",
    "data": {"seat": 0, "cell": [2, -3]},
    "text": "Ann places the camel",
    "undone": False,
    "turn": 3,
}
_PLAYER_EXAMPLE = {"player_id": "0b9f8a52-9d1c-4b60-8d0e-54b7a2e1c3aa", "name": "Ann"}
_TOKEN_EXAMPLE = {**_PLAYER_EXAMPLE, "token": "qHGv_SIB8xYnxS6KJw2T_2SafxD7Ed85AfL5GQNn7_I"}
_FILE_EXAMPLE = {
    "format": FORMAT,
    "format_version": FORMAT_VERSION,
    "id": _ID,
    "game": "caravanserai",
    "rules_version": 1,
    "status": "playing",
    "hidden": 0,
    "fairness": {"commitment": _COMMITMENT},
    "decisions": [],
    "digest": _COMMITMENT,
}

REQUEST_EXAMPLES: dict[str, Any] = {
    "createPlayer": {"name": "Ann"},
    "claimDevice": {"code": "kq3mX0u1bW5cYb0o8r2sV4tA"},
    "createMatch": {
        "game": "caravanserai",
        "options": {"expert": False},
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "visibility": "private",
    },
    "joinMatch": {"invite": "mzxw6ytboi2gk3lq", "name": "Bob"},
    "playCommands": {
        "seat": 0,
        "expected_version": 16,
        "commands": [{"type": "PlaceCamel", "cell": [2, -3]}],
    },
    "undoMoves": {"seat": 0, "expected_version": 17},
    "answerProposal": {"seat": 1, "accept": True},
    "sayWords": {"seat": 0, "text": "Salt for dates at Hawta?", "to": 2},
    "redoMoves": {"seat": 0, "expected_version": 18},
    "forkMatch": {"at": 12, "seats": [{"kind": "me"}, {"kind": "bot"}]},
    "importMatch": _FILE_EXAMPLE,
}
ANSWER_EXAMPLES: dict[str, Any] = {
    "createPlayer": _TOKEN_EXAMPLE,
    "whoAmI": _PLAYER_EXAMPLE,
    "linkDevice": {
        "code": "kq3mX0u1bW5cYb0o8r2sV4tA",
        "url": "https://example.org/#link=kq3mX0u1bW5cYb0o8r2sV4tA",
        "expires": "2026-01-31T18:30:11.000Z",
    },
    "claimDevice": _TOKEN_EXAMPLE,
    "createMatch": _OPEN_EXAMPLE,
    "listMatches": {
        "items": [
            {
                "id": _ID,
                "game": "caravanserai",
                "status": "playing",
                "visibility": "private",
                "version": 17,
                "turn": 2,
                "seats": _SEATS,
                "to_act": [1],
                "your_turn": False,
                "created": "2026-01-31T18:00:00.000Z",
                "updated": "2026-01-31T18:20:11.042Z",
            }
        ],
        "next": None,
    },
    "joinMatch": _MATCH_EXAMPLE,
    "getMatch": _MATCH_EXAMPLE,
    "listChoices": {
        "version": 16,
        "seat": 0,
        "choices": [
            {
                "command": {"type": "PlaceCamel", "cell": [2, -3]},
                "label": "Place the camel on K5",
                "key": "place",
                "args": {"cell": "K5"},
            }
        ],
    },
    "listEvents": {"version": 17, "events": [_EVENT_EXAMPLE]},
    "playCommands": {"version": 17, "events": [_EVENT_EXAMPLE], "match": _MATCH_EXAMPLE},
    "undoMoves": _MATCH_EXAMPLE,
    "answerProposal": _MATCH_EXAMPLE,
    "sayWords": _MATCH_EXAMPLE,
    "redoMoves": _MATCH_EXAMPLE,
    "forkMatch": {**_MATCH_EXAMPLE, "forked_from": {"match": _ID, "version": 12}},
    "exportMatch": _FILE_EXAMPLE,
    "importMatch": _MATCH_EXAMPLE,
    "reviewMatch": {
        "id": _ID,
        "game": "caravanserai",
        "status": "finished",
        "version": 205,
        "seats": _SEATS,
        "standings": [{"seat": 0, "rank": 1, "score": 21, "detail": {"length": 21, "reserve": 9}}],
        "review": {"lengths": [], "seats": [], "longest": None},
    },
    "isAlive": {"status": "ok"},
    "isReady": {"status": "ok"},
}


@cache
def rendered() -> bytes:
    """The document as it is committed and served."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n"


def document() -> dict[str, Any]:
    """The whole document as plain values."""
    app = Litestar(
        list(HANDLERS),
        openapi_config=OpenAPIConfig(
            title="Caravanserai",
            version="1.0.0",
            description=_ABOUT,
            render_plugins=[JsonRenderPlugin()],
        ),
    )
    found = app.openapi_schema.to_schema()
    found["components"] = _components()
    for path, item in found["paths"].items():
        for operation in item.values():
            _complete(operation)
            if operation["operationId"] == "followMatch":
                _as_stream(operation)
            suffix = path.rpartition(".")[2]
            if suffix in _IMAGES:
                _as_image(operation, *_IMAGES[suffix])
    return found


def _components() -> dict[str, Any]:
    structs = [
        kind
        for _, kind in inspect.getmembers(schema, inspect.isclass)
        if issubclass(kind, msgspec.Struct) and not kind.__name__.startswith("_")
        if kind.__module__ == schema.__name__
    ]
    _, shapes = msgspec.json.schema_components([*structs, Problem], ref_template=_REF)
    shapes["Problem"]["properties"]["code"]["enum"] = list(PROBLEMS)
    shapes["MatchFile"] = _file_shape()
    return {
        "schemas": dict(sorted(shapes.items())),
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "cookie": {"type": "apiKey", "in": "cookie", "name": "player"},
        },
    }


def _file_shape() -> dict[str, Any]:
    hexadecimal = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    properties = {
        "format": {"const": FORMAT},
        "format_version": {"const": FORMAT_VERSION},
        "id": {"type": "string"},
        "game": {"type": "string"},
        "rules_version": {"type": "integer", "minimum": 1},
        "status": {"enum": ["open", "playing", "finished"]},
        "hidden": {"type": "integer", "minimum": 0},
        "fairness": {
            "type": "object",
            "properties": {"commitment": hexadecimal, "seed": {"type": "string"}},
            "required": ["commitment"],
        },
        "decisions": {"type": "array", "items": {"type": "object"}},
        "digest": hexadecimal,
    }
    return {
        "title": "MatchFile",
        "description": "A whole match; `hidden` counts the decisions that are not shown in full.",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _complete(operation: dict[str, Any]) -> None:
    name = operation["operationId"]
    handler = next(h for h in HANDLERS if h.operation_id == name)
    operation["description"] = inspect.cleandoc(handler.fn.__doc__ or "")
    operation["summary"] = operation["description"].partition(";")[0].partition(":")[0].rstrip(".")
    operation.pop("deprecated", None)
    operation["security"] = _security(name)
    operation["parameters"] = [_parameter(p) for p in operation.get("parameters", ())]
    for status in [s for s in operation["responses"] if s[0] != "2"]:
        del operation["responses"][status]
    for response in operation["responses"].values():
        _good_response(name, response)
    if name == "undoMoves":
        operation["responses"]["202"] = {
            "description": "The others have to agree first: the match with the open proposal.",
            "content": {
                "application/json": {
                    "schema": {"$ref": _REF.format(name="MatchAnswer")},
                    "examples": {"example": {"value": _PROPOSED_EXAMPLE}},
                }
            },
        }
    operation["responses"].update(_error_responses(name))
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        if name == "importMatch":
            content["schema"] = {"$ref": _REF.format(name="MatchFile")}
        content["examples"] = {"example": {"value": REQUEST_EXAMPLES[name]}}


def _security(name: str) -> list[dict[str, list[str]]]:
    if name in _OPEN:
        return []
    both: list[dict[str, list[str]]] = [{"bearer": []}, {"cookie": []}]
    return [*both, {}] if name in _OPTIONAL else both


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    """A parameter without Litestar's null: a query or header cannot say null, only be absent."""
    shape = dict(parameter["schema"])
    shape.pop("description", None)
    for part in shape.pop("oneOf", ()):
        if part.get("type") != "null":
            shape.update(part)
    if isinstance(shape.get("type"), list):
        shape["type"] = next(kind for kind in shape["type"] if kind != "null")
    if "enum" in shape:
        shape["enum"] = [value for value in shape["enum"] if value is not None]
    if parameter["name"] in _WHOLE_NUMBERS:
        low, high = _WHOLE_NUMBERS[parameter["name"]]
        shape.update(type="integer", minimum=low, maximum=high)
    kept = {key: parameter[key] for key in ("name", "in", "description", "required")}
    return {**kept, "schema": shape}


_WHOLE_NUMBERS = {
    "at": (1, 2**53),
    "from": (1, 2**53),
    "to": (1, 2**53),
    "after": (0, 2**53),
    "seat": (0, 15),
}


def _good_response(name: str, response: dict[str, Any]) -> None:
    response.pop("headers", None)
    if name in ("createMatch", "forkMatch", "importMatch"):
        response["headers"] = {
            "Location": {"description": "The new match.", "schema": {"type": "string"}}
        }
    for content in response.get("content", {}).values():
        if name == "exportMatch":
            content["schema"] = {"$ref": _REF.format(name="MatchFile")}
        if name in ANSWER_EXAMPLES:
            content["examples"] = {"example": {"value": ANSWER_EXAMPLES[name]}}


def _error_responses(name: str) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in (*ERRORS[name], "too_many_requests"):
        by_status.setdefault(PROBLEMS[code][0], []).append(code)
    return {str(status): _error_response(by_status[status]) for status in sorted(by_status)}


def _error_response(codes: list[str]) -> dict[str, Any]:
    response: dict[str, Any] = {
        "description": ", ".join(f"`{code}`" for code in codes),
        "content": {
            MEDIA_TYPE: {
                "schema": {"$ref": _REF.format(name="Problem")},
                "examples": {code: {"value": _problem_example(code)} for code in codes},
            }
        },
    }
    if codes == ["too_many_requests"]:
        response["headers"] = {
            "Retry-After": {
                "description": "Seconds to wait.",
                "schema": {"type": "string", "pattern": "^[0-9]+$"},
            }
        }
    return response


def _problem_example(code: str) -> dict[str, Any]:
    from http import HTTPStatus

    status, detail, more = PROBLEMS[code]
    title = HTTPStatus(status).phrase
    head = {"type": "about:blank", "title": title, "status": status, "code": code}
    return {**head, "detail": detail, **more}


def _as_stream(operation: dict[str, Any]) -> None:
    operation["responses"]["200"] = {
        "description": "A stream of frames.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "examples": {
                    "example": {"value": 'id: 17\r\ndata: {"version":17}\r\n\r\n'},
                },
            }
        },
    }


_IMAGES = {
    "svg": ("image/svg+xml", "A QR code."),
    "png": ("image/png", "A picture of 1200 by 630 pixels."),
    "gif": ("image/gif", "An animation of 640 by 640 pixels."),
}


def _as_image(operation: dict[str, Any], media_type: str, what: str) -> None:
    shape = {"type": "string"} if media_type.endswith("xml") else {}
    operation["responses"]["200"] = {
        "description": what,
        "content": {media_type: {"schema": shape}},
    }
