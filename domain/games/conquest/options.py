"""Options of Caravan Conquest. Ships to the browser."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.games.conquest.equipment import BASIC, DONKEY
from domain.games.conquest.maps import MAX_NAME_CHARS, MAX_SIDE_TILES, SHORT, flaws
from domain.text.i18n import ENGLISH

Animal: TypeAlias = Literal["donkey", "roach", "epona", "fidget"]
_GEAR: dict[str, Any] = {"since": 2, "advanced": True}

Row = Annotated[str, Meta(max_length=MAX_SIDE_TILES)]


class DrawnMap(Struct, frozen=True, forbid_unknown_fields=True):
    """A map drawn by a player: rows of tiles from north to south, treasure as (row, column).

    Raises ValueError with the first fault if the map is unplayable.
    """

    rows: Annotated[tuple[Row, ...], Meta(max_length=MAX_SIDE_TILES)]
    treasure: Annotated[tuple[tuple[int, int], ...], Meta(max_length=MAX_SIDE_TILES)] = ()
    name: Annotated[str, Meta(max_length=MAX_NAME_CHARS, extra_json_schema={"format": "name"})] = ""

    def __post_init__(self) -> None:
        for key, args in flaws(self.name, self.rows, self.treasure):
            raise ValueError(ENGLISH.format_message("conquest", key, args))


def drawn_map(given: Any) -> DrawnMap:
    """Return the value of the ``custom`` option as a `DrawnMap`.

    The value may be a plain object from a file or the page. Raises ValueError if the map is
    unplayable.
    """
    if isinstance(given, DrawnMap):
        return given
    treasure = tuple([(row, column) for row, column in given["treasure"]])
    return DrawnMap(tuple(given["rows"]), treasure, given["name"])


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    map: Annotated[
        Literal["short", "standard", "full", "generated", "custom"],
        Meta(
            title="option.map",
            description="option.map_about",
            extra_json_schema={
                "type": "string",
                "titles": [
                    "option.map_short",
                    "option.map_standard",
                    "option.map_full",
                    "option.map_random",
                    "option.map_custom",
                ],
            },
        ),
    ] = "standard"
    size: Annotated[
        Literal["short", "standard", "full"],
        Meta(
            title="option.size",
            extra_json_schema={
                "type": "string",
                "titles": ["option.map_short", "option.map_standard", "option.map_full"],
                "when": {"map": ["generated"]},
            },
        ),
    ] = "standard"
    seed: Annotated[
        int,
        Meta(
            ge=0,
            le=999_999,
            title="option.seed",
            description="option.seed_about",
            extra_json_schema={"editor": "by_chance", "when": {"map": ["generated"]}},
        ),
    ] = 0
    custom: Annotated[
        DrawnMap,
        Meta(
            title="option.custom",
            description="option.custom_about",
            extra_json_schema={
                "attachment": {"bytes": 1_500},
                "editor": "editor",
                "when": {"map": ["custom"]},
            },
        ),
    ] = DrawnMap(SHORT.rows, SHORT.treasure)
    patience: Annotated[
        int, Meta(ge=10, le=200, title="option.patience", description="option.patience_about")
    ] = 60
    gold: Annotated[int, Meta(ge=0, le=99, title="option.gold", extra_json_schema=_GEAR)] = 10
    spice: Annotated[int, Meta(ge=0, le=99, title="option.spice", extra_json_schema=_GEAR)] = 10
    silk: Annotated[int, Meta(ge=0, le=99, title="option.silk", extra_json_schema=_GEAR)] = 5
    animals: Annotated[
        tuple[Animal, Animal],
        Meta(
            title="option.animals",
            extra_json_schema={
                **_GEAR,
                "titles": [
                    "option.animal_donkey",
                    "option.animal_roach",
                    "option.animal_epona",
                    "option.animal_fidget",
                ],
                "places": ["option.animals_first", "option.animals_second"],
            },
        ),
    ] = (DONKEY, DONKEY)
    caravan: Annotated[
        Literal["basic", "reinforced"],
        Meta(
            title="option.caravan",
            extra_json_schema={
                **_GEAR,
                "type": "string",
                "titles": ["option.caravan_basic", "option.caravan_reinforced"],
            },
        ),
    ] = BASIC
