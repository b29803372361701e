"""Response bodies for games, lists of matches and vacations.

Those for a single match are in `domain.presentation`.
"""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from domain.contract.game import Trait, Weight
from domain.match.seats import Status
from domain.match.time_control import TimeControlKind
from domain.presentation.schemas import Answer, SeatAnswer


class GameAnswer(Answer, frozen=True):
    """A game that can be played.

    ``seats``: possible numbers of seats, from ``min_seats`` to ``max_seats``; ``options``: JSON
    Schema of the options, with defaults; ``about``: description in the language of the response;
    ``traits``: special properties of the game, such as secrets or simultaneous moves; ``minutes``:
    approximate duration of a match played live, 0 if unknown; ``weight``: complexity.
    """

    slug: str
    title: str
    designer: str
    min_seats: int
    max_seats: int
    seats: list[int]
    options: dict[str, Any]
    about: str
    traits: list[Trait]
    minutes: int
    weight: Weight


class LayoutAnswer(Answer, frozen=True):
    """The fields of a match's view that never change and are the same for every caller."""

    id: str
    layout: dict[str, Any]


class PreviewAnswer(Answer, frozen=True):
    """A match as it could begin with the requested options.

    ``options``: all options, with defaults filled in; ``view``: the view of a spectator. Random
    parts are only an example, because a real match has its own draws.
    """

    game: str
    seats: int
    options: dict[str, Any]
    view: dict[str, Any]


class HiddenAnswer(Answer, frozen=True):
    """Whether a match is hidden from the caller's list."""

    id: str
    hidden: bool


class VacationAnswer(Answer, frozen=True):
    """A player's vacation.

    ``away``: whether the player is currently on vacation; ``since``: when the vacation began;
    ``until``: when it ends at the latest. Both are null if the player is not on vacation.
    ``days``: vacation days per calendar year (UTC); ``days_left``: whole days left this year.
    """

    away: bool
    since: str | None
    until: str | None
    days: int
    days_left: int


class SummaryPaceAnswer(Answer, frozen=True):
    """The time control of a match in a list.

    ``kind``: "live" (a bank of time for each seat) or "days" (days for each turn). ``bank`` and
    ``increment``: seconds for each seat, and seconds added at the beginning of a turn; only for
    "live". ``days``: days for each turn; only for "days".
    """

    kind: TimeControlKind
    bank: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET
    days: int | UnsetType = UNSET


class SummaryAnswer(Answer, frozen=True):
    """A match in a list.

    ``to_act``: the seats that the match waits for; ``your_turn``: whether one of them is the
    caller's; ``signed``: as in `MatchAnswer`; ``deadline``: when the caller's time is up, absent if
    none of the caller's clocks is running; ``unread``: number of messages that the caller has not
    read, only in the list `mine` and absent if there are none; ``lost``: the seats that the caller
    lost on time or by vote and that a bot has now, absent if there are none; ``pace``: the time
    control, null for unlimited time, absent for a short time after an upgrade of the service from a
    release whose lists did not have it.
    """

    id: str
    game: str
    status: Status
    visibility: Literal["private", "public"]
    version: int
    turn: int
    seats: list[SeatAnswer]
    to_act: list[int]
    your_turn: bool
    created: str
    updated: str
    signed: bool | UnsetType = UNSET
    deadline: str | UnsetType = UNSET
    unread: int | UnsetType = UNSET
    lost: list[int] | UnsetType = UNSET
    pace: SummaryPaceAnswer | UnsetType | None = UNSET


class MatchesAnswer(Answer, frozen=True):
    """One page of matches; ``next``: the cursor of the next page, null on the last page."""

    items: list[SummaryAnswer]
    next: str | None
