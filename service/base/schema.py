"""What bodies share."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.letters import NAME_LENGTH

Name = Annotated[
    str,
    Meta(
        min_length=1, max_length=NAME_LENGTH, pattern=r"\S", description="1-40 visible characters."
    ),
]


SeatNumber = Annotated[int, Meta(ge=0, le=15, description="Seats are counted from 0.")]


Version = Annotated[int, Meta(ge=0, le=2**53, description="Number of events in the match.")]


Replace = Annotated[bool, Meta(description="Also where the device plays as somebody else.")]


Status = Literal["open", "playing", "finished"]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A request body: what is not known is refused."""


class Answer(Struct, frozen=True, kw_only=True):
    """An answer: may gain fields in later versions."""
