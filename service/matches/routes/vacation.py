"""The calls about a player's vacation, in which their clocks of tables by days stand."""

from typing import Any

from litestar import get, put
from litestar.params import JSONBody

from domain.pace import DAY
from service.base.injected import Injected
from service.base.now import clock, timestamp
from service.matches import schema
from service.matches.vacations import Absences
from service.players.identity import Player


@get("/api/players/me/vacation", operation_id="getVacation", tags=["players"])
async def get_vacation(
    player: Injected[Player], absences: Injected[Absences]
) -> schema.VacationAnswer:
    """Whether the player is on vacation, and how many days of this year are left."""
    return await _vacation(player, absences)


@put("/api/players/me/vacation", operation_id="setVacation", tags=["players"], opt={"cost": 20})
async def set_vacation(
    player: Injected[Player], absences: Injected[Absences], data: JSONBody[schema.GoOnVacation]
) -> schema.VacationAnswer:
    """Go on vacation or come back.

    Meanwhile the own clocks stand still at tables by days that allow it. A vacation counts for a
    day at least. It ends when the player makes a move at such a table, and by itself when the days
    of the year are used up."""
    await (absences.go(player) if data.away else absences.come(player))
    return await _vacation(player, absences)


async def _vacation(player: Player, absences: Absences) -> schema.VacationAnswer:
    balance = await absences.balance(player, clock())
    present = balance.present
    return schema.VacationAnswer(
        away=present is not None,
        since=timestamp(present.began) if present else None,
        until=timestamp(present.until) if present else None,
        days=absences.days,
        days_left=balance.left // DAY,
    )


HANDLERS: tuple[Any, ...] = (get_vacation, set_vacation)
