"""Read throttle: delays read requests while moves are being saved and the event loop is overloaded.

Commands and reads share one event loop. Clients that poll could take nearly all of its time,
because each read costs as much as a move. So while moves are being saved and the event loop lags,
reads get a limited share of the time, measured by how long they actually occupy the event loop.
Further reads wait in a queue. No read waits while the loop keeps up, while nobody plays, while
reads stay within their share, or if no other read is active: a single client that alternates
between reading and playing is never delayed.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from typing import Any

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

READER_SHARE = 0.06
"""Share of the event loop's time for the handlers of reads while moves are being saved. The
overhead of these requests (parsing, sockets, threads) takes the same time again, or twice that.
"""
RECENT_WRITE_S = 0.1
"""Seconds for which moves count as being saved after the latest save."""
_FIRST_ADMISSION_S = 0.02
"""Seconds until the first waiting reads are admitted."""
_ADMISSION_INTERVAL_S = 0.1
"""Seconds between further admissions; reads are admitted in batches, so that one database query
serves many of them.
"""
_MAX_BUDGET_S = 0.02
"""Maximum seconds of event-loop time that reads may save up or owe, which limits the delay of
commands."""
_OVERLOAD_LAG_S = 0.004
"""Average lag of a timer, in seconds, above which the event loop counts as overloaded."""
_OVERLOAD_HOLD_S = 1.0
"""Seconds for which the loop counts as overloaded after the lag was too high, because the lag
disappears as soon as reads have to wait."""
_PROBE_INTERVAL_S = 0.02
"""Seconds between two measurements of the lag, made while moves are being saved and there are
reads."""
_INITIAL_COST_S = 0.001
"""Initial estimate of the event-loop time of a read request, in seconds."""
_COST_WEIGHT = 0.1
_LAG_WEIGHT = 0.3
"""Weights of the newest value in the moving averages: of the cost of a request (`_COST_WEIGHT`) and
of the lag of the loop (`_LAG_WEIGHT`).
"""


class ReadThrottle:
    """Scheduler that admits reads; ``clock``: function that returns seconds since a fixed time."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._last_write_s = float("-inf")
        self._budget_updated_s = clock()
        self._budget_s = _MAX_BUDGET_S
        self._average_cost_s = _INITIAL_COST_S
        self._active = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._average_lag_s = 0.0
        self._overloaded_until_s = float("-inf")
        self._probe_timer: asyncio.TimerHandle | None = None

    def note_write(self) -> None:
        """Record that a move was saved."""
        self._last_write_s = self._clock()

    async def run(self, handler: Callable[[], Awaitable[None]]) -> None:
        """Run the handler of a read request once it is admitted."""
        if self._waiting or not (self._has_budget() or self._active == 0):
            await self._wait_for_admission()
        expected = self._average_cost_s
        self._budget_s -= expected
        self._active += 1
        steps = _TimedAwaitable(handler(), self._clock)
        try:
            await steps
        finally:
            self._active -= 1
            self._average_cost_s += _COST_WEIGHT * (steps.duration_s - self._average_cost_s)
            self._budget_s = max(self._budget_s - steps.duration_s + expected, -_MAX_BUDGET_S)

    def _has_budget(self) -> bool:
        now = self._clock()
        self._budget_s = min(
            self._budget_s + READER_SHARE * (now - self._budget_updated_s), _MAX_BUDGET_S
        )
        self._budget_updated_s = now
        return self._budget_s > 0 or not self._is_overloaded(now)

    def _is_overloaded(self, now: float) -> bool:
        """Return whether reads currently delay moves.

        Also schedules the next measurement of the lag if a move was saved recently.
        """
        if now - self._last_write_s > RECENT_WRITE_S:
            return False
        if self._probe_timer is None:
            loop = asyncio.get_running_loop()
            self._probe_timer = loop.call_later(
                _PROBE_INTERVAL_S, self._on_probe, loop.time() + _PROBE_INTERVAL_S
            )
        return self._average_lag_s > _OVERLOAD_LAG_S or now < self._overloaded_until_s

    def _on_probe(self, due_s: float) -> None:
        late = asyncio.get_running_loop().time() - due_s
        self._average_lag_s += _LAG_WEIGHT * (late - self._average_lag_s)
        self._probe_timer = None
        if self._average_lag_s > _OVERLOAD_LAG_S:
            self._overloaded_until_s = self._clock() + _OVERLOAD_HOLD_S

    async def _wait_for_admission(self) -> None:
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(turn)
        if self._timer is None:
            self._timer = loop.call_later(_FIRST_ADMISSION_S, self._admit_waiting)
        await turn

    def _admit_waiting(self) -> None:
        """Admit as many waiting reads as the budget allows, at least one.

        Admits all of them if the event loop is not overloaded.
        """
        self._timer = None
        self._has_budget()
        room = max(int(self._budget_s / self._average_cost_s), 1)
        if not self._is_overloaded(self._budget_updated_s):
            room = len(self._waiting)
        while self._waiting and room:
            turn = self._waiting.popleft()
            if not turn.done():  # Not cancelled.
                turn.set_result(None)
                room -= 1
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(
                _ADMISSION_INTERVAL_S, self._admit_waiting
            )


class _TimedAwaitable:
    """Awaitable that measures how long its work occupies the event loop (``duration_s``)."""

    def __init__(self, work: Awaitable[None], clock: Callable[[], float]) -> None:
        self._work = work
        self._clock = clock
        self.duration_s = 0.0

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
                self.duration_s += self._clock() - began
            problem = None
            try:
                yield waits
            except GeneratorExit:
                steps.close()
                raise
            except BaseException as error:
                problem = error


class ReadThrottleMiddleware(ASGIMiddleware):
    """Middleware that makes read requests wait for admission.

    Exempt are handlers with ``unlimited`` or ``streams`` in ``opt``: pages, health checks, and live
    streams.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, throttle: ReadThrottle) -> None:
        self._throttle = throttle

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass on GET requests once they are admitted, and other or exempt requests at once."""
        opt = scope["route_handler"].opt
        waits = scope.get("method") == "GET" and not opt.keys() & {"unlimited", "streams"}
        if not waits:
            await next_app(scope, receive, send)
        else:
            await self._throttle.run(lambda: next_app(scope, receive, send))
