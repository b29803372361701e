"""Options of a game against its JSON Schema (the small part of it that titles use)."""

from typing import Any

from domain.game import Title

_KINDS: dict[str, tuple[type, ...]] = {
    "boolean": (bool,),
    "integer": (int,),
    "string": (str,),
    "array": (list, tuple),
}


class BadOption(ValueError):
    """An option that does not fit; ``field`` names it."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field


def filled(title: Title, options: dict[str, Any]) -> dict[str, Any]:
    """The options with every default filled in; `BadOption` when one does not fit."""
    properties: dict[str, Any] = title.options.get("properties", {})
    for name in options:
        if name not in properties:
            raise BadOption(name, "this game has no such option")
    complete = {name: options.get(name, schema["default"]) for name, schema in properties.items()}
    for name, value in complete.items():
        _check(name, value, properties[name])
    return complete


def check(title: Title, options: dict[str, Any]) -> None:
    """Raises `BadOption` unless the options are complete and fit."""
    if filled(title, options) != options:
        raise BadOption("options", "an option is missing")


def _check(name: str, value: Any, schema: dict[str, Any]) -> None:
    if "enum" in schema and not any(value == v and type(value) is type(v) for v in schema["enum"]):
        raise BadOption(name, f"must be one of {schema['enum']}")
    kind = schema.get("type")
    if kind is not None:
        allowed = _KINDS[kind]
        if not isinstance(value, allowed) or (isinstance(value, bool) and kind != "boolean"):
            raise BadOption(name, f"must be of type {kind}")
    if value < schema.get("minimum", value) or value > schema.get("maximum", value):
        raise BadOption(name, "is out of range")
    for item in value if kind == "array" else ():
        _check(name, item, schema.get("items", {}))
