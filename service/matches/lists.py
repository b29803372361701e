"""Lists of matches from the read models.

A request for a list first waits, for a limited time, until the read models have caught up with the
log, so that the list includes the caller's own last move, whichever worker responds. Moves never
wait for the read models.
"""

import asyncio
import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType

from domain.presentation import schemas
from domain.presentation.matches import signed_answer
from projections.read_models import Position, ReadModels, turn_position
from projections.runner import Projector, Runner
from projections.summary import PaceSummary, Summary
from service.common.clock import format_timestamp
from service.common.coalescing import Coalescer
from service.http.problems import ApiProblem
from service.matches import schema
from service.matches.presenters import seat_answers
from service.players.identity import Player
from service.social.personal_store import PersonalStore
from service.store import Store
from service.store.store import RunQuery

_T = TypeVar("_T")
DEFAULT_PAGE_SIZE = 20
"""Default number of matches on a page."""
_MAX_WAITING_MATCHES = 50
_READER_THREADS = 2
"""Number of threads for lists, in a pool of their own so that lists cannot block moves."""
_MAX_CATCH_UP_S = 0.5
"""Maximum seconds that a list waits for the read models to catch up."""
_MIN_UPDATE_INTERVAL_S = 0.05
"""Minimum seconds between two updates of the read models, because an update writes, which delays
moves that are saved at the same time."""


class _PageRequest(Struct, frozen=True):
    """A requested page of a list; see `MatchLists.list_matches`.

    ``before``: the position in the list after which the page begins, None for the first page.
    """

    scope: str
    player: str | None
    status: str | None
    before: Position | None
    by_turn: bool
    limit: int


@dataclass(kw_only=True, eq=False)
class MatchLists:
    """Queries of the read models for lists of matches and related data.

    ``run_write`` runs a blocking call that writes to the store and awaits its result.
    """

    projector: Projector
    runner: Runner
    read_models: ReadModels
    store: Store
    personal: PersonalStore
    run_write: RunQuery
    _forked_matches: set[str] = field(default_factory=set, init=False)
    """Matches forked by this worker whose forks the read models may not show yet."""

    def __post_init__(self) -> None:
        self._threads = ThreadPoolExecutor(_READER_THREADS, "lists")
        self._catch_up_coalescer: Coalescer[None, bool] = Coalescer(
            lambda _: self._catch_up_in_thread(), _MIN_UPDATE_INTERVAL_S
        )

    async def _run_in_thread(self, call: Callable[..., _T], *values: Any) -> _T:
        # The context carries the language of the response to the thread.
        loop, here = asyncio.get_running_loop(), copy_context()
        return await loop.run_in_executor(self._threads, here.run, call, *values)

    async def run_query(self, call: Callable[..., _T], *values: Any) -> _T:
        """Run a query in a thread once the read models have caught up, and return its result."""
        await self._catch_up_coalescer.submit(None)
        return await self._run_in_thread(call, *values)

    def close(self) -> None:
        """Shut down the threads; queries that have not started are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def list_matches(
        self,
        scope: str,
        player: Player | None,
        status: str | None,
        cursor: str | None,
        sort: str = "updated",
        limit: int = DEFAULT_PAGE_SIZE,
    ) -> schema.MatchesAnswer:
        """Return one page of at most ``limit`` matches.

        ``scope``, ``status``, ``cursor`` and ``sort`` are the parameters of the route
        `listMatches`. Raises `ApiProblem` 422 ``bad_cursor``.
        """
        by_turn = scope in ("mine", "hidden") and sort == "turn"
        before = _decode_cursor(cursor, by_turn) if cursor is not None else None
        me = player.id if player else None
        page = _PageRequest(scope, me, status, before, by_turn, limit)
        return await self.run_query(self._build_page, page)

    def _build_page(self, page: _PageRequest) -> schema.MatchesAnswer:
        """Return a page, built in one call because switching threads costs as much as a query."""
        found, me = self._select_summaries(page), page.player
        following = None
        if len(found) > page.limit:
            found = found[: page.limit]
            following = _encode_cursor(_summary_position(found[-1], me, page.by_turn))
        unread = self.personal.count_unread(me, found) if me and page.scope == "mine" else {}
        items = [_summary_answer(s, me, unread.get(s.id)) for s in found]
        return schema.MatchesAnswer(items=items, next=following)

    async def set_hidden(self, match: str, player: Player, hidden: bool) -> None:
        """Hide a match from the player's own list, or show it there again."""
        await self.run_write(self.store.set_hidden, player.id, match, hidden)

    def note_fork(self, match_id: str) -> None:
        """Record that this match was forked, so that `list_forks` waits for the read models."""
        self._forked_matches.add(match_id)

    async def list_forks(self, match_id: str, player: Player | None) -> list[schemas.ForkOrigin]:
        """Return the forks of a match that the player may see.

        A fork created through another worker is missing until the read models have caught up in
        the background, about a second later, because reading one match must not wait for all
        others.
        """
        if match_id in self._forked_matches:
            await self._catch_up_coalescer.submit(None)
        me = player.id if player else None
        found = await self._run_in_thread(self.read_models.forks, match_id, me)
        return [schemas.ForkOrigin(match=match, version=version) for match, version in found]

    def count_waiting(self, player: str) -> int:
        """Return the number of matches that wait for the player; blocks on the database."""
        self._catch_up()
        return self.read_models.count_waiting(player)

    def matches_waiting_for(self, player: str) -> list[Summary]:
        """Return the matches that wait for the player, in the order of the player's list by turn.

        Checks only the first `_MAX_WAITING_MATCHES` running matches of that list. Blocks on the
        database.
        """
        self._catch_up()
        found = self.read_models.player_matches(
            player, "playing", None, _MAX_WAITING_MATCHES, by_turn=True
        )
        return [
            summary
            for summary in found
            if any(summary.seats[seat].player == player for seat in summary.to_act)
        ]

    async def _catch_up_in_thread(self) -> bool:
        """Let the read models catch up, in a thread; return whether they had to be written."""
        forked = set(self._forked_matches)
        wrote = await self._run_in_thread(self._catch_up)
        self._forked_matches -= forked
        return wrote

    def _catch_up(self) -> bool:
        """Let the read models catch up; return whether they had to be written.

        Errors are suppressed, because a stale list is better than none. If the read models are
        still behind, `Runner` is woken, which logs and reports errors.
        """
        level = wrote = False
        with suppress(Exception):
            level, wrote = self.projector.refresh(_MAX_CATCH_UP_S)
        if not level:
            self.runner.wake()
        return wrote

    def _select_summaries(self, page: _PageRequest) -> list[Summary]:
        """Return the matches of a page and the first one of the next page, if there is one."""
        player, count = page.player, page.limit + 1
        if page.scope == "public" or player is None:
            return self.read_models.public_matches(page.status, page.before, count)
        if page.scope == "invited":
            found = self.read_models.inviting_matches(player, page.status, page.before, count)
            blocked = self.personal.blocked_players(player) if found else set()
            return [summary for summary in found if summary.owner not in blocked]
        return self._select_own(page, player)

    def _select_own(self, page: _PageRequest, player: str) -> list[Summary]:
        """Return the player's hidden matches, or their other matches.

        Returns up to one more than ``limit``, to detect whether there is another page.
        """
        away, hidden = self.store.hidden_matches(player), page.scope == "hidden"
        find, before, count = self.read_models.player_matches, page.before, page.limit + 1
        found: list[Summary] = []
        while len(found) < count:
            some = find(player, page.status, before, count, by_turn=page.by_turn)
            found += [summary for summary in some if (summary.id in away) == hidden]
            if len(some) < count:
                break
            before = _summary_position(some[-1], player, page.by_turn)
        return found[:count]


def _summary_position(summary: Summary, player: str | None, by_turn: bool) -> Position:
    if by_turn and player is not None:
        return turn_position(summary, player)
    return summary.updated, summary.id


def _encode_cursor(position: Position) -> str:
    return urlsafe_b64encode("/".join(map(str, position)).encode()).decode()


def _decode_cursor(cursor: str, by_turn: bool) -> Position:
    try:
        *numbers, match_id = urlsafe_b64decode(cursor.encode()).decode().split("/")
        position = [int(number) for number in numbers]
    except (ValueError, binascii.Error):
        raise _invalid_cursor() from None
    is_valid = len(position) == 1 + by_turn and all(0 <= n < 2**53 for n in position)
    # PostgreSQL rejects NUL characters in text, even in a comparison.
    if not is_valid or "\0" in match_id:
        raise _invalid_cursor()
    return (position[0], position[1], match_id) if by_turn else (position[0], match_id)


def _invalid_cursor() -> ApiProblem:
    return ApiProblem(422, "bad_cursor", "error.bad_cursor", field="cursor")


def _summary_answer(summary: Summary, me: str | None, unread: int | None) -> schema.SummaryAnswer:
    seats = seat_answers(summary.seats, me)
    return schema.SummaryAnswer(
        id=summary.id,
        game=summary.game,
        status=summary.status,  # type: ignore[arg-type]
        visibility=summary.visibility,  # type: ignore[arg-type]
        version=summary.version,
        turn=summary.turn,
        seats=seats,
        to_act=list(summary.to_act),
        your_turn=any(seats[seat].you for seat in summary.to_act),
        created=format_timestamp(summary.created),
        updated=format_timestamp(summary.updated),
        signed=signed_answer(summary.source),
        deadline=_own_deadline(summary, me),
        unread=unread or UNSET,
        lost=_lost_seats(summary, me) or UNSET,
        pace=_pace_answer(summary.pace),
    )


def _pace_answer(
    pace: PaceSummary | UnsetType | None,
) -> schema.SummaryPaceAnswer | UnsetType | None:
    if not isinstance(pace, PaceSummary):
        return pace
    if pace.kind == "days":
        return schema.SummaryPaceAnswer(kind="days", days=pace.days)
    return schema.SummaryPaceAnswer(kind="live", bank=pace.bank, increment=pace.increment)


def _lost_seats(summary: Summary, me: str | None) -> list[int]:
    seats = enumerate(summary.seats)
    return [number for number, seat in seats if me is not None and seat.lost_by == me]


def _own_deadline(summary: Summary, me: str | None) -> str | UnsetType:
    own = [s.ends for s in summary.seats if s.player == me and s.ends is not None]
    return format_timestamp(min(own)) if own and me is not None else UNSET
