"""JSON Schema of a game's options, derived from the game's options struct.

Each field has a default and an ``Annotated[..., Meta(...)]`` with title, description and range.
``extra_json_schema`` of the Meta may hold:

- ``since``: first rules version that has the option (default 1);
- ``titles``: the titles of the values of a ``Literal``; ``places``: the titles of the items of a
  tuple of ``Literal``s;
- ``"attachment": {"bytes": n}``: the option is a document, such as a map drawn by a player: a
  struct or string of at most n bytes of JSON, which fits into a link's fragment and can be shared
  as a link or file. ``"editor": name``: the module in the game's frontend folder that edits it;
  without one the option is chosen like any other. A string in it with ``"format": "name"`` must
  follow the rules for players' names;
- ``"suggested": value``: the initial value in the page if it is not the default, so that a newer
  option can be off for older clients and on in the page;
- ``"advanced": true``: the page may show the option in a collapsed section;
- ``"when": {other: [value, ...]}``: the option applies only while the option ``other`` has one of
  these values; otherwise the page neither shows nor sends it.
"""

from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.contract.game import GameInfo


@cache
def schema_of(title: GameInfo) -> dict[str, Any]:
    """Return the JSON Schema of the options that exist in the title's rules version."""
    _, components = msgspec.json.schema_components([title.options])
    properties: dict[str, Any] = components[title.options.__name__]["properties"]
    for name, hint in get_type_hints(title.options).items():
        if get_origin(hint) is Literal:
            properties[name]["enum"] = [*get_args(hint)]  # msgspec sorts them
        elif get_origin(hint) is tuple:
            for item, part in zip(properties[name].get("prefixItems", ()), get_args(hint)):  # noqa: B905 - a tuple of any length has no such items
                if get_origin(part) is Literal:
                    item.update(type="string", enum=[*get_args(part)])
    known = {
        name: each
        for name, each in properties.items()
        if each.get("since", 1) <= title.rules_version
    }
    parts = {name: part for name, part in components.items() if name != title.options.__name__}
    schema = {"type": "object", "properties": known, "additionalProperties": False}
    for part in parts.values():
        part.pop("description", None)  # a docstring, not meant for players
    if parts:
        schema["$defs"] = parts  # targets of "$ref"
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))  # with lists
    return plain
