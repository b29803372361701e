"""Marks: language-independent default names, such as "Bot 2", stored in the log.

They stand for players and bots without a name of their own and are translated when displayed.
Ships to the browser.
"""

_BOT_PREFIX, _PERSON_PREFIX = "Bot ", "Player "


def default_bot_name(number: int) -> str:
    """Return the mark of the bot with this number, counted from 1."""
    return f"{_BOT_PREFIX}{number}"


def default_person_name(number: int) -> str:
    """Return the mark of the person in seat ``number``, counted from 1."""
    return f"{_PERSON_PREFIX}{number}"


def parse_default_name(kind: str, name: str) -> tuple[str, int] | None:
    """Return the message id (text domain "kernel") and the number of a mark.

    None for a chosen name.

    ``kind``: the kind of the seat. A bot's mark is recognised only on a bot's seat, a person's mark
    on any seat, because a bot that replaces a person keeps their name.
    """
    for mark, key in ((_BOT_PREFIX, "bot"), (_PERSON_PREFIX, "player")):
        number = name[len(mark) :]
        if name.startswith(mark) and _is_seat_number(number) and (key == "player" or kind == "bot"):
            return key, int(number)
    return None


def name_after_takeover(kind: str, name: str, seat: int) -> str:
    """Return the name for a person who takes over ``seat``, counted from 0.

    The person keeps the seat's name, or gets their mark if a bot holds the seat or it has no name.
    """
    return default_person_name(seat + 1) if kind == "bot" or not name else name


def _is_seat_number(number: str) -> bool:
    """Return whether a string is a valid number of a mark: 1 to 3 digits, no leading zero."""
    plain = all(digit in "0123456789" for digit in number)
    return 0 < len(number) < 4 and plain and number[0] != "0"
