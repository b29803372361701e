"""The routes of notification channels, preferences and muted matches."""

from typing import Annotated, Any

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET

from service.common.clock import clock, timestamp
from service.http.injection import Injected, Req
from service.http.rate_limits import address_of
from service.http.tokens import token_of
from service.matches.request_context import Member
from service.notifications import schema
from service.notifications.channels import Quiet, Way, Wishes
from service.notifications.delivery.subscriptions import Notices
from service.notifications.push import Subscription
from service.players.authentication import device_of
from service.players.identity import Player, digest, told_device

_WayId = Annotated[str, PathParameter(description="The way's id.", max_length=64)]


@get("/api/notices", operation_id="listNotices", tags=["notices"])
async def list_notices(
    request: Req, player: Injected[Player], notices: Injected[Notices]
) -> schema.NoticesAnswer:
    """Get your notification settings and channels."""
    return await _notices(request, player, notices)


@put("/api/notices", operation_id="setNotices", tags=["notices"])
async def set_notices(
    request: Req,
    player: Injected[Player],
    notices: Injected[Notices],
    data: JSONBody[schema.NoticeWishes],
) -> schema.NoticesAnswer:
    """Choose which notifications you get and your quiet hours."""
    quiet = Quiet(data.quiet.start, data.quiet.end, data.quiet.zone) if data.quiet else None
    wishes = Wishes(tuple(dict.fromkeys(data.kinds)), quiet)
    await notices.wish(player, wishes, data.language)
    return await _notices(request, player, notices)


@post(
    "/api/notices/push",
    operation_id="notifyByPush",
    tags=["notices"],
    status_code=201,
    opt={"cost": 5, "packed": True},
)
async def notify_by_push(
    request: Req,
    player: Injected[Player],
    notices: Injected[Notices],
    data: JSONBody[schema.PushWay],
) -> schema.WayAnswer:
    """Add this device's push service as a channel."""
    keys = Subscription(data.keys.p256dh, data.keys.auth)
    way = await notices.by_push(player, data.endpoint, keys, _device(request), device_of(request))
    return _answer(way, request)


@post(
    "/api/notices/mail",
    operation_id="notifyByMail",
    tags=["notices"],
    status_code=201,
    opt={"cost": 50, "creates": 20, "packed": True},
)
async def notify_by_mail(
    request: Req,
    player: Injected[Player],
    notices: Injected[Notices],
    data: JSONBody[schema.MailWay],
) -> schema.WayAnswer:
    """Add a mail address as a channel.

    It is used once the link in a first mail has been followed.
    """
    way = await notices.by_mail(player, data.address, address_of(request))
    return _answer(way, request)


@post(
    "/api/notices/webhook",
    operation_id="notifyByHook",
    tags=["notices"],
    status_code=201,
    opt={"cost": 5, "packed": True},
)
async def notify_by_hook(
    request: Req,
    player: Injected[Player],
    notices: Injected[Notices],
    notice_base: Injected[str],
    data: JSONBody[schema.HookWay],
) -> schema.NewWayAnswer:
    """Add a chat or a webhook as a channel.

    Webhooks get a signed POST (Standard Webhooks).
    """
    way = await notices.by_hook(player, data.address, notice_base)
    plain = _answer(way, request)
    return schema.NewWayAnswer(
        **{field: getattr(plain, field) for field in plain.__struct_fields__},
        secret=way.secret or UNSET,
    )


@delete("/api/notices/ways/{way:str}", operation_id="removeWay", tags=["notices"], status_code=200)
async def remove_way(
    request: Req, player: Injected[Player], notices: Injected[Notices], way: _WayId
) -> schema.NoticesAnswer:
    """Remove a channel."""
    await notices.io(notices.ways.remove, player.id, way)
    return await _notices(request, player, notices)


@post(
    "/api/notices/ways/{way:str}/test",
    operation_id="testWay",
    tags=["notices"],
    status_code=200,
    opt={"cost": 20},
)
async def test_way(
    request: Req, player: Injected[Player], notices: Injected[Notices], way: _WayId
) -> schema.WayAnswer:
    """Send a test message by a channel."""
    await notices.test(player, way, address_of(request))
    return _answer(await notices.io(notices.ways.one, player.id, way), request)


@post(
    "/api/notices/ways/{way:str}/resume",
    operation_id="resumeWay",
    tags=["notices"],
    status_code=200,
)
async def resume_way(
    request: Req, player: Injected[Player], notices: Injected[Notices], way: _WayId
) -> schema.WayAnswer:
    """Resume a channel that is paused after repeated failures."""
    return _answer(await notices.resume(player, way), request)


@post(
    "/api/matches/{match_id:str}/mute", operation_id="muteMatch", tags=["notices"], status_code=200
)
async def mute_match(
    member: Injected[Member], notices: Injected[Notices], data: JSONBody[schema.MuteMatch]
) -> schema.MuteAnswer:
    """Mute or unmute the notifications of a match."""
    await notices.io(notices.ways.mute, member.player.id, member.table.id, data.muted)
    return schema.MuteAnswer(muted=data.muted)


async def _notices(request: Req, player: Player, notices: Notices) -> schema.NoticesAnswer:
    ways: list[Way] = await notices.io(notices.ways.of, player.id)
    wishes: Wishes = await notices.io(notices.ways.wishes, player.id)
    quiet = wishes.quiet
    return schema.NoticesAnswer(
        offers=schema.OffersAnswer(
            push=notices.carriers.pusher.public, mail=notices.carriers.mailer.there, webhook=True
        ),
        ways=[_answer(way, request) for way in ways],
        wishes=schema.WishesAnswer(
            kinds=list(wishes.kinds),
            quiet=schema.QuietAnswer(start=quiet.start, end=quiet.end, zone=quiet.zone)
            if quiet
            else None,
        ),
        muted=await notices.io(notices.ways.all_muted, player.id),
    )


def _answer(way: Way, request: Req) -> schema.WayAnswer:
    return schema.WayAnswer(
        id=way.id,
        way=way.way,
        name=told_device(way.name) if way.way == "push" else way.name,
        this=bool(way.device) and way.device == _device(request),
        confirmed=way.confirmed is not None,
        created=timestamp(way.created),
        problem=way.problem or UNSET,
        paused_until=timestamp(way.paused) if way.is_paused(clock()) else UNSET,
    )


def _device(request: Req) -> str:
    return digest(token_of(request) or "")


HANDLERS: tuple[Any, ...] = (
    list_notices,
    set_notices,
    notify_by_push,
    notify_by_mail,
    notify_by_hook,
    remove_way,
    test_way,
    resume_way,
    mute_match,
)
