"""Plans (conditional moves), stored in their own table and played by the service once they fit.

Only the player who stored a plan and holds its seat can read it. A plan is played as a separate
decision, `PLAY_DELAY_MS` milliseconds after the other players' move, so that they can still undo
that move without consent. It is valid only until its seat acts, so no plan is played twice.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.contract.game import IllegalMove
from domain.match.plans import Branch, Plan, matching_branch, ready_at
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.presentation.viewpoint import held_seats, is_for_review
from projections.database.sql import batches
from projections.read_models import ReadModels
from service.common.clock import now_ms
from service.http.problems import ApiProblem
from service.matches import problems
from service.matches.automatic_actions import AutomaticActions
from service.matches.match_cache import LoadedMatch, MatchCache
from service.notifications.outbox_sql import insert_notification
from service.notifications.triggers import Notification, PlanPlayed, turn_id
from service.players.identity import Player
from service.store import Store

log = logging.getLogger("caravanserai")

PLAY_DELAY_MS = 10_000
"""Milliseconds from the other players' latest decision until a plan is played."""
MAX_PLAN_BYTES = 32_768
"""Maximum size, in bytes, of a stored plan as JSON."""
_MAX_CONDITION_DEPTH = 12
"""Maximum nesting depth of each value of the event data in a condition."""
_MAX_MATCHES_PER_QUERY = 400
"""Maximum number of matches in one SQL statement."""


PLAYED_STATE = "played"
"""Value of ``dropped`` for a plan that was played; its row remains so that the player sees it."""


class StoredPlan(Struct, frozen=True):
    """A stored plan, which applies to events after ``version`` of the match.

    ``dropped``: empty while the plan is valid, otherwise the reason why it no longer is:
    ``misfit``, ``illegal`` or `PLAYED_STATE`. For a played plan, ``version`` is the version after
    which it was played.
    """

    match: str
    seat: int
    player: str
    version: int
    plan: Plan
    dropped: str = ""


@dataclass(kw_only=True, eq=False)
class PlanService:
    """Service that stores, plays and drops the plans of all seats.

    A pass of the scheduler (`tick`) reads the plans of matches that have changed since the last
    pass, plans stored through this worker meanwhile, and plans that were due in the last pass.
    Changes are found in the log, up to the position that the read models have reached:
    ``_last_position`` is that position in the last pass, None if all plans have to be read.
    """

    store: Store
    actions: AutomaticActions
    matches: MatchCache
    read_models: ReadModels
    _last_position: int | None = field(default=None, init=False)
    _stored_matches: deque[str] = field(default_factory=deque, init=False)
    _previously_due: set[str] = field(default_factory=set, init=False)

    # -- requests of players ---------------------------------------------------------------

    async def find(self, match: LoadedMatch, player: Player, seat: int) -> StoredPlan | None:
        """Return the player's plan for a seat, or None if there is none.

        Also None if the plan has become void, because the seat has acted or the match is over.
        Raises `ApiProblem` 403 if the player does not hold the seat, and 409 ``imported`` in a
        match for review.
        """
        # The plan is read after the match: `PLAYED_STATE` is stored together with the plan's move,
        # so a plan whose move is in the timeline cannot appear as unplayed.
        timeline = match.timeline
        _check_seat(timeline, player, seat)
        found = await asyncio.to_thread(self._read_plan, match.id, seat)
        if found is None or found.player != player.id:
            return None
        if not found.dropped and found.version <= timeline.version:
            spent = matching_branch(timeline, seat, found.version, found.plan) == "spent"
            return None if spent else found
        return found

    async def store_plan(
        self, match: LoadedMatch, player: Player, seat: int, plan: Plan, since: int | None = None
    ) -> StoredPlan:
        """Store a plan for a seat, replacing an earlier one, and return it.

        ``since``: the version after which events count, None for the current version. Raises
        `ApiProblem` 403 if the player does not hold the seat, 409 ``imported``, ``no_plan_now``,
        ``your_turn`` or ``version_conflict``, and 422 for an invalid plan.
        """
        timeline = match.timeline
        _check_seat(timeline, player, seat)
        if timeline.latest.status != "playing":
            raise ApiProblem(409, "no_plan_now", "error.no_plan_now")
        if seat in timeline.to_act(timeline.latest):
            raise ApiProblem(409, "your_turn", "error.your_turn")
        text = _encode_plan(match.game, plan)
        since = timeline.version if since is None else since
        if since > timeline.version or matching_branch(timeline, seat, since, plan) == "spent":
            raise problems.version_conflict(timeline.version)
        stored_plan = StoredPlan(match.id, seat, player.id, since, plan)
        await asyncio.to_thread(self._write_plan, stored_plan, text)
        self._stored_matches.append(
            stored_plan.match
        )  # The plan may fit events that have already happened.
        return stored_plan

    async def delete(self, match: LoadedMatch, player: Player, seat: int) -> None:
        """Delete the plan of a seat, if there is one.

        Raises `ApiProblem` 403 if the player does not hold the seat, and 409 ``imported`` in a
        match for review.
        """
        _check_seat(match.timeline, player, seat)
        await asyncio.to_thread(self._delete, match.id, seat)

    # -- passes of the scheduler -----------------------------------------------------------

    async def tick(self) -> None:
        """Play the plans that are due, and drop plans that do not fit or cannot be played.

        Errors in one plan are logged and do not affect the others.
        """
        for match, seat in await asyncio.to_thread(self._find_due):
            try:
                await self._process_plan(match, seat)
            except Exception as error:
                log.error("plan: %s: %s", match, type(error).__name__, extra={"match": match})

    async def _process_plan(self, match: str, seat: int) -> None:
        stored_plan = await asyncio.to_thread(self._read_plan, match, seat)
        if stored_plan is None or stored_plan.dropped:
            return
        loaded = await self.matches.find(UUID(stored_plan.match), fresh=True)
        if loaded is None or stored_plan.seat not in held_seats(
            loaded.timeline, stored_plan.player
        ):
            await asyncio.to_thread(self._delete_version, stored_plan)
            return
        timeline = loaded.timeline
        if timeline.latest.status == "playing" and now_ms() < ready_at(
            timeline, seat, PLAY_DELAY_MS
        ):
            return
        found = matching_branch(timeline, stored_plan.seat, stored_plan.version, stored_plan.plan)
        if isinstance(found, Branch):
            await self._play_branch(loaded, timeline.version, stored_plan, found)
        elif found == "spent":
            await asyncio.to_thread(self._delete_version, stored_plan)
        elif found == "misfit":
            await asyncio.to_thread(self._mark_dropped, stored_plan, timeline.version, "misfit")

    async def _play_branch(
        self, match: LoadedMatch, version: int, stored: StoredPlan, branch: Branch
    ) -> None:
        """Play a branch unless the match has moved on from ``version``, at which the branch fits.

        Marks the plan as dropped if the commands are illegal.
        """
        codec = codec_of(match.game)
        commands = [codec.parse_command(plain) for plain in branch.commands]
        played = PlanPlayed(stored.match, stored.seat, stored.version, version)
        try:
            await self.actions.play_plan(match, played, stored.player, commands)
        except (IllegalMove, Refused):
            await asyncio.to_thread(self._mark_dropped, stored, version, "illegal")

    # -- SQL -------------------------------------------------------------------------------

    def _find_due(self) -> list[tuple[str, int]]:
        """Return the match and seat of each plan that may be due.

        These are plans whose match has a newer version and waits for the seat, and plans in matches
        that the read models do not list as unfinished, such as finished ones.
        """
        # Read the position first, so that the next pass finds decisions saved later.
        # `_last_position` stays None until this pass succeeds; if it fails, the next pass reads all
        # plans.
        level = self.read_models.position() or 0
        before, self._last_position = self._last_position, None
        stored_matches = {self._stored_matches.popleft() for _ in range(len(self._stored_matches))}
        if before is None or level < before:
            rows = self.store.fetch_all(f"{_SELECT_OPEN_PLANS} ORDER BY match, seat")
        else:
            matches = sorted(
                self.store.changed_matches(before, level) | stored_matches | self._previously_due
            )
            parts = batches(matches, _MAX_MATCHES_PER_QUERY)
            rows = [row for some in parts for row in self._read_open_plans(some)]
        standing: dict[str, Any] = {}
        for some in batches(sorted({row["match"] for row in rows}), _MAX_MATCHES_PER_QUERY):
            standing |= self.read_models.unfinished_matches(some)
        due = [
            (row["match"], row["seat"])
            for row in rows
            if _is_due(row["seat"], row["version"], standing.get(row["match"]))
        ]
        self._previously_due = {match for match, _seat in due}
        self._last_position = level
        return due

    def _read_open_plans(self, matches: Sequence[str]) -> list[Any]:
        marks = ",".join("?" * len(matches))
        return self.store.fetch_all(
            f"{_SELECT_OPEN_PLANS} AND match IN ({marks}) ORDER BY match, seat", *matches
        )

    def _read_plan(self, match: str, seat: int) -> StoredPlan | None:
        row = self.store.fetch_one(
            f"SELECT {_COLUMNS} FROM {{0}}plans WHERE match = ? AND seat = ?", match, seat
        )
        return None if row is None else _plan_from_row(row)

    def _write_plan(self, stored: StoredPlan, text: str) -> None:
        with self.store.transaction(commit=True) as sql:
            sql.run("DELETE FROM {0}plans WHERE match = ? AND seat = ?", stored.match, stored.seat)
            sql.run(
                f"INSERT INTO {{0}}plans ({_COLUMNS}) VALUES (?,?,?,?,?,'')"
                " ON CONFLICT (match, seat) DO NOTHING",
                *(stored.match, stored.seat, stored.player, stored.version, text),
            )

    def _delete(self, match: str, seat: int) -> None:
        self.store.execute("DELETE FROM {0}plans WHERE match = ? AND seat = ?", match, seat)

    def _delete_version(self, stored: StoredPlan) -> None:
        """Delete a plan unless it has been replaced or dropped."""
        self.store.execute(
            "DELETE FROM {0}plans WHERE match = ? AND seat = ? AND version = ? AND dropped = ''",
            *(stored.match, stored.seat, stored.version),
        )

    def _mark_dropped(self, stored: StoredPlan, version: int, reason: str) -> None:
        """Mark a plan as dropped and notify its player.

        ``version``: the current version of the match; ``reason``: as in `StoredPlan`. The row stays
        readable until it is replaced or deleted. Only one of several workers updates it, and only
        that worker creates the notification.
        """
        now = now_ms()
        notice = Notification(
            stored.player, stored.match, "plan", turn_id(stored.version, stored.seat), version
        )
        with self.store.transaction(commit=True) as sql:
            dropped = sql.all(
                "UPDATE {0}plans SET dropped = ? WHERE match = ? AND seat = ? AND version = ?"
                " AND dropped = '' RETURNING 1",
                *(reason, stored.match, stored.seat, stored.version),
            )
            if dropped:
                insert_notification(sql, notice, now, now)


_SELECT_OPEN_PLANS = "SELECT match, seat, version FROM {0}plans WHERE dropped = ''"
_COLUMNS = "match, seat, player, version, plan, dropped"
_decode_plan = msgspec.json.Decoder(Plan).decode


def _plan_from_row(row: Any) -> StoredPlan:
    plan = _decode_plan(row["plan"])
    return StoredPlan(
        row["match"], row["seat"], row["player"], row["version"], plan, row["dropped"]
    )


def _is_due(seat: int, plan_version: int, standing: Any) -> bool:
    if standing is None:
        return True
    version, to_act, _updated = standing
    return version > plan_version and seat in to_act


def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
    if seat not in held_seats(timeline, player.id):
        raise problems.seat_not_held(timeline, player.id, seat)
    if is_for_review(timeline):
        raise problems.imported_match_problem()


def _encode_plan(game: str, plan: Plan) -> str:
    """Return a plan as JSON for the store.

    Raises `ApiProblem` 422 if the plan has an invalid command or an unknown event type, or is
    nested too deeply or too long.
    """
    codec = codec_of(game)
    known = {each.__name__ for each in codec.rules.EVENTS}
    for branch in plan.branches:
        if any(seen.type not in known for seen in branch.when):
            raise ApiProblem(422, "invalid_request", "error.no_such_event", field="branches")
        if any(_exceeds_depth(seen.data) for seen in branch.when):
            raise problems.malformed_command("")
    try:
        for branch in plan.branches:
            for plain in branch.commands:
                codec.parse_command(plain)
        text = msgspec.json.encode(plan)
    except msgspec.ValidationError as error:
        raise problems.malformed_command(str(error)) from None
    except (TypeError, RecursionError, OverflowError, UnicodeEncodeError):
        raise problems.malformed_command("") from None
    if len(text) > MAX_PLAN_BYTES:
        raise ApiProblem(422, "plan_too_long", "error.plan_too_long", field="branches")
    return text.decode()


def _exceeds_depth(value: Any, max_depth: int = _MAX_CONDITION_DEPTH) -> bool:
    """Return whether lists and dicts in a value are nested more than ``max_depth`` levels deep."""
    if not isinstance(value, dict | list):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return max_depth == 0 or any(_exceeds_depth(each, max_depth - 1) for each in inside)
