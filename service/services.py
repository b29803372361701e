"""What the service is made of while it runs: the one place where things are wired together.

Handlers get the parts as dependencies: see `service.base.injected`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from redis.asyncio import Redis

from projections.runner import Projector, Runner
from projections.views import Views
from service.base.hosts import Hosts
from service.base.limits import Limiter, Pace, Rates, Streams
from service.base.now import clock
from service.live.hub import Hub
from service.matches.bots import Bots
from service.matches.clock import Clock
from service.matches.codes import Codes
from service.matches.lists import Lists
from service.matches.play import Play
from service.matches.signing import Keys
from service.matches.tables import Tables
from service.media.pages import Pages
from service.media.pictures.lettering import further
from service.media.renderer import Renderer
from service.players.callers import Callers
from service.players.identity import Players
from service.settings import Settings
from service.store import Store, library_settings
from service.store.saver import Saver


class Services:
    """The parts. What needs a database is there from the start of the application to its end.

    ``lan``: the address of this machine on its network, "localhost" where that is not shown.
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
    limiter: Limiter
    rates: Rates
    streams: Streams
    lists: Lists
    runner: Runner
    views: Views

    def __init__(self, settings: Settings, lan: str = "localhost") -> None:
        self.settings = settings
        self.lan = lan
        self.hosts = Hosts(settings)
        self.pages = Pages(settings.frontend_folder)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Opens the databases, and closes them when the block ends."""
        settings = self.settings
        async with AsyncExitStack() as stack:
            self.store = await asyncio.to_thread(Store, settings)
            stack.callback(self.store.close)
            self.views = await asyncio.to_thread(Views, library_settings(settings, views=True))
            stack.callback(self.views.close)
            projector = Projector(self.store, self.views, lambda key: tables.peek(key))
            self.runner = Runner(projector)
            self.saver = Saver(self.store, self.runner.wake)
            tables = Tables(self.store, self.saver, settings.cache_size)
            redis = Redis.from_url(settings.redis_url) if settings.redis_url else None
            if redis is not None:
                stack.push_async_callback(redis.aclose)
            self.limiter = Limiter(settings.redis_url)
            stack.push_async_callback(self.limiter.aclose)
            self.rates = Rates(settings)
            self.streams = Streams(settings)
            self.players = Players(self.store)
            self.hub = Hub(redis, settings.heartbeat, self._signed_out)
            self.callers = Callers(self.players, self.saver.io, self.hosts)
            keys = Keys(self.store)
            # Made at the first start, so that its public half is listed before anything is signed.
            await asyncio.to_thread(keys.signer, clock())
            pace = Pace(self.limiter, self.rates, settings.ask_pause)
            bots = Bots(self.saver, tables, self.hub.announce, settings.bot_patience)
            codes = await asyncio.to_thread(Codes.of, self.store, clock())
            self.play = Play(
                self.store, self.saver, tables, keys, self.hub.announce, pace, bots, codes
            )
            self.lists = Lists(projector, self.runner, self.views, self.store)
            self.renderer = Renderer(await asyncio.to_thread(further, settings.fonts))
            stack.push_async_callback(self.renderer.aclose)
            self.runner.start()
            stack.callback(self.runner.stop)
            await stack.enter_async_context(self.hub.running())
            await stack.enter_async_context(bots.running())
            aging = Clock(self.play, tables, self.views, settings.receipt_days)
            await stack.enter_async_context(aging.running())
            yield

    async def _signed_out(self, devices: set[str]) -> set[str]:
        return await asyncio.to_thread(self.players.signed_out, devices)
