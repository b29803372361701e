"""Plans (conditional moves): stored in their own table, played by the service once they fit.

Only the player who holds the seat can read a plan. It is played `GRACE` after the others' move, so
that they can still take that move back freely, and as a decision of its own. A plan is valid only
while its seat has not acted since the plan was made, so none is played twice.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.contract.game import IllegalMove
from domain.match import Refused, Timeline
from domain.match.plans import Branch, Plan, matching_branch, ready_at
from domain.matchfile.codec import codec_of
from domain.presentation.viewpoint import held_seats, is_for_review
from projections.read_models import ReadModels
from service.common.clock import clock
from service.http.problems import Fault
from service.matches.actions import Play
from service.matches.match_cache import Table, Tables
from service.matches.problems import imported, malformed, no_seat, version_conflict
from service.notifications.outbox_sql import insert
from service.notifications.triggers import Notice, PlanPlayed, turn_id
from service.players.identity import Player
from service.store import Store

log = logging.getLogger("caravanserai")

GRACE = 10_000
"""Milliseconds from the others' latest decision until a plan is played."""
LONGEST = 32_768
"""Maximum bytes of a stored plan (JSON)."""
_DEEPEST = 12
"""Maximum nesting depth of the event data in a condition."""
_AT_ONCE = 400
"""Maximum number of matches in one SQL statement."""


PLAYED = "played"
"""Value of ``dropped`` for a plan that was played; the row remains so that its player sees it."""


class Laid(Struct, frozen=True):
    """A stored plan, made at ``version`` of the match.

    ``dropped``: empty while the plan is valid, else the reason: ``misfit``, ``illegal`` or
    `PLAYED`. Of a played plan, ``version`` is the one after which it was played.
    """

    match: str
    seat: int
    player: str
    version: int
    plan: Plan
    dropped: str = ""


class Plans:
    """The plans of all seats.

    A pass of the scheduler (`look`) reads the plans of matches that have changed since the last
    pass, plans made through this worker meanwhile, and plans that were due already. Changes are
    taken from the log, as far as the read models have followed it: ``_looked`` is their position
    in the last pass, None when all plans are to be read.
    """

    def __init__(self, store: Store, play: Play, tables: Tables, views: ReadModels) -> None:
        self._store = store
        self._play = play
        self._tables = tables
        self._views = views
        self._looked: int | None = None
        self._laid: deque[str] = deque()
        self._due_before: set[str] = set()

    # -- requests of players ---------------------------------------------------------------

    async def of(self, table: Table, player: Player, seat: int) -> Laid | None:
        """Return the plan of a seat that the player holds; raises `Fault` 403 for another seat."""
        # The plan is read after the match: `PLAYED` is stored together with the plan's move, so a
        # plan whose move is in the timeline cannot appear as unplayed.
        timeline = table.timeline
        _check_seat(timeline, player, seat)
        found = await asyncio.to_thread(self._read, table.id, seat)
        if found is None or found.player != player.id:
            return None
        if not found.dropped and found.version <= timeline.version:
            spent = matching_branch(timeline, seat, found.version, found.plan) == "spent"
            return None if spent else found
        return found

    async def lay(
        self, table: Table, player: Player, seat: int, plan: Plan, since: int | None = None
    ) -> Laid:
        """Store a plan, replacing the seat's earlier one; it applies to events after ``since``.

        Without ``since``, to events from now on. Raises `Fault` 409 ``no_plan_now``, ``your_turn``
        or ``version_conflict``, and 422 for an invalid plan.
        """
        timeline = table.timeline
        _check_seat(timeline, player, seat)
        if timeline.latest.status != "playing":
            raise Fault(409, "no_plan_now", "Nothing can be planned here now.")
        if seat in timeline.to_act(timeline.latest):
            raise Fault(409, "your_turn", "It is your turn: play instead of planning.")
        text = _written(table.game, plan)
        since = timeline.version if since is None else since
        if since > timeline.version or matching_branch(timeline, seat, since, plan) == "spent":
            raise version_conflict(timeline.version)
        laid = Laid(table.id, seat, player.id, since, plan)
        await asyncio.to_thread(self._write, laid, text)
        self._laid.append(laid.match)  # it may fit events that have happened already
        return laid

    async def forget(self, table: Table, player: Player, seat: int) -> None:
        """Delete the plan of a seat that the player holds."""
        _check_seat(table.timeline, player, seat)
        await asyncio.to_thread(self._delete, table.id, seat)

    # -- passes of the scheduler -----------------------------------------------------------

    async def look(self) -> None:
        """Play the plans that are due, and drop those that do not fit."""
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
        if timeline.latest.status == "playing" and clock() < ready_at(timeline, seat, GRACE):
            return
        found = matching_branch(timeline, laid.seat, laid.version, laid.plan)
        if isinstance(found, Branch):
            await self._fire(table, timeline.version, laid, found)
        elif found == "spent":
            await asyncio.to_thread(self._forget, laid)
        elif found == "misfit":
            await asyncio.to_thread(self._drop, laid, timeline.version, "misfit")

    async def _fire(self, table: Table, version: int, laid: Laid, branch: Branch) -> None:
        """Play a branch, unless the match has changed since the branch was found to fit."""
        codec = codec_of(table.game)
        commands = [codec.parse_command(plain) for plain in branch.commands]
        played = PlanPlayed(laid.match, laid.seat, laid.version, version)
        try:
            await self._play.by_plan(table, played, laid.player, commands)
        except (IllegalMove, Refused):
            await asyncio.to_thread(self._drop, laid, version, "illegal")

    # -- SQL -------------------------------------------------------------------------------

    def _due(self) -> list[tuple[str, int]]:
        """Return match and seat of plans that may be due: the match has changed and waits for it.

        Includes matches that are not in the read models' standing, such as finished ones.
        """
        # The position is read first: what is saved later is found by the next pass. `_looked` is
        # None until this pass has succeeded, so that the next one reads all plans if it fails.
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
            standing |= self._views.unfinished_matches(some)
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
        """Delete this plan, but not one that has replaced it."""
        with self._store.transaction(commit=True) as sql:
            sql.run(
                "DELETE FROM {0}plans WHERE match = ? AND seat = ? AND version = ?"
                " AND dropped = ''",
                *(laid.match, laid.seat, laid.version),
            )

    def _drop(self, laid: Laid, version: int, why: str) -> None:
        """Mark a plan as dropped and notify its player; ``version``: the match's current one.

        The row stays readable until there is another plan. Only one of several workers updates
        it, and only that one creates the notification.
        """
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
    """Split the matches into parts of at most `_AT_ONCE`."""
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
    """Encode a plan for the store.

    Raises `Fault` 422 for anything that is no command or event type of the game, and for a plan
    that is too long.
    """
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
                codec.parse_command(plain)
        text = msgspec.json.encode(plan)
    except msgspec.ValidationError as error:
        raise malformed(str(error)) from None
    except (TypeError, RecursionError, OverflowError, UnicodeEncodeError):
        raise malformed("") from None
    if len(text) > LONGEST:
        raise Fault(422, "plan_too_long", "This plan is too long.", field="branches")
    return text.decode()


def _is_deep(value: Any, most: int = _DEEPEST) -> bool:
    """Return whether lists and objects are nested more than ``most`` deep."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deep(each, most - 1) for each in inside)
