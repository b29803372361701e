"""Requests about one match: the caller, the match, and shared ways to answer."""

from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

from litestar import Response
from msgspec import Struct

from service.http.injection import Req
from service.matches import schema
from service.matches.actions import Play
from service.matches.idempotency import Idempotency, idempotency
from service.matches.match_cache import Table
from service.matches.match_writer import Done
from service.matches.presenters import Viewer, changing, match_answer
from service.observability import metrics
from service.players.identity import Player

_B = TypeVar("_B")


class Visit(Struct, frozen=True):
    """A caller who may see a match; ``player`` is None for one who is not signed in.

    ``share``: the share code of the match, for answers to callers who may pass it on.
    """

    player: Player | None
    table: Table
    share: str

    def viewer(self, seat: int | None = None, muted: Collection[str] = ()) -> Viewer:
        """Return what the caller may see, through one of their seats.

        ``muted``: players whose messages are left out. Raises `Fault` 403 for another's seat.
        """
        return Viewer(self.table.timeline, self.player.id if self.player else None, seat, muted)


class Member(Struct, frozen=True):
    """A player who may see a match."""

    player: Player
    table: Table


class Actor(Struct, frozen=True):
    """A player who is to act in a match; ``repeat``: hashes that recognise a repeated request."""

    player: Player
    table: Table
    play: Play
    repeat: Idempotency | None

    async def does(
        self,
        action: Callable[[Play, Table, Player, _B, Idempotency | None], Awaitable[Done]],
        data: _B,
    ) -> Done:
        """Execute an action of `Play`, and count its outcome in the metrics."""
        problem: Exception | None = None
        try:
            return await action(self.play, self.table, self.player, data, self.repeat)
        except Exception as error:
            problem = error
            raise
        finally:
            metrics.of_commands(self.table.game, metrics.outcome_of(problem)).inc()

    def told(self, done: Done, view: str = "whole") -> schema.MatchAnswer:
        """Return the match after an action; ``view``: ``whole`` or ``changing``."""
        return told(_answer(done, self.player, self.play), view)


def told(answer: schema.MatchAnswer, view: str) -> schema.MatchAnswer:
    """Return the answer with its whole view, or only with the fields that can change."""
    return changing(answer) if view == "changing" else answer


def _answer(done: Done, player: Player, play: Play) -> schema.MatchAnswer:
    share = play.codes.share_of(done.match_id)
    return match_answer(done.match_id, Viewer(done.timeline, player.id), share=share)


def created(done: Done, player: Player, play: Play) -> Response[schema.MatchAnswer]:
    """Answer 201 with a new match and its ``Location``."""
    answer = _answer(done, player, play)
    location = f"/api/matches/{done.match_id}"
    return Response(answer, status_code=201, headers={"Location": location})


async def repeat_of(request: Req, player: Player, key: str | None) -> Idempotency | None:
    """Return the hashes that recognise a repeated request; None without an Idempotency-Key."""
    if key is None:
        return None
    return idempotency(key, player, request.url.path, await request.body())
