"""Composition root: builds and connects all parts of the running service.

Handlers get the parts as dependencies: see `service.http.injection`.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from redis.asyncio import Redis

from domain.contract.registry import TITLES
from domain.matchfile.codec import codec_of
from projections.read_models import ReadModels
from projections.runner import Projector, Runner
from projections.snapshots import Snapshots, decoder_of
from service.common.clock import clock
from service.http.health import Vitals
from service.http.hosts import Hosts
from service.http.i18n import Languages
from service.http.rate_limits import AtOnce, Limiter, Pace, Rates, Streams
from service.http.read_throttle import Turns
from service.live.hub import Hub
from service.live.redis_channels import connected
from service.matches.actions import Play
from service.matches.bot_runner import Bots
from service.matches.lists import Lists
from service.matches.match_cache import Tables
from service.matches.plans import Plans
from service.matches.scheduler import Clock
from service.matches.share_codes import Codes
from service.matches.signing import Keys
from service.matches.vacation_service import Absences
from service.media.frontend_files import Pages
from service.media.pictures.fonts import further
from service.media.renderer import Renderer
from service.notifications import mail_link_codes as notice_codes
from service.notifications.channels import Ways
from service.notifications.delivery.evening_reminders import Evenings
from service.notifications.delivery.mail import Mailer
from service.notifications.delivery.sender import Sender
from service.notifications.delivery.subscriptions import Notices
from service.notifications.delivery.transports import Carriers
from service.notifications.outbox import Outbox
from service.notifications.presence import Presence
from service.notifications.push import Pusher
from service.notifications.safe_http import Outside
from service.observability.spans import batch
from service.players.authentication import Callers
from service.players.identity import Players
from service.players.vacations import Vacations
from service.recovery.pins import Pins
from service.recovery.recoveries import Recoveries
from service.settings import Settings
from service.social.contacts.contact_list import Company
from service.social.personal_store import Own
from service.store import Store, library_settings
from service.store.clock_persistence import remembering
from service.store.group_commit import Saver
from service.store_setup import open_store

_THREADS = 16
"""Threads for blocking calls: as many as the store has connections
(`service.store.store.library_settings`).
"""


def _describe_games() -> None:
    """Build the decoders of all games before the first request.

    When two threads first decoded matches of the same game at once, a worker crashed (see
    `domain.matchfile.msgspec_warmup`).
    """
    for slug in TITLES:
        codec_of(slug)
        decoder_of(slug)


class Services:
    """The parts of the service.

    Those without a value here need a database; they exist from the startup of the application to
    its end. ``lan``: the address of this machine on its network, "localhost" if it is not to be
    shown.
    """

    hosts: Hosts
    pages: Pages
    renderer: Renderer
    store: Store
    saver: Saver
    players: Players
    callers: Callers
    play: Play
    hub: Hub
    redis: "Redis | None"
    limiter: Limiter
    rates: Rates
    streams: Streams
    lists: Lists
    own: Own
    company: Company
    notices: Notices
    outbox: Outbox
    presence: Presence
    sender: Sender
    link_codes: notice_codes.Codes
    recoveries: Recoveries
    runner: Runner
    views: ReadModels
    absences: Absences
    plans: Plans
    clock: Clock
    leaving = False
    """Whether the worker was told to stop: requests are still answered, but health says 503."""

    def __init__(self, settings: Settings, lan: str = "localhost") -> None:
        self.settings = settings
        self.lan = lan
        self.hosts = Hosts(settings)
        self.turns = Turns()
        self.pages = Pages(settings.frontend_folder)
        self.languages = Languages(settings.frontend_folder / "words")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the databases, start the background tasks, and close all when the block ends."""
        settings = self.settings
        _describe_games()
        async with AsyncExitStack() as stack:
            if settings.otel_exporter_otlp_endpoint:
                # Optional dependency, installed only for tracing.
                from service.observability.tracing import tracing

                await stack.enter_async_context(tracing(settings.otel_exporter_otlp_endpoint))
            # Blocking database calls run in these threads, several at a time.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS, "calls"))
            self.store = await asyncio.to_thread(open_store, settings)
            stack.callback(self.store.close)
            await stack.enter_async_context(remembering(self.store))
            self.views = await asyncio.to_thread(ReadModels, library_settings(settings, views=True))
            stack.callback(self.views.close)
            projector = Projector(
                self.store,
                self.views,
                lambda key: tables.peek(key),
                open_log=partial(open_store, settings),
                batch_context=batch,
            )
            self.runner = Runner(projector)
            self.saver = Saver(self.store, self._saved, settings.notice_delay)
            stack.callback(self.saver.close)
            memory = settings.cache_mb * 1_000_000
            tables = Tables(self.store, self.saver, Snapshots(self.views), memory)
            stack.callback(tables.close)
            redis = self.redis = connected(settings.redis_url) if settings.redis_url else None
            if redis is not None:
                stack.push_async_callback(redis.aclose)
            self.limiter = Limiter(settings.redis_url)
            stack.push_async_callback(self.limiter.aclose)
            self.rates = Rates(settings)
            self.streams = Streams(settings)
            self.players = Players(self.store)
            several = settings.redis_url or settings.database_url
            reached = self._reached if several else None
            self.hub = Hub(
                redis, settings.heartbeat, self._signed_out, reached, self._seats_to_follow
            )
            self.callers = Callers(self.players, self.saver.io, self.hosts)
            keys = Keys(self.store)
            # Creates the key at the first start, so that its public half is listed before anything
            # is signed.
            await asyncio.to_thread(keys.signer, clock())
            pace = Pace(self.limiter, self.rates, settings.ask_pause)
            bots = Bots(self.saver, tables, self.hub.announce, settings.bot_patience)
            codes = await asyncio.to_thread(Codes.of, self.store, clock())
            self.own = Own(self.store)
            self.lists = Lists(projector, self.runner, self.views, self.store, self.own)
            stack.callback(self.lists.close)
            self.company = Company(self.own, self.views, self.lists)
            self.play = Play(
                *(self.store, self.saver, tables, keys, self.hub.announce, pace, bots, codes),
                company=self.company,
                lost_seat=self.hub.lose_seat,
            )
            self.renderer = Renderer(await asyncio.to_thread(further, settings.fonts))
            stack.push_async_callback(self.renderer.aclose)
            self.presence = Presence(redis)
            self.sender = await self._make_notices(stack, tables)
            pins = await asyncio.to_thread(Pins.of, self.store, clock())
            self.recoveries = Recoveries(
                *(self.store, settings, self.play, tables, self.hub, self.presence, self.own),
                *(self.link_codes, pins, self.saver.io),
            )
            self.runner.start()
            stack.callback(self.runner.stop)
            await stack.enter_async_context(self.hub.running())
            await stack.enter_async_context(bots.running())
            vacations = Vacations(self.store, settings.vacation_days)
            self.absences = Absences(vacations, self.play, projector, self.views)
            self.play.on_return = self.absences.come
            self.plans = Plans(self.store, self.play, tables, self.views)
            ways, tell = self.notices.ways, self.notices.tell
            evenings = Evenings(ways, self.views, tables, tell)
            self.clock = Clock(
                self.play,
                self.absences,
                self.plans,
                self.notices.tell,
                tables,
                self.views,
                settings.receipt_days,
                evenings.look,
            )
            await stack.enter_async_context(self.clock.running())
            await stack.enter_async_context(self.presence.running())
            await stack.enter_async_context(self.sender.running())
            yield

    async def _make_notices(self, stack: AsyncExitStack, tables: Tables) -> Sender:
        """Build the parts that send and withdraw notifications."""
        settings = self.settings
        outside = Outside(
            settings.notice_hosts.split(","),
            connections=settings.notice_connections,
            per_player=settings.player_connections,
            per_target=settings.target_connections,
        )
        pusher = await asyncio.to_thread(Pusher.of, self.store, self.settings, outside, clock())
        codes = await asyncio.to_thread(notice_codes.Codes.of, self.store, clock())
        carriers = Carriers(outside, pusher, Mailer(self.settings, self.renderer, codes))
        self.link_codes = codes
        outbox, ways, io = Outbox(self.store), Ways(self.store), self.saver.io
        self.outbox = outbox
        testing = AtOnce(settings.address_tests)
        self.notices = Notices(
            *(outbox, ways, carriers, codes, self.limiter, self.rates, testing, io)
        )
        return Sender(
            *(outbox, ways, tables, self.presence, carriers, self.languages, self.own),
            *(codes, io, self.lists.count_waiting, self.lists.waiting, settings.pause_after),
        )

    def vitals(self) -> Vitals:
        """Return what the health checks inspect, at this moment."""
        return Vitals(
            self.store,
            self.views,
            self.runner,
            self.streams,
            self.outbox,
            self.saver,
            self.leaving,
            self.redis,
            self.settings.metrics_token,
        )

    def _saved(self) -> None:
        self.runner.wake()
        self.turns.saved()

    async def _reached(self, known: dict[str, int]) -> dict[str, int]:
        return await asyncio.to_thread(self.store.reached, known)

    async def _seats_to_follow(
        self, match_id: str, version: int, player: str | None, code: str | None
    ) -> frozenset[int] | None:
        return await self.play.seats_to_follow(match_id, version, player, code)

    async def _signed_out(self, devices: set[str]) -> set[str]:
        return await asyncio.to_thread(self.players.signed_out, devices)
