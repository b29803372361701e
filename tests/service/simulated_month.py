"""A simulated month of play on a virtual clock: moves, undos, vacations, votes and service
restarts."""

import asyncio
import heapq
import itertools
import random
from collections import Counter
from typing import Any
from uuid import UUID

from msgspec import Struct, to_builtins

from domain.contract.game import IllegalMove
from domain.match.seats import NotYourTurn, Refused
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats
from service.bootstrap import Services
from service.http.problems import ApiProblem
from service.matches import schema
from service.matches.access import invite_of
from service.matches.match_writer import Caller
from service.players.identity import Player
from service.settings import Settings
from tests.service.clock_oracle import DAY
from tests.service.month_matches import SEATS, request_match
from tests.service.notification_oracle import Noticing

MONDAY = 1_772_409_600_000
"""The 2nd of March 2026, 0:00 UTC."""
HOUR, MINUTE, SECOND = 3_600_000, 60_000, 1_000
PEOPLE, MATCHES = 600, 200
END = MONDAY + 30 * DAY


class Away(Struct, frozen=True):
    """A vacation that was taken; ``ended`` None: it still lasts."""

    player: str
    began: int
    ended: int | None


class Month:
    """The players' actions in order of time; ``now`` is the shared clock."""

    def __init__(
        self,
        settings: Settings,
        seed: int,
        people: int = PEOPLE,
        matches: int = MATCHES,
        noticing: Noticing | None = None,
    ) -> None:
        self.settings = settings
        self.size = people, matches
        self.noticing = noticing
        self.rng = random.Random(seed)
        self.now = MONDAY
        self.people: list[Player] = []
        self.by_id: dict[str, Player] = {}
        self.matches: list[str] = []
        self.away: dict[str, int] = {}
        self.vacations: list[Away] = []
        self.done: Counter[str] = Counter()
        self._queue: list[tuple[int, int, str, tuple[Any, ...]]] = []
        self._number = itertools.count()
        self._planned: set[tuple[str, int, int]] = set()
        self.services: Services

    def at(self, when: int, what: str, *args: Any) -> None:
        if when < END:
            heapq.heappush(self._queue, (when, next(self._number), what, args))

    async def run(self) -> None:
        """Play the month: execute what is due next and restart the service from time to time."""
        await self._lifetime(self._begin)
        self._look_ahead()
        await self._go_on()

    def _look_ahead(self) -> None:
        for _ in range(12):
            self.at(MONDAY + self.rng.randrange(30 * DAY), "restart")
        for hour in range(30 * 24):
            self.at(MONDAY + hour * HOUR + self.rng.randrange(HOUR), "tick")

    async def _go_on(self) -> None:
        while self._queue:
            await self._lifetime(self._live)
        await self._lifetime(self._end)

    async def _end(self) -> None:
        if self.noticing:
            await self.noticing.until(self.services, END, self._goes_on)
        self.now = END
        await self._tick()

    async def _lifetime(self, lives: Any) -> None:
        self.services = Services(self.settings)
        async with self.services.running():
            await lives()

    async def _live(self) -> None:
        while self._queue:
            self._between()
            when, _, what, args = heapq.heappop(self._queue)
            if self.noticing:
                await self.noticing.until(self.services, when, self._goes_on)
            self._goes_on(when)
            self.done[what] += 1
            if what == "restart":
                if self.noticing:
                    self.noticing.die()
                return
            await getattr(self, f"_{what}")(*args)

    def _between(self) -> None:
        """Hook for a moment at which no step is half done."""

    def _goes_on(self, when: int) -> None:
        self.now = max(self.now, when)

    # opening the matches

    async def _begin(self) -> None:
        people, matches = self.size
        for number in range(people):
            player, _ = self.services.players.create(f"P {number}", "", self.now)
            self.people.append(player)
            self.by_id[player.id] = player
            if self.noticing:
                self.noticing.enrol(self.services, player.id, self.now)
            if self.rng.random() < 0.15:
                self.at(MONDAY + self.rng.randrange(28 * DAY), "leave", player)
        # All within some minutes, however many: nobody plays or is notified meanwhile.
        for number in range(matches):
            self.now += self.rng.randrange(12 * MINUTE // matches)
            await self._open(number)

    async def _open(self, number: int) -> None:
        people = self.rng.sample(self.people, SEATS)
        request = request_match(number)
        services, absences = self.services, self.services.vacations
        done = await services.openings.create_match(people[0], request, None)
        await absences.apply_to_match(done, people[0])
        invite = invite_of(done.timeline)
        for person in people[1:]:
            table = await services.finder.find_match(done.match_id, person, invite)
            joined = await services.seats.join(table, person, schema.JoinMatch(invite), "10.0.0.1")
            await absences.apply_to_match(joined, person)
        self.matches.append(done.match_id)
        await self._plan(done.match_id)

    # the players

    async def _plan(self, match: str) -> None:
        """Schedule a future move for every seat that is to act."""
        timeline = await self._timeline(match)
        now = timeline.latest
        if now.status != "playing":
            return
        turn = timeline.rules.turn(now.state)
        for seat in timeline.to_act(now):
            player = now.seats[seat].player
            if now.seats[seat].kind == "human" and (match, seat, turn) not in self._planned:
                self._planned.add((match, seat, turn))
                when = self.now + self._delay(timeline, player)
                self.at(when, "move", match, seat, turn)

    def _delay(self, timeline: Timeline, player: str | None) -> int:
        pace = timeline.latest.opened.pace
        if pace is not None and pace.kind == "live":
            late = self.rng.random() < 0.06
            return self.rng.randrange(10 * MINUTE, 3 * HOUR) if late else self._some(40 * SECOND)
        if self.rng.random() < 0.1:
            return self.rng.randrange(DAY, 8 * DAY)
        wait = self._some(9 * HOUR)
        return wait + 3 * DAY if player in self.away else wait

    def _some(self, mean: int) -> int:
        return int(self.rng.expovariate(1 / mean)) + 1

    async def _timeline(self, match: str) -> Timeline:
        table = await self.services.matches.find(UUID(match), fresh=True)
        assert table is not None
        timeline: Timeline = table.timeline
        return timeline

    async def _move(self, match: str, seat: int, turn: int) -> None:
        """Play the whole turn of a seat, step by step, some seconds for each."""
        timeline = await self._timeline(match)
        player = self.by_id.get(timeline.latest.seats[seat].player or "")
        for _ in range(20):
            timeline = await self._timeline(match)
            now = timeline.latest
            mine = now.status == "playing" and seat in timeline.to_act(now)
            if player is None or not mine or timeline.rules.turn(now.state) != turn:
                break
            if seat not in held_seats(timeline, player.id):
                break
            choice = self.rng.choice(timeline.rules.choices(now.state, seat))
            await self._send(match, player, seat, timeline.version, to_builtins(choice))
            self.now += self.rng.randrange(5 * SECOND)
        if player is not None and self.rng.random() < 0.05:
            await self._take_back(match, player, seat)
        await self._settled()
        await self._plan(match)

    async def _send(
        self, match: str, player: Player, seat: int, version: int, command: dict[str, Any]
    ) -> None:
        play = self.services.actions
        table = await self.services.finder.find_match(match, player)
        try:
            wish = schema.PlayCommands(seat, version, (command,))
            await play.play_commands(Caller(player, table), wish)
            self.done["step"] += 1
            await self._note_return(player)
        except (ApiProblem, Refused, NotYourTurn, IllegalMove) as error:
            self.done[f"refused {getattr(error, 'code', type(error).__name__)}"] += 1

    async def _take_back(self, match: str, player: Player, seat: int) -> None:
        """Undo the last step if that is free, and play it again later."""
        play = self.services.actions
        timeline = await self._timeline(match)
        if seat not in held_seats(timeline, player.id):
            return
        if timeline.undo_kind(seat).kind != "free":
            return
        table = await self.services.finder.find_match(match, player)
        try:
            await play.undo(Caller(player, table), schema.UndoMoves(seat, timeline.version))
        except (ApiProblem, Refused):
            return
        self.done["undo"] += 1
        now = (await self._timeline(match)).latest
        if now.status == "playing":
            turn = timeline.rules.turn(now.state)
            self.at(self.now + self._some(MINUTE), "move", match, seat, turn)

    async def _leave(self, player: Player) -> None:
        await self.services.vacations.begin_vacation(player)
        self.away[player.id] = self.now
        self.at(self.now + self.rng.randrange(DAY, 12 * DAY), "come", player)

    async def _come(self, player: Player) -> None:
        await self.services.vacations.end_vacation(player)
        self._back(player)

    async def _note_return(self, player: Player) -> None:
        """Record that a move in a match with days per turn has ended the player's vacation."""
        if player.id in self.away:
            balance = await self.services.vacations.balance(player, self.now)
            if balance.current is None:
                self._back(player)
                self.done["back by a move"] += 1

    def _back(self, player: Player) -> None:
        began = self.away.pop(player.id, None)
        if began is not None:
            self.vacations.append(Away(player.id, began, self.now))

    async def _vote(self, match: str, seat: int, about: int) -> None:
        timeline = await self._timeline(match)
        player = self.by_id.get(timeline.latest.seats[seat].player or "")
        if player is None or seat not in held_seats(timeline, player.id):
            return
        table = await self.services.finder.find_match(match, player)
        try:
            cast = schema.CastVote(seat, about, self.rng.random() < 0.8)
            await self.services.actions.vote(Caller(player, table), cast)
            self.done["voted"] += 1
        except (ApiProblem, Refused):
            self.done["voted in vain"] += 1
        await self._settled()
        await self._plan(match)

    # -- the service ---------------------------------------------------------------------------

    async def _tick(self) -> None:
        """Run the scheduler after whatever has run out since."""
        due = await asyncio.to_thread(self._due)
        await self.services.scheduler.tick()
        await self._settled()
        for match in due:
            await self._plan(match)
            timeline = await self._timeline(match)
            for about, clock in enumerate(timeline.latest.clocks):
                for seat in range(SEATS) if clock.out else ():
                    self.at(self.now + self._some(5 * HOUR), "vote", match, seat, about)

    def _due(self) -> list[str]:
        self.services.vacations.projector.catch_up()
        return [match for match, _ in self.services.read_models.due_matches(self.now)]

    async def _settled(self) -> None:
        """Wait until the bots have moved."""
        while tasks := [*self.services.bots._tasks.values()]:
            await asyncio.wait(tasks)
