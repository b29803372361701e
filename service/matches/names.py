"""What seats are called, in the language of the answer.

People have the names they gave themselves. A seat that nobody named has none in the log, and a bot
that nobody named is the first or the second of its kind there: what to call them is said here.
"""

from domain import match as kernel
from domain.match import Seat, Timeline
from projections.summary import SeatSummary
from service.base.languages import told

_BOT = "Bot "
"""Begins what a bot is called in the log that nobody named; its number follows."""


def bot_mark(number: int) -> str:
    """How the log knows a bot that nobody named."""
    return f"{_BOT}{number}"


def given_name(seat: Seat | SeatSummary) -> str:
    """The name somebody gave, or what a bot is called; empty without either."""
    number = seat.name.removeprefix(_BOT)
    if seat.kind != "bot" or seat.name != bot_mark(_counted(number)):
        return seat.name
    return told("kernel", kernel.TEXT["bot"], {"number": int(number)})


def seat_name(number: int) -> str:
    """What a seat is called that nobody sits on."""
    return told("kernel", kernel.TEXT["seat"], {"number": number + 1})


def called(seat: Seat | SeatSummary, number: int) -> str:
    """What texts call a seat."""
    return given_name(seat) or seat_name(number)


def names_of(timeline: Timeline) -> tuple[str, ...]:
    """What texts call the seats."""
    return tuple(called(seat, number) for number, seat in enumerate(timeline.now.seats))


def _counted(number: str) -> int:
    """The number of a bot, 0 where that is none."""
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 0
