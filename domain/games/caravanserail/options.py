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
            title="Minutes for business",
            description="How long each business phase may last; 0 for no limit.",
        ),
    ] = 0
    diplomacy: Annotated[
        bool,
        Meta(
            title="Diplomacy first",
            description="All may talk before the first journeys are planned.",
        ),
    ] = False
    keep_secrets: Annotated[
        bool,
        Meta(
            title="Keep secrets after the end",
            description="What was hidden stays hidden when somebody has won.",
        ),
    ] = False
