"""The changes that one commit made to a match, from which its notifications are computed."""

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from domain.match.clocks import is_automatic, seats_with_bot_move
from domain.match.history import Decision
from domain.match.losses import open_requests
from domain.match.moment import Moment, free_seats
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import seats_to_act


class MatchDiff(Struct, frozen=True):
    """The changes that one commit made to a match.

    - ``match``: the id of the match; ``timeline``: the match after the commit; ``decisions``: the
      decisions of the commit; ``by_bot``: whether a bot made them;
    - ``then``, ``now``: the moments before and after the commit; ``then`` is None if the match is
      new;
    - ``waited``, ``waits``: the seats for which the match waited then and waits now;
    - ``same_votes``: whether the open votes have not changed;
    - ``actors``: the players who made the decisions themselves, unlike bots and automatic ones.
    """

    match: str
    timeline: Timeline
    decisions: Sequence[Decision]
    by_bot: bool
    then: Moment | None
    now: Moment
    waited: tuple[int, ...]
    waits: tuple[int, ...]
    same_votes: bool
    actors: frozenset[str | None]

    @property
    def is_within_turn(self) -> bool:
        """Whether only the game has changed, and still waits for the same seats."""
        then, now = self.then, self.now
        return (
            then is not None
            and self.waited == self.waits
            and self.same_votes
            and then.seats is now.seats
            and then.status == now.status
            and then.proposal is now.proposal
            and then.recovery is now.recovery
            and then.said == now.said
        )

    @property
    def is_solo(self) -> bool:
        """Whether at most one person plays, so that all opponents are bots, which move at once."""
        return len(self.now.people()) < 2

    @property
    def was_solo(self) -> bool:
        """Whether at most one person played before the commit; False for a new match."""
        return self.then is not None and len(self.then.people()) < 2

    def everybody(self) -> list[str]:
        """Return the people who hold a seat now, sorted."""
        return sorted_people(self.now)

    def others(self) -> list[str]:
        """Return the people who hold a seat now and did not act themselves, sorted."""
        return [player for player in self.everybody() if player not in self.actors]


def diff(
    match: str, before: Timeline | None, after: Timeline, *, by_bot: bool = False
) -> MatchDiff:
    """Compare a match before and after a commit; the arguments are those of `notifications_for`."""
    now = after.latest
    then = before.latest if before else None
    decisions = after.decisions.tail(len(before.decisions) if before else 0)
    return MatchDiff(
        match,
        after,
        decisions,
        by_bot,
        then,
        now,
        seats_to_act(before, then) if before and then else (),
        seats_to_act(after, now),
        then is not None and _has_same_votes(then, now),
        _acting_players(then, now, decisions),
    )


def _has_same_votes(then: Moment, now: Moment) -> bool:
    """Return whether the same votes are open at both moments, with the same answers."""
    same_seats = (
        then.seats is now.seats
        and then.clocks is now.clocks
        and then.status == now.status
        and then.losses is now.losses
    )
    return same_seats or open_votes(then) == open_votes(now)


def _acting_players(
    then: Moment | None, now: Moment, decisions: Iterable[Decision]
) -> frozenset[str | None]:
    """Return the players who made the decisions themselves, unlike bots and automatic decisions."""
    bots_for = seats_with_bot_move(then) if then else ()
    return frozenset(
        now.seats[d.seat].player
        for d in decisions
        if d.seat is not None and not is_automatic(d) and d.seat not in bots_for
    )


def open_votes(moment: Moment) -> Sequence[tuple[int, Collection[str]]]:
    """Return the seats with an open vote, each with the players who need not vote (any more)."""
    pace = moment.opened.pace
    free: list[tuple[int, Collection[str]]] = [(seat, ()) for seat in free_seats(moment)]
    if moment.losses and moment.status == "playing":
        free += [(loss.seat, (loss.player, *loss.agreed)) for loss in open_requests(moment)]
    if pace is None or pace.on_end != "vote" or moment.status != "playing":
        return free
    return free + [
        (seat, clock.for_bot)
        for seat, clock in enumerate(moment.clocks)
        if clock.out and moment.seats[seat].kind == "human"
    ]


def sorted_people(moment: Moment) -> list[str]:
    return sorted(player for player in moment.people() if player)
