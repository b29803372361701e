"""The options of a game: a msgspec struct of its own, from which everything else is made.

A field has a default, and an ``Annotated[..., Meta(...)]`` with title, description and range for
people and programs. ``extra_json_schema`` of the Meta may hold ``since``, the first version of the
rules that has the option (1 if none is named), and ``titles`` for the values of a ``Literal``.

An option that is a whole thing (a map that somebody drew) says ``"attachment": {"bytes": n}``: it
is a struct or a text of at most so many bytes of JSON, small enough for the fragment of a link,
and goes from hand to hand as a link or a file. ``"editor": name`` names the module of the game's
folder in the page that makes it; without one it is chosen like any other option. A text in it with
``"format": "name"`` is written like the names of players.

``"suggested": value`` is what the page begins with where that is not the default: an option that
came later is off for programs that do not know it, and on for people. ``"advanced": true`` lets
the page keep an option among those that are folded away. Of a tuple of ``Literal``s ``places``
says what each of its parts is called.

``"when": {other: [value, ...]}`` says that an option counts only while another has one of these
values: the page neither shows nor sends it else.
"""

from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from domain.game import Title


@cache
def schema_of(title: Title) -> dict[str, Any]:
    """The JSON Schema of the options, as the title's version of the rules has them."""
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
        part.pop("description", None)  # that of the code, which speaks to nobody who plays
    if parts:
        schema["$defs"] = parts  # what a "$ref" among them names
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))  # with lists
    return plain
