"""Lines for a terminal or a log that may quote what strangers wrote."""

import logging

UNBROKEN = "\u00a0\u202f"
"""Spaces at which no line breaks, as French has them before its marks; they steer nothing."""


def where(error: BaseException) -> str:
    """The places an exception came by and its kind, without its message."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join([*places[-6:], type(error).__name__])


def printable(text: str) -> str:
    """The text on one line of a terminal or a log: what could steer either is written out."""
    return "".join(c if c.isprintable() or c in UNBROKEN else ascii(c)[1:-1] for c in text)


class _OneLine(logging.Filter):
    """Keeps a record on one line, whatever it quotes."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = printable(record.getMessage())
        record.args = ()
        return True


def logger() -> logging.Logger:
    """The service's log; no line of it holds a control character."""
    log = logging.getLogger("caravanserai")
    if not any(isinstance(known, _OneLine) for known in log.filters):
        log.addFilter(_OneLine())
    return log
