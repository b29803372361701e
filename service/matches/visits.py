"""Who asks about a match, and the table they have come to."""

from collections.abc import Awaitable, Callable, Collection
from typing import TypeVar

from litestar import Response
from msgspec import Struct

from service.base.injected import Req
from service.matches import schema
from service.matches.answers import Viewer, changing, match_answer
from service.matches.commits import Done
from service.matches.play import Play
from service.matches.receipts import Idempotency, idempotency
from service.matches.tables import Table
from service.players.identity import Player
from service.seeing import meters

_B = TypeVar("_B")


class Visit(Struct, frozen=True):
    """Somebody who may look at a match; ``player`` is None for a passer-by.

    ``share``: its share code, for who may tell it on.
    """

    player: Player | None
    table: Table
    share: str

    def viewer(self, seat: int | None = None, muted: Collection[str] = ()) -> Viewer:
        """What they may see, through a seat of theirs."""
        return Viewer(self.table.timeline, self.player.id if self.player else None, seat, muted)


class Member(Struct, frozen=True):
    """A player who may look at a match."""

    player: Player
    table: Table


class Actor(Struct, frozen=True):
    """A player at a table. ``repeat`` recognises the same request when it comes again."""

    player: Player
    table: Table
    play: Play
    repeat: Idempotency | None

    async def does(
        self,
        action: Callable[[Play, Table, Player, _B, Idempotency | None], Awaitable[Done]],
        data: _B,
    ) -> Done:
        """What an action of `Play` leads to."""
        problem: Exception | None = None
        try:
            return await action(self.play, self.table, self.player, data, self.repeat)
        except Exception as error:
            problem = error
            raise
        finally:
            meters.of_commands(self.table.game, meters.outcome_of(problem)).inc()

    def told(self, done: Done, view: str = "whole") -> schema.MatchAnswer:
        """The match afterwards: its whole view, or what can change of it."""
        return told(_answer(done, self.player, self.play), view)


def told(answer: schema.MatchAnswer, view: str) -> schema.MatchAnswer:
    """The match with its whole view, or with what can change of it."""
    return changing(answer) if view == "changing" else answer


def _answer(done: Done, player: Player, play: Play) -> schema.MatchAnswer:
    share = play.codes.share_of(done.match_id)
    return match_answer(done.match_id, Viewer(done.timeline, player.id), share=share)


def created(done: Done, player: Player, play: Play) -> Response[schema.MatchAnswer]:
    """A match that is new."""
    answer = _answer(done, player, play)
    location = f"/api/matches/{done.match_id}"
    return Response(answer, status_code=201, headers={"Location": location})


async def repeat_of(request: Req, player: Player, key: str | None) -> Idempotency | None:
    """What recognises the request when it comes again; None when its caller sent no key."""
    if key is None:
        return None
    return idempotency(key, player, request.url.path, await request.body())
