"""Names of seats in the language of the request; see `domain.presentation.viewpoint`."""

from domain.presentation import viewpoint
from domain.text.default_names import parse_default_name
from service.http.i18n import current_language, translate_to_all


def name_of_seat(seat: viewpoint.NamedSeat) -> str:
    """Return the name of a seat, given or default, or "" if it has none."""
    return viewpoint.chosen_name(seat, current_language())


def vacant_seat_name(number: int) -> str:
    """Return the name of the unoccupied seat ``number``."""
    return viewpoint.seat_name(number, current_language())


def display_name(seat: viewpoint.NamedSeat, seat_number: int) -> str:
    """Return the name of a seat for use in sentences."""
    return viewpoint.display_name(seat, seat_number, current_language())


def all_spellings(seat: viewpoint.NamedSeat) -> set[str]:
    """Return all spellings of a seat's name: a default name has one in each language.

    Empty if the seat has no name.
    """
    mark = parse_default_name(seat.kind, seat.name)
    if mark is None:
        return {seat.name} - {""}
    key, number = mark
    return {seat.name, *translate_to_all("kernel", key, {"number": number})}
