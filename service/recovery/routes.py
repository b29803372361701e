"""The routes of seat recovery."""

from functools import partial

import segno
from litestar import get, post, put
from litestar.params import JSONBody

from domain.presentation.matches import recovery_answer
from domain.presentation.schemas import MatchAnswer
from service.common.clock import format_timestamp, now_ms
from service.http.injection import AnyRequest, Injected
from service.http.tokens import request_token
from service.matches.parameters import OwnSeat
from service.matches.presenters import Viewer, match_answer
from service.matches.request_context import Actor, Member
from service.matches.share_codes import ShareCodes
from service.players.identity import Player, hash_secret
from service.recovery import schema
from service.recovery.recoveries import SeatRecoveries
from service.recovery.typed_codes import format_code

_get = partial(get, tags=["recovery"])
_post = partial(post, tags=["recovery"], status_code=200)


@_get("/api/matches/{match_id:str}/pin", operation_id="getSeatPin")
async def get_seat_pin(
    member: Injected[Member], recoveries: Injected[SeatRecoveries], own: OwnSeat
) -> schema.SeatPinAnswer:
    """Get the PIN status of one of your seats.

    Only the holder of a seat can see it.
    """
    return await recoveries.pin_answer(member.match, member.player, own)


@put(
    "/api/matches/{match_id:str}/pin", operation_id="setSeatPin", tags=["recovery"], opt={"cost": 2}
)
async def set_seat_pin(
    request: AnyRequest,
    member: Injected[Member],
    recoveries: Injected[SeatRecoveries],
    data: JSONBody[schema.ChooseSeatPin],
) -> schema.SeatPinAnswer:
    """Set or remove the PIN of one of your seats.

    With the table code, the seat and the PIN, another device can take over the seat at once
    (`recoverSeat`). A PIN stays valid when the seat moves, until the new device sets another one or
    the device that set it is signed out.
    """
    device = hash_secret(request_token(request.scope) or "")
    return await recoveries.set_pin(member.match, member.player, device, data)


@_post("/api/matches/recover", operation_id="recoverSeat", opt={"cost": 5, "creates": 5})
async def recover_seat(
    player: Injected[Player],
    recoveries: Injected[SeatRecoveries],
    share_codes: Injected[ShareCodes],
    data: JSONBody[schema.RecoverBySeatPin],
) -> MatchAnswer:
    """Move a seat to this device by its PIN.

    Requires the table code, the seat and its PIN. A seat allows five wrong tries in total,
    regardless of who makes them. The previous device is notified and loses only this seat.
    """
    done = await recoveries.use_pin(player, data)
    share = share_codes.share_of(done.match_id)
    return match_answer(done.match_id, Viewer(done.timeline, player.id), share=share)


@_get("/api/matches/{match_id:str}/recovery", operation_id="getRecovery")
async def get_recovery(
    member: Injected[Member], recoveries: Injected[SeatRecoveries]
) -> schema.TableRecoveryAnswer:
    """Get the seat recovery status of a match.

    It contains the table code, the seats whose players you could let back in, and the open request,
    if any. It is available only to players with a seat in the match.
    """
    viewer = Viewer(member.match.timeline, member.player.id)
    return recoveries.recovery_answer(member.match, member.player, recovery_answer(viewer))


@_post("/api/matches/{match_id:str}/recovery", operation_id="askRecovery", opt={"cost": 5})
async def ask_recovery(
    actor: Injected[Actor],
    recoveries: Injected[SeatRecoveries],
    data: JSONBody[schema.AskSeatRecovery],
) -> MatchAnswer:
    """Ask the others to move a seat to another device.

    The new device is identified by the code that it shows. The request is refused while a device
    of the seat is online. Once all other players at the table have agreed, a delay begins. Until it
    is over, the new device can only watch, the seat's clock is stopped, and the seat's player can
    object.
    """
    return actor.match_answer(await recoveries.request_recovery(actor, data))


@_post("/api/matches/{match_id:str}/recovery/answer", operation_id="answerRecovery")
async def answer_recovery(
    actor: Injected[Actor],
    recoveries: Injected[SeatRecoveries],
    data: JSONBody[schema.AnswerSeatRecovery],
) -> MatchAnswer:
    """Answer a seat recovery request.

    Declining ends the request; the player who made the request can withdraw it by declining.
    """
    return actor.match_answer(await recoveries.answer_request(actor, data))


@_post("/api/matches/{match_id:str}/recovery/object", operation_id="objectToRecovery")
async def object_to_recovery(
    actor: Injected[Actor],
    recoveries: Injected[SeatRecoveries],
    data: JSONBody[schema.ObjectToSeatRecovery],
) -> MatchAnswer:
    """Object to the recovery of your seat.

    This ends the request, and you keep the seat.
    """
    return actor.match_answer(await recoveries.actions.object_to_recovery(actor, data.seat))


@_post(
    "/api/players/me/seat-code",
    operation_id="makeSeatCode",
    status_code=201,
    opt={"cost": 2, "creates": 1},
)
async def make_seat_code(
    player: Injected[Player], recoveries: Injected[SeatRecoveries], base_url: Injected[str]
) -> schema.SeatCodeAnswer:
    """Create a device code for seat recovery.

    Another player at your table enters or scans it to ask the others to move your seat to this
    device. It replaces your previous code.
    """
    code, expires = await recoveries.run_query(recoveries.device_codes.create, player.id, now_ms())
    url = f"{base_url}/back?code={code}"
    picture = segno.make(url, error="m").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    return schema.SeatCodeAnswer(
        code=format_code(code), url=url, qr=picture, expires=format_timestamp(expires)
    )


@_get("/api/players/me/seat-code", operation_id="getSeatCode")
async def get_seat_code(
    player: Injected[Player], recoveries: Injected[SeatRecoveries]
) -> schema.SeatCodeUse:
    """Get the match and seat for which this device's code was used."""
    use = await recoveries.run_query(recoveries.device_codes.find_use, player.id)
    match, seat = use or (None, None)
    return schema.SeatCodeUse(match=match, seat=seat)
