"""The routes of the caller's devices and recovery code."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from service.common.clock import format_timestamp
from service.http.injection import AnyRequest, Injected
from service.http.tokens import request_token
from service.players import schema
from service.players.authentication import Authenticator, request_device
from service.players.identity import Player, device_id, device_label, hash_secret


@post("/api/players/recovery", operation_id="makeRecoveryCode", tags=["players"], status_code=201)
async def make_recovery_code(
    request: AnyRequest, player: Injected[Player], callers: Injected[Authenticator]
) -> Response[schema.RecoveryCode]:
    """Create a recovery code.

    It is shown only in this response. Use it to sign in as this player again after losing every
    device. It is valid until a new one replaces it or the device that created it is signed out.
    """
    code = await callers.call_with_time(
        callers.players.create_recovery_code, player, request_token(request.scope) or ""
    )
    # The response contains a secret: keep proxies and the browser from storing it.
    headers = {"Cache-Control": "no-store"}
    return Response(schema.RecoveryCode(code=code), status_code=201, headers=headers)


@post(
    "/api/players/recover",
    operation_id="recoverPlayer",
    tags=["players"],
    opt={"cost": 2, "creates": 1, "packed": True},
)
async def recover_player(
    request: AnyRequest, callers: Injected[Authenticator], data: JSONBody[schema.RecoverPlayer]
) -> Response[schema.NewPlayerAnswer]:
    """Sign in on this device with a recovery code.

    If the device already belongs to another player, the request fails (409) unless ``replace`` is
    set.
    """
    present = None if data.replace else await callers.cookie_player(request)
    player, token = await callers.call_with_time(
        callers.players.recover, data.code, present, request_device(request)
    )
    callers.send_cookies(request, token)
    return new_player_response(player, token)


def new_player_response(player: Player, token: str) -> Response[schema.NewPlayerAnswer]:
    """Return the response (201) with a player and the new secret of the caller's device."""
    body = schema.NewPlayerAnswer(player_id=player.id, name=player.name, token=token)
    return Response(body, status_code=201)


@get("/api/players/devices", operation_id="listDevices", tags=["players"])
async def list_devices(
    request: AnyRequest, player: Injected[Player], callers: Injected[Authenticator]
) -> schema.DevicesAnswer:
    """List the devices you are signed in on, newest first."""
    return await _devices_answer(request, player, callers)


@delete(
    "/api/players/devices/{device:str}", operation_id="signOut", tags=["players"], status_code=200
)
async def sign_out(
    request: AnyRequest,
    player: Injected[Player],
    callers: Injected[Authenticator],
    device: Annotated[str, PathParameter(description="The device's id.", max_length=64)],
) -> schema.DevicesAnswer:
    """Sign a device out and list the remaining ones.

    It may be the calling device. The unused device links and the seat PINs that it created are
    revoked, and so are the recovery code and the calendar address if it created them
    (``revoked``). Devices that it added stay signed in; see ``linked_by``.
    """
    revoked = await callers.call(callers.players.sign_out, player, device)
    if device == device_id(hash_secret(request_token(request.scope) or "")):
        callers.send_cookies(request, None)
    return await _devices_answer(request, player, callers, revoked)


@delete("/api/players/devices", operation_id="signOutOthers", tags=["players"], status_code=200)
async def sign_out_others(
    request: AnyRequest, player: Injected[Player], callers: Injected[Authenticator]
) -> schema.DevicesAnswer:
    """Sign every other device out.

    What they created is revoked as with `signOut`. A recovery code or calendar address of unknown
    origin is revoked too.
    """
    token = request_token(request.scope) or ""
    revoked = await callers.call(callers.players.sign_out_others, player, token)
    return await _devices_answer(request, player, callers, revoked)


async def _devices_answer(
    request: AnyRequest, player: Player, callers: Authenticator, revoked: Sequence[Any] = ()
) -> schema.DevicesAnswer:
    devices, code = await callers.call(callers.players.list_devices, player)
    this = device_id(hash_secret(request_token(request.scope) or ""))
    return schema.DevicesAnswer(
        items=[
            schema.DeviceAnswer(
                id=d.id,
                name=device_label(d.name),
                created=format_timestamp(d.created),
                last_seen=None if d.seen is None else _iso_date(d.seen),
                this=d.id == this,
            )
            for d in devices
        ],
        recovery_code=None if code is None else format_timestamp(code),
        linked_by={d.id: d.linked_by for d in devices if d.linked_by is not None},
        revoked=tuple(revoked),
    )


def _iso_date(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()
