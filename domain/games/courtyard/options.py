"""Options of the courtyard game. Ships to the browser."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    keep_secrets: Annotated[
        bool,
        Meta(
            title="Keep secrets after the end",
            description="Which minor orders were drawn and put back stays hidden when the game "
            "is over.",
        ),
    ] = False
    long_games_end: Annotated[
        bool,
        Meta(
            title="Long games end",
            description="After 60 rounds, if nobody has reached a wealth of 32 by then.",
            extra_json_schema={"since": 2, "suggested": True},
        ),
    ] = False
