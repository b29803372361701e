"""Options of the courtyard game. Ships to the browser."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    keep_secrets: Annotated[
        bool, Meta(title="option.keep_secrets.title", description="option.keep_secrets.description")
    ] = False
    long_games_end: Annotated[
        bool,
        Meta(
            title="option.long_games_end.title",
            description="option.long_games_end.description",
            extra_json_schema={"since": 2, "suggested": True},
        ),
    ] = False
