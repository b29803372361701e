"""Commands of the command line that belong to a game.

A game's module ``cli`` may hold ``COMMANDS``, a tuple of `FileCommand`; they are found by
themselves.
"""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.words import Explained


class CommandFailed(Explained, ValueError):
    """The file is bad or a check failed; the message is the line to print."""

    room = "kernel"

    def __init__(self, sentence: str, /, **args: Any) -> None:
        super().__init__(sentence, args)


class FileCommand(Struct, frozen=True):
    """``caravanserai NAME ARGUMENT``: reads a JSON file and prints one line of JSON.

    ``run`` gets the values of the file and gives those to print, or raises `CommandFailed`.
    ``argument`` names the file in the help text, which is ``text``.
    """

    name: str
    text: str
    argument: str
    run: Callable[[Any], Any]
