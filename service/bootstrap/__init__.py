"""Composition root: builds and connects all parts of the running service.

Each subject has a builder that returns its parts; `Services.running` calls the builders in order of
dependency. Handlers receive the parts by dependency injection; see `service.http.injection`.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager

from domain.contract.registry import TITLES
from domain.matchfile.codec import codec_of
from projections.snapshots import decoder_of
from service.bootstrap.background import build_plans, build_scheduler
from service.bootstrap.limits import Limits, build_limits
from service.bootstrap.live import Live, build_live, connect_to_redis
from service.bootstrap.matches import Matches, build_matches
from service.bootstrap.notifications import Notifications, build_notifications
from service.bootstrap.people import People, build_people
from service.bootstrap.pictures import build_renderer
from service.bootstrap.recovery import build_recoveries
from service.bootstrap.storage import Storage, open_storage
from service.http.health import HealthSources
from service.http.hosts import Hosts
from service.http.i18n import Languages
from service.http.read_throttle import ReadThrottle
from service.media.frontend_files import FrontendFiles
from service.media.pictures.board import Boards
from service.settings import Settings

_BLOCKING_THREADS = 16
"""Number of threads for blocking calls, equal to the maximum number of database connections of the
store (see `service.store.store.library_settings`).
"""


def _warm_up_games() -> None:
    """Build the decoders of all games before the first request.

    A worker crashed when two threads decoded the first matches of a game at the same time (see
    `domain.matchfile.msgspec_warmup`).
    """
    for slug in TITLES:
        codec_of(slug)
        decoder_of(slug)


class Services:
    """All parts of the running service.

    The constructor creates only the parts that need no database; `running` creates the others when
    the application starts. ``lan_host``: this machine's address on its network, or "localhost" if
    the service does not listen there.
    """

    is_draining = False
    """Whether the worker is about to stop: it still serves requests, but health checks get 503."""

    def __init__(self, settings: Settings, lan_host: str = "localhost") -> None:
        self.settings = settings
        self.lan = lan_host
        self.hosts = Hosts(settings)
        self.read_throttle = ReadThrottle()
        self.boards = Boards()
        self.frontend_files = FrontendFiles(settings.frontend_folder)
        self.languages = Languages(settings.frontend_folder / "words")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the databases open and the background tasks running while the block runs."""
        _warm_up_games()
        async with AsyncExitStack() as stack:
            if self.settings.otel_exporter_otlp_endpoint:
                # Imported here because tracing is an optional dependency.
                from service.observability.tracing import run_tracing

                await stack.enter_async_context(
                    run_tracing(self.settings.otel_exporter_otlp_endpoint)
                )
            # Run blocking database calls concurrently in these threads.
            threads = ThreadPoolExecutor(_BLOCKING_THREADS, "calls")
            asyncio.get_running_loop().set_default_executor(threads)
            await self._build(stack)
            # A cancelled task does not end its call in a thread, which may still use a database.
            stack.push_async_callback(_shut_down, threads)
            self.runner.start()
            stack.callback(self.runner.stop)
            for part in (self.hub, self.bots, self.scheduler, self.presence, self.sender):
                await stack.enter_async_context(part.running())
            yield

    async def _build(self, stack: AsyncExitStack) -> None:
        """Build all parts that need a database; the stack closes them."""
        settings = self.settings
        storage = await open_storage(settings, stack, note_write=self.read_throttle.note_write)
        self.redis = connect_to_redis(settings, stack)
        limits = build_limits(settings, stack)
        people = build_people(stack, storage=storage, hosts=self.hosts)
        live = await build_live(settings, storage=storage, people=people, redis=self.redis)
        matches = await build_matches(
            settings, storage=storage, limits=limits, people=people, live=live
        )
        self.renderer = await build_renderer(settings, stack)
        notifications = await build_notifications(
            settings,
            storage=storage,
            limits=limits,
            people=people,
            presence=live.presence,
            renderer=self.renderer,
            languages=self.languages,
        )
        self.recoveries = await build_recoveries(
            settings,
            storage=storage,
            personal=people.personal,
            live=live,
            match_writer=matches.writer,
            link_codes=notifications.link_codes,
        )
        self.plans = build_plans(storage=storage, matches=matches)
        self.scheduler = build_scheduler(
            settings,
            storage=storage,
            matches=matches,
            plans=self.plans,
            subscriptions=notifications.subscriptions,
        )
        self._publish(storage, limits, people, live, matches, notifications)

    def _publish(
        self,
        storage: Storage,
        limits: Limits,
        people: People,
        live: Live,
        matches: Matches,
        notifications: Notifications,
    ) -> None:
        """Make the parts that handlers and tests use available as attributes."""
        self.store, self.writer = storage.store, storage.writer
        self.read_models, self.runner = storage.read_models, storage.runner
        self.matches = storage.matches
        self.limiter, self.rates, self.streams = limits.limiter, limits.rates, limits.streams
        self.players, self.authenticator = people.players, people.authenticator
        self.personal, self.lists, self.contacts = people.personal, people.lists, people.contacts
        self.share_codes, self.access = live.share_codes, live.access
        self.hub, self.presence = live.hub, live.presence
        self.bots, self.finder, self.automatic = matches.bots, matches.finder, matches.automatic
        self.vacations, self.actions, self.seats = matches.vacations, matches.actions, matches.seats
        self.openings, self.rematches, self.files = (
            matches.openings,
            matches.rematches,
            matches.files,
        )
        self.outbox, self.subscriptions = notifications.outbox, notifications.subscriptions
        self.sender, self.link_codes = notifications.sender, notifications.link_codes

    def health_sources(self) -> HealthSources:
        """Return the parts that the health checks inspect, with the current draining state."""
        return HealthSources(
            store=self.store,
            views=self.read_models,
            runner=self.runner,
            streams=self.streams,
            outbox=self.outbox,
            saver=self.writer,
            is_draining=self.is_draining,
            redis=self.redis,
            metrics_token=self.settings.metrics_token,
        )


async def _shut_down(threads: ThreadPoolExecutor) -> None:
    """Wait until all calls in these threads have ended; the event loop goes on meanwhile.

    Unlike `asyncio.loop.shutdown_default_executor`, it allows another start in the same loop.
    """
    with ThreadPoolExecutor(1, "shutdown") as waiting:
        await asyncio.get_running_loop().run_in_executor(waiting, threads.shutdown)
