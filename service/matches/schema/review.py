"""What a review answers."""

from typing import Any

from msgspec import UNSET, UnsetType

from service.base.schema import Answer, Status
from service.matches.schema.matches import SeatAnswer, StandingAnswer


class WordsAnswer(Answer, frozen=True):
    """A sentence, and the key and arguments it is made from."""

    text: str
    key: str
    args: dict[str, Any]


class PointAnswer(Answer, frozen=True):
    """Values by seat when a turn was over, at ``version``."""

    turn: int
    version: int
    values: list[int]


class ChartAnswer(Answer, frozen=True):
    """A line for each seat. ``scores``: the values are what is won by."""

    title: WordsAnswer
    points: list[PointAnswer]
    scores: bool


class GainAnswer(Answer, frozen=True):
    """What the score of a seat grew or, below 0, shrank by."""

    seat: int
    version: int
    turn: int
    gain: int
    words: WordsAnswer


class HighlightAnswer(Answer, frozen=True):
    """A moment worth looking at again."""

    version: int
    words: WordsAnswer


class FindingsAnswer(Answer, frozen=True):
    """What the game has to say; ``own`` is the game's own."""

    charts: list[ChartAnswer]
    gains: list[GainAnswer]
    highlights: list[HighlightAnswer]
    own: dict[str, Any]


class ReviewAnswer(Answer, frozen=True):
    """How a match came about. ``review`` is null for a game that has nothing to say.

    ``signed``: as of the match.
    """

    id: str
    game: str
    status: Status
    version: int
    seats: list[SeatAnswer]
    review: FindingsAnswer | None
    standings: list[StandingAnswer] | UnsetType = UNSET
    signed: bool | UnsetType = UNSET
