"""Command-line commands of a game.

A game's module ``cli`` may hold ``COMMANDS``, a tuple of `FileCommand`. The program discovers them,
so they need no registration.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.text.i18n import TranslatableError


class CommandFailed(TranslatableError, ValueError):
    """Error for a bad file or a failed check; the message is the line to print."""

    text_domain = "kernel"


class FileCommand(Struct, frozen=True):
    """A command ``caravanserai NAME ARGUMENT`` that reads a JSON file and prints a line of JSON.

    ``run`` gets the decoded file and returns the value to print, or raises `CommandFailed`.
    ``argument``: the placeholder for the file in the command's help.
    """

    name: str
    help_text: str
    argument: str
    run: Callable[[Any], Any]
