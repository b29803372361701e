"""Marks: language-independent names, such as "Bot 2", that the log stores for unnamed players.

They are translated when they are displayed. Ships to the browser.
"""

from domain.text.i18n import Sentence

TEXT: dict[str, Sentence] = {"bot": "Bot {number}", "player": "Player {number}"}
"""Sentences of the message catalogue "kernel"."""
_BOT_PREFIX, _PERSON_PREFIX = "Bot ", "Player "


def default_bot_name(number: int) -> str:
    """Return the mark of a bot with a number, from 1 on."""
    return f"{_BOT_PREFIX}{number}"


def default_person_name(number: int) -> str:
    """Return the mark of a person by the number of the seat, from 1 on."""
    return f"{_PERSON_PREFIX}{number}"


def parse_default_name(kind: str, name: str) -> tuple[str, int] | None:
    """Return the key of ``TEXT`` and the number of a mark; None for a chosen name.

    ``kind``: the seat's kind; a bot's mark counts only on a bot's seat, a person's mark on any, as
    a bot that replaces a person keeps their name.
    """
    for mark, key in ((_BOT_PREFIX, "bot"), (_PERSON_PREFIX, "player")):
        number = name[len(mark) :]
        if name.startswith(mark) and _is_seat_number(number) and (key == "player" or kind == "bot"):
            return key, int(number)
    return None


def name_after_takeover(kind: str, name: str, seat: int) -> str:
    """Return the name of a person who takes over a seat.

    It is the seat's name, but the person's mark if a bot has the seat or it has no name.
    """
    return default_person_name(seat + 1) if kind == "bot" or not name else name


def _is_seat_number(number: str) -> bool:
    """Return whether a text is a number as in a mark: 1 to 3 digits without a leading zero."""
    plain = all(digit in "0123456789" for digit in number)
    return 0 < len(number) < 4 and plain and number[0] != "0"
