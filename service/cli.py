"""The command line: ``caravanserai COMMAND``.

Exit status: 0 done, 1 a check failed or a file is bad, 2 wrong usage. Errors are one line on
standard error.
"""

import argparse
import os
import re
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import msgspec

from domain import matchfile
from domain.command_line import FileCommand
from domain.filed import BadFile, Signature, parsed
from domain.misfits import misfit
from domain.register import TITLES, part_of
from domain.words import N_, Explained
from service import __version__
from service.base.languages import Languages, language, speak, t, terminal_language, tn, told
from service.base.text import printable
from service.settings import BadSetting, Settings, from_environment, frontend_folder
from service.telling import read_aloud, status_word

_SETTINGS = N_(
    "Settings come from the environment: PORT, DATA, DATABASE_URL, REDIS_URL, PUBLIC_URL."
)


class Failed(Explained):
    """A check failed; the message is the line to print."""

    room = "service"

    def __init__(self, sentence: str, /, **args: Any) -> None:
        super().__init__(sentence, args)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    _choose_language(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except BadSetting as error:
        return _complain(error, 2)
    except Explained as error:
        return _complain(error.told(language()), 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # A bug or a database that is away: still one line and no traceback.
        return _complain(f"{type(error).__name__}: {error}", 1)
    return 0


def _choose_language(arguments: Sequence[str]) -> None:
    """Speaks the language of ``--language``, or of the terminal (``LC_ALL``, ``LANG``).

    It has to be known before the parser is made, for its help is told in it too.
    """
    first = argparse.ArgumentParser(add_help=False)
    first.add_argument("--language", default=terminal_language(os.environ))
    asked = first.parse_known_args(arguments)[0].language
    speak(Languages(frontend_folder(os.environ) / "words")[asked])
    # The library asks gettext for its own few words by this name.
    argparse._ = t  # type: ignore[attr-defined]


USAGE = (
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
"""What argparse says, for translators to find."""


def _complain(error: object, status: int) -> int:
    _print(f"caravanserai: {' '.join(str(error).split())}", sys.stderr)
    return status


def _print(line: str, where: TextIO | None = None) -> None:
    """One line; a file it quotes cannot steer the terminal."""
    print(printable(line), file=where)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="caravanserai", description=t("Caravan board games."), epilog=t(_SETTINGS)
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
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(
        name: str, run: Callable[[argparse.Namespace], None], text: str, *files: str
    ) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, epilog=t(_SETTINGS))
        for file in files:
            command.add_argument(file)
        command.set_defaults(run=run)
        return command

    add("serve", _serve, t("Run the service."))
    verify = add("verify", _verify, t("Prove that a match was played by the rules."), "MATCH.json")
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
    add("replay", _replay, t("Tell a match in words, move by move."), "MATCH.json")
    add("export", _export, t("Print the file of a stored match."), "MATCH_ID")
    add("import", _import, t("Prove a match file and store it for review."), "MATCH.json")
    add("rebuild", _rebuild, t("Fold the read models again from the log."))
    add("rotate-key", _rotate_key, t("Sign match files with a new key from now on."))
    add("openapi", _openapi, t("Print the OpenAPI document of the service."))
    for slug, command in _games_commands():
        help_text = told(slug, command.text, {})
        add(command.name, partial(_run_for_game, command), help_text, command.argument)
    return parser


def _games_commands() -> Iterator[tuple[str, FileCommand]]:
    for slug in TITLES:
        part = part_of(slug, "cli")
        if part is not None:
            yield from ((slug, command) for command in part.COMMANDS)


# --- commands ---------------------------------------------------------------------------------


def _serve(_options: argparse.Namespace) -> None:
    from service.server import serve

    if serve(from_environment()):
        raise Failed("the service could not start")


def _run_for_game(command: FileCommand, options: argparse.Namespace) -> None:
    """A command that a game brings: a file in, one line of JSON out."""
    document = _read(getattr(options, command.argument))
    found = command.run(document)
    print(msgspec.json.encode(found).decode())


def _verify(options: argparse.Namespace) -> None:
    document = _read(getattr(options, "MATCH.json"))
    checked = bool(options.key)
    if checked:
        _check_key(document, _trusted(options.key))
    if checked and document["hidden"]:
        vouched = _vouched(_signature(document), checked=True)
        _print(t("{vouched}; parts are hidden, not proved", vouched=vouched))
        return
    proof = _proved(document)
    signature = _signature(document)
    timeline, now = proof.timeline, proof.timeline.now
    _print(
        t(
            "holds: {game}, {decisions} decisions, {events} events, {status}; {vouched}",
            game=now.opened.game,
            decisions=len(timeline.decisions),
            events=timeline.version,
            status=status_word(now.status),
            vouched=_vouched(signature, checked=checked),
        )
    )
    drawn = {"proved": proof.proved, "drawn": proof.drawn}
    print(t("draws: {proved} of {drawn} follow from the seed", **drawn))
    if proof.inherited:
        fork = "{n} draws came along with a fork and prove nothing by themselves"
        print(
            tn(
                "{n} draw came along with a fork and proves nothing by itself",
                fork,
                n=proof.inherited,
            )
        )
    if now.status != "finished":
        print(t("its seed is not known yet, so nobody can say where the draws come from"))


def _replay(options: argparse.Namespace) -> None:
    document = _read(getattr(options, "MATCH.json"))
    try:
        signature = _signature(document)
        lines = read_aloud(document)
        _print(t("{match}; {vouched}", match=next(lines), vouched=_vouched(signature)))
        for line in lines:
            _print(line)
    except BadFile as error:
        raise Failed(_NO_FILE, reason=_reason(error)) from None
    except (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Failed(_NO_FILE, reason=_misfit(error)) from None


_NO_FILE = N_("this is no match file: {reason}")


def _reason(error: Explained) -> dict[str, Any]:
    """An error as a part of another's sentence."""
    return {"key": error.sentence, "args": dict(error.args_told), "room": error.room}


def _export(options: argparse.Namespace) -> None:
    from service.matches.signing import Keys
    from service.matches.tables import folded

    try:
        key = uuid.UUID(options.MATCH_ID)
    except ValueError:
        raise Failed("this is no match id") from None
    with _store(must_exist=True) as (store, _settings):
        recorded = store.decisions(key)
        if not recorded:
            raise Failed("there is no such match")
        sign = Keys(store).signer(_now())
    document = matchfile.export(str(key), folded(recorded), None, sign=sign)
    print(msgspec.json.format(msgspec.json.encode(document), indent=1).decode())


def _import(options: argparse.Namespace) -> None:
    from service.matches import signing
    from service.matches.imported import owned_by
    from service.store import Recorded

    document = _read(getattr(options, "MATCH.json"))
    found = _proved(document).timeline
    signature = _signature(document)
    key = uuid.uuid4()
    # Nobody's match: public, so that it can be looked at, and forked by who likes.
    owned = owned_by(found, f"{key}/{found.now.opened.owner}", str(key), "public")
    with _store(must_exist=False) as (store, _settings):
        ours = signing.Keys(store).publics()
        timeline = signing.noted(owned, signature, ours)
        game = timeline.now.opened.game
        store.put([Recorded(key, game, decision) for decision in timeline.decisions])
    print(key)
    print(
        _vouched(signature, checked=bool(signature and signature.public in ours)), file=sys.stderr
    )


def _rebuild(_options: argparse.Namespace) -> None:
    from projections.runner import Projector
    from projections.views import Views
    from service.store import library_settings

    with _store(must_exist=True) as (store, settings):
        views = Views(library_settings(settings, views=True))
        with closing(views):
            count = Projector(store, views).rebuild()
    print(
        tn(
            "read models rebuilt from {n} decision",
            "read models rebuilt from {n} decisions",
            n=count,
        )
    )


def _rotate_key(_options: argparse.Namespace) -> None:
    from service.matches.signing import Keys

    with _store(must_exist=True) as (store, _settings):
        keys = Keys(store)
        keys.signer(_now())
        key = keys.rotate(_now())
    print(t("signing with key {key} from now on: {public}", key=key.id, public=key.public))


def _openapi(_options: argparse.Namespace) -> None:
    from service.openapi import rendered

    sys.stdout.write(rendered().decode())


# --- helpers ----------------------------------------------------------------------------------


@contextmanager
def _store(*, must_exist: bool) -> Iterator[tuple[Any, Settings]]:
    from service.store import Store

    settings = from_environment()
    if must_exist and not settings.database_url and not settings.data_file.exists():
        raise Failed("there is no store at {file}", file=str(settings.data_file))
    with closing(Store(settings)) as store:
        yield store, settings


def _read(name: str) -> Any:
    try:
        return parsed(Path(name).read_bytes())
    except OSError as error:
        raise Failed("{file}: {reason}", file=name, reason=t(str(error.strerror))) from None
    except BadFile as error:
        raise Failed("{file}: {reason}", file=name, reason=_reason(error)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Failed("{file}: not valid JSON: {reason}", file=name, reason=_misfit(error)) from None


def _misfit(error: Exception) -> dict[str, Any]:
    """What the library says of JSON, as a part of another sentence."""
    sentence, args = misfit(str(error) or type(error).__name__)
    return {"key": sentence, "args": args, "room": "kernel"}


OF_FILES = (
    N_("No such file or directory"),
    N_("Is a directory"),
    N_("Permission denied"),
)
"""What the system says of files, for translators to find."""


def _signature(document: Any) -> Signature | None:
    from service.matches.signing import signature_of

    try:
        return signature_of(document)
    except BadFile as error:
        raise error from None


def _check_key(document: Any, trusted: set[str]) -> None:
    signature = _signature(document)
    if signature is None:
        raise Failed("it is not signed")
    if signature.public not in trusted:
        raise Failed("it is signed by key {key}, which is none of those given", key=signature.key)


def _trusted(given: Sequence[str]) -> set[str]:
    """Public keys of the command line: as hex, or in files as the service lists them."""
    keys = set()
    for text in given:
        if _HEX_KEY.fullmatch(text):
            keys.add(text)
            continue
        try:
            listed = msgspec.convert(_read(text), _KeyList)
        except msgspec.ValidationError as error:
            raise Failed(
                "{file}: no list of keys: {reason}", file=text, reason=_misfit(error)
            ) from None
        keys.update(key.public for key in listed.keys)
    return keys


_HEX_KEY = re.compile(r"[0-9a-f]{64}")


class _ListedKey(msgspec.Struct):
    public: str


class _KeyList(msgspec.Struct):
    keys: list[_ListedKey]


def _vouched(signature: Signature | None, *, checked: bool = False) -> str:
    """Who says that names and times are true."""
    if signature is None:
        return t("not signed: names and times are what the file says")
    if checked:
        return t("signed by key {key}", key=signature.key)
    return t("signed by key {key}, not checked whose that is", key=signature.key)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _proved(document: Any) -> matchfile.Proof:
    from service.matches.options import check

    try:
        return matchfile.prove(document, check, _now())
    except BadFile as error:
        raise error from None


if __name__ == "__main__":
    sys.exit(main())
