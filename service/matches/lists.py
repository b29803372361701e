"""Lists of matches from the read models.

A request for a list first waits until the read models have caught up with the log, so everyone
finds their own last move in it, whichever worker answers. Moves never wait for the read models.
"""

import asyncio
import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from domain.presentation.matches import signed_answer
from projections.read_models import Position, ReadModels, turn_position
from projections.runner import Projector, Runner
from projections.summary import Summary
from service.common.clock import timestamp
from service.common.coalescing import Rounds
from service.http.problems import Fault
from service.matches import schema
from service.matches.presenters import seat_answers
from service.players.identity import Player
from service.social.personal_store import Own
from service.store import Store

_T = TypeVar("_T")
PAGE = 20
"""Default number of matches on a page."""
_WAITING = 50
_READERS = 2
"""Threads for lists, apart from the others so that many list requests leave threads for moves."""
_PATIENCE = 0.5
"""Maximum seconds that a list waits for the read models to catch up."""
_PAUSE = 0.05
"""Minimum seconds between two updates of the read models: each one writes, and moves that are
saved meanwhile have to wait."""


class Lists:
    """Pages of match summaries, and related queries of the read models."""

    def __init__(
        self, projector: Projector, runner: Runner, views: ReadModels, store: Store, own: Own
    ) -> None:
        self._own = own
        self._projector = projector
        self._runner = runner
        self._views = views
        self._store = store
        self._readers = ThreadPoolExecutor(_READERS, "lists")
        self._level: Rounds[None, bool] = Rounds(lambda _: self._levelled(), _PAUSE)
        self._forked: set[str] = set()
        """Matches forked by this worker whose forks the read models may not show yet."""

    async def _read(self, call: Callable[..., _T], *values: Any) -> _T:
        # The context carries the language of the answer to the thread.
        loop, here = asyncio.get_running_loop(), copy_context()
        return await loop.run_in_executor(self._readers, here.run, call, *values)

    async def read(self, call: Callable[..., _T], *values: Any) -> _T:
        """Run a query in a thread once the read models have caught up."""
        await self._level.ask(None)
        return await self._read(call, *values)

    def close(self) -> None:
        """Stop the threads of the lists."""
        self._readers.shutdown(wait=False, cancel_futures=True)

    async def page(
        self,
        scope: str,
        player: Player | None,
        status: str | None,
        cursor: str | None,
        sort: str = "updated",
        limit: int = PAGE,
    ) -> schema.MatchesAnswer:
        """Return one page of matches of a scope, at most ``limit``.

        ``scope`` and ``sort`` are those of the route `listMatches`. Raises `Fault` 422
        ``bad_cursor``.
        """
        by_turn = scope in ("mine", "hidden") and sort == "turn"
        before = _read_cursor(cursor, by_turn) if cursor is not None else None
        return await self.read(self._page, scope, player, status, before, by_turn, limit)

    def _page(
        self,
        scope: str,
        player: Player | None,
        status: str | None,
        before: Position | None,
        by_turn: bool,
        limit: int,
    ) -> schema.MatchesAnswer:
        """Make a page in one call: each switch to a thread and back costs as much as a query."""
        found = self._select(scope, player, status, before, by_turn, limit)
        following = None
        me = player.id if player else None
        if len(found) > limit:
            found = found[:limit]
            following = _cursor(_position(found[-1], me, by_turn))
        unread = self._own.unread(me, found) if me is not None and scope == "mine" else {}
        items = [_item(s, me, unread.get(s.id)) for s in found]
        return schema.MatchesAnswer(items=items, next=following)

    def forked(self, match_id: str) -> None:
        """Note that this match was forked, so that `forks` waits for the read models."""
        self._forked.add(match_id)

    async def forks(self, match_id: str, player: Player | None) -> list[schema.ForkOrigin]:
        """Return the forks of a match that the player may see.

        A fork made by another worker is missing until the read models have caught up by
        themselves, about a second later: reading one match must not wait for all others.
        """
        if match_id in self._forked:
            await self._level.ask(None)
        me = player.id if player else None
        found = await self._read(self._views.forks, match_id, me)
        return [schema.ForkOrigin(match=match, version=version) for match, version in found]

    def count_waiting(self, player: str) -> int:
        """Count the matches that wait for the player; blocks on the database."""
        self._catch_up()
        return self._views.count_waiting(player)

    def waiting(self, player: str) -> list[Summary]:
        """Return the matches that wait for the player, the longest waiting first.

        Looks at up to `_WAITING` matches; blocks on the database.
        """
        self._catch_up()
        found = self._views.player_matches(player, "playing", None, _WAITING, by_turn=True)
        return [
            summary
            for summary in found
            if any(summary.seats[seat].player == player for seat in summary.to_act)
        ]

    async def _levelled(self) -> bool:
        """Let the read models catch up; return whether they had to be written."""
        forked = set(self._forked)
        wrote = await self._read(self._catch_up)
        self._forked -= forked
        return wrote

    def _catch_up(self) -> bool:
        """Let the read models catch up; return whether they had to be written.

        Errors are suppressed, because a stale list is better than none; `Runner`, which is woken
        then, logs and reports them.
        """
        level = wrote = False
        with suppress(Exception):
            level, wrote = self._projector.refresh(_PATIENCE)
        if not level:
            self._runner.wake()
        return wrote

    def _select(
        self,
        scope: str,
        player: Player | None,
        status: str | None,
        before: Position | None,
        by_turn: bool,
        limit: int,
    ) -> list[Summary]:
        """Return the matches of a page and one more, if there is one, to tell a last page."""
        if scope == "public" or player is None:
            return self._views.public_matches(status, before, limit + 1)
        if scope == "invited":
            found = self._views.inviting_matches(player.id, status, before, limit + 1)
            shunned = self._own.blocked_by(player.id) if found else set()
            return [summary for summary in found if summary.owner not in shunned]
        return self._sifted(player.id, status, before, by_turn, limit, hidden=scope == "hidden")

    def _sifted(
        self,
        player: str,
        status: str | None,
        before: Position | None,
        by_turn: bool,
        limit: int,
        *,
        hidden: bool,
    ) -> list[Summary]:
        """Return the player's hidden matches, or those that are not hidden."""
        away = self._store.hidden_by(player)
        found: list[Summary] = []
        while len(found) <= limit:
            some = self._views.player_matches(player, status, before, limit + 1, by_turn=by_turn)
            found += [summary for summary in some if (summary.id in away) == hidden]
            if len(some) <= limit:
                break
            before = _position(some[-1], player, by_turn)
        return found[: limit + 1]


def _position(summary: Summary, player: str | None, by_turn: bool) -> Position:
    if by_turn and player is not None:
        return turn_position(summary, player)
    return summary.updated, summary.id


def _cursor(position: Position) -> str:
    return urlsafe_b64encode("/".join(map(str, position)).encode()).decode()


def _read_cursor(cursor: str, by_turn: bool) -> Position:
    try:
        *numbers, match_id = urlsafe_b64decode(cursor.encode()).decode().split("/")
        position = [int(number) for number in numbers]
    except (ValueError, binascii.Error):
        raise _bad_cursor() from None
    if len(position) != 1 + by_turn or not all(0 <= number < 2**53 for number in position):
        raise _bad_cursor()
    if "\0" in match_id:
        # PostgreSQL accepts no NUL in a text, not even in a comparison.
        raise _bad_cursor()
    return (position[0], position[1], match_id) if by_turn else (position[0], match_id)


def _bad_cursor() -> Fault:
    return Fault(422, "bad_cursor", "This is no cursor of ours.", field="cursor")


def _item(summary: Summary, me: str | None, unread: int | None) -> schema.SummaryAnswer:
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
        created=timestamp(summary.created),
        updated=timestamp(summary.updated),
        signed=signed_answer(summary.source),
        deadline=_deadline(summary, me),
        unread=unread or UNSET,
        lost=_lost(summary, me) or UNSET,
    )


def _lost(summary: Summary, me: str | None) -> list[int]:
    seats = enumerate(summary.seats)
    return [number for number, seat in seats if me is not None and seat.lost_by == me]


def _deadline(summary: Summary, me: str | None) -> str | UnsetType:
    own = [s.ends for s in summary.seats if s.player == me and s.ends is not None]
    return timestamp(min(own)) if own and me is not None else UNSET
