"""Translatable forms of msgspec's validation messages: sentences with arguments.

msgspec's messages are in English only; they are recognised by regular expressions, and an
unrecognised one is passed through. Used by the service and for match files; does not ship to the
browser.
"""

import re
from typing import Any

from domain.text.i18n import N_

_PATH_SUFFIX = re.compile(r" - at `([^`]*)`$")
_PATTERNS = [
    (N_("Expected `{wanted}`, got `{got}`"), r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`"),
    (N_("Expected `{wanted}`"), r"Expected `(?P<wanted>[^`]*)`"),
    (
        N_("Expected `{wanted}` {sign} {limit}"),
        r"Expected `(?P<wanted>[^`]*)` (?P<sign>[<>]=?) (?P<limit>\S+)",
    ),
    (
        N_("Expected `{wanted}` of length {sign} {limit}"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<sign>[<>]=?) (?P<limit>\d+)",
    ),
    (
        N_("Expected `{wanted}` of length {limit}"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<limit>\d+)",
    ),
    (
        N_("Expected `{wanted}` of length {limit}, got {count}"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<limit>\d+), got (?P<count>\d+)",
    ),
    (
        N_("Expected `{wanted}` of length {low} to {high}"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<low>\d+) to (?P<high>\d+)",
    ),
    (
        N_("Expected `{wanted}` matching regex {pattern}"),
        r"Expected `(?P<wanted>[^`]*)` matching regex (?P<pattern>.*)",
    ),
    (
        N_("Object missing required field `{name}`"),
        r"Object missing required field `(?P<name>[^`]*)`",
    ),
    (N_("Object contains unknown field `{name}`"), r"Object contains unknown field `(?P<name>.*)`"),
    (N_("Invalid enum value {value}"), r"Invalid enum value (?P<value>.*)"),
    (N_("Invalid value {value}"), r"Invalid value (?P<value>.*)"),
    (
        N_("JSON is malformed: invalid character (byte {byte})"),
        r"JSON is malformed: invalid character \(byte (?P<byte>\d+)\)",
    ),
    (N_("Input data was truncated"), r"Input data was truncated"),
    (N_("Integer value out of range"), r"Integer value out of range"),
    (N_("The request does not fit."), r""),
]
_WITH_PATH = N_("{what} - at `{path}`")


def translate_error(message: str) -> tuple[str, dict[str, Any]]:
    """Return a msgspec validation message as a translatable sentence and its arguments."""
    place = _PATH_SUFFIX.search(message)
    plain = message[: place.start()] if place else message
    for sentence, shape in _PATTERNS:
        found = re.fullmatch(shape, plain, flags=re.S)
        if found is not None:
            args: dict[str, Any] = found.groupdict()
            if place is None:
                return sentence, args
            return _WITH_PATH, {"what": {"key": sentence, "args": args}, "path": place[1]}
    return "{message}", {"message": message}
