"""Time spans in words: days, hours or minutes; seconds only in the last minute."""

from _native import seconds_until

from frontend.app.core.i18n import t, tn

LAST = 60  # seconds below which seconds are shown
DAY, HOUR = 86_400, 3_600


def span(seconds: int) -> str:
    """Return a span in words: to the nearest day or hour; a begun minute counts as a whole one."""
    if seconds >= 36 * HOUR:
        return tn("{n} day", "{n} days", n=(seconds + DAY // 2) // DAY)
    if seconds >= 2 * HOUR:
        return tn("{n} hour", "{n} hours", n=(seconds + HOUR // 2) // HOUR)
    if seconds > LAST:
        return tn("{n} minute", "{n} minutes", n=(seconds + 59) // 60)
    return tn("{n} second", "{n} seconds", n=seconds)


def left_until(moment: str) -> str:
    """Return the time left until a moment (RFC 3339) as part of a sentence."""
    return t("{span} left", span=span(seconds_until(moment)))
