"""The options of a match of Pebbles."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options; see `domain.contract.options`."""

    rounds: Annotated[
        int, Meta(title="Rounds", description="How many hands are opened.", ge=1, le=20)
    ] = 12
    keep_shut: Annotated[
        bool, Meta(title="Hands stay shut", description="Who held what is never told.")
    ] = False
