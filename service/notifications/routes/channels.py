"""The routes of notification channels, preferences and muted matches."""

from functools import partial
from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET

from service.common.clock import format_timestamp, now_ms
from service.http.injection import AnyRequest, Injected
from service.http.rate_limits import client_address
from service.http.tokens import request_token
from service.matches.request_context import Member
from service.notifications import schema
from service.notifications.channels import Channel, Preferences, QuietHours
from service.notifications.delivery.subscriptions import Subscriptions
from service.notifications.push import Subscription
from service.players.authentication import request_device
from service.players.identity import Player, device_label, hash_secret

_post = partial(post, tags=["notices"])

_ChannelId = Annotated[str, PathParameter(description="The channel's id.", max_length=64)]


@get("/api/notices", operation_id="listNotices", tags=["notices"])
async def get_notification_settings(
    request: AnyRequest, player: Injected[Player], notices: Injected[Subscriptions]
) -> schema.NoticesAnswer:
    """Get your notification preferences, channels and muted matches."""
    return await _settings_answer(request, player, notices)


@put("/api/notices", operation_id="setNotices", tags=["notices"])
async def set_notification_settings(
    request: AnyRequest,
    player: Injected[Player],
    notices: Injected[Subscriptions],
    data: JSONBody[schema.NoticeWishes],
) -> schema.NoticesAnswer:
    """Set your notification preferences: which kinds you get, and your quiet hours."""
    quiet = QuietHours(data.quiet.start, data.quiet.end, data.quiet.zone) if data.quiet else None
    preferences = Preferences(tuple(dict.fromkeys(data.kinds)), quiet)
    await notices.run_query(notices.channels.set_preferences, player.id, preferences, data.language)
    return await _settings_answer(request, player, notices)


@_post(
    "/api/notices/push",
    operation_id="notifyByPush",
    status_code=201,
    opt={"cost": 5, "packed": True},
)
async def add_push_channel(
    request: AnyRequest,
    player: Injected[Player],
    notices: Injected[Subscriptions],
    data: JSONBody[schema.PushWay],
) -> schema.WayAnswer:
    """Add push notifications on this device as a channel."""
    keys = Subscription(data.keys.p256dh, data.keys.auth)
    channel = await notices.add_push(
        player, data.endpoint, keys, _device_id(request), request_device(request)
    )
    return _channel_answer(channel, request)


@_post(
    "/api/notices/mail",
    operation_id="notifyByMail",
    status_code=201,
    opt={"cost": 50, "creates": 20, "packed": True},
)
async def add_mail_channel(
    request: AnyRequest,
    player: Injected[Player],
    notices: Injected[Subscriptions],
    data: JSONBody[schema.MailWay],
) -> schema.WayAnswer:
    """Add an email address as a channel.

    It is used only after its owner has followed the link in a confirmation email.
    """
    channel = await notices.add_mail(player, data.address, client_address(request.scope))
    return _channel_answer(channel, request)


@_post(
    "/api/notices/webhook",
    operation_id="notifyByHook",
    status_code=201,
    opt={"cost": 5, "packed": True},
)
async def add_webhook_channel(
    request: AnyRequest,
    player: Injected[Player],
    notices: Injected[Subscriptions],
    notice_base: Injected[str],
    data: JSONBody[schema.HookWay],
) -> schema.NewWayAnswer:
    """Add the webhook of a chat service, or your own webhook, as a channel.

    Your own webhook receives signed POST requests (Standard Webhooks).
    """
    channel = await notices.add_webhook(player, data.address, notice_base)
    plain = _channel_answer(channel, request)
    return schema.NewWayAnswer(
        **{field: getattr(plain, field) for field in plain.__struct_fields__},
        secret=channel.secret or UNSET,
    )


@delete("/api/notices/ways/{way:str}", operation_id="removeWay", tags=["notices"], status_code=200)
async def remove_channel(
    request: AnyRequest, player: Injected[Player], notices: Injected[Subscriptions], way: _ChannelId
) -> schema.NoticesAnswer:
    """Remove a channel."""
    await notices.run_query(notices.channels.remove, player.id, way)
    return await _settings_answer(request, player, notices)


@_post(
    "/api/notices/ways/{way:str}/test", operation_id="testWay", status_code=200, opt={"cost": 20}
)
async def test_channel(
    request: AnyRequest, player: Injected[Player], notices: Injected[Subscriptions], way: _ChannelId
) -> schema.WayAnswer:
    """Send a test message through a channel."""
    await notices.send_test(player, way, client_address(request.scope))
    return _channel_answer(await notices.run_query(notices.channels.find, player.id, way), request)


@_post("/api/notices/ways/{way:str}/resume", operation_id="resumeWay", status_code=200)
async def resume_channel(
    request: AnyRequest, player: Injected[Player], notices: Injected[Subscriptions], way: _ChannelId
) -> schema.WayAnswer:
    """Resume a channel that was paused after repeated failures."""
    return _channel_answer(await notices.resume(player, way), request)


@_post("/api/matches/{match_id:str}/mute", operation_id="muteMatch", status_code=200)
async def mute_match(
    member: Injected[Member], notices: Injected[Subscriptions], data: JSONBody[schema.MuteMatch]
) -> schema.MuteAnswer:
    """Mute or unmute the notifications of a match."""
    await notices.run_query(
        notices.channels.set_muted, member.player.id, member.match.id, data.muted
    )
    return schema.MuteAnswer(muted=data.muted)


async def _settings_answer(
    request: AnyRequest, player: Player, notices: Subscriptions
) -> schema.NoticesAnswer:
    channels: list[Channel] = await notices.run_query(notices.channels.list_channels, player.id)
    preferences: Preferences = await notices.run_query(notices.channels.preferences, player.id)
    quiet = preferences.quiet
    return schema.NoticesAnswer(
        offers=schema.OffersAnswer(
            push=notices.transports.pusher.public_key,
            mail=notices.transports.mailer.can_send,
            webhook=True,
        ),
        ways=[_channel_answer(channel, request) for channel in channels],
        wishes=schema.WishesAnswer(
            kinds=list(preferences.kinds),
            quiet=schema.QuietAnswer(start=quiet.start, end=quiet.end, zone=quiet.zone)
            if quiet
            else None,
        ),
        muted=await notices.run_query(notices.channels.muted_matches, player.id),
    )


def _channel_answer(channel: Channel, request: AnyRequest) -> schema.WayAnswer:
    return schema.WayAnswer(
        id=channel.id,
        way=channel.way,
        name=device_label(channel.name) if channel.way == "push" else channel.name,
        this=bool(channel.device) and channel.device == _device_id(request),
        confirmed=channel.confirmed is not None,
        created=format_timestamp(channel.created),
        problem=channel.problem or UNSET,
        paused_until=format_timestamp(channel.paused) if channel.is_paused(now_ms()) else UNSET,
    )


def _device_id(request: AnyRequest) -> str:
    return hash_secret(request_token(request.scope) or "")
