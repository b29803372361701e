"""Routes for a player's vacation, which stops the player's clocks in matches by days."""

from litestar import get, put
from litestar.params import JSONBody

from domain.match.time_control import DAY_MS
from service.common.clock import format_timestamp, now_ms
from service.http.injection import Injected
from service.matches import schema
from service.matches.vacation_service import VacationService
from service.players.identity import Player


@get("/api/players/me/vacation", operation_id="getVacation", tags=["players"])
async def get_vacation(
    player: Injected[Player], absences: Injected[VacationService]
) -> schema.VacationAnswer:
    """Get your vacation status.

    The status tells whether you are on vacation, and how many vacation days are left this year.
    """
    return await _vacation_answer(player, absences)


@put("/api/players/me/vacation", operation_id="setVacation", tags=["players"], opt={"cost": 20})
async def set_vacation(
    player: Injected[Player],
    absences: Injected[VacationService],
    data: JSONBody[schema.GoOnVacation],
) -> schema.VacationAnswer:
    """Begin or end your vacation.

    A vacation stops your clocks in matches by days that allow vacations. It counts for at least one
    day. It also ends when you move in such a match, or when your days of the year are used up.
    """
    await (absences.begin_vacation(player) if data.away else absences.end_vacation(player))
    return await _vacation_answer(player, absences)


async def _vacation_answer(player: Player, absences: VacationService) -> schema.VacationAnswer:
    balance = await absences.balance(player, now_ms())
    present = balance.current
    return schema.VacationAnswer(
        away=present is not None,
        since=format_timestamp(present.began_ms) if present else None,
        until=format_timestamp(present.until) if present else None,
        days=absences.ledger.days_per_year,
        days_left=balance.remaining_ms // DAY_MS,
    )
