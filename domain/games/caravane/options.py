"""Options of Caravane. Ships to the browser."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    split: Annotated[
        bool,
        Meta(
            title="Free split of the gourds",
            description="Everybody secretly splits 60 gourds over the three stages "
            "instead of taking 15, 25 and 20.",
        ),
    ] = False
    food: Annotated[
        bool,
        Meta(
            title="Food bags",
            description="A hidden bag worth 1, 2 or 3 gourds for each stage; those who "
            "bid no bag may change their bid when one is announced.",
        ),
    ] = False
    keep_secrets: Annotated[
        bool,
        Meta(
            title="Keep secrets after the end",
            description="What was hidden stays hidden when the race is over.",
        ),
    ] = False
