"""Votes on whether a bot takes a seat that is out of time, or open in a running match."""

from collections.abc import Callable

from msgspec import Struct

from domain.match.clocks import SeatClock
from domain.match.commands import Vote
from domain.match.events import SeatLeft, Voted
from domain.match.history import Outcome
from domain.match.moment import Moment, free_seats
from domain.match.seats import Refused


class Ballot(Struct, frozen=True):
    """A vote by ``seat`` at the moment ``before``: shall a bot take the seat ``about``?"""

    before: Moment
    seat: int
    about: int
    bot: bool

    @property
    def voter(self) -> str:
        """The player who votes."""
        return self.before.seats[self.seat].player or ""

    @property
    def clock(self) -> SeatClock:
        """The clock of the seat ``about``."""
        return self.before.clocks[self.about]

    @property
    def is_vote_on_timeout(self) -> bool:
        """Whether the seat exists, in a match in which the others vote when time runs out."""
        pace = self.before.opened.pace
        is_seat = 0 <= self.about < len(self.before.seats)
        return pace is not None and pace.on_end == "vote" and is_seat

    @property
    def is_last_agreement(self) -> bool:
        """Whether this vote completes the agreement of all others that a bot takes the seat."""
        others = self.before.people() - {self.before.seats[self.about].player}
        return self.bot and others <= {*self.clock.for_bot, self.voter}


class VoteSituation(Struct, frozen=True):
    """A row of `VOTE_SITUATIONS`; ``effect`` returns the outcome or raises `Refused`."""

    name: str
    applies: Callable[[Ballot], bool]
    effect: Callable[[Ballot], Outcome]


def cast_vote(before: Moment, seat: int | None, command: Vote, _at: int) -> Outcome:
    """Vote on whether a bot takes a seat that is out of time, or open in a running match.

    For an open seat the first vote decides. For a seat that is out of time all others must agree,
    and a player can withdraw their vote. Raises `Refused` if there is nothing to vote on, the voter
    holds the seat, or the vote changes nothing. `VOTE_SITUATIONS` lists the cases.
    """
    assert seat is not None
    ballot = Ballot(before, seat, command.about, command.bot)
    return next(row for row in VOTE_SITUATIONS if row.applies(ballot)).effect(ballot)


def _refuse_as_undecided(_ballot: Ballot) -> Outcome:
    raise Refused("no_vote", "error.no_vote")


def _refuse_own_seat(_ballot: Ballot) -> Outcome:
    raise Refused("own_seat", "error.own_seat")


def _refuse_repetition(_ballot: Ballot) -> Outcome:
    raise Refused("voted", "error.voted")


def _record(ballot: Ballot) -> Outcome:
    return Outcome((Voted(ballot.seat, ballot.about, ballot.bot),))


def _give_to_bot(ballot: Ballot) -> Outcome:
    """Record the vote and give the seat to a bot, which keeps the player's name."""
    name = ballot.before.seats[ballot.about].name
    voted = Voted(ballot.seat, ballot.about, True)
    return Outcome((voted, SeatLeft(ballot.about, name, "bot")))


def _fill_free_seat(ballot: Ballot) -> Outcome:
    voted = Voted(ballot.seat, ballot.about, True)
    return Outcome((voted, SeatLeft(ballot.about, "", "bot")))


def _is_free(ballot: Ballot) -> bool:
    return ballot.about in free_seats(ballot.before)


VOTE_SITUATIONS = (
    VoteSituation(
        "free seat, vote for a bot", lambda ballot: ballot.bot and _is_free(ballot), _fill_free_seat
    ),
    VoteSituation("free seat, vote against a bot", _is_free, _refuse_as_undecided),
    VoteSituation(
        "no such seat, or no vote in this time control",
        lambda ballot: not ballot.is_vote_on_timeout,
        _refuse_as_undecided,
    ),
    VoteSituation(
        "match not running", lambda ballot: ballot.before.status != "playing", _refuse_as_undecided
    ),
    VoteSituation("time left", lambda ballot: not ballot.clock.out, _refuse_as_undecided),
    VoteSituation(
        "own seat",
        lambda ballot: (
            ballot.before.seats[ballot.seat].player == ballot.before.seats[ballot.about].player
        ),
        _refuse_own_seat,
    ),
    VoteSituation(
        "same vote as before",
        lambda ballot: ballot.bot == (ballot.voter in ballot.clock.for_bot),
        _refuse_repetition,
    ),
    VoteSituation("all others agree", lambda ballot: ballot.is_last_agreement, _give_to_bot),
    VoteSituation("others still to agree, or vote withdrawn", lambda _ballot: True, _record),
)
"""The situations of a vote; the first whose condition holds applies."""
