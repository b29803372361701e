"""Helpers for text in a terminal or log that may quote untrusted input."""

import logging

NO_BREAK_SPACES = "\u00a0\u202f"
"""No-break spaces, which French uses before punctuation; harmless in a terminal."""


def error_location(error: BaseException) -> str:
    """Return the last six locations of an exception's traceback and its type, but no message."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join([*places[-6:], type(error).__name__])


def escape_controls(text: str) -> str:
    """Return the text with unprintable characters escaped, so that it stays on one line.

    `NO_BREAK_SPACES` are kept.
    """
    return "".join(c if c.isprintable() or c in NO_BREAK_SPACES else ascii(c)[1:-1] for c in text)


class _SingleLineFilter(logging.Filter):
    """Filter that escapes unprintable characters, so that a record stays on one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = escape_controls(record.getMessage())
        record.args = ()
        return True


def service_logger() -> logging.Logger:
    """Return the service's logger, which escapes control characters in its records."""
    log = logging.getLogger("caravanserai")
    if not any(isinstance(known, _SingleLineFilter) for known in log.filters):
        log.addFilter(_SingleLineFilter())
    return log
