"""What a picture shows: a match at one moment, as one viewer may see it."""

from typing import Any

from msgspec import Struct

from domain.game import Standing
from domain.match import Moment, Timeline
from domain.register import TITLES
from service.pictures.paint import SEAT_COLOURS, Colour, drawable


class Scene(Struct, frozen=True):
    """A moment. ``view`` is the game's own for the viewer, None before the game begins."""

    game: str
    title: str
    names: tuple[str, ...]
    status: str
    turn: int
    to_act: tuple[int, ...]
    standings: tuple[Standing, ...] | None
    view: dict[str, Any] | None

    def colour(self, seat: int) -> Colour:
        """The colour of a seat."""
        return SEAT_COLOURS[seat % len(SEAT_COLOURS)]

    def order(self) -> list[int]:
        """The seats: by rank when the match is over, else as they sit."""
        if self.standings is None:
            return list(range(len(self.names)))
        return [standing.seat for standing in self.standings]

    def winners(self) -> list[int]:
        """The seats of rank 1; nobody while the match goes on."""
        return [standing.seat for standing in self.standings or () if standing.rank == 1]

    def headline(self) -> str:
        """Where the match stands, in one short line."""
        if self.standings is not None:
            return self._result(self.standings)
        if self.status == "open":
            return "Waiting for players"
        if len(self.to_act) == 1:
            return f"{self.names[self.to_act[0]]} to move"
        return f"{len(self.to_act)} to move" if self.to_act else "The game begins"

    def _result(self, standings: tuple[Standing, ...]) -> str:
        best = self.winners()
        score = standings[0].score
        if len(standings) == 1:
            return f"{self.names[best[0]]} ends with {score}"
        if len(best) == 1:
            return f"{self.names[best[0]]} wins with {score}"
        return f"A tie at {score}"


def scene(timeline: Timeline, moment: Moment, viewer: int | None) -> Scene:
    """The scene of a moment. Names are those at the time: an old picture stays as it is."""
    rules = timeline.rules
    begun = moment.state is not None
    title = TITLES[moment.opened.game]
    return Scene(
        game=title.slug,
        title=title.title,
        names=tuple(
            drawable(seat.name or f"Seat {i + 1}", f"Seat {i + 1}")
            for i, seat in enumerate(moment.seats)
        ),
        status=moment.status,
        turn=rules.turn(moment.state) if begun else 0,
        to_act=timeline.to_act(moment) if begun else (),
        standings=timeline.standings(moment) if begun else None,
        view=rules.view(moment.state, viewer) if begun else None,
    )
