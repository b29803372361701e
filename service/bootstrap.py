"""Composition root: builds and connects all parts of the running service.

Handlers receive the parts by dependency injection; see `service.http.injection`.
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
from service.common.clock import now_ms
from service.http.health import HealthSources
from service.http.hosts import Hosts
from service.http.i18n import Languages
from service.http.rate_limits import (
    ConcurrencyLimit,
    Limiter,
    LimitSettings,
    SocialLimits,
    StreamSlots,
)
from service.http.read_throttle import ReadThrottle
from service.live.hub import Hub
from service.live.redis_channels import redis_client
from service.matches.actions import MatchActions
from service.matches.bot_runner import BotRunner
from service.matches.lists import MatchLists
from service.matches.match_cache import MatchCache
from service.matches.plans import PlanService
from service.matches.scheduler import Scheduler
from service.matches.share_codes import ShareCodes
from service.matches.signing import SigningKeys
from service.matches.vacation_service import VacationService
from service.media.frontend_files import FrontendFiles
from service.media.pictures.fonts import find_extra_fonts
from service.media.renderer import PictureCache
from service.notifications import mail_link_codes as notice_codes
from service.notifications.channels import ChannelStore
from service.notifications.delivery.evening_reminders import EveningReminders
from service.notifications.delivery.mail import Mailer
from service.notifications.delivery.sender import NotificationSender
from service.notifications.delivery.subscriptions import Subscriptions
from service.notifications.delivery.transports import Transports
from service.notifications.outbox import Outbox
from service.notifications.presence import Presence
from service.notifications.push import PushSender
from service.notifications.safe_http import SafeHttpClient
from service.observability.spans import batch_span
from service.players.authentication import Authenticator
from service.players.identity import PlayerStore
from service.players.vacations import VacationLedger
from service.recovery.pins import SeatPins
from service.recovery.recoveries import SeatRecoveries
from service.settings import Settings
from service.social.contacts.contact_list import Contacts
from service.social.personal_store import PersonalStore
from service.store import Store, library_settings
from service.store.group_commit import GroupCommitWriter
from service.store_setup import open_store

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

    hosts: Hosts
    frontend_files: FrontendFiles
    renderer: PictureCache
    store: Store
    writer: GroupCommitWriter
    players: PlayerStore
    authenticator: Authenticator
    actions: MatchActions
    hub: Hub
    redis: "Redis | None"
    limiter: Limiter
    rates: LimitSettings
    streams: StreamSlots
    lists: MatchLists
    personal: PersonalStore
    contacts: Contacts
    subscriptions: Subscriptions
    outbox: Outbox
    presence: Presence
    sender: NotificationSender
    link_codes: notice_codes.MailLinkCodes
    recoveries: SeatRecoveries
    runner: Runner
    read_models: ReadModels
    vacations: VacationService
    plans: PlanService
    scheduler: Scheduler
    is_draining = False
    """Whether the worker is about to stop: it still serves requests, but health checks get 503."""

    def __init__(self, settings: Settings, lan_host: str = "localhost") -> None:
        self.settings = settings
        self.lan = lan_host
        self.hosts = Hosts(settings)
        self.read_throttle = ReadThrottle()
        self.frontend_files = FrontendFiles(settings.frontend_folder)
        self.languages = Languages(settings.frontend_folder / "words")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the databases open and the background tasks running while the block runs."""
        settings = self.settings
        _warm_up_games()
        async with AsyncExitStack() as stack:
            if settings.otel_exporter_otlp_endpoint:
                # Imported here because tracing is an optional dependency.
                from service.observability.tracing import run_tracing

                await stack.enter_async_context(run_tracing(settings.otel_exporter_otlp_endpoint))
            # Run blocking database calls concurrently in these threads.
            asyncio.get_running_loop().set_default_executor(
                ThreadPoolExecutor(_BLOCKING_THREADS, "calls")
            )
            self.store = await asyncio.to_thread(open_store, settings)
            stack.callback(self.store.close)
            self.read_models = await asyncio.to_thread(
                ReadModels, library_settings(settings, views=True)
            )
            stack.callback(self.read_models.close)
            projector = Projector(
                self.store,
                self.read_models,
                lambda key: tables.peek(key),
                open_log=partial(open_store, settings),
                batch_context=batch_span,
            )
            self.runner = Runner(projector)
            self.writer = GroupCommitWriter(self.store, self._on_saved, settings.notice_delay)
            stack.callback(self.writer.close)
            memory = settings.cache_mb * 1_000_000
            tables = MatchCache(self.store, self.writer, Snapshots(self.read_models), memory)
            stack.callback(tables.close)
            redis = self.redis = redis_client(settings.redis_url) if settings.redis_url else None
            if redis is not None:
                stack.push_async_callback(redis.aclose)
            self.limiter = Limiter(settings.redis_url)
            stack.push_async_callback(self.limiter.aclose)
            self.rates = LimitSettings(settings)
            self.streams = StreamSlots(settings)
            self.players = PlayerStore(self.store)
            several = settings.redis_url or settings.database_url
            reached = self._find_newer_versions if several else None
            self.hub = Hub(
                redis,
                settings.heartbeat,
                self._find_signed_out,
                reached,
                self._find_accessible_seats,
            )
            self.authenticator = Authenticator(self.players, self.writer.run, self.hosts)
            keys = SigningKeys(self.store)
            # Create the key at the first start, so that the public key is listed before anything
            # is signed.
            await asyncio.to_thread(keys.signer, now_ms())
            pace = SocialLimits(self.limiter, self.rates, settings.ask_pause)
            bots = BotRunner(self.writer, tables, self.hub.announce_version, settings.bot_patience)
            codes = await asyncio.to_thread(ShareCodes.load, self.store, now_ms())
            self.personal = PersonalStore(self.store)
            self.lists = MatchLists(
                projector, self.runner, self.read_models, self.store, self.personal
            )
            stack.callback(self.lists.close)
            self.contacts = Contacts(self.personal, self.read_models, self.lists)
            self.actions = MatchActions(
                *(
                    self.store,
                    self.writer,
                    tables,
                    keys,
                    self.hub.announce_version,
                    pace,
                    bots,
                    codes,
                ),
                contacts=self.contacts,
                on_seat_lost=self.hub.announce_lost_seat,
            )
            self.renderer = PictureCache(await asyncio.to_thread(find_extra_fonts, settings.fonts))
            stack.push_async_callback(self.renderer.aclose)
            self.presence = Presence(redis)
            self.sender = await self._build_notifications(stack, tables)
            pins = await asyncio.to_thread(SeatPins.load, self.store, now_ms())
            self.recoveries = SeatRecoveries(
                *(
                    self.store,
                    settings,
                    self.actions,
                    tables,
                    self.hub,
                    self.presence,
                    self.personal,
                ),
                *(self.link_codes, pins, self.writer.run),
            )
            self.runner.start()
            stack.callback(self.runner.stop)
            await stack.enter_async_context(self.hub.running())
            await stack.enter_async_context(bots.running())
            vacations = VacationLedger(self.store, settings.vacation_days)
            self.vacations = VacationService(vacations, self.actions, projector, self.read_models)
            self.actions.on_return = self.vacations.end_vacation
            self.plans = PlanService(self.store, self.actions, tables, self.read_models)
            channels, notify = self.subscriptions.channels, self.subscriptions.queue
            evening_reminders = EveningReminders(channels, self.read_models, tables, notify)
            self.scheduler = Scheduler(
                self.actions,
                self.vacations,
                self.plans,
                self.subscriptions.queue,
                tables,
                self.read_models,
                settings.receipt_days,
                evening_reminders.queue_reminders,
            )
            await stack.enter_async_context(self.scheduler.running())
            await stack.enter_async_context(self.presence.running())
            await stack.enter_async_context(self.sender.running())
            yield

    async def _build_notifications(
        self, stack: AsyncExitStack, matches: MatchCache
    ) -> NotificationSender:
        """Build the parts that create, send and withdraw notifications, and return the sender."""
        settings = self.settings
        http_client = SafeHttpClient(
            settings.notice_hosts.split(","),
            max_connections=settings.notice_connections,
            max_per_player=settings.player_connections,
            max_per_target=settings.target_connections,
        )
        pusher = await asyncio.to_thread(
            PushSender.load, self.store, self.settings, http_client, now_ms()
        )
        codes = await asyncio.to_thread(notice_codes.MailLinkCodes.load, self.store, now_ms())
        carriers = Transports(http_client, pusher, Mailer(self.settings, self.renderer, codes))
        self.link_codes = codes
        outbox, channels, io = Outbox(self.store), ChannelStore(self.store), self.writer.run
        self.outbox = outbox
        testing = ConcurrencyLimit(settings.address_tests)
        self.subscriptions = Subscriptions(
            *(outbox, channels, carriers, codes, self.limiter, self.rates, testing, io)
        )
        return NotificationSender(
            *(outbox, channels, matches, self.presence, carriers, self.languages, self.personal),
            *(
                codes,
                io,
                self.lists.count_waiting,
                self.lists.matches_waiting_for,
                settings.pause_after,
            ),
        )

    def health_sources(self) -> HealthSources:
        """Return the parts that the health checks inspect, with the current draining state."""
        return HealthSources(
            self.store,
            self.read_models,
            self.runner,
            self.streams,
            self.outbox,
            self.writer,
            self.is_draining,
            self.redis,
            self.settings.metrics_token,
        )

    def _on_saved(self) -> None:
        self.runner.wake()
        self.read_throttle.note_write()

    async def _find_newer_versions(self, known: dict[str, int]) -> dict[str, int]:
        return await asyncio.to_thread(self.store.newer_versions, known)

    async def _find_accessible_seats(
        self, match_id: str, version: int, player: str | None, code: str | None
    ) -> frozenset[int] | None:
        return await self.actions.accessible_seats(match_id, version, player, code)

    async def _find_signed_out(self, devices: set[str]) -> set[str]:
        return await asyncio.to_thread(self.players.find_signed_out, devices)
