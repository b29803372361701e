"""Commands for operators: backup, restore, and move to the other database."""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from domain.text.i18n import N_
from service.cli.commands import Failed, check_exists, opened
from service.http.i18n import t, tn
from service.settings import Settings, from_environment

_TAKEN = N_("{file} is there already")
_IN_USE = N_("the store is not empty; nothing was changed")


def backup(options: argparse.Namespace) -> None:
    from service.store.store_copy import snapshot

    settings = from_environment()
    check_exists(settings)
    file = Path(options.FILE)
    if file.exists():
        raise Failed(_TAKEN, file=str(file))
    if settings.database_url:
        with closing(opened(settings)) as source, _empty_file(file) as target:
            _tell(_copied(source, target))
    else:
        snapshot(settings.data_file, file)
    print(t("the backup is in {file}", file=str(file)))


def restore(options: argparse.Namespace) -> None:
    file, settings = Path(options.FILE), from_environment()
    if not file.is_file():
        raise Failed("there is no store at {file}", file=str(file))
    with (
        _borrowed(file) as source,
        closing(opened(settings)) as target,
    ):
        _check_empty(target)
        _tell(_copied(source, target))


def move_store(options: argparse.Namespace) -> None:
    settings = from_environment()
    check_exists(settings)
    to_postgres = "://" in options.TARGET
    if to_postgres == bool(settings.database_url):
        raise Failed("a store is moved from SQLite to PostgreSQL or back")
    other = (
        replace(settings, database_url=options.TARGET)
        if to_postgres
        else replace(settings, database_url="", data=options.TARGET)
    )
    with closing(opened(settings)) as source, closing(opened(other)) as target:
        _check_empty(target)
        copied = _copied(source, target)
        if source.newest_notice() != copied.newest:
            raise Failed("moves were made meanwhile: stop the service and begin with an empty one")
        _tell(copied)


def _copied(source: Any, target: Any) -> Any:
    from service.store.store_copy import Differs, copy

    try:
        return copy(source, target)
    except Differs as error:
        raise Failed("match {match} is not the same on the other side", match=str(error)) from None


def _check_empty(target: Any) -> None:
    from service.store.store_copy import is_empty

    if not is_empty(target):
        raise Failed(_IN_USE)


def _tell(copied: Any) -> None:
    n = copied.matches
    print(tn("{n} match copied and compared", "{n} matches copied and compared", n=n))
    if copied.unread:
        print(tn("{n} cannot be read", "{n} cannot be read", n=copied.unread))


@contextmanager
def _empty_file(file: Path) -> Iterator[Any]:
    """Open an empty store; it is renamed to ``file`` when the block succeeds."""
    with tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=".backup-") as folder:
        made = Path(folder) / "store.sqlite"
        with closing(opened(Settings(data=str(made)))) as target:
            yield target
        made.rename(file)


@contextmanager
def _borrowed(file: Path) -> Iterator[Any]:
    """Open a copy of a backup's store, because this version may have to migrate its tables."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, Path(folder) / "store.sqlite")
        with closing(opened(Settings(data=str(copy)))) as source:
            yield source
