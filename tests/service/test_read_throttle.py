"""The read throttle favours players' commands and gives reads a fair share.

The event loop runs on virtual time that advances by the cost of work and by timers, so the tests do
not depend on the load of the machine.
"""

import asyncio
import selectors
from collections import Counter
from collections.abc import Coroutine
from typing import Any

import pytest

from service.http.read_throttle import RECENT_WRITE_S, ReadThrottle
from tests.service.people import Client, Person

READ = 0.002
MOVE = 0.001
PLAYERS = 8
"""So many who play without a pause: a timer is late by all of their moves."""


class _Selector(selectors.SelectSelector):
    """A selector that advances virtual time instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


class Place:
    """An event loop on virtual time, with reads and commands."""

    def __init__(self) -> None:
        self.time = _Selector()
        self.loop = asyncio.SelectorEventLoop(self.time)
        self.loop.time = lambda: self.time.now  # type: ignore[method-assign]
        self.turns = ReadThrottle(self.loop.time)
        self.answered: Counter[int] = Counter()
        self.moves = 0

    def run(self, scenario: Coroutine[Any, Any, None]) -> None:
        try:
            self.loop.run_until_complete(scenario)
        finally:
            self.loop.close()

    async def answer(self) -> None:
        """Occupy the loop in two steps, with a database query between them."""
        self.time.now += READ / 2
        await asyncio.sleep(0.001)
        self.time.now += READ / 2

    async def read(self, number: int) -> None:
        while True:
            await self.look()
            self.answered[number] += 1
            await asyncio.sleep(0)

    async def look(self) -> None:
        await self.turns.wait_for_turn()
        await self.answer()

    async def play(self, pause: float = 0.0) -> None:
        while True:
            self.time.now += MOVE
            self.turns.note_write()
            self.moves += 1
            await asyncio.sleep(pause)

    def all_play(self) -> list[Coroutine[Any, Any, None]]:
        return [self.play() for _ in range(PLAYERS)]

    async def stretch(self, *work: Coroutine[Any, Any, None], seconds: float) -> None:
        tasks = [asyncio.ensure_future(each) for each in work]
        end = self.time.now + seconds
        while self.time.now < end:
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def test_continuous_reads_leave_most_time_to_commands() -> None:
    place = Place()
    readers = [place.read(number) for number in range(64)]
    place.run(place.stretch(*place.all_play(), *readers, seconds=60))
    spent = place.answered.total() * READ / 60
    assert 0 < spent < 0.1
    assert place.moves * MOVE > 60 * 0.9


def test_reads_are_shared_fairly() -> None:
    place = Place()
    readers = [place.read(number) for number in range(64)]
    place.run(place.stretch(*place.all_play(), *readers, seconds=60))
    assert max(place.answered.values()) - min(place.answered.values()) <= 1
    assert len(place.answered) == 64


@pytest.mark.slow
def test_reads_do_not_wait_while_there_is_capacity() -> None:
    """Forty moves per second, and 400 reads that take most of the remaining time."""
    place = Place()
    took: list[float] = []

    async def look() -> None:
        began = place.time.now
        await place.look()
        took.append(place.time.now - began)

    looks: list[asyncio.Task[None]] = []

    async def many() -> None:
        while True:
            looks.extend(asyncio.ensure_future(look()) for _ in range(4))
            await asyncio.sleep(0.01)

    async def scenario() -> None:
        tasks = [asyncio.ensure_future(each) for each in (place.play(pause=0.025), many())]
        await asyncio.sleep(10)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*looks)

    place.run(scenario())
    assert len(took) > 300 * 10
    assert max(took) < 0.1


def test_reads_are_unthrottled_while_nobody_plays() -> None:
    place = Place()
    place.run(place.stretch(*(place.read(number) for number in range(64)), seconds=10))
    assert place.answered.total() * READ > 9.9


def test_waiting_reads_proceed_when_play_ends() -> None:
    place = Place()

    async def scenario() -> None:
        place.turns.note_write()
        await asyncio.gather(*(place.look() for _ in range(64)))

    place.run(scenario())
    assert place.time.now < 64 * READ + RECENT_WRITE_S


def test_single_client_never_waits() -> None:
    place = Place()

    async def scenario() -> None:
        for _ in range(200):
            place.turns.note_write()
            await place.look()

    place.run(scenario())
    assert place.time.now == pytest.approx(200 * (READ + 0.001))


def test_cancelled_read_does_not_block_others() -> None:
    place = Place()

    async def scenario() -> None:
        playing = asyncio.ensure_future(place.play())
        some = [asyncio.ensure_future(place.look()) for _ in range(40)]
        await asyncio.sleep(0.01)
        gone = [task for task in some if not task.done()][:20]
        assert len(gone) == 20
        for task in gone:
            task.cancel()
        await asyncio.gather(*some, return_exceptions=True)
        assert all(task.cancelled() for task in gone)
        assert all(task.exception() is None for task in some if task not in gone)
        playing.cancel()

    place.run(scenario())


def test_only_reads_wait_and_each_move_is_recorded(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Person(client)
    held, told = [], []

    async def wait(_turns: ReadThrottle) -> None:
        held.append(1)

    def clock() -> float:
        """Return the time, which only `ReadThrottle.note_write` reads here."""
        told.append(1)
        return 0.0

    monkeypatch.setattr(ReadThrottle, "wait_for_turn", wait)
    # The method itself was handed to the store when the service started.
    monkeypatch.setattr(client.app.services.read_throttle, "_clock", clock)
    match = ann.open("me", "me")
    assert len(told) == 1
    assert not held
    (choice, *_) = ann.choices(match, 0)
    assert len(held) == 1
    assert ann.play(match, 0, choice["command"]).status_code == 200
    assert len(told) == 2
    assert client.get("/health/ready").status_code == 200
    assert client.get("/").status_code == 200
    assert len(held) == 1
    assert ann.get("/matches").json()["items"][0]["id"] == match["id"]
    assert len(held) == 2
