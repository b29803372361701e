"""Concurrent callers share one query, and none gets the result of a query that began before."""

import asyncio
from contextlib import suppress

import pytest

from service.common.coalescing import Coalescer


class Looks:
    """Rounds whose queries finish when the test says so."""

    def __init__(self) -> None:
        self.asked: list[set[str]] = []
        self.go = asyncio.Semaphore(0)
        self.rounds: Coalescer[str, int] = Coalescer(self._look)

    async def _look(self, asked: set[str]) -> int:
        self.asked.append(asked)
        await self.go.acquire()
        if "bad" in asked:
            raise LookupError
        return len(self.asked)


async def asking(looks: Looks, *names: str) -> list["asyncio.Task[int]"]:
    tasks = [asyncio.create_task(looks.rounds.submit(name)) for name in names]
    for _ in range(5):
        await asyncio.sleep(0)
    return tasks


def test_caller_during_a_round_gets_the_next_one() -> None:
    async def scenario() -> None:
        looks = Looks()
        first = await asking(looks, "a", "b")
        later = await asking(looks, "c", "a", "d")
        assert looks.asked == [{"a", "b"}]
        for _ in range(2):
            looks.go.release()
        assert await asyncio.gather(*first, *later) == [1, 1, 2, 2, 2]
        assert looks.asked == [{"a", "b"}, {"c", "a", "d"}]
        looks.go.release()
        assert await looks.rounds.submit("e") == 3

    asyncio.run(scenario())


def test_cancelled_caller_and_failed_round_do_not_affect_others() -> None:
    async def scenario() -> None:
        looks = Looks()
        gone, here = await asking(looks, "a", "b")
        gone.cancel()
        bad = await asking(looks, "bad", "c")
        for _ in range(3):
            looks.go.release()
        assert await here == 1
        with suppress(asyncio.CancelledError):
            await gone
        for task in bad:
            with pytest.raises(LookupError):
                await task
        assert await looks.rounds.submit("d") == 3

    asyncio.run(scenario())


def test_more_may_join_after_a_round_that_found_something() -> None:
    async def scenario(found: bool) -> list[set[str]]:
        asked: list[set[str]] = []

        async def look(names: set[str]) -> bool:
            asked.append(names)
            return found

        rounds = Coalescer(look, pause_s=0.2)
        await rounds.submit("a")
        late = asyncio.create_task(rounds.submit("b"))
        await asyncio.sleep(0.05)
        await rounds.submit("c")
        await late
        return asked

    assert asyncio.run(scenario(True)) == [{"a"}, {"b", "c"}]
    assert asyncio.run(scenario(False)) == [{"a"}, {"b"}, {"c"}]
