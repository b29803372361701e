"""The options of a match of Pebbles."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options; see `domain.contract.options`."""

    rounds: Annotated[
        int, Meta(title="option.rounds", description="option.rounds_about", ge=1, le=20)
    ] = 12
    keep_shut: Annotated[
        bool, Meta(title="option.keep_shut", description="option.keep_shut_about")
    ] = False
