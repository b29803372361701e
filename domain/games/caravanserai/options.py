"""Options of Caravanserai. Ships to the browser."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    expert: Annotated[
        bool,
        Meta(
            title="Expert rules",
            description="Series start with one good; once a placement a lying camel "
            "may stand for a block.",
        ),
    ] = False
    begins: Annotated[
        Literal["drawn", "host"],
        Meta(
            title="Who begins",
            description="The first player is drawn, or it is the first seat: the host's.",
            extra_json_schema={
                "type": "string",
                "titles": ["Drawn", "The host"],
                "since": 2,
                "min_seats": 2,
            },
        ),
    ] = "drawn"
    long_games_end: Annotated[
        bool,
        Meta(
            title="Long games end",
            description="After 20 rounds in a row in which the market did not change.",
            extra_json_schema={"since": 3, "suggested": True},
        ),
    ] = False
