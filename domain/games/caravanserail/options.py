"""Options of Caravansérail. Ships to the browser."""

from typing import Annotated

from msgspec import Meta, Struct


class Options(Struct, frozen=True):
    """The options of a match; see `domain.contract.options`."""

    business_minutes: Annotated[
        int,
        Meta(
            ge=0,
            le=60,
            title="option.business_minutes",
            description="option.business_minutes_description",
        ),
    ] = 0
    diplomacy: Annotated[
        bool, Meta(title="option.diplomacy", description="option.diplomacy_description")
    ] = False
    keep_secrets: Annotated[
        bool, Meta(title="option.keep_secrets", description="option.keep_secrets_description")
    ] = False
