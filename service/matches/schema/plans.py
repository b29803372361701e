"""Request and response bodies for plans (conditional moves)."""

from typing import Annotated, Any

from msgspec import Meta, field

from domain.match.plan_recording import MAX_CONDITION_EVENTS
from domain.presentation.schemas import Answer, ChoiceAnswer, GroupAnswer
from service.http.schema import Body, SeatNumber


class PlannedFor(Body, frozen=True):
    """A condition of a branch: an event of another seat, as the planning seat sees it.

    The condition is met by an event with this ``type``, from this ``seat`` if one is given, whose
    data includes the values in ``data``.
    """

    type: Annotated[str, Meta(min_length=1, max_length=60)]
    seat: SeatNumber | None = None
    data: Annotated[dict[str, Any], Meta(max_length=20)] = field(default_factory=dict)


PlanText = Annotated[str, Meta(max_length=2000)]


class PlannedBranch(Body, frozen=True):
    """A branch of a plan: conditions and the commands that follow.

    ``when``: events that have to happen in this order, with any others in between; if empty, the
    branch always fits. ``commands``: executed in order, all or none. ``told_when`` and ``told``:
    descriptions of the conditions and the commands, stored for the client and returned unchanged.
    """

    commands: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=100)]
    when: Annotated[tuple[PlannedFor, ...], Meta(max_length=MAX_CONDITION_EVENTS)] = ()
    told_when: PlanText = ""
    told: PlanText = ""


class LayPlan(Body, frozen=True):
    """A plan for the next time a seat is to act.

    ``branches``: the first branch that fits is played. ``since``: the version after which events
    count, by default the current version; use it if the match may have moved on while the plan was
    being made.
    """

    branches: Annotated[tuple[PlannedBranch, ...], Meta(min_length=1, max_length=20)]
    since: Annotated[int, Meta(ge=1, le=2**53)] | None = None


class SeenAnswer(Answer, frozen=True):
    """A condition of a branch, with the fields of `PlannedFor`."""

    type: str
    seat: int | None
    data: dict[str, Any]


class BranchAnswer(Answer, frozen=True):
    """A branch of a plan, with the fields of `PlannedBranch`."""

    when: list[SeenAnswer]
    commands: list[dict[str, Any]]
    told_when: str
    told: str


class PlanAnswer(Answer, frozen=True):
    """The plan for a seat, visible only to the player who made it.

    ``version``: the version after which events count, null if there is no unplayed plan;
    ``branches``: empty if there is no unplayed plan; ``dropped``: a sentence that explains why the
    plan was not played, null if it was not dropped; ``played``: the version after which the latest
    plan was played, null if it was not played, or was replaced or deleted.
    """

    seat: int
    version: int | None
    branches: list[BranchAnswer]
    dropped: str | None
    played: int | None


class PlanChoicesAnswer(Answer, frozen=True):
    """Commands that a seat could probably choose when it is next to act.

    ``choices``: the listed commands; ``more``: number of commands in groups that are not listed;
    ``groups``: these groups. With the parameter `group`, ``choices`` are the commands of that group
    and ``next`` is the value of `after` for the next page, null on the last page.
    """

    version: int
    seat: int
    choices: list[ChoiceAnswer]
    more: int
    groups: list[GroupAnswer]
    next: int | None
