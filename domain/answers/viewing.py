"""Who looks at a match, through which seat, and what the seats are called for them."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol

from domain import match as kernel
from domain.marks import unnamed
from domain.match import Loss, Moment, Timeline, losses_of
from domain.words import Language, Text

NO_SEAT = -1
"""Asked for by whoever wants to see what everybody at the table may see."""


class Chair(Protocol):
    """A seat, as far as its name goes."""

    @property
    def kind(self) -> str: ...

    @property
    def name(self) -> str: ...


def held_seats(timeline: Timeline, player: str | None) -> list[int]:
    """The seats the player holds."""
    return seats_of(timeline, player, "human")


def seats_of(timeline: Timeline, player: str | None, kind: str) -> list[int]:
    """The seats of that kind which are the player's."""
    if player is None:
        return []
    seats = enumerate(timeline.now.seats)
    return [i for i, seat in seats if seat.player == player and seat.kind == kind]


def is_for_review(timeline: Timeline) -> bool:
    """Whether the match came unfinished in a file: it has no seed, so nobody can draw in it.

    Nobody joins it or acts in it, no clock runs and no bot plays; it has no codes.
    """
    return not timeline.now.opened.seed


def waiting_for(timeline: Timeline, moment: Moment) -> tuple[int, ...]:
    """The seats the match waits for; in the middle of the setup nobody."""
    return timeline.to_act(moment) if moment.state is not None else ()


class Viewer:
    """A caller at a match: who they are and through which of their seats they look.

    ``seat``: one they hold, one they lost to time or a vote, `NO_SEAT`, or None for the one that
    fits. Through a seat that was lost they see what it saw until then, and of what follows what a
    spectator sees. ``timestamp``: milliseconds
    since 1970 UTC in RFC 3339. ``muted``: players whose words they do not want to hear. ``names``:
    what texts call the seats, where that is known already.
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
        self.held = held_seats(timeline, player)
        self.loss = self._loss(seat)
        self.asked = None if seat == NO_SEAT or self.loss is not None else seat
        self.seat = self._default() if seat is None else self.asked
        self.perspective = timeline.viewer(self.seat)
        # While people pass one phone round, a seat's words are for who holds the phone.
        over = seat is None and timeline.now.status == "finished"
        self.hears = self.held if over else []
        self.language = language
        self.timestamp = timestamp
        self.names = names_of(timeline.now.seats, language) if names is None else names
        self._then = (timeline.now.seats, self.names)

    def _loss(self, seat: int | None) -> Loss | None:
        """The loss of the seat they look through; None when they hold it, or look through none."""
        if seat in self.held or (seat is None and self.held):
            return None
        losses = losses_of(self.timeline.now, self.player)
        return next((loss for loss in losses if seat in (None, loss.seat)), None)

    def seat_at(self, version: int) -> int | None:
        """The seat with whose eyes they see what happened at a version; None: a spectator's."""
        loss = self.loss
        return loss.seat if loss is not None and version <= loss.version else self.seat

    def perspective_at(self, version: int) -> int | None:
        """The viewer of the match as it stood at a version, as the game's rules know viewers."""
        if self.loss is None:
            return self.perspective
        return self.timeline.viewer(self.seat_at(version))

    def _default(self) -> int | None:
        """The lowest held seat that is to act, else the lowest held."""
        if len(self.held) <= 1:
            return self.held[0] if self.held else None
        acting = waiting_for(self.timeline, self.timeline.now)
        return next((seat for seat in self.held if seat in acting), self.held[0])

    def told(
        self, room: str, text: Text, key: str, args: dict[str, Any], then: Moment | None = None
    ) -> str:
        """The sentence of a key in the caller's language; ``then``: the moment it is about, whose
        people may have left since."""
        names = self.names if then is None else self._names_at(then)
        return self.language.say(room, text[key], args, text, names)

    def _names_at(self, then: Moment) -> tuple[str, ...]:
        if then.seats is not self._then[0]:
            self._then = (then.seats, names_of(then.seats, self.language))
        return self._then[1]

    def undo_seat(self) -> int | None:
        """The seat an undo would be by: the asked one, else the held one that moved last.

        None in a match that is for review only.
        """
        if is_for_review(self.timeline):
            return None
        if self.asked is not None or len(self.held) <= 1:
            return self.seat
        if self.timeline.now.status == "playing":
            state = self.timeline.now.state
            for seat in self.held:
                if self.timeline.rules.take_back(state, seat):
                    return seat
            latest = self.timeline.now.latest
            last = max(self.held, key=lambda seat: latest[seat])
            if latest[last] >= 0:
                return last
        return self.seat


# --- names --------------------------------------------------------------------------------------
#
# People have the names they gave themselves. A seat that nobody named has none in the log, and who
# sits there that nobody named has a mark with a number: here is what to call them.


def given_name(seat: Chair, language: Language) -> str:
    """The name somebody gave, or what stands for it; empty without either."""
    mark = unnamed(seat.kind, seat.name)
    if mark is None:
        return seat.name
    key, number = mark
    return language.say("kernel", kernel.TEXT[key], {"number": number})


def seat_name(number: int, language: Language) -> str:
    """What a seat is called that nobody sits on."""
    return language.say("kernel", kernel.TEXT["seat"], {"number": number + 1})


def called(seat: Chair, number: int, language: Language) -> str:
    """What texts call a seat."""
    return given_name(seat, language) or seat_name(number, language)


def names_of(seats: Iterable[Chair], language: Language) -> tuple[str, ...]:
    """What texts call the seats."""
    return tuple([called(seat, number, language) for number, seat in enumerate(seats)])
