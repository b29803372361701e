"""The command line: ``caravanserai COMMAND``.

The exit status is 0 for success, 1 for a failed command, 2 for wrong usage or an invalid setting,
and 130 if interrupted. An error is reported in one line on standard error.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from domain.contract.command_line import FileCommand
from domain.contract.registry import TITLES, game_module
from domain.text.i18n import N_, TranslatableError
from service import __version__
from service.cli import admin, commands
from service.http.i18n import (
    Languages,
    current_language,
    set_language,
    t,
    terminal_language,
    translate,
)
from service.settings import InvalidSetting, frontend_folder

_SETTINGS_HELP = N_(
    "Settings come from the environment: PORT, DATA, DATABASE_URL, REDIS_URL, PUBLIC_URL."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command given by the arguments and return the exit status.

    ``arguments``: by default those of the process. Wrong usage raises SystemExit.
    """
    _choose_language(sys.argv[1:] if arguments is None else arguments)
    options = _build_parser().parse_args(arguments)
    try:
        options.run(options)
    except InvalidSetting as error:
        return _print_error(error, 2)
    except TranslatableError as error:
        return _print_error(error.translate(current_language()), 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # A bug or an unreachable database: print one line instead of a traceback.
        return _print_error(f"{type(error).__name__}: {error}", 1)
    return 0


def _choose_language(arguments: Sequence[str]) -> None:
    """Set the language from ``--language`` or, by default, from the environment of the terminal.

    This must be done before the parser is built, because its help is translated too.
    """
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--language", default=terminal_language(os.environ))
    asked = first.parse_known_args(arguments)[0].language
    set_language(Languages(frontend_folder(os.environ) / "words")[asked])
    # argparse calls this name to translate its own messages.
    argparse._ = t  # type: ignore[attr-defined]


ARGPARSE_MESSAGES = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("%(prog)s: error: %(message)s\n"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("expected one argument"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("invalid choice: %(value)r (choose from %(choices)s)"),
)
"""Messages of argparse, listed for translators."""


def _print_error(error: object, status: int) -> int:
    commands.print_line(f"caravanserai: {' '.join(str(error).split())}", sys.stderr)
    return status


class _Commands:
    """Builder of the subcommands of a parser."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(
        self, name: str, run: Callable[[argparse.Namespace], None], text: str, *files: str
    ) -> argparse.ArgumentParser:
        command = self._subparsers.add_parser(
            name, help=text, description=text, epilog=t(_SETTINGS_HELP)
        )
        for file in files:
            command.add_argument(file)
        command.set_defaults(run=run)
        return command


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="caravanserai", description=t("Caravan board games."), epilog=t(_SETTINGS_HELP)
    )
    parser.add_argument(
        "--version",
        action="version",
        version=__version__,
        help=t("show program's version number and exit"),
    )
    parser.add_argument(
        "--language", metavar="TAG", help=t("the language to speak, instead of the terminal's")
    )
    _add_commands(_Commands(parser).add)
    return parser


def _add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    add("serve", commands.serve, t("Run the service."))
    proof = t("Prove that a match was played by the rules.")
    verify = add("verify", commands.verify, proof, "MATCH.json")
    verify.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="FILE_OR_HEX",
        help=t(
            "a public key, or a list of them as the service publishes it: the file must be signed"
            " by one of these keys; may be repeated"
        ),
    )
    add("replay", commands.replay, t("Tell a match in words, move by move."), "MATCH.json")
    add("export", commands.export, t("Print the file of a stored match."), "MATCH_ID")
    taken = t("Prove a match file and store it for review.")
    add("import", commands.import_file, taken, "MATCH.json")
    add("rebuild", commands.rebuild, t("Fold the read models again from the log."))
    tables = t("Bring the tables of the database up to date; serve does it too.")
    add("migrate", commands.migrate, tables)
    kept = t("Write a copy of the whole store, also while people play.")
    add("backup", admin.backup, kept, "FILE")
    back = t("Bring a copy back into an empty store.")
    add("restore", admin.restore, back, "FILE")
    moved = t("Copy the store to the other database: a postgresql:// address, or a file.")
    add("move-store", admin.move_store, moved, "TARGET")
    signing = t("Sign match files with a new key from now on.")
    add("rotate-key", commands.rotate_key, signing)
    add("openapi", commands.openapi, t("Print the OpenAPI document of the service."))
    for slug, command in _game_commands():
        help_text = translate(slug, command.help_text, {})
        run = partial(commands.run_for_game, command)
        add(command.name, run, help_text, command.argument)


def _game_commands() -> Iterator[tuple[str, FileCommand]]:
    for slug in TITLES:
        part = game_module(slug, "cli")
        if part is not None:
            yield from ((slug, command) for command in part.COMMANDS)
