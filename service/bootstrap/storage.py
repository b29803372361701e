"""The databases, and what reads and writes them."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial

from msgspec import Struct

from projections.read_models import ReadModels
from projections.runner import Projector, Runner
from projections.snapshots import Snapshots
from service.matches.match_cache import MatchCache
from service.observability.spans import batch_span
from service.settings import Settings
from service.store import Store, library_settings
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store


class Storage(Struct, frozen=True):
    """The databases, and what reads and writes them."""

    store: Store
    writer: GroupCommitWriter
    read_models: ReadModels
    projector: Projector
    runner: Runner
    matches: MatchCache


async def open_storage(
    settings: Settings, stack: AsyncExitStack, *, note_write: Callable[[], None]
) -> Storage:
    """Open the databases until the stack is closed; ``note_write()`` is called after each write."""
    store = await asyncio.to_thread(open_store, settings)
    stack.callback(store.close)
    read_models = await asyncio.to_thread(ReadModels, library_settings(settings, views=True))
    stack.callback(read_models.close)

    def on_saved() -> None:
        # The projector reads matches from the cache, whose writer wakes the projector's runner.
        runner.wake()
        note_write()

    writer = GroupCommitWriter(store, on_saved, settings.notice_delay)
    stack.callback(writer.close)
    matches = MatchCache(store, writer, Snapshots(read_models), settings.cache_mb * 1_000_000)
    stack.callback(matches.close)
    projector = Projector(
        store,
        read_models,
        matches.peek,
        open_log=partial(open_store, settings),
        batch_context=batch_span,
    )
    runner = Runner(projector)
    return Storage(
        store=store,
        writer=writer,
        read_models=read_models,
        projector=projector,
        runner=runner,
        matches=matches,
    )
