"""Time spans in words: days, hours or minutes; seconds only in the last minute."""

from _native import seconds_until

from frontend.app.core.i18n import t, tn

LAST_MINUTE_S = 60  # seconds below which seconds are shown
DAY_S, HOUR_S = 86_400, 3_600


def format_duration(seconds: int) -> str:
    """Return a span in words: to the nearest day or hour; minutes are rounded up."""
    if seconds >= 36 * HOUR_S:
        return tn("{n} day", "{n} days", n=(seconds + DAY_S // 2) // DAY_S)
    if seconds >= 2 * HOUR_S:
        return tn("{n} hour", "{n} hours", n=(seconds + HOUR_S // 2) // HOUR_S)
    if seconds > LAST_MINUTE_S:
        return tn("{n} minute", "{n} minutes", n=(seconds + 59) // 60)
    return tn("{n} second", "{n} seconds", n=seconds)


def format_time_left(moment: str) -> str:
    """Return the time left until a moment (RFC 3339) as part of a sentence."""
    return t("{span} left", span=format_duration(seconds_until(moment)))
