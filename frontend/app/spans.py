"""How much time is left, in words: days, hours, minutes, and seconds only in the last minute."""

from _native import seconds_until

from frontend.app.words import t, tn

LAST = 60  # seconds in which each one is told
DAY, HOUR = 86_400, 3_600


def span(seconds: int) -> str:
    """A span of time: to the nearest day or hour; what is begun of a minute counts as one."""
    if seconds >= 36 * HOUR:
        return tn("{n} day", "{n} days", n=(seconds + DAY // 2) // DAY)
    if seconds >= 2 * HOUR:
        return tn("{n} hour", "{n} hours", n=(seconds + HOUR // 2) // HOUR)
    if seconds > LAST:
        return tn("{n} minute", "{n} minutes", n=(seconds + 59) // 60)
    return tn("{n} second", "{n} seconds", n=seconds)


def left_until(moment: str) -> str:
    """What is left until a moment in RFC 3339, as a sentence's part."""
    return t("{span} left", span=span(seconds_until(moment)))
