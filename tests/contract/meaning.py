"""Compares two API documents for compatibility.

`python -m tests.contract.meaning OLD.json NEW.json` prints what the new one breaks, and exits with
1 if it breaks anything. New routes, problems, response fields and optional parameters are
compatible; a removed or changed route, status, parameter, schema or field is not. Descriptions and
examples do not count.
"""

import sys
from pathlib import Path
from typing import Any

import msgspec

_WORDS = {"description", "summary", "examples", "example", "title", "tags"}


def broken(old: Any, new: Any) -> list[str]:
    """Return what of the old document no longer holds."""
    return [*_missing(_plain(old), _plain(new), "")]


def _plain(value: Any) -> Any:
    """Return the document without descriptions, with unordered lists sorted."""
    if isinstance(value, dict):
        plain = {key: _plain(item) for key, item in value.items() if key not in _WORDS}
        if "parameters" in value:
            named = {f"{p['in']} {p['name']}": _plain(p) for p in value["parameters"]}
            plain["parameters"] = named
        return plain
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _missing(old: Any, new: Any, where: str) -> list[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        found = []
        for key, value in old.items():
            at = f"{where}/{key}"
            found += _missing(value, new[key], at) if key in new else [f"{at} is gone"]
        for key, value in new.items():
            if key not in old and where.endswith("/parameters") and value.get("required"):
                found.append(f"{where}/{key} is required now")
        return found
    if isinstance(old, list) and isinstance(new, list):
        return _missing_items(old, new, where)
    return [] if old == new else [f"{where} is {new!r}, was {old!r}"]


def _missing_items(old: list[Any], new: list[Any], where: str) -> list[str]:
    gone = [item for item in old if item not in new]
    found = [f"{where} has no {item!r} any more" for item in gone]
    asked = where.endswith("/required") and _is_body(where)
    return found + [f"{where} asks for {item!r} now" for item in new if asked and item not in old]


def _is_body(where: str) -> bool:
    """Return whether callers send this; a new required field of a response is compatible."""
    return not where.split("/")[-2].endswith("Answer")


def main(arguments: list[str]) -> int:
    """Print what the second file breaks of the first."""
    old, new = (msgspec.json.decode(Path(name).read_bytes()) for name in arguments)
    found = broken(old, new)
    print("\n".join(found) or "unchanged in meaning")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
