"""Commands for operators: backing up, restoring and moving the store."""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.text.i18n import N_
from service.cli.commands import CommandFailed, check_exists, open_current_store
from service.http.i18n import t
from service.settings import Settings, read_settings

_FILE_EXISTS = N_("cli.error.file_exists")
_STORE_NOT_EMPTY = N_("cli.error.store_not_empty")


def backup(options: argparse.Namespace) -> None:
    from service.store.store_copy import copy_sqlite_file

    settings = read_settings()
    check_exists(settings)
    file = Path(options.FILE)
    if file.exists():
        raise CommandFailed(_FILE_EXISTS, file=str(file))
    if settings.database_url:
        with closing(open_current_store(settings)) as source, _new_store_file(file) as target:
            _print_result(_copy_store(source, target))
    else:
        copy_sqlite_file(settings.data_file, file)
    print(t("cli.backup_saved", file=str(file)))


def restore(options: argparse.Namespace) -> None:
    file, settings = Path(options.FILE), read_settings()
    if not file.is_file():
        raise CommandFailed("cli.error.no_store", file=str(file))
    with _temporary_copy(file) as source, closing(open_current_store(settings)) as target:
        _check_empty(target)
        _print_result(_copy_store(source, target))


def move_store(options: argparse.Namespace) -> None:
    settings = read_settings()
    check_exists(settings)
    to_postgres = "://" in options.TARGET
    if to_postgres == bool(settings.database_url):
        raise CommandFailed("cli.error.same_database_type")
    other = (
        replace(settings, database_url=options.TARGET)
        if to_postgres
        else replace(settings, database_url="", data=options.TARGET)
    )
    with (
        closing(open_current_store(settings)) as source,
        closing(open_current_store(other)) as target,
    ):
        _check_empty(target)
        copied = _copy_store(source, target)
        if source.newest_entry_id() != copied.last_position:
            raise CommandFailed("cli.error.source_changed")
        _print_result(copied)


def _copy_store(source: Any, target: Any) -> Any:
    from service.store.store_copy import CopyDiffers, copy_store

    try:
        return copy_store(source, target)
    except CopyDiffers as error:
        raise CommandFailed("cli.error.copy_differs", match=str(error)) from None


def _check_empty(target: Any) -> None:
    from service.store.store_copy import is_empty

    if not is_empty(target):
        raise CommandFailed(_STORE_NOT_EMPTY)


def _print_result(copied: Any) -> None:
    print(t("cli.move_store.copied", n=copied.matches))
    if copied.unread:
        print(t("cli.move_store.unreadable", n=copied.unread))


@contextmanager
def _new_store_file(file: Path) -> Iterator[Any]:
    """Open a new store while the block runs, and rename it to ``file`` if the block succeeds."""
    with tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=".backup-") as folder:
        made = Path(folder) / "store.sqlite"
        with closing(open_current_store(Settings(data=str(made)))) as target:
            yield target
        made.rename(file)


@contextmanager
def _temporary_copy(file: Path) -> Iterator[Any]:
    """Open a temporary copy of a backup while the block runs.

    The backup itself is not opened, because opening a store may migrate its tables.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, Path(folder) / "store.sqlite")
        with closing(open_current_store(Settings(data=str(copy)))) as source:
            yield source
