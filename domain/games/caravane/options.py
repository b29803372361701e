"""Options of Caravane. Ships to the browser."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    split: Annotated[bool, Meta(title="option.split", description="option.split_description")] = (
        False
    )
    food: Annotated[bool, Meta(title="option.food", description="option.food_description")] = False
    keep_secrets: Annotated[
        bool, Meta(title="option.keep_secrets", description="option.keep_secrets_description")
    ] = False
