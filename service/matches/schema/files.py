"""Response bodies for match files and the keys that sign them."""

from typing import Any, Literal

from domain.matchfile.writer import FORMAT, FORMAT_VERSION
from service.http.schema import Answer
from service.matches.signing import ALGORITHM


class KeyAnswer(Answer, frozen=True):
    """A public key for verifying signatures of match files.

    ``id``: the first 16 hex digits of the key's SHA-256; ``public``: the key as 64 hex digits;
    ``created``: when it was created; ``retired``: when it was replaced, null while it is in use.
    """

    id: str
    algorithm: Literal["Ed25519"]
    public: str
    created: str
    retired: str | None


class KeysAnswer(Answer, frozen=True):
    """All keys of this service for signing match files, newest first."""

    keys: list[KeyAnswer]


MatchFile = dict[str, Any]
"""A match file as JSON, defined and verified by `domain.matchfile.verification`."""

_HEX_SCHEMA = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_FILE_PROPERTIES: dict[str, Any] = {
    "format": {"const": FORMAT},
    "format_version": {"const": FORMAT_VERSION},
    "id": {"type": "string"},
    "game": {"type": "string"},
    "rules_version": {"type": "integer", "minimum": 1},
    "status": {"enum": ["open", "playing", "finished"]},
    "hidden": {"type": "integer", "minimum": 0},
    "fairness": {
        "type": "object",
        "properties": {"commitment": _HEX_SCHEMA, "seed": {"type": "string"}},
        "required": ["commitment"],
    },
    "decisions": {"type": "array", "items": {"type": "object"}},
    "digest": _HEX_SCHEMA,
    "withheld": {"type": "integer", "minimum": 0},
    "signature": {
        "type": "object",
        "properties": {
            "algorithm": {"const": ALGORITHM},
            "key": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
            "public": _HEX_SCHEMA,
            "value": {"type": "string", "pattern": "^[0-9a-f]{128}$"},
        },
        "required": ["algorithm", "key", "public", "value"],
        "additionalProperties": False,
    },
}
MATCH_FILE_SCHEMA: dict[str, Any] = {
    "title": "MatchFile",
    "description": "A whole match; `hidden` counts the decisions that are not shown in full,"
    " `withheld` private words left out. `signature`: the service vouches for all of it.",
    "type": "object",
    "properties": _FILE_PROPERTIES,
    "required": [name for name in _FILE_PROPERTIES if name not in ("withheld", "signature")],
    "additionalProperties": False,
}
"""The JSON Schema of a match file."""
