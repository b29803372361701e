"""Time spans in words: in days, hours or minutes, and in seconds only up to one minute."""

from _native import seconds_until

from frontend.app.core.i18n import t

LAST_MINUTE_S = 60  # spans up to this length are shown in seconds
DAY_S, HOUR_S = 86_400, 3_600


def format_duration(seconds: int) -> str:
    """Return a time span in words, rounded to the nearest day or hour, or up to whole minutes.

    Days are used from 36 hours, hours from 2 hours, and seconds up to `LAST_MINUTE_S`.
    """
    if seconds >= 36 * HOUR_S:
        return t("format.days", n=(seconds + DAY_S // 2) // DAY_S)
    if seconds >= 2 * HOUR_S:
        return t("format.hours", n=(seconds + HOUR_S // 2) // HOUR_S)
    if seconds > LAST_MINUTE_S:
        return t("format.minutes", n=(seconds + 59) // 60)
    return t("format.seconds", n=seconds)


def format_time_left(moment: str) -> str:
    """Return the time left until a timestamp (RFC 3339), such as "5 minutes left"."""
    return t("format.time_left", span=format_duration(seconds_until(moment)))
