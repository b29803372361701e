"""A game's options as a schema, and their validation."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from domain.contract.game import GameInfo, at_version
from domain.contract.options import schema_of
from service.matches.options import InvalidOption, check_options, fill_options


class Options(Struct, frozen=True):
    size: Annotated[int, Meta(ge=1, le=9, title="Size")] = 3
    shape: Annotated[
        Literal["small", "large"],
        Meta(title="Shape", extra_json_schema={"type": "string", "titles": ["S", "L"], "since": 2}),
    ] = "small"


TITLE = GameInfo("toy", "Toy", "nobody", (2,), Options, 2)


def test_the_schema_of_a_struct() -> None:
    """Enum values are listed in definition order, with their titles."""
    assert schema_of(TITLE) == {
        "type": "object",
        "properties": {
            "size": {
                "type": "integer",
                "minimum": 1,
                "maximum": 9,
                "default": 3,
                "title": "Size",
            },
            "shape": {
                "type": "string",
                "enum": ["small", "large"],
                "titles": ["S", "L"],
                "since": 2,
                "default": "small",
                "title": "Shape",
            },
        },
        "additionalProperties": False,
    }


def test_older_version_has_only_its_own_options() -> None:
    old = at_version(TITLE, 1)
    assert [*schema_of(old)["properties"]] == ["size"]
    assert fill_options(old, {}) == {"size": 3}
    check_options(old, {"size": 3})
    with pytest.raises(InvalidOption) as refusal:
        check_options(old, {"size": 3, "shape": "small"})
    assert refusal.value.field == "shape"


def test_missing_options_have_their_default() -> None:
    assert fill_options(TITLE, {"shape": "large"}) == {"size": 3, "shape": "large"}
    check_options(TITLE, {"size": 3, "shape": "large"})
    with pytest.raises(InvalidOption, match="missing"):
        check_options(TITLE, {"size": 3})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", 0),
        ("size", 10),
        ("size", True),
        ("size", 3.0),
        ("size", "3"),
        ("size", None),
        ("shape", "round"),
        ("shape", 1),
        ("colour", "red"),
    ],
)
def test_invalid_option_is_rejected_by_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidOption) as refusal:
        fill_options(TITLE, {name: value})
    assert refusal.value.field == name


class Place(Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[str, ...] = ()


class Attached(Struct, frozen=True):
    place: Annotated[Place, Meta(title="Place")] = Place(("#",))


def test_schema_includes_referenced_parts() -> None:
    schema = schema_of(GameInfo("toy", "Toy", "nobody", (2,), Attached))
    name = schema["properties"]["place"]["$ref"].removeprefix("#/$defs/")
    assert [*schema["$defs"]] == [name]
    assert schema["$defs"][name]["properties"]["rows"]["items"] == {"type": "string"}
    assert schema["$defs"][name]["additionalProperties"] is False
    assert schema["properties"]["place"]["default"] == {"rows": ["#"]}
