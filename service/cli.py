"""The command line: ``caravanserai COMMAND``.

Exit status: 0 done, 1 a check failed or a file is bad, 2 wrong usage. Errors are one line on
standard error.
"""

import argparse
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from domain import match as kernel
from domain import matchfile
from domain.codec import Codec, codec_of
from domain.game import say
from domain.match import Decision, MatchOpened, SeatTaken, is_kernel
from service.settings import BadSetting, Settings, from_environment

_EXAMPLES = "Settings come from the environment: PORT, DATA, DATABASE_URL, REDIS_URL, PUBLIC_URL."


class _Failed(Exception):
    """A check failed; the message is the line to print."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except BadSetting as error:
        return _complain(error, 2)
    except _Failed as error:
        return _complain(error, 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # A bug or a database that is away: still one line and no traceback.
        return _complain(f"{type(error).__name__}: {error}", 1)
    return 0


def _complain(error: object, status: int) -> int:
    line = " ".join(str(error).split())
    print(f"caravanserai: {line}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="caravanserai", description="Caravan board games.", epilog=_EXAMPLES
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[argparse.Namespace], None], text: str, *files: str) -> None:
        command = commands.add_parser(name, help=text, description=text, epilog=_EXAMPLES)
        for file in files:
            command.add_argument(file)
        command.set_defaults(run=run)

    add("serve", _serve, "Run the service.")
    add("perft", _perft, "Count all legal whole placements of a position.", "POSITION.json")
    add("verify", _verify, "Prove that a match was played by the rules.", "MATCH.json")
    add("replay", _replay, "Tell a match in words, move by move.", "MATCH.json")
    add("export", _export, "Print the file of a stored match.", "MATCH_ID")
    add("import", _import, "Prove a match file and store it for review.", "MATCH.json")
    add("rebuild", _rebuild, "Fold the read models again from the log.")
    add("openapi", _openapi, "Print the OpenAPI document of the service.")
    return parser


# --- commands ---------------------------------------------------------------------------------


def _serve(_options: argparse.Namespace) -> None:
    from service.server import serve

    if serve(from_environment()):
        raise _Failed("the service could not start")


def _perft(options: argparse.Namespace) -> None:
    from domain.caravanserai.perft import perft
    from domain.caravanserai.position import BadPosition, load

    document = _read(getattr(options, "POSITION.json"))
    try:
        state = load(document)
    except BadPosition as error:
        raise _Failed(error) from None
    print(msgspec.json.encode(perft(state)).decode())


def _verify(options: argparse.Namespace) -> None:
    timeline = _verified(getattr(options, "MATCH.json"))
    now = timeline.now
    print(
        f"holds: {now.opened.game}, {len(timeline.decisions)} decisions,"
        f" {timeline.version} events, {now.status}"
    )


def _replay(options: argparse.Namespace) -> None:
    document = _read(getattr(options, "MATCH.json"))
    try:
        for line in told(document):
            print(line)
    except (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise _Failed(f"this is no match file: {error or type(error).__name__}") from None


def _export(options: argparse.Namespace) -> None:
    from service.tables import folded

    try:
        key = uuid.UUID(options.MATCH_ID)
    except ValueError:
        raise _Failed("this is no match id") from None
    with _store(must_exist=True) as (store, _settings):
        recorded = store.decisions(key)
    if not recorded:
        raise _Failed("there is no such match")
    document = matchfile.export(str(key), folded(recorded), None)
    print(msgspec.json.format(msgspec.json.encode(document), indent=1).decode())


def _import(options: argparse.Namespace) -> None:
    from service.imported import owned_by
    from service.store import Recorded

    found = _verified(getattr(options, "MATCH.json"))
    key = uuid.uuid4()
    # Nobody's match: public, so that it can be looked at, and forked by who likes.
    timeline = owned_by(found, f"{key}/{found.now.opened.owner}", str(key), "public")
    game = timeline.now.opened.game
    with _store(must_exist=False) as (store, _settings):
        store.put([Recorded(key, game, decision) for decision in timeline.decisions])
    print(key)


def _rebuild(_options: argparse.Namespace) -> None:
    from projections.runner import Projector
    from projections.views import Views
    from service.store import library_settings

    with _store(must_exist=True) as (store, settings):
        views = Views(library_settings(settings, views=True))
        with closing(views):
            count = Projector(store, views).rebuild()
    print(f"read models rebuilt from {count} decisions")


def _openapi(_options: argparse.Namespace) -> None:
    from service.openapi import rendered

    sys.stdout.write(rendered().decode())


# --- helpers ----------------------------------------------------------------------------------


@contextmanager
def _store(*, must_exist: bool) -> Iterator[tuple[Any, Settings]]:
    from service.store import Store

    settings = from_environment()
    if must_exist and not settings.database_url and not settings.data_file.exists():
        raise _Failed(f"there is no store at {settings.data_file}")
    with closing(Store(settings)) as store:
        yield store, settings


def _read(name: str) -> Any:
    try:
        return msgspec.json.decode(Path(name).read_bytes())
    except OSError as error:
        raise _Failed(f"{name}: {error.strerror}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _Failed(f"{name}: not valid JSON: {error}") from None


def _verified(name: str) -> kernel.Timeline:
    from service.options import check

    try:
        return matchfile.verify(_read(name), check)
    except matchfile.BadFile as error:
        raise _Failed(error) from None


def told(document: Any) -> Iterator[str]:
    """A match file in words, a line an event; what is hidden in it stays so."""
    codec = codec_of(document["game"])
    names: list[str] = []
    yield f"{codec.title.title}, match {document['id']}, {document['status']}"
    for plain in document["decisions"]:
        decision = _decision(codec, plain, document["rules_version"])
        for version, event in enumerate(decision.events, start=decision.version):
            _learn_names(names, event)
            yield f"{version:5}  {_text(codec, event, tuple(names))}"


def _decision(codec: Codec, plain: dict[str, Any], rules_version: int) -> Decision:
    if plain.get("hidden"):
        # Its command is left out of the file; only the redacted events are told.
        plain = {
            "version": plain["version"],
            "seat": None,
            "command": {"type": "Start"},
            "events": plain["events"],
            "draws": [],
            "at": plain["at"],
        }
    return codec.from_plain(plain, rules_version)


def _learn_names(names: list[str], event: Any) -> None:
    match event:
        case MatchOpened(seats=seats):
            names[:] = [seat.name or f"Seat {i + 1}" for i, seat in enumerate(seats)]
        case SeatTaken(seat=seat, name=name):
            names[seat] = name


def _text(codec: Codec, event: Any, names: tuple[str, ...]) -> str:
    if is_kernel(event):
        return say(kernel.TEXT, *kernel.tell(event), names)
    return say(codec.rules.TEXT, *codec.rules.tell(event), names)


if __name__ == "__main__":
    sys.exit(main())
