"""Implementation of the command line's commands.

Each command gets the options parsed by argparse, prints its result and raises `Failed`.
"""

import argparse
import re
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import msgspec

from domain.contract.command_line import FileCommand
from domain.matchfile import verification
from domain.matchfile.schema import BadFile, Signature, parse_json
from domain.text.i18n import N_, TranslatableError
from domain.text.msgspec_errors import translate_error
from service.cli.transcript import read_aloud, status_word
from service.common.log_safety import printable
from service.http.i18n import t, tn
from service.settings import Settings, from_environment
from service.store_setup import open_store


class Failed(TranslatableError):
    """A failed check; the message is the line to print."""

    text_domain = "service"

    def __init__(self, sentence: str, /, **args: Any) -> None:
        super().__init__(sentence, args)


def say(line: str, where: TextIO | None = None) -> None:
    """Print one line, escaped so that quoted file content cannot control the terminal."""
    print(printable(line), file=where)


def serve(_options: argparse.Namespace) -> None:
    from service.server import serve

    settings = from_environment()
    # Before the port is opened, so that a problem with the tables is reported in one line.
    with _views(settings):
        pass
    if serve(settings):
        raise Failed("the service could not start")


def migrate(_options: argparse.Namespace) -> None:
    with _views(from_environment()) as (store, views):
        count = store.migrated + views.migrated
    print(tn("{n} step taken", "{n} steps taken", n=count) if count else t("nothing to do"))


def run_for_game(command: FileCommand, options: argparse.Namespace) -> None:
    """Run a command of a game: reads a file, prints one line of JSON."""
    document = _read(getattr(options, command.argument))
    found = command.run(document)
    print(msgspec.json.encode(found).decode())


def verify(options: argparse.Namespace) -> None:
    document = _read(getattr(options, "MATCH.json"))
    checked = bool(options.key)
    if checked:
        _check_key(document, _trusted(options.key))
    if checked and document["hidden"]:
        vouched = _vouched(_signature(document), checked=True)
        say(t("{vouched}; parts are hidden, not proved", vouched=vouched))
        return
    proof = _proved(document)
    signature = _signature(document)
    timeline, now = proof.timeline, proof.timeline.latest
    say(
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


def replay(options: argparse.Namespace) -> None:
    document = _read(getattr(options, "MATCH.json"))
    try:
        signature = _signature(document)
        lines = read_aloud(document)
        say(t("{match}; {vouched}", match=next(lines), vouched=_vouched(signature)))
        for line in lines:
            say(line)
    except BadFile as error:
        raise Failed(_NO_FILE, reason=_reason(error)) from None
    except (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise Failed(_NO_FILE, reason=_misfit(error)) from None


_NO_FILE = N_("this is no match file: {reason}")


def _reason(error: TranslatableError) -> dict[str, Any]:
    """Return an error as an argument for another message."""
    return {"key": error.sentence, "args": dict(error.message_args), "room": error.text_domain}


def export(options: argparse.Namespace) -> None:
    from service.matches.match_cache import folded
    from service.matches.signing import Keys

    try:
        key = uuid.UUID(options.MATCH_ID)
    except ValueError:
        raise Failed("this is no match id") from None
    with _store(must_exist=True) as store:
        recorded = store.decisions(key)
        if not recorded:
            raise Failed("there is no such match")
        sign = Keys(store).signer(_now())
    document = verification.export_match(str(key), folded(recorded), None, sign=sign)
    print(msgspec.json.format(msgspec.json.encode(document), indent=1).decode())


def import_file(options: argparse.Namespace) -> None:
    from service.matches import signing
    from service.matches.seating import owned_by
    from service.store import Recorded

    document = _read(getattr(options, "MATCH.json"))
    found = _proved(document).timeline
    signature = _signature(document)
    key = uuid.uuid4()
    # The match has no player: public, so that anybody can see and fork it.
    owned = owned_by(found, f"{key}/{found.latest.opened.owner}", str(key), "public")
    with _store(must_exist=False) as store:
        ours = signing.Keys(store).publics()
        timeline = signing.noted(owned, signature, ours)
        game = timeline.latest.opened.game
        store.put([Recorded(key, game, decision) for decision in timeline.decisions])
    print(key)
    print(
        _vouched(signature, checked=bool(signature and signature.public in ours)), file=sys.stderr
    )


def rebuild(_options: argparse.Namespace) -> None:
    from projections.runner import Projector

    settings = from_environment()
    check_exists(settings)
    with _views(settings) as (store, views):
        count = Projector(store, views, open_log=partial(open_store, settings)).rebuild()
    print(
        tn(
            "read models rebuilt from {n} decision",
            "read models rebuilt from {n} decisions",
            n=count,
        )
    )


def rotate_key(_options: argparse.Namespace) -> None:
    from service.matches.signing import Keys

    with _store(must_exist=True) as store:
        keys = Keys(store)
        keys.signer(_now())
        key = keys.rotate(_now())
    print(t("signing with key {key} from now on: {public}", key=key.id, public=key.public))


def openapi(_options: argparse.Namespace) -> None:
    from service.openapi import rendered

    sys.stdout.write(rendered().decode())


# --- helpers ----------------------------------------------------------------------------------


@contextmanager
def _store(*, must_exist: bool) -> Iterator[Any]:
    settings = from_environment()
    if must_exist:
        check_exists(settings)
    with closing(opened(settings)) as store:
        yield store


@contextmanager
def _views(settings: Settings) -> Iterator[tuple[Any, Any]]:
    """Open the store and its read models while the block runs."""
    from projections.read_models import ReadModels
    from service.store import library_settings

    with (
        _told_if_newer(),
        closing(opened(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        yield store, views


def opened(settings: Settings) -> Any:
    """Open the store, to be closed by the caller.

    Raises `Failed` when a newer version of the program has migrated it.
    """

    with _told_if_newer():
        return open_store(settings)


@contextmanager
def _told_if_newer() -> Iterator[None]:
    from projections.database.migrations import NewerDatabase

    try:
        yield
    except NewerDatabase as error:
        raise Failed(_NEWER, found=error.applied_step, known=error.newest_known_step) from None


_NEWER = N_(
    "a newer version has changed the database (step {found}; this one knows {known}): install"
    " that version, or restore a backup from before"
)


def check_exists(settings: Settings) -> None:
    """Raise `Failed` when the store is on SQLite and its file does not exist."""
    if not settings.database_url and not settings.data_file.exists():
        raise Failed("there is no store at {file}", file=str(settings.data_file))


def _read(name: str) -> Any:
    try:
        return parse_json(Path(name).read_bytes())
    except OSError as error:
        raise Failed("{file}: {reason}", file=name, reason=t(str(error.strerror))) from None
    except BadFile as error:
        raise Failed("{file}: {reason}", file=name, reason=_reason(error)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Failed("{file}: not valid JSON: {reason}", file=name, reason=_misfit(error)) from None


def _misfit(error: Exception) -> dict[str, Any]:
    """Return msgspec's error message as an argument for another message."""
    sentence, args = translate_error(str(error) or type(error).__name__)
    return {"key": sentence, "args": args, "room": "kernel"}


OF_FILES = (
    N_("No such file or directory"),
    N_("Is a directory"),
    N_("Permission denied"),
)
"""Messages of the operating system about files, listed for translators."""


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
    """Return the public keys of the command line: hex, or files as the service publishes them."""
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
    """Return who vouches for names and times; ``checked``: whether the key is a trusted one."""
    if signature is None:
        return t("not signed: names and times are what the file says")
    if checked:
        return t("signed by key {key}", key=signature.key)
    return t("signed by key {key}, not checked whose that is", key=signature.key)


def _now() -> int:
    return time.time_ns() // 1_000_000


def _proved(document: Any) -> verification.Proof:
    from service.matches.options import check

    try:
        return verification.prove(document, check, _now())
    except BadFile as error:
        raise error from None
