"""Types shared by request and response bodies."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.presentation.schemas import Answer
from domain.text.text_rules import MAX_NAME_CHARS

__all__ = ["Answer", "Body", "Name", "Replace", "SeatNumber", "Version"]

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        pattern=r"\S",
        description="1 to 40 characters, at least one of them not blank.",
    ),
]


SeatNumber = Annotated[int, Meta(ge=0, le=15, description="Number of the seat, from 0.")]


Version = Annotated[int, Meta(ge=0, le=2**53, description="Number of events in the match.")]


Replace = Annotated[
    bool, Meta(description="Whether to replace the device's current player if it is another one.")
]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A request body; unknown fields are rejected."""
