"""Almost legal commands: legal ones with one change."""

import random
from typing import Any

import msgspec


def mutated(plain: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the plain command with one field changed or dropped, or an unknown field added."""
    plain = msgspec.json.decode(msgspec.json.encode(plain))
    fields = [name for name in plain if name != "type"]
    kind = rng.randrange(4)
    if not fields or kind == 0:
        plain["type"] = rng.choice(["Undo", "Open", "", "Teleport", plain["type"].lower()])
    elif kind == 1:
        name = rng.choice(fields)
        plain[name] = rng.choice([None, "", -1, 10**9, "red", [], {}, True, 3.5, "x" * 99])
    else:
        name = rng.choice(fields)
        plain[name] = _nudged(plain[name], rng)
    return plain


def _nudged(value: Any, rng: random.Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-7, -2, -1, 1, 2, 7])
    if isinstance(value, str):
        return rng.choice(["white", "black", "purple", "silk", "AB", "Z"])
    if isinstance(value, list):
        if value and rng.random() < 0.5:
            i = rng.randrange(len(value))
            return [*value[:i], _nudged(value[i], rng), *value[i + 1 :]]
        return rng.choice([[*value, 0], value[:-1], value[::-1], value + value[:1]])
    if isinstance(value, dict) and value:
        name = rng.choice(sorted(value))
        return {**value, name: _nudged(value[name], rng)}
    return rng.choice([0, "red", [0]])
