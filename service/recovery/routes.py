"""The calls about seats whose person lost their device."""

from typing import Annotated, Any

import segno
from litestar import get, post, put
from litestar.params import JSONBody, QueryParameter

from domain.answers.matches import recovery_answer
from service.base.injected import Injected, Req
from service.base.languages import t
from service.base.now import timestamp
from service.base.tokens import token_of
from service.matches.answers import Viewer, match_answer
from service.matches.play import Play
from service.matches.schema import MatchAnswer
from service.matches.visits import Actor, Member
from service.players.identity import Player, digest
from service.recovery import schema
from service.recovery.codes import grouped
from service.recovery.recoveries import Recoveries

_OwnSeat = Annotated[int, QueryParameter(name="seat", ge=0, le=15, description="A seat of yours.")]


@get("/api/matches/{match_id:str}/pin", operation_id="getSeatPin", tags=["recovery"])
async def get_seat_pin(
    member: Injected[Member], recoveries: Injected[Recoveries], own: _OwnSeat
) -> schema.SeatPinAnswer:
    """Tell whether a seat of yours has a PIN; nobody else can see it."""
    return await recoveries.pin_of(member.table, member.player, own)


@put(
    "/api/matches/{match_id:str}/pin",
    operation_id="setSeatPin",
    tags=["recovery"],
    opt={"cost": 2},
)
async def set_seat_pin(
    request: Req,
    member: Injected[Member],
    recoveries: Injected[Recoveries],
    data: JSONBody[schema.ChooseSeatPin],
) -> schema.SeatPinAnswer:
    """Choose the PIN of a seat of yours, or take it away.

    With the code of the table, the seat and the PIN another device takes the seat over at once
    (`recoverSeat`). A PIN stays good when the seat moves, until its new holder chooses another or
    the device that chose it is signed out.
    """
    device = digest(token_of(request) or "")
    return await recoveries.choose_pin(member.table, member.player, device, data)


@post(
    "/api/matches/recover",
    operation_id="recoverSeat",
    tags=["recovery"],
    status_code=200,
    opt={"cost": 5, "creates": 5},
)
async def recover_seat(
    player: Injected[Player],
    recoveries: Injected[Recoveries],
    play: Injected[Play],
    data: JSONBody[schema.RecoverBySeatPin],
) -> MatchAnswer:
    """Move a seat to your device with the code of the table and the seat's PIN.

    A seat has five wrong tries in all, whoever makes them. The device before is told, and loses
    this seat only.
    """
    done = await recoveries.use_pin(player, data)
    share = play.codes.share_of(done.match_id)
    return match_answer(done.match_id, Viewer(done.timeline, player.id), share=share)


@get("/api/matches/{match_id:str}/recovery", operation_id="getRecovery", tags=["recovery"])
async def get_recovery(
    member: Injected[Member], recoveries: Injected[Recoveries]
) -> schema.TableRecoveryAnswer:
    """Tell what you can do for somebody at your table who lost their device."""
    viewer = Viewer(member.table.timeline, member.player.id)
    answer = recoveries.table_answer(member.table, member.player, recovery_answer(viewer))
    if answer.reason is None:
        return answer
    return schema.TableRecoveryAnswer(
        table=answer.table, seats=[], reason=t(answer.reason), recovery=answer.recovery
    )


@post(
    "/api/matches/{match_id:str}/recovery",
    operation_id="askRecovery",
    tags=["recovery"],
    status_code=200,
    opt={"cost": 5},
)
async def ask_recovery(
    actor: Injected[Actor],
    recoveries: Injected[Recoveries],
    data: JSONBody[schema.AskSeatRecovery],
) -> MatchAnswer:
    """Ask the others to let somebody back in on the device that shows a code.

    Refused while a device of the seat is online. When all other people at the table have agreed, a
    delay begins; until it is over the device watches, the seat's clock stands still, and the
    person can object.
    """
    done = await recoveries.ask(actor.table, actor.player, data, actor.repeat)
    return actor.told(done)


@post(
    "/api/matches/{match_id:str}/recovery/answer",
    operation_id="answerRecovery",
    tags=["recovery"],
    status_code=200,
)
async def answer_recovery(
    actor: Injected[Actor],
    recoveries: Injected[Recoveries],
    data: JSONBody[schema.AnswerSeatRecovery],
) -> MatchAnswer:
    """Agree to let somebody back in, or decline; declining ends the request."""
    done = await recoveries.answer(actor.table, actor.player, data, actor.repeat)
    return actor.told(done)


@post(
    "/api/matches/{match_id:str}/recovery/object",
    operation_id="objectToRecovery",
    tags=["recovery"],
    status_code=200,
)
async def object_to_recovery(
    actor: Injected[Actor],
    recoveries: Injected[Recoveries],
    data: JSONBody[schema.ObjectToSeatRecovery],
) -> MatchAnswer:
    """Keep a seat of yours that others want to move to another device."""
    done = await recoveries.object_to(actor.table, actor.player, data.seat, actor.repeat)
    return actor.told(done)


@post(
    "/api/players/me/seat-code",
    operation_id="makeSeatCode",
    tags=["recovery"],
    status_code=201,
    opt={"cost": 2, "creates": 1},
)
async def make_seat_code(
    player: Injected[Player], recoveries: Injected[Recoveries], base_url: Injected[str]
) -> schema.SeatCodeAnswer:
    """Make a code by which somebody at your table lets you back in on this device."""
    code, expires = await recoveries.make_code(player)
    url = f"{base_url}/back?code={code}"
    picture = segno.make(url, error="m").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    return schema.SeatCodeAnswer(
        code=grouped(code), url=url, qr=picture, expires=timestamp(expires)
    )


@get("/api/players/me/seat-code", operation_id="getSeatCode", tags=["recovery"])
async def get_seat_code(
    player: Injected[Player], recoveries: Injected[Recoveries]
) -> schema.SeatCodeUse:
    """Tell for which match somebody has used the code of this device."""
    match, seat = await recoveries.code_use(player) or (None, None)
    return schema.SeatCodeUse(match=match, seat=seat)


HANDLERS: tuple[Any, ...] = (
    get_seat_pin,
    set_seat_pin,
    recover_seat,
    get_recovery,
    ask_recovery,
    answer_recovery,
    object_to_recovery,
    make_seat_code,
    get_seat_code,
)
