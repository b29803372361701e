"""What the log calls those at a table that nobody named: a mark with a number, in no language.

What to call them is said where somebody looks. Ships to the browser.
"""

from domain.words import Sentence

TEXT: dict[str, Sentence] = {"bot": "Bot {number}", "player": "Player {number}"}
"""Words of the kernel's room."""
_BOT, _PERSON = "Bot ", "Player "


def bot_mark(number: int) -> str:
    """A bot, the first or the second of its kind."""
    return f"{_BOT}{number}"


def person_mark(number: int) -> str:
    """A person, by the number of the seat, from 1 on."""
    return f"{_PERSON}{number}"


def unnamed(kind: str, name: str) -> tuple[str, int] | None:
    """The key of ``TEXT`` and the number for who is known by a mark; None where somebody gave a
    name. ``kind``: the seat's. A bot that plays on for a person goes by the person's."""
    for mark, key in ((_BOT, "bot"), (_PERSON, "player")):
        number = name[len(mark) :]
        if name.startswith(mark) and _counts(number) and (key == "player" or kind == "bot"):
            return key, int(number)
    return None


def handed_on(kind: str, name: str, seat: int) -> str:
    """The name of a person on a seat that somebody else held: nobody goes by a bot's."""
    return person_mark(seat + 1) if kind == "bot" or not name else name


def _counts(number: str) -> bool:
    """Whether a number is written as in a mark."""
    plain = all(digit in "0123456789" for digit in number)
    return 0 < len(number) < 4 and plain and number[0] != "0"
