"""The routes of players, device links and the base URL of the service."""

from functools import partial

import segno
from litestar import Response, get, post, put
from litestar.params import JSONBody

from service.common.clock import format_timestamp
from service.http.injection import AnyRequest, Injected
from service.http.tokens import request_token
from service.players import schema
from service.players.authentication import Authenticator, request_device
from service.players.identity import Player
from service.players.routes.devices import new_player_response

_post = partial(post, tags=["players"])


@_post("/api/players", operation_id="createPlayer", opt={"cost": 2, "creates": 1, "packed": True})
async def create_player(
    request: AnyRequest, callers: Injected[Authenticator], data: JSONBody[schema.NewPlayer]
) -> Response[schema.NewPlayerAnswer]:
    """Create a player.

    A player is a name for this device; there are no accounts. A device that already has a player
    keeps its cookie; the new player can be used only with the token in the response.
    """
    present = await callers.cookie_player(request)
    player, token = await callers.call_with_time(
        callers.players.create, data.name, request_device(request)
    )
    if present is None:
        callers.send_cookies(request, token)
    return new_player_response(player, token)


@get("/api/players/me", operation_id="whoAmI", tags=["players"])
async def who_am_i(player: Injected[Player]) -> schema.PlayerAnswer:
    """Get the player of this device."""
    return schema.PlayerAnswer(player_id=player.id, name=player.name)


@put("/api/players/me/name", operation_id="setName", tags=["players"], opt={"cost": 5})
async def set_name(
    request: AnyRequest,
    player: Injected[Player],
    callers: Injected[Authenticator],
    data: JSONBody[schema.NewName],
) -> schema.PlayerAnswer:
    """Change your name.

    Matches that you create or join from now on show the new name, on all your devices. Seats that
    you hold keep the name that you took them with, and so do seats of a rematch. Setting the same
    name again changes nothing.
    """
    token = request_token(request.scope) or ""
    renamed = await callers.call(callers.players.rename, player, data.name, token)
    return schema.PlayerAnswer(player_id=renamed.id, name=renamed.name)


@_post(
    "/api/players/link", operation_id="linkDevice", opt={"cost": 2, "creates": 1}, status_code=201
)
async def link_device(
    request: AnyRequest,
    player: Injected[Player],
    callers: Injected[Authenticator],
    base_url: Injected[str],
) -> schema.DeviceLink:
    """Create a one-time link for adding another device.

    It is valid for ten minutes and is revoked if the device that created it is signed out.
    """
    code, expires = await callers.call_with_time(
        callers.players.create_link, player, request_token(request.scope) or ""
    )
    url = f"{base_url}/#link={code}"
    # The picture is part of the response, because the URL of a separate request for it would
    # contain the code and be logged.
    picture = segno.make(url, error="m").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    return schema.DeviceLink(code=code, url=url, qr=picture, expires=format_timestamp(expires))


@get("/api/address", operation_id="findAddress", tags=["players"])
async def get_base_address(base_url: Injected[str]) -> schema.AddressAnswer:
    """Get the base URL for links that others can open."""
    return schema.AddressAnswer(url=base_url)


@_post(
    "/api/players/link/claim",
    operation_id="claimDevice",
    opt={"cost": 2, "creates": 1, "packed": True},
)
async def claim_device(
    request: AnyRequest, callers: Injected[Authenticator], data: JSONBody[schema.ClaimLink]
) -> Response[schema.NewPlayerAnswer]:
    """Sign in on this device with a device link.

    This uses up the link. If the device already belongs to another player, the request fails (409)
    unless ``replace`` is set, and the link stays valid.
    """
    present = None if data.replace else await callers.cookie_player(request)
    player, token = await callers.call_with_time(
        callers.players.claim_link, data.code, present, request_device(request)
    )
    callers.send_cookies(request, token)
    return new_player_response(player, token)
