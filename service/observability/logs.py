"""Logging to standard error: one line per record, as text or JSON.

Messages of exceptions may quote secrets, so only the type and location of an exception are logged.
Control characters are escaped, so that untrusted text can neither control a terminal nor inject
lines.
"""

import logging
import logging.config
from datetime import UTC, datetime
from typing import Any

import msgspec

from service.common.log_safety import error_location, escape_controls
from service.observability.request_log import ACCESS_LOG, current_request
from service.settings import InvalidSetting, Settings

_LEVELS = {"trace": "DEBUG", **{name.lower(): name for name in logging.getLevelNamesMapping()}}


def configure_logging(settings: Settings) -> None:
    """Configure logging for this process.

    Raises `InvalidSetting` if LOG_FORMAT or LOG_LEVEL is unknown.
    """
    if settings.log_format not in _FORMATS:
        raise InvalidSetting(f"LOG_FORMAT must be text or json, not {settings.log_format!r}")
    level = _LEVELS.get(settings.log_level.lower())
    if level is None:
        raise InvalidSetting(f"LOG_LEVEL is unknown: {settings.log_level!r}")
    handler = logging.StreamHandler()
    handler.setFormatter(_FORMATS[settings.log_format]())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Libraries are limited to warnings, because they log connection details at lower levels.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
    for name in ("caravanserai", "uvicorn"):
        logging.getLogger(name).setLevel(level)
    ACCESS_LOG.setLevel(logging.INFO)


class _FieldsFormatter(logging.Formatter):
    """Base of the formatters, which collects the fields of a record."""

    def fields(self, record: logging.LogRecord) -> dict[str, Any]:
        request = current_request()
        match = getattr(record, "match", None) or (request.match if request else None)
        message = escape_controls(record.getMessage())
        if record.exc_info and record.exc_info[1] is not None:
            message = f"{message}: {error_location(record.exc_info[1])}"
        known = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": message,
            "request": request.id if request else None,
            "match": match,
            **getattr(record, "access", {}),
        }
        return {name: value for name, value in known.items() if value is not None}


class _JsonFormatter(_FieldsFormatter):
    def format(self, record: logging.LogRecord) -> str:
        return msgspec.json.encode(self.fields(record)).decode()


class _TextFormatter(_FieldsFormatter):
    def format(self, record: logging.LogRecord) -> str:
        facts = self.fields(record)
        named = [f" {name}={facts[name]}" for name in ("request", "match") if name in facts]
        return f"{facts['time']} {facts['level'].upper():7} {facts['message']}{''.join(named)}"


_FORMATS: dict[str, type[_FieldsFormatter]] = {"text": _TextFormatter, "json": _JsonFormatter}
