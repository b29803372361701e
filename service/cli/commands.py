"""The commands of the command line.

Each command receives the options parsed by argparse, prints its result, and raises `CommandFailed`
or another `TranslatableError` if it fails.
"""

import argparse
import errno
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
from domain.matchfile.writer import export_match
from domain.text.i18n import N_, TranslatableError
from domain.text.msgspec_errors import translate_error
from service.cli.transcript import status_label, transcript
from service.common.log_safety import escape_controls
from service.http.i18n import t
from service.settings import Settings, read_settings
from service.store_setup import open_store


class CommandFailed(TranslatableError):
    """Error of a failed command, with the line to print as its message."""

    text_domain = "service"


def print_line(line: str, stream: TextIO | None = None) -> None:
    """Print one line with control characters escaped, so that file content in it is harmless."""
    print(escape_controls(line), file=stream)


def serve(_options: argparse.Namespace) -> None:
    from service.server import run_server

    settings = read_settings()
    # Migrate before the port is opened, so that a problem with the tables is reported in one line.
    with _open_read_models(settings):
        pass
    if run_server(settings):
        raise CommandFailed("cli.error.not_started")


def migrate(_options: argparse.Namespace) -> None:
    with _open_read_models(read_settings()) as (store, views):
        count = store.migration_count + views.migration_count
    print(t("cli.migrated", n=count) if count else t("cli.nothing_to_do"))


def run_for_game(command: FileCommand, options: argparse.Namespace) -> None:
    """Run a game's own command: read a match file and print the result as one line of JSON."""
    document = _read_match_file(getattr(options, command.argument))
    found = command.run(document)
    print(msgspec.json.encode(found).decode())


def verify(options: argparse.Namespace) -> None:
    document = _read_match_file(getattr(options, "MATCH.json"))
    checked = bool(options.key)
    if checked:
        _check_key(document, _read_trusted_keys(options.key))
    if checked and document["hidden"]:
        certified = _describe_signer(_check_signature(document), is_trusted=True)
        print_line(t("cli.verify.hidden", vouched=certified))
        return
    proof = _verify_draws(document)
    signature = _check_signature(document)
    timeline, now = proof.timeline, proof.timeline.latest
    print_line(
        t(
            "cli.verify.valid",
            game=now.opened.game,
            decisions=len(timeline.decisions),
            events=timeline.version,
            status=status_label(now.status),
            vouched=_describe_signer(signature, is_trusted=checked),
        )
    )
    drawn = {"proved": proof.proved, "drawn": proof.drawn}
    print(t("cli.verify.draws", **drawn))
    if proof.inherited:
        print(t("cli.verify.inherited", n=proof.inherited))
    if now.status != "finished":
        print(t("cli.verify.seed_unknown"))


def replay(options: argparse.Namespace) -> None:
    document = _read_match_file(getattr(options, "MATCH.json"))
    try:
        signature = _check_signature(document)
        lines = transcript(document)
        print_line(t("cli.replay.signed", match=next(lines), vouched=_describe_signer(signature)))
        for line in lines:
            print_line(line)
    except BadFile as error:
        raise CommandFailed(_INVALID_FILE, reason=_error_args(error)) from None


_INVALID_FILE = N_("cli.error.bad_file")


def _error_args(error: TranslatableError) -> dict[str, Any]:
    """Return an error as an argument for another message, which translates it."""
    return {"key": error.message_id, "args": dict(error.message_args), "room": error.text_domain}


def export(options: argparse.Namespace) -> None:
    from service.matches.match_cache import fold_decisions
    from service.matches.signing import SigningKeys

    try:
        key = uuid.UUID(options.MATCH_ID)
    except ValueError:
        raise CommandFailed("cli.error.bad_id") from None
    with _open_store(must_exist=True) as store:
        recorded = store.decisions(key)
        if not recorded:
            raise CommandFailed("cli.error.no_such_game")
        sign = SigningKeys(store).signer(_now_ms())
    document = export_match(str(key), fold_decisions(recorded), None, sign=sign)
    print(msgspec.json.format(msgspec.json.encode(document), indent=1).decode())


def import_file(options: argparse.Namespace) -> None:
    from service.matches import signing
    from service.matches.seating import replace_owner
    from service.store import StoredDecision

    document = _read_match_file(getattr(options, "MATCH.json"))
    found = _verify_draws(document).timeline
    signature = _check_signature(document)
    key = uuid.uuid4()
    # The match belongs to no player, so it is made public: everyone can see and fork it.
    owned = replace_owner(found, f"{key}/{found.latest.opened.owner}", str(key), "public")
    with _open_store(must_exist=False) as store:
        own_keys = signing.SigningKeys(store).public_keys()
        timeline = signing.with_source(owned, signature, own_keys)
        game = timeline.latest.opened.game
        store.save_decisions(
            [StoredDecision(key, game, decision) for decision in timeline.decisions]
        )
    print(key)
    print(
        _describe_signer(signature, is_trusted=bool(signature and signature.public in own_keys)),
        file=sys.stderr,
    )


def rebuild(_options: argparse.Namespace) -> None:
    from projections.runner import Projector

    settings = read_settings()
    check_exists(settings)
    with _open_read_models(settings) as (store, views):
        count = Projector(store, views, open_log=partial(open_store, settings)).rebuild()
    print(t("cli.rebuilt", n=count))


def rotate_key(_options: argparse.Namespace) -> None:
    from service.matches.signing import SigningKeys

    with _open_store(must_exist=True) as store:
        keys = SigningKeys(store)
        keys.signer(_now_ms())
        key = keys.rotate(_now_ms())
    print(t("cli.key_rotated", key=key.id, public=key.public))


def openapi(_options: argparse.Namespace) -> None:
    from service.openapi import render_document

    sys.stdout.write(render_document().decode())


# --- helpers ----------------------------------------------------------------------------------


@contextmanager
def _open_store(*, must_exist: bool) -> Iterator[Any]:
    settings = read_settings()
    if must_exist:
        check_exists(settings)
    with closing(open_current_store(settings)) as store:
        yield store


@contextmanager
def _open_read_models(settings: Settings) -> Iterator[tuple[Any, Any]]:
    """Open the store and its read models while the block runs, migrating their tables.

    Raises `CommandFailed` if a newer version of the program has migrated them.
    """
    from projections.read_models import ReadModels
    from service.store import library_settings

    with (
        _report_newer_schema(),
        closing(open_current_store(settings)) as store,
        closing(ReadModels(library_settings(settings, views=True))) as views,
    ):
        yield store, views


def open_current_store(settings: Settings) -> Any:
    """Open the store, migrating its tables; the caller must close it.

    Raises `CommandFailed` if a newer version of the program has migrated it.
    """

    with _report_newer_schema():
        return open_store(settings)


@contextmanager
def _report_newer_schema() -> Iterator[None]:
    from projections.database.migrations import NewerDatabase

    try:
        yield
    except NewerDatabase as error:
        raise CommandFailed(
            _NEWER_SCHEMA, found=error.applied_step, known=error.newest_known_step
        ) from None


_NEWER_SCHEMA = N_("cli.error.newer_schema")


def check_exists(settings: Settings) -> None:
    """Raise `CommandFailed` if the store is an SQLite file that does not exist."""
    if not settings.database_url and not settings.data_file.exists():
        raise CommandFailed("cli.error.no_store", file=str(settings.data_file))


def _read_match_file(name: str) -> Any:
    try:
        return parse_json(Path(name).read_bytes())
    except OSError as error:
        raise CommandFailed("cli.error.file", file=name, reason=_file_error(error)) from None
    except BadFile as error:
        raise CommandFailed("cli.error.file", file=name, reason=_error_args(error)) from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise CommandFailed(
            "cli.error.bad_json", file=name, reason=_msgspec_error_args(error)
        ) from None


def _msgspec_error_args(error: Exception) -> dict[str, Any]:
    """Return an error of msgspec as an argument for another message, which translates it."""
    sentence, args = translate_error(str(error) or type(error).__name__)
    return {"key": sentence, "args": args, "room": "kernel"}


FILE_ERROR_MESSAGES = {
    errno.ENOENT: N_("cli.file.not_found"),
    errno.EISDIR: N_("cli.file.is_directory"),
    errno.EACCES: N_("cli.file.permission_denied"),
}
"""Message ids by the error number of the operating system."""


def _file_error(error: OSError) -> str:
    known = FILE_ERROR_MESSAGES.get(error.errno or 0)
    return str(error.strerror) if known is None else t(known)


def _check_signature(document: Any) -> Signature | None:
    from service.matches.signing import verify_signature

    return verify_signature(document)


def _check_key(document: Any, trusted: set[str]) -> None:
    signature = _check_signature(document)
    if signature is None:
        raise CommandFailed("cli.error.unsigned")
    if signature.public not in trusted:
        raise CommandFailed("cli.error.untrusted_key", key=signature.key)


def _read_trusted_keys(key_arguments: Sequence[str]) -> set[str]:
    """Return the public keys given on the command line.

    Each argument is a key in hex, or a file with a list of keys as the service publishes it. Raises
    `CommandFailed` if a file is not such a list.
    """
    keys = set()
    for text in key_arguments:
        if _HEX_KEY.fullmatch(text):
            keys.add(text)
            continue
        try:
            listed = msgspec.convert(_read_match_file(text), _KeyList)
        except msgspec.ValidationError as error:
            raise CommandFailed(
                "cli.error.bad_key_list", file=text, reason=_msgspec_error_args(error)
            ) from None
        keys.update(key.public for key in listed.keys)
    return keys


_HEX_KEY = re.compile(r"[0-9a-f]{64}")


class _ListedKey(msgspec.Struct):
    public: str


class _KeyList(msgspec.Struct):
    keys: list[_ListedKey]


def _describe_signer(signature: Signature | None, *, is_trusted: bool = False) -> str:
    """Return a clause about the signature that certifies the names and times in a match file.

    ``is_trusted``: whether the signing key is known to be trustworthy.
    """
    if signature is None:
        return t("cli.signature.none")
    if is_trusted:
        return t("cli.signature.trusted", key=signature.key)
    return t("cli.signature.unchecked", key=signature.key)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _verify_draws(document: Any) -> verification.Proof:
    from service.matches.options import check_options

    return verification.prove(document, check_options, _now_ms())
