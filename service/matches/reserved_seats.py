"""Reserved seats: open seats of a new match that only one of the host's contacts may take."""

from collections.abc import Iterable
from typing import Protocol

from msgspec.structs import replace

from domain.match.seats import Seat
from service.http.problems import ApiProblem
from service.matches.schema import NewSeat
from service.players.identity import Player
from service.social.personal_store import Contact, opaque_id


class ContactList(Protocol):
    """The contacts of players, for whom they can reserve seats."""

    async def list_contacts(self, player: str) -> list[Contact]: ...


def players_with_reservation(seats: Iterable[Seat]) -> set[str]:
    """Return the ids of the players for whom open seats are reserved."""
    return {seat.player for seat in seats if seat.kind == "open" and seat.player}


def reserve_seats(
    player: Player,
    requested: Iterable[NewSeat],
    seats: tuple[Seat, ...],
    contacts: Iterable[Contact],
) -> tuple[Seat, ...]:
    """Return the seats of a new match with the requested reservations.

    ``requested``: the seats in the request, one for each of ``seats``; ``contacts``: the contacts
    of the player. Raises `ApiProblem` 404 for a person who is not among them, and 422 for one
    person on two seats or a reservation of a seat that is not open.
    """
    people = {opaque_id(player.id, one.player): one for one in contacts}
    found = []
    for each, seat in zip(requested, seats, strict=True):
        if each.person and each.kind != "open":
            raise ApiProblem(422, "invalid_request", "error.reserved_not_open", field="seats")
        one = people.get(each.person) if each.person else None
        if each.person and one is None:
            raise ApiProblem(404, "no_such_person", "error.no_such_person", field="seats")
        held = one and replace(seat, player=one.player, name=seat.name or one.name)
        found.append(held or seat)
    held_for = [seat.player for seat in found if seat.kind == "open" and seat.player]
    if len(set(held_for)) < len(held_for):
        raise ApiProblem(422, "invalid_request", "error.person_twice", field="seats")
    return tuple(found)
