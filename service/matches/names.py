"""What seats are called, in the language of the answer; see `domain.answers.viewing`."""

from domain import match as kernel
from domain.answers import viewing
from domain.marks import unnamed
from service.base.languages import in_each_language, language


def given_name(seat: viewing.Chair) -> str:
    """The name somebody gave, or what stands for it; empty without either."""
    return viewing.given_name(seat, language())


def seat_name(number: int) -> str:
    """What a seat is called that nobody sits on."""
    return viewing.seat_name(number, language())


def called(seat: viewing.Chair, number: int) -> str:
    """What texts call a seat."""
    return viewing.called(seat, number, language())


def readings(seat: viewing.Chair) -> set[str]:
    """All that people read there, in whatever language; nothing where nobody is named."""
    mark = unnamed(seat.kind, seat.name)
    if mark is None:
        return {seat.name} - {""}
    key, number = mark
    return {seat.name, *in_each_language("kernel", kernel.TEXT[key], {"number": number})}
