"""Options of Caravanserai. Ships to the browser."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    expert: Annotated[
        bool, Meta(title="option.expert", description="option.expert_description")
    ] = False
    begins: Annotated[
        Literal["drawn", "host"],
        Meta(
            title="option.begins",
            description="option.begins_description",
            extra_json_schema={
                "type": "string",
                "titles": ["option.begins_drawn", "option.begins_host"],
                "since": 2,
                "min_seats": 2,
            },
        ),
    ] = "drawn"
    long_games_end: Annotated[
        bool,
        Meta(
            title="option.long_games_end",
            description="option.long_games_end_description",
            extra_json_schema={"since": 3, "suggested": True},
        ),
    ] = False
