"""The viewer of a match, the seat through which they see it, and the names of the seats."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol

from domain.match.losses import Loss, losses_of
from domain.match.moment import Moment
from domain.match.timeline import Timeline
from domain.text.default_names import parse_default_name
from domain.text.i18n import Language

NO_SEAT = -1
"""The requested seat of a caller who wants to see the match as a spectator."""


class NamedSeat(Protocol):
    """Protocol of a seat with its kind and name."""

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...


def held_seats(timeline: Timeline, player: str | None) -> list[int]:
    """Return the seats the player holds."""
    return player_seats(timeline, player, "human")


def player_seats(timeline: Timeline, player: str | None, kind: str) -> list[int]:
    """Return the seats of a kind ("human" or "open") that are held by or reserved for a player."""
    if player is None:
        return []
    seats = enumerate(timeline.latest.seats)
    return [i for i, seat in seats if seat.player == player and seat.kind == kind]


def is_for_review(timeline: Timeline) -> bool:
    """Return whether the match was imported unfinished and therefore is for review only.

    Such a match has no seed, so it cannot make random draws. It cannot be joined or played, no
    clock runs, no bot plays, and it has no invite or share codes.
    """
    return not timeline.latest.opened.seed


def seats_to_act(timeline: Timeline, moment: Moment) -> tuple[int, ...]:
    """Return the seats that are to act; empty before the game has begun."""
    return timeline.to_act(moment) if moment.state is not None else ()


class Viewer:
    """A caller of a match and the seat through which they see it.

    ``seat``: a seat they hold, one they lost on time or by a vote, `NO_SEAT`, or None for the
    default: a held seat that is to act, otherwise the lowest held one, otherwise a lost one.
    Through a lost seat they see what it saw up to the loss, and everything later as a spectator.
    ``timestamp``: converts milliseconds since 1970 UTC to RFC 3339. ``muted``: players whose chat
    messages are withheld. ``names``: the names of the seats, if already known.
    """

    def __init__(
        self,
        timeline: Timeline,
        player: str | None,
        seat: int | None,
        language: Language,
        timestamp: Callable[[int], str],
        muted: Collection[str] = (),
        names: tuple[str, ...] | None = None,
    ) -> None:
        self.muted = frozenset(muted)
        self.timeline = timeline
        self.player = player
        self.held_seats = held_seats(timeline, player)
        self.loss = self._find_loss(seat)
        self.requested_seat = None if seat == NO_SEAT or self.loss is not None else seat
        self.seat = self._default_seat() if seat is None else self.requested_seat
        self.perspective = timeline.viewer(self.seat)
        # On a shared device a running match shows the private messages of one seat at a time;
        # after the end those of all held seats.
        over = seat is None and timeline.latest.status == "finished"
        self.private_seats = self.held_seats if over else []
        self.language = language
        self.timestamp = timestamp
        self.names = seat_names(timeline.latest.seats, language) if names is None else names
        self._cached_names = (timeline.latest.seats, self.names)

    def _find_loss(self, seat: int | None) -> Loss | None:
        """Return the loss of the seat through which they see the match; None if it is not a lost
        one.
        """
        if seat in self.held_seats or (seat is None and self.held_seats):
            return None
        losses = losses_of(self.timeline.latest, self.player)
        return next((loss for loss in losses if seat in (None, loss.seat)), None)

    def seat_at(self, version: int) -> int | None:
        """Return the seat through which they see the event of a version; None for a spectator."""
        loss = self.loss
        return loss.seat if loss is not None and version <= loss.version else self.seat

    def perspective_at(self, version: int) -> int | None:
        """Return the `domain.contract.game.Viewer` for the match as it was at a version."""
        if self.loss is None:
            return self.perspective
        return self.timeline.viewer(self.seat_at(version))

    def _default_seat(self) -> int | None:
        """Return the lowest held seat that is to act, or the lowest held seat; None if none is."""
        if len(self.held_seats) <= 1:
            return self.held_seats[0] if self.held_seats else None
        acting = seats_to_act(self.timeline, self.timeline.latest)
        return next((seat for seat in self.held_seats if seat in acting), self.held_seats[0])

    def translate(
        self, text_domain: str, message_id: str, args: dict[str, Any], moment: Moment | None = None
    ) -> str:
        """Return a message in the caller's language.

        ``moment``: the moment whose seat names are used; None for the latest.
        """
        names = self.names if moment is None else self._names_at(moment)
        return self.language.format_message(text_domain, message_id, args, names)

    def address(
        self, text_domain: str, message_id: str, args: dict[str, Any], moment: Moment
    ) -> str | None:
        """Return a message about the caller, addressed to them ("You bid 3").

        None if it is not about the caller, if they do not hold exactly one seat, or if somebody
        else held it at ``moment``.
        """
        if len(self.held_seats) != 1:
            return None
        seat = self.held_seats[0]
        if moment.seats[seat].player != self.player:
            return None
        names = self._names_at(moment)
        return self.language.address_message(text_domain, message_id, args, names, seat)

    def _names_at(self, then: Moment) -> tuple[str, ...]:
        if then.seats is not self._cached_names[0]:
            self._cached_names = (then.seats, seat_names(then.seats, self.language))
        return self._cached_names[1]

    def undo_seat(self) -> int | None:
        """Return the seat that would do an undo; None for a spectator or a match for review only.

        It is the requested seat, otherwise a held seat with a choice that is still secret,
        otherwise the held seat that moved last.
        """
        if is_for_review(self.timeline):
            return None
        if self.requested_seat is not None or len(self.held_seats) <= 1:
            return self.seat
        if self.timeline.latest.status == "playing":
            state = self.timeline.latest.state
            for seat in self.held_seats:
                if self.timeline.rules.take_back(state, seat):
                    return seat
            latest = self.timeline.latest.latest
            last = max(self.held_seats, key=lambda seat: latest[seat])
            if latest[last] >= 0:
                return last
        return self.seat


# --- names --------------------------------------------------------------------------------------
#
# Players have the names they chose. In the log an unnamed seat has an empty name, and an unnamed
# player or bot a mark with a number (`domain.text.default_names`); these functions turn both into
# displayed names.


def chosen_name(seat: NamedSeat, language: Language) -> str:
    """Return the seat's name, translated if it is a mark; empty if it has none."""
    mark = parse_default_name(seat.kind, seat.name)
    if mark is None:
        return seat.name
    key, number = mark
    return language.format_message("kernel", key, {"number": number})


def seat_name(number: int, language: Language) -> str:
    """Return the name for a seat without one, such as "Seat 2"; ``number`` counts from 0."""
    return language.format_message("kernel", "seat", {"number": number + 1})


def display_name(seat: NamedSeat, number: int, language: Language) -> str:
    """Return the displayed name of a seat: its own name, or one made from its number."""
    return chosen_name(seat, language) or seat_name(number, language)


def seat_names(seats: Iterable[NamedSeat], language: Language) -> tuple[str, ...]:
    """Return the displayed names of the seats."""
    return tuple([display_name(seat, number, language) for number, seat in enumerate(seats)])
