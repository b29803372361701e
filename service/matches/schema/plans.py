"""Bodies about conditional moves."""

from typing import Annotated, Any

from msgspec import Meta, field

from domain.answers.shapes import Answer, ChoiceAnswer, GroupAnswer
from service.base.schema import Body, SeatNumber


class PlannedFor(Body, frozen=True):
    """Something that others do: an event as the seat is told it, of this type, of this seat if
    one is named, whose data has these values among others."""

    type: Annotated[str, Meta(min_length=1, max_length=60)]
    seat: SeatNumber | None = None
    data: Annotated[dict[str, Any], Meta(max_length=20)] = field(default_factory=dict)


Told = Annotated[str, Meta(max_length=2000)]


class PlannedBranch(Body, frozen=True):
    """If all of this happens, in this order and whatever else besides, then these commands, all or
    none of them. Without conditions: whatever happens. ``told_when`` and ``told``: what happens
    and what follows in words, to be given back as they are."""

    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]
    when: Annotated[tuple[PlannedFor, ...], Meta(max_length=100)] = ()
    told_when: Told = ""
    told: Told = ""


class LayPlan(Body, frozen=True):
    """What a seat does the next time it is asked to act: the first branch that fits.

    ``since``: the version after which what happens counts, for who made the plan while others
    went on; now without it."""

    branches: Annotated[tuple[PlannedBranch, ...], Meta(min_length=1, max_length=20)]
    since: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class SeenAnswer(Answer, frozen=True):
    """Something that others do."""

    type: str
    seat: int | None
    data: dict[str, Any]


class BranchAnswer(Answer, frozen=True):
    """If all of this happens, then these commands."""

    when: list[SeenAnswer]
    commands: list[dict[str, Any]]
    told_when: str
    told: str


class PlanAnswer(Answer, frozen=True):
    """The plan of a seat, laid down at ``version``; no branches and null without one.

    ``dropped``: why it was not played, in a sentence; null while it may be. ``played``: the
    version after which the latest plan was played, until there is another one or it is dropped.
    """

    seat: int
    version: int | None
    branches: list[BranchAnswer]
    dropped: str | None
    played: int | None


class PlanChoicesAnswer(Answer, frozen=True):
    """What a seat could do when it is next asked to act, as far as it can tell.

    ``more``: how many there are beside the listed ones, in these ``groups``, of which one is
    listed where it is asked for; ``next``: how many of its entries have been told when there are
    more, else null.
    """

    version: int
    seat: int
    choices: list[ChoiceAnswer]
    more: int
    groups: list[GroupAnswer]
    next: int | None
