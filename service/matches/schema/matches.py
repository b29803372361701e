"""Answers about games, and lists of matches; those about one match are in `domain.answers`."""

from typing import Any, Literal

from msgspec import UNSET, UnsetType

from domain.answers.shapes import Answer, SeatAnswer
from domain.game import Trait, Weight
from domain.match.seats import Status


class GameAnswer(Answer, frozen=True):
    """A game on offer. ``options`` is a JSON Schema with defaults; ``traits``: what the game is
    besides what every game is; ``minutes``: about how long a match takes at one table, 0 where
    nobody knows; ``weight``: how much there is to think about."""

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
    """The fields of a match's view that never change, the same for every caller."""

    id: str
    layout: dict[str, Any]


class PreviewAnswer(Answer, frozen=True):
    """A game laid out with these options; ``options`` has all of them. What a table draws by
    chance is drawn anew when it is opened: this is an example."""

    game: str
    seats: int
    options: dict[str, Any]
    view: dict[str, Any]


class HiddenAnswer(Answer, frozen=True):
    """Whether a match stays out of the caller's list."""

    id: str
    hidden: bool


class VacationAnswer(Answer, frozen=True):
    """A player's vacation: ``since`` and ``until`` (at the latest) while they are ``away``.

    ``days``: of each year; ``days_left``: of this one, whole days.
    """

    away: bool
    since: str | None
    until: str | None
    days: int
    days_left: int


class SummaryAnswer(Answer, frozen=True):
    """A match in a list. ``your_turn``: it waits for the caller; ``signed``: as of the match;
    ``deadline``: when the caller's time is over, where a clock of theirs runs;
    ``unread``: words for the caller that were said since they looked, in their own list;
    ``lost``: the seats that the caller lost to time or a vote and that a bot has now."""

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


class MatchesAnswer(Answer, frozen=True):
    """One page; ``next`` is the cursor of the next, null at the end."""

    items: list[SummaryAnswer]
    next: str | None
