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
from service.http import i18n
from service.settings import InvalidSetting, frontend_folder

_SETTINGS_HELP = N_("cli.settings")


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
        return _print_error(error.translate(i18n.current_language()), 1)
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
    first.add_argument("--language", default=i18n.terminal_language(os.environ))
    asked = first.parse_known_args(arguments)[0].language
    i18n.set_language(i18n.Languages(frontend_folder(os.environ) / "words")[asked])
    # argparse calls this name to translate its own messages.
    argparse._ = _translate_argparse  # type: ignore[attr-defined]


ARGPARSE_MESSAGES = {
    "usage: ": N_("cli.argparse.usage"),
    "positional arguments": N_("cli.argparse.positional"),
    "options": N_("cli.argparse.options"),
    "show this help message and exit": N_("cli.argparse.help"),
    "show program's version number and exit": N_("cli.argparse.version"),
    "%(prog)s: error: %(message)s\n": N_("cli.argparse.error"),
    "argument %(argument_name)s: %(message)s": N_("cli.argparse.argument"),
    "expected one argument": N_("cli.argparse.expected_one"),
    "the following arguments are required: %s": N_("cli.argparse.required"),
    "unrecognized arguments: %s": N_("cli.argparse.unrecognized"),
    "invalid choice: %(value)r (choose from %(choices)s)": N_("cli.argparse.invalid_choice"),
}
"""Message ids by the message of argparse."""


def _translate_argparse(message: str) -> str:
    known = ARGPARSE_MESSAGES.get(message)
    return message if known is None else i18n.t(known)


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
            name, help=text, description=text, epilog=i18n.t(_SETTINGS_HELP)
        )
        for file in files:
            command.add_argument(file)
        command.set_defaults(run=run)
        return command


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="caravanserai", description=i18n.t("cli.description"), epilog=i18n.t(_SETTINGS_HELP)
    )
    parser.add_argument(
        "--version", action="version", version=__version__, help=i18n.t("cli.argparse.version")
    )
    parser.add_argument("--language", metavar="TAG", help=i18n.t("cli.help.language"))
    _add_commands(_Commands(parser).add)
    return parser


def _add_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    add("serve", commands.serve, i18n.t("cli.help.serve"))
    verify = add("verify", commands.verify, i18n.t("cli.help.verify"), "MATCH.json")
    verify.add_argument(
        "--key", action="append", default=[], metavar="FILE_OR_HEX", help=i18n.t("cli.help.key")
    )
    add("replay", commands.replay, i18n.t("cli.help.replay"), "MATCH.json")
    add("export", commands.export, i18n.t("cli.help.export"), "MATCH_ID")
    add("import", commands.import_file, i18n.t("cli.help.import"), "MATCH.json")
    add("rebuild", commands.rebuild, i18n.t("cli.help.rebuild"))
    add("migrate", commands.migrate, i18n.t("cli.help.migrate"))
    add("backup", admin.backup, i18n.t("cli.help.backup"), "FILE")
    add("restore", admin.restore, i18n.t("cli.help.restore"), "FILE")
    add("move-store", admin.move_store, i18n.t("cli.help.move_store"), "TARGET")
    add("rotate-key", commands.rotate_key, i18n.t("cli.help.rotate_key"))
    add("openapi", commands.openapi, i18n.t("cli.help.openapi"))
    for slug, command in _game_commands():
        help_text = i18n.translate(slug, command.help_text, {})
        run = partial(commands.run_for_game, command)
        add(command.name, run, help_text, command.argument)


def _game_commands() -> Iterator[tuple[str, FileCommand]]:
    for slug in TITLES:
        part = game_module(slug, "cli")
        if part is not None:
            yield from ((slug, command) for command in part.COMMANDS)
