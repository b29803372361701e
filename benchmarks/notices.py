"""Cost of turn notifications: CPU time of a command with and without, and notifications per second.

Runs the service without HTTP, on SQLite in a fresh folder, with the first game of the lobby and one
command at a time. Three kinds of matches are played in random order, many times, so that conditions
are the same: between two people with notifications disabled, two who have no channel, and two who
are notified by webhook, so that each turn writes to the outbox. The additional cost is printed as a
share of the CPU time of a command over HTTP, which is measured in the same run with a worker whose
load causes no notifications. Finally, some hundred people are notified of their turn by a webhook
on this machine.
"""

import asyncio
import random
import statistics
import tempfile
import time
from typing import Any

import uvloop
from msgspec import to_builtins

from benchmarks.http_commands import measure
from benchmarks.places import empty_store
from benchmarks.timeline import SLUG
from domain.match.timeline import Timeline
from service.bootstrap import Services
from service.common.clock import now_ms, override_clock
from service.matches import match_writer, schema
from service.matches.match_cache import LoadedMatch
from service.notifications.triggers import NO_NOTIFICATIONS, NotificationBatch, notifications_for
from service.players.identity import Player
from service.settings import Settings

STEPS = 40
ROUNDS = 60
RECIPIENTS = 400
TIMEOUT_S = 180
"""Seconds to wait for missing notifications."""
WEBHOOK_ADDRESS = "127.0.0.1:8798"
KINDS = ("without notices", "not to be reached", "told by webhook")


class WebhookReceiver(asyncio.Protocol):
    """A webhook that accepts every request and records when it arrived."""

    def __init__(self, times: list[float]) -> None:
        self._times = times

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if b"HTTP/1.1\r\n" in data:
            self._times.append(time.perf_counter())
            self._transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")


async def open_match(services: Services, people: list[Player]) -> LoadedMatch:
    """Open a match with two seats for one or two people."""
    kinds: list[Any] = ["me", "me" if len(people) == 1 else "open"]
    seats = tuple(schema.NewSeat(kind=kind) for kind in kinds)
    wish = schema.NewMatch(game=SLUG, seats=seats, visibility="public")
    done = await services.openings.create_match(people[0], wish, None)
    table = await services.finder.find_match(done.match_id, people[0])
    if len(people) > 1:
        await services.seats.join(table, people[1], schema.JoinMatch(), done.match_id)
    return table


async def play_match(services: Services, people: list[Player], seed: int) -> tuple[int, float]:
    """Play a match at random; return the number of commands and their CPU time in seconds."""
    dice = random.Random(seed)
    table = await open_match(services, people)
    took, count = 0.0, 0
    while count < STEPS and table.timeline.latest.status == "playing":
        timeline = table.timeline
        seat = timeline.to_act(timeline.latest)[0]
        command = to_builtins(dice.choice(timeline.rules.choices(timeline.latest.state, seat)))
        wish = schema.PlayCommands(
            seat=seat, expected_version=timeline.version, commands=(command,)
        )
        began = time.thread_time()
        caller = match_writer.Caller(people[min(seat, len(people) - 1)], table)
        await services.actions.play_commands(caller, wish)
        took += time.thread_time() - began
        count += 1
    return count, took


async def measure_costs(data: str) -> dict[str, list[float]]:
    """Return, for each of `KINDS`, the microseconds of CPU time per command in each round."""
    services = Services(Settings(data=data, notice_hosts=WEBHOOK_ADDRESS, notice_delay=86_400))
    found: dict[str, list[float]] = {kind: [] for kind in KINDS}
    async with services.running():
        people = {kind: [await create_player(services, kind) for _ in range(2)] for kind in KINDS}
        for number in range(ROUNDS + 1):
            for kind in random.Random(number).sample(KINDS, len(KINDS)):
                function = _no_notifications if kind == KINDS[0] else notifications_for
                setattr(match_writer, "notifications_for", function)  # noqa: B010
                count, took = await play_match(services, people[kind], number)
                if number:  # the first round is a warm-up
                    found[kind].append(1e6 * took / count)
    setattr(match_writer, "notifications_for", notifications_for)  # noqa: B010
    return found


def _no_notifications(_match: str, _before: Timeline | None, _after: Timeline) -> NotificationBatch:
    return NO_NOTIFICATIONS


async def create_player(services: Services, kind: str) -> Player:
    """Create a player, with a webhook for the last of `KINDS`."""
    player, _ = services.players.create("Load", "", now_ms())
    if kind == KINDS[2]:
        await services.subscriptions.add_webhook(
            player, f"http://{WEBHOOK_ADDRESS}/x", "http://localhost"
        )
    return player


async def measure_sending(data: str) -> float:
    """Return the number of notifications sent per second, one to each person."""
    times: list[float] = []
    host, _, port = WEBHOOK_ADDRESS.partition(":")
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: WebhookReceiver(times), host, int(port))
    services = Services(Settings(data=data, notice_hosts=WEBHOOK_ADDRESS, notice_delay=3_600))
    async with services.running():
        other = await create_player(services, "")
        waiting = 0
        for _ in range(RECIPIENTS):
            player = await create_player(services, KINDS[2])
            table = await open_match(services, [player, other])
            waiting += table.timeline.to_act(table.timeline.latest) == (0,)
        with override_clock(lambda: time.time_ns() // 1_000_000 + 7_200_000):
            # A delivery not accepted in time on a busy machine is retried half a minute later.
            async with asyncio.timeout(TIMEOUT_S):
                while len(times) < waiting:
                    await asyncio.sleep(0.2)
    server.close()
    # Leave out the last tenth, where late deliveries would dominate.
    most = times[: len(times) * 9 // 10]
    return (len(most) - 1) / (most[-1] - most[0])


def main() -> None:
    # Its load client plays both seats of a match, so there are no notifications.
    with empty_store("SQLite") as settings:
        http = measure(settings).processor
    with tempfile.TemporaryDirectory() as data:
        rounds = uvloop.run(measure_costs(data))
    with tempfile.TemporaryDirectory() as data:
        rate = uvloop.run(measure_sending(data))
    print(f"processor time of a command over HTTP  {http:4.0f} microseconds")
    print("without HTTP, microseconds (median of the rounds), and what it is more than without:")
    base = rounds[KINDS[0]]
    for kind in KINDS:
        differences = [a - b for a, b in zip(rounds[kind], base, strict=True)]
        low, more, high = statistics.quantiles(differences, n=4) if kind != KINDS[0] else (0, 0, 0)
        share = f"{more:+5.0f} ({low:+.0f} to {high:+.0f}), {more / http:+6.1%} of one over HTTP"
        print(f"  {kind:20} {statistics.median(rounds[kind]):6.0f}  {share}")
    print(f"notices sent a second  {rate:6,.0f}")


if __name__ == "__main__":
    main()
