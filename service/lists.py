"""Lists of matches from the read models.

Who reads a list first lets the read models catch up with the log, so everybody finds their own
last move in it, whichever worker they ask; who plays never waits for them.
"""

import asyncio
import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode

from projections.runner import Projector
from projections.summary import Summary
from projections.views import Views
from service import schema
from service.answers import timestamp
from service.identity import Player
from service.problems import Fault

PAGE = 20


class Lists:
    """Pages of summaries."""

    def __init__(self, projector: Projector, views: Views) -> None:
        self._projector = projector
        self._views = views

    async def page(
        self, scope: str, player: Player | None, status: str | None, cursor: str | None
    ) -> schema.MatchesAnswer:
        """One page of the player's matches or of the public ones."""
        before = _read_cursor(cursor) if cursor is not None else None
        found = await asyncio.to_thread(self._select, scope, player, status, before)
        following = None
        if len(found) > PAGE:
            found = found[:PAGE]
            following = _cursor(found[-1])
        me = player.id if player else None
        return schema.MatchesAnswer(items=[_item(s, me) for s in found], next=following)

    async def forks(self, match_id: str, player: Player | None) -> list[schema.ForkOrigin]:
        """The matches that began from this one, those the player may see."""
        found = await asyncio.to_thread(self._forks, match_id, player)
        return [schema.ForkOrigin(match=match, version=version) for match, version in found]

    def _forks(self, match_id: str, player: Player | None) -> list[tuple[str, int]]:
        self._projector.catch_up()
        return self._views.forks(match_id, player.id if player else None)

    def _select(
        self,
        scope: str,
        player: Player | None,
        status: str | None,
        before: tuple[int, str] | None,
    ) -> list[Summary]:
        self._projector.catch_up()
        if scope == "mine" and player is not None:
            return self._views.of_player(player.id, status, before, PAGE + 1)
        return self._views.public(status, before, PAGE + 1)


def _cursor(summary: Summary) -> str:
    return urlsafe_b64encode(f"{summary.updated}/{summary.id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[int, str]:
    try:
        updated, _, match_id = urlsafe_b64decode(cursor.encode()).decode().partition("/")
        position = int(updated)
    except (ValueError, binascii.Error):
        raise Fault(422, "bad_cursor", "This is no cursor of ours.", field="cursor") from None
    if not 0 <= position < 2**53:
        raise Fault(422, "bad_cursor", "This is no cursor of ours.", field="cursor")
    return position, match_id


def _item(summary: Summary, me: str | None) -> schema.SummaryAnswer:
    mine = [me is not None and seat.player == me for seat in summary.seats]
    return schema.SummaryAnswer(
        id=summary.id,
        game=summary.game,
        status=summary.status,  # type: ignore[arg-type]
        visibility=summary.visibility,  # type: ignore[arg-type]
        version=summary.version,
        turn=summary.turn,
        seats=[
            schema.SeatAnswer(
                seat=i,
                kind=seat.kind,  # type: ignore[arg-type]
                name=seat.name,
                you=mine[i],
            )
            for i, seat in enumerate(summary.seats)
        ],
        to_act=list(summary.to_act),
        your_turn=any(mine[seat] for seat in summary.to_act),
        created=timestamp(summary.created),
        updated=timestamp(summary.updated),
    )
