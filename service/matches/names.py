"""Names of seats in the language of the answer; see `domain.answers.viewing`."""

from domain import match as kernel
from domain.answers import viewing
from domain.marks import unnamed
from service.base.languages import in_each_language, language


def given_name(seat: viewing.Chair) -> str:
    """Return the name given to a seat, or its default name; empty without either."""
    return viewing.given_name(seat, language())


def seat_name(number: int) -> str:
    """Return the name of an unoccupied seat."""
    return viewing.seat_name(number, language())


def called(seat: viewing.Chair, number: int) -> str:
    """Return the name of a seat for use in sentences."""
    return viewing.called(seat, number, language())


def readings(seat: viewing.Chair) -> set[str]:
    """Return all forms of a seat's name: a default name in each language; empty without a name."""
    mark = unnamed(seat.kind, seat.name)
    if mark is None:
        return {seat.name} - {""}
    key, number = mark
    return {seat.name, *in_each_language("kernel", kernel.TEXT[key], {"number": number})}
