"""Translatable forms of msgspec's validation messages: sentences with arguments.

msgspec's messages are in English only; they are recognised by regular expressions, and an
unrecognised one is passed through. Used by the service and for match files; does not ship to the
browser.
"""

import re
from typing import Any

from domain.text.i18n import N_

_PATH_SUFFIX = re.compile(r" - at (?P<key>`key` in )?`(?P<path>[^`]*)`$")
_PATTERNS = [
    (N_("schema.expected_got"), r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`"),
    (N_("schema.expected"), r"Expected `(?P<wanted>[^`]*)`"),
    (N_("schema.expected_sign"), r"Expected `(?P<wanted>[^`]*)` (?P<sign>[<>]=?) (?P<limit>\S+)"),
    (
        N_("schema.expected_length_sign"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<sign>[<>]=?) (?P<limit>\d+)",
    ),
    (N_("schema.expected_length"), r"Expected `(?P<wanted>[^`]*)` of length (?P<limit>\d+)"),
    (
        N_("schema.expected_length_got"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<limit>\d+), got (?P<count>\d+)",
    ),
    (
        N_("schema.expected_length_range"),
        r"Expected `(?P<wanted>[^`]*)` of length (?P<low>\d+) to (?P<high>\d+)",
    ),
    (N_("schema.expected_pattern"), r"Expected `(?P<wanted>[^`]*)` matching regex (?P<pattern>.*)"),
    (N_("schema.missing_field"), r"Object missing required field `(?P<name>[^`]*)`"),
    (N_("schema.unknown_field"), r"Object contains unknown field `(?P<name>.*)`"),
    (N_("schema.bad_enum"), r"Invalid enum value (?P<value>.*)"),
    (N_("schema.bad_value"), r"Invalid value (?P<value>.*)"),
    (N_("schema.bad_json"), r"JSON is malformed: invalid character \(byte (?P<byte>\d+)\)"),
    (
        N_("schema.bad_object_key"),
        r"JSON is malformed: object keys must be strings \(byte (?P<byte>\d+)\)",
    ),
    (N_("schema.truncated"), r"Input data was truncated"),
    (N_("schema.integer_range"), r"Integer value out of range"),
    (N_("schema.number_range"), r"Number out of range"),
    (N_("schema.invalid"), r""),
]
_WITH_PATH = N_("schema.at_path")
_WITH_KEY = N_("schema.at_key")


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
            what = {"key": sentence, "args": args}
            return _WITH_KEY if place["key"] else _WITH_PATH, {"what": what, "path": place["path"]}
    return "file.error", {"what": message}
