"""Repetition of changes that conflict with those of another worker."""

import asyncio
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from domain.match.timeline import Timeline
from service.http.problems import ApiProblem
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import MAX_ATTEMPTS, ActionResult, MatchWriter
from service.store import Receipt, VersionConflict
from tests.service.test_store import moved, opened_match


class OtherWorker:
    """Another worker, which plays a move in the match whenever this one tries to.

    ``stops_after``: the number of moves after which it stops, and with which it has executed the
    request with `KEY`, if any.
    """

    def __init__(self, stops_after: int) -> None:
        self.match = LoadedMatch(uuid4(), opened_match())
        self.stops_after = stops_after
        self.versions = [self.match.timeline.version]
        self.attempts: list[int] = []
        self.writer = MatchWriter(
            store=self,  # type: ignore[arg-type]
            saver=self,  # type: ignore[arg-type]
            matches=self,  # type: ignore[arg-type]
            bots=SimpleNamespace(),  # type: ignore[arg-type]
            announce=lambda _match, _version: None,
            on_seat_lost=lambda _match, _player, _seat: None,
        )

    async def attempt(self, timeline: Timeline) -> ActionResult:
        assert self.match.lock.locked()
        self.attempts.append(timeline.version)
        if len(self.attempts) <= self.stops_after:
            raise VersionConflict
        return ActionResult(self.match.id, timeline, 0, timeline.version)

    async def retry(self, fingerprint: RequestFingerprint | None = None) -> ActionResult:
        return await self.writer.retry_on_conflict(self.match, self.attempt, fingerprint)

    # as the match cache

    async def catch_up(self, match: LoadedMatch) -> None:
        match.timeline = moved(match.timeline)
        self.versions.append(match.timeline.version)

    async def find(self, _key: object, *, fresh: bool) -> LoadedMatch:
        return self.match

    # as the store and its writer

    async def run(self, call: Any, *values: Any) -> Any:
        return call(*values)

    def find_receipt(self, key: str) -> Receipt | None:
        if len(self.attempts) < self.stops_after:
            return None
        version = self.match.timeline.version
        return Receipt(key, KEY.body, self.match.id, STORED_SEAT, version, version, 200, 0)


KEY = RequestFingerprint("key", "body")
STORED_SEAT = 1


def test_change_is_tried_again_on_the_newer_timeline() -> None:
    other = OtherWorker(stops_after=2)
    done = asyncio.run(other.retry())
    assert other.attempts == other.versions
    assert len(other.attempts) == 3
    assert done.timeline is other.match.timeline


@pytest.mark.parametrize(("ahead", "caught_up"), [(0, True), (1, False)])
def test_version_is_compared_once_the_lock_is_held(ahead: int, caught_up: bool) -> None:
    """An action that waits for another one must not act on the version from before it."""
    other = OtherWorker(stops_after=0)
    later = moved(other.match.timeline)
    expected = (other.match.timeline, later)[ahead].version

    async def scenario() -> None:
        async with other.match.lock:
            waiting = asyncio.create_task(
                other.writer.retry_on_conflict(
                    other.match, other.attempt, fresh=True, unless_at=expected
                )
            )
            await asyncio.sleep(0)
            other.match.timeline = later
        await waiting

    asyncio.run(scenario())
    assert (len(other.versions) == 2) == caught_up


def test_last_attempt_counts() -> None:
    other = OtherWorker(stops_after=MAX_ATTEMPTS - 1)
    asyncio.run(other.retry())
    assert len(other.attempts) == MAX_ATTEMPTS


def test_change_is_refused_after_the_last_attempt() -> None:
    other = OtherWorker(stops_after=MAX_ATTEMPTS)
    with pytest.raises(ApiProblem) as refused:
        asyncio.run(other.retry())
    assert refused.value.code == "version_conflict"
    assert len(other.attempts) == MAX_ATTEMPTS
    assert not other.match.lock.locked()


def test_request_that_the_other_worker_has_executed_gets_its_result() -> None:
    other = OtherWorker(stops_after=3)
    done = asyncio.run(other.retry(KEY))
    assert len(other.attempts) == 3
    assert done.seat == STORED_SEAT
