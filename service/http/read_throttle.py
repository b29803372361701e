"""Read throttle: read requests wait while moves are being saved late.

Commands and reads share one event loop. Readers who ask again and again could take nearly all of
it, because each of their answers costs as much as a move. So while moves are being saved and the
event loop is late, readers get a share of each second, counted by how long their requests actually
occupy the event loop. Beyond that they wait, first come, first served. No reader waits while the
loop keeps up, while nobody plays, while readers stay within their share, or when no other reader is
active: somebody alone who reads and plays in turn is never held up.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from service.http.rate_limits import RAISED

SHARE = 0.06
"""Share of the event loop's time for handlers of readers while others play. The work around them
(parsing, sockets, their threads) takes the same again, or twice.
"""
LATELY = 0.1
"""Seconds after a save for which others count as playing."""
_SOON = 0.02
"""Seconds until the first waiting readers are admitted."""
_ROUND = 0.1
"""Seconds between further admissions; they are admitted in batches, so that one database query
serves many of them.
"""
_MOST = 0.02
"""Seconds of the event loop that readers may save up, or owe: no command waits longer for them."""
_LATE = 0.004
"""Seconds by which a timer is late when the event loop is overloaded."""
_HELD = 1.0
"""Seconds for which the loop then counts as overloaded: it keeps up as soon as readers wait."""
_PROBE = 0.02
"""Seconds between two measurements of the lateness, while others play and readers come."""
_USUAL = 0.001
"""Initial estimate, in seconds, of what a read request costs."""
_WEIGHT = 0.1
_QUICKLY = 0.3
"""Weights of the newest value in the moving averages: of the cost of a request (`_WEIGHT`) and of
the lateness of the loop (`_QUICKLY`).
"""


class Turns:
    """Scheduler that admits readers; ``clock``: returns seconds since any fixed time."""

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
        """Note that a move was saved."""
        self._saved = self._clock()

    async def read(self, answer: Callable[[], Awaitable[None]]) -> None:
        """Run the handler of a reader once it is admitted."""
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
        """Return whether readers now take time that players wait for."""
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
        """Admit the readers for whom there is time, but at least one."""
        self._timer = None
        self._has_time()
        room = max(int(self._left / self._usual), 1)
        if not self._is_short(self._counted):
            room = len(self._waiting)
        while self._waiting and room:
            turn = self._waiting.popleft()
            if not turn.done():  # Not cancelled.
                turn.set_result(None)
                room -= 1
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(_ROUND, self._let_in)


class _Steps:
    """Awaitable that measures for how many seconds its work occupies the event loop: ``took``."""

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
    """Middleware that makes read requests wait for admission.

    Exempt are handlers with ``unlimited`` or ``streams`` in ``opt``: pages, health checks, and live
    streams.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, turns: Turns) -> None:
        self._turns = turns

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on requests other than GET at once, and the others when they are admitted."""
        opt = scope["route_handler"].opt
        waits = scope.get("method") == "GET" and not opt.keys() & {"unlimited", "streams"}
        if not waits or RAISED in scope["state"]:  # Failed on the fast path: only the error is due.
            await next_app(scope, receive, send)
        else:
            await self._turns.read(lambda: next_app(scope, receive, send))
