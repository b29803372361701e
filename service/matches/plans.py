"""Plans of seats: kept in a table of their own, where nobody but the seat's person reads them, and
played by the service once they fit.

Between the others' move and the plan's lies a `GRACE`, in which a move can be taken back freely;
the plan is a decision of its own. A plan that was played or did not fit is not played again: it
counts only as long as its seat has not acted since it was laid down.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.answers.viewing import held_seats, is_for_review
from domain.codec import codec_of
from domain.game import IllegalMove
from domain.match import Refused, Timeline
from domain.plans import Branch, Plan, fitting, ripe_at
from projections.views import Views
from service.base.now import clock
from service.base.problems import Fault
from service.matches.play import Play
from service.matches.problems import imported, malformed, no_seat, version_conflict
from service.matches.tables import Table, Tables
from service.notices.tables import insert
from service.notices.told import Notice, PlanPlayed, turn_id
from service.players.identity import Player
from service.store import Store

log = logging.getLogger("caravanserai")

GRACE = 10_000
"""Milliseconds between the others' latest decision and the plan's."""
LONGEST = 32_768
"""Bytes of a plan as it is kept."""
_DEEPEST = 12
"""Values in values of what a plan waits for."""
_AT_ONCE = 400


PLAYED = "played"
"""Why there is no plan any more: it was played. Its person is still to be told so."""


class Laid(Struct, frozen=True):
    """A plan that was laid down at a ``version``; ``dropped``: why it is none any more, a key.
    What was `PLAYED` bears the version that it was played after."""

    match: str
    seat: int
    player: str
    version: int
    plan: Plan
    dropped: str = ""


class Plans:
    """All plans of all seats.

    A look reads those of the matches that went on since the look before, by the log as far as the
    read models follow it (``_looked``: a notification, None when all are to be read), those that
    were laid by this worker meanwhile, and those that were due already."""

    def __init__(self, store: Store, play: Play, tables: Tables, views: Views) -> None:
        self._store = store
        self._play = play
        self._tables = tables
        self._views = views
        self._looked: int | None = None
        self._laid: deque[str] = deque()
        self._due_before: set[str] = set()

    # -- what their people do --------------------------------------------------------------

    async def of(self, table: Table, player: Player, seat: int) -> Laid | None:
        """The plan of a seat that the player holds; `Fault` 403 for any other."""
        # What is played is noted with its move: a plan read later than the match is not noted late.
        timeline = table.timeline
        _check_seat(timeline, player, seat)
        found = await asyncio.to_thread(self._read, table.id, seat)
        if found is None or found.player != player.id:
            return None
        if not found.dropped and found.version <= timeline.version:
            spent = fitting(timeline, seat, found.version, found.plan) == "spent"
            return None if spent else found
        return found

    async def lay(
        self, table: Table, player: Player, seat: int, plan: Plan, since: int | None = None
    ) -> Laid:
        """Lays a plan down, in the place of the one before, for what happens after a version;
        `Fault` when it is none."""
        timeline = table.timeline
        _check_seat(timeline, player, seat)
        if timeline.now.status != "playing":
            raise Fault(409, "no_plan_now", "Nothing can be planned here now.")
        if seat in timeline.to_act(timeline.now):
            raise Fault(409, "your_turn", "It is your turn: play instead of planning.")
        text = _written(table.game, plan)
        since = timeline.version if since is None else since
        if since > timeline.version or fitting(timeline, seat, since, plan) == "spent":
            raise version_conflict(timeline.version)
        laid = Laid(table.id, seat, player.id, since, plan)
        await asyncio.to_thread(self._write, laid, text)
        self._laid.append(laid.match)  # it may count for what has happened already
        return laid

    async def forget(self, table: Table, player: Player, seat: int) -> None:
        """Takes a plan away."""
        _check_seat(table.timeline, player, seat)
        await asyncio.to_thread(self._delete, table.id, seat)

    # -- what the clock does ---------------------------------------------------------------

    async def look(self) -> None:
        """Plays the plans whose time has come, and drops those that do not fit."""
        for match, seat in await asyncio.to_thread(self._due):
            try:
                await self._see_to(match, seat)
            except Exception as error:
                log.error("plan: %s: %s", match, type(error).__name__, extra={"match": match})

    async def _see_to(self, match: str, seat: int) -> None:
        laid = await asyncio.to_thread(self._read, match, seat)
        if laid is None or laid.dropped:
            return
        table = await self._tables.find(UUID(laid.match), fresh=True)
        if table is None or laid.seat not in held_seats(table.timeline, laid.player):
            await asyncio.to_thread(self._forget, laid)
            return
        timeline = table.timeline
        if timeline.now.status == "playing" and clock() < ripe_at(timeline, seat, GRACE):
            return
        found = fitting(timeline, laid.seat, laid.version, laid.plan)
        if isinstance(found, Branch):
            await self._fire(table, timeline.version, laid, found)
        elif found == "spent":
            await asyncio.to_thread(self._forget, laid)
        elif found == "misfit":
            await asyncio.to_thread(self._drop, laid, timeline.version, "misfit")

    async def _fire(self, table: Table, version: int, laid: Laid, branch: Branch) -> None:
        """Plays a branch, if the match is still as it was when the branch was found to fit."""
        codec = codec_of(table.game)
        commands = [codec.command(plain) for plain in branch.commands]
        played = PlanPlayed(laid.match, laid.seat, laid.version, version)
        try:
            await self._play.by_plan(table, played, laid.player, commands)
        except (IllegalMove, Refused):
            await asyncio.to_thread(self._drop, laid, version, "illegal")

    # -- the table -------------------------------------------------------------------------

    def _due(self) -> list[tuple[str, int]]:
        """Matches and seats that have a plan and are to act; those of matches that are over
        too."""
        # Asked for first: what is saved later is found by the next look. Nobody knows how far this
        # one comes; should it fail, the next reads all.
        level = self._views.position() or 0
        before, self._looked = self._looked, None
        laid = {self._laid.popleft() for _ in range(len(self._laid))}
        if before is None or level < before:
            with self._store.transaction(commit=False) as sql:
                rows = sql.all(f"{_WAITING} ORDER BY match, seat")
        else:
            asked = sorted(self._store.changed(before, level) | laid | self._due_before)
            rows = [row for some in _parts(asked) for row in self._waiting(some)]
        standing: dict[str, Any] = {}
        for some in _parts(sorted({row["match"] for row in rows})):
            standing |= self._views.standing(some)
        due = [
            (row["match"], row["seat"])
            for row in rows
            if _is_due(row["seat"], row["version"], standing.get(row["match"]))
        ]
        self._due_before = {match for match, _seat in due}
        self._looked = level
        return due

    def _waiting(self, matches: Sequence[str]) -> list[Any]:
        marks = ",".join("?" * len(matches))
        with self._store.transaction(commit=False) as sql:
            return sql.all(f"{_WAITING} AND match IN ({marks}) ORDER BY match, seat", *matches)

    def _read(self, match: str, seat: int) -> Laid | None:
        with self._store.transaction(commit=False) as sql:
            row = sql.one(
                f"SELECT {_COLUMNS} FROM {{0}}plans WHERE match = ? AND seat = ?", match, seat
            )
        return None if row is None else _laid(row)

    def _write(self, laid: Laid, text: str) -> None:
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}plans WHERE match = ? AND seat = ?", laid.match, laid.seat)
            sql.run(
                f"INSERT INTO {{0}}plans ({_COLUMNS}) VALUES (?,?,?,?,?,'')"
                " ON CONFLICT (match, seat) DO NOTHING",
                *(laid.match, laid.seat, laid.player, laid.version, text),
            )

    def _delete(self, match: str, seat: int) -> None:
        with self._store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}plans WHERE match = ? AND seat = ?", match, seat)

    def _forget(self, laid: Laid) -> None:
        """Takes this plan away, and no other that has come in its place."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "DELETE FROM {0}plans WHERE match = ? AND seat = ? AND version = ?"
                " AND dropped = ''",
                *(laid.match, laid.seat, laid.version),
            )

    def _drop(self, laid: Laid, version: int, why: str) -> None:
        """What did not fit, now that the match is at a version, stays to be read until there is
        another plan. Its person is told so: one worker of several drops it."""
        now = clock()
        notice = Notice(laid.player, laid.match, "plan", turn_id(laid.version, laid.seat), version)
        with self._store.transaction(commit=True) as sql:
            dropped = sql.all(
                "UPDATE {0}plans SET dropped = ? WHERE match = ? AND seat = ? AND version = ?"
                " AND dropped = '' RETURNING 1",
                *(why, laid.match, laid.seat, laid.version),
            )
            if dropped:
                insert(sql, notice, now, now)


_WAITING = "SELECT match, seat, version FROM {0}plans WHERE dropped = ''"
_COLUMNS = "match, seat, player, version, plan, dropped"
_plan = msgspec.json.Decoder(Plan).decode


def _parts(matches: Sequence[str]) -> Iterator[Sequence[str]]:
    """So many as one statement asks for."""
    return (matches[first : first + _AT_ONCE] for first in range(0, len(matches), _AT_ONCE))


def _laid(row: Any) -> Laid:
    plan = _plan(row["plan"])
    return Laid(row["match"], row["seat"], row["player"], row["version"], plan, row["dropped"])


def _is_due(seat: int, laid_at: int, standing: Any) -> bool:
    if standing is None:
        return True
    version, to_act, _updated = standing
    return version > laid_at and seat in to_act


def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
    if seat not in held_seats(timeline, player.id):
        raise no_seat(timeline, player.id, seat)
    if is_for_review(timeline):
        raise imported()


def _written(game: str, plan: Plan) -> str:
    """The plan as it is kept; `Fault` 422 for what can be no command or event of the game."""
    codec = codec_of(game)
    known = {each.__name__ for each in codec.rules.EVENTS}
    for branch in plan.branches:
        if any(seen.type not in known for seen in branch.when):
            raise Fault(
                422, "invalid_request", "There is no such event in this game.", field="branches"
            )
        if any(_is_deep(seen.data) for seen in branch.when):
            raise malformed("")
    try:
        for branch in plan.branches:
            for plain in branch.commands:
                codec.command(plain)
        text = msgspec.json.encode(plan)
    except msgspec.ValidationError as error:
        raise malformed(str(error)) from None
    except (TypeError, RecursionError, OverflowError, UnicodeEncodeError):
        raise malformed("") from None
    if len(text) > LONGEST:
        raise Fault(422, "plan_too_long", "This plan is too long.", field="branches")
    return text.decode()


def _is_deep(value: Any, most: int = _DEEPEST) -> bool:
    """Whether values lie in values deeper than those of any event."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deep(each, most - 1) for each in inside)
