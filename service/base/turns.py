"""Who reads gives way to who plays.

Commands and reads share one event loop. Readers who ask again and again could take nearly all of
it: whatever they are told costs as much as a move. So while moves are being saved by an event loop
that is late, readers are let in as far as they have time left: a share of each second, counted by
how long their requests really kept the event loop. What is short they wait for, first come, first
served. Nobody waits while the loop keeps up, however many they are, while nobody plays, while
readers keep to their share, or when no other reader is in hand: who alone looks and plays in turn
is never held up.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from service.base.limits import RAISED

SHARE = 0.06
"""Of the event loop's time, what the handlers of readers may take while others play. What goes on
around them (parsing, sockets, their threads) takes as much again, or twice."""
LATELY = 0.1
"""Seconds after a save for which others are held to play."""
_SOON = 0.02
"""Seconds after which the first who wait are let in."""
_ROUND = 0.1
"""Seconds after which more of those who wait are let in together, so that one look at the database
serves many of them."""
_MOST = 0.02
"""Seconds of the event loop that readers may save up, or owe: no command waits longer for them."""
_LATE = 0.004
"""Seconds by which a timer is late where the event loop has more to do than it can."""
_HELD = 1.0
"""Seconds for which it is taken to be late then: it keeps up as soon as readers wait."""
_PROBE = 0.02
"""Seconds from one look at that to the next, while others play and readers come."""
_USUAL = 0.001
"""Seconds that a request is taken to need before any was seen."""
_WEIGHT = 0.1
_QUICKLY = 0.3
"""Weights of the newest in what is taken for usual, and in how late the loop is."""


class Turns:
    """Lets readers in. ``clock``: seconds from any beginning."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._saved = float("-inf")
        self._counted = clock()
        self._left = _MOST
        self._usual = _USUAL
        self._in_hand = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._late = 0.0
        self._short_until = float("-inf")
        self._probe: asyncio.TimerHandle | None = None

    def saved(self) -> None:
        """Somebody's move was saved."""
        self._saved = self._clock()

    async def read(self, answer: Callable[[], Awaitable[None]]) -> None:
        """Carries out what answers a reader, once it is their turn."""
        if self._waiting or not (self._has_time() or self._in_hand == 0):
            await self._wait()
        expected = self._usual
        self._left -= expected
        self._in_hand += 1
        steps = _Steps(answer(), self._clock)
        try:
            await steps
        finally:
            self._in_hand -= 1
            self._usual += _WEIGHT * (steps.took - self._usual)
            self._left = max(self._left - steps.took + expected, -_MOST)

    def _has_time(self) -> bool:
        now = self._clock()
        self._left = min(self._left + SHARE * (now - self._counted), _MOST)
        self._counted = now
        return self._left > 0 or not self._is_short(now)

    def _is_short(self, now: float) -> bool:
        """Whether what readers take is what others who play now have to wait for."""
        if now - self._saved > LATELY:
            return False
        if self._probe is None:
            loop = asyncio.get_running_loop()
            self._probe = loop.call_later(_PROBE, self._felt, loop.time() + _PROBE)
        return self._late > _LATE or now < self._short_until

    def _felt(self, due: float) -> None:
        late = asyncio.get_running_loop().time() - due
        self._late += _QUICKLY * (late - self._late)
        self._probe = None
        if self._late > _LATE:
            self._short_until = self._clock() + _HELD

    async def _wait(self) -> None:
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(turn)
        if self._timer is None:
            self._timer = loop.call_later(_SOON, self._let_in)
        await turn

    def _let_in(self) -> None:
        """Those for whom there is time, but one at least."""
        self._timer = None
        self._has_time()
        room = max(int(self._left / self._usual), 1)
        if not self._is_short(self._counted):
            room = len(self._waiting)
        while self._waiting and room:
            turn = self._waiting.popleft()
            if not turn.done():  # Its caller has not gone away.
                turn.set_result(None)
                room -= 1
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(_ROUND, self._let_in)


class _Steps:
    """Awaits something, and adds up the seconds for which that kept the event loop: ``took``."""

    def __init__(self, work: Awaitable[None], clock: Callable[[], float]) -> None:
        self._work = work
        self._clock = clock
        self.took = 0.0

    def __await__(self) -> Generator[Any, Any, None]:
        steps: Any = self._work.__await__()
        problem: BaseException | None = None
        while True:
            began = self._clock()
            try:
                waits = steps.send(None) if problem is None else steps.throw(problem)
            except StopIteration:
                return
            finally:
                self.took += self._clock() - began
            problem = None
            try:
                yield waits
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:
                problem = error


class GiveWay(ASGIMiddleware):
    """Lets calls that only look wait for their turn. Not those whose handlers say ``unlimited`` or
    ``streams`` in ``opt``: pages, health, and what stays open."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Passes on what changes something, and the rest when there is time for it."""
        opt = scope["route_handler"].opt
        waits = scope.get("method") == "GET" and not opt.keys() & {"unlimited", "streams"}
        if not waits or RAISED in scope["state"]:  # What went wrong has had its turn.
            await next_app(scope, receive, send)
        else:
            await self._turns.read(lambda: next_app(scope, receive, send))
