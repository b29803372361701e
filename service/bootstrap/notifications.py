"""Notification channels, and the sending of notifications."""

import asyncio

from msgspec import Struct

from service.bootstrap.limits import Limits
from service.bootstrap.people import People
from service.bootstrap.storage import Storage
from service.common.clock import now_ms
from service.http.i18n import Languages
from service.http.rate_limits import ConcurrencyLimit
from service.media.renderer import PictureCache
from service.notifications.channels import ChannelStore
from service.notifications.delivery.mail import Mailer
from service.notifications.delivery.sender import NotificationSender
from service.notifications.delivery.subscriptions import Subscriptions
from service.notifications.delivery.transports import Transports
from service.notifications.mail_link_codes import MailLinkCodes
from service.notifications.outbox import Outbox
from service.notifications.presence import Presence
from service.notifications.push import PushSender
from service.notifications.safe_http import SafeHttpClient
from service.settings import Settings


class Notifications(Struct, frozen=True):
    """Channels, and creating, sending and withdrawing notifications."""

    outbox: Outbox
    subscriptions: Subscriptions
    sender: NotificationSender
    link_codes: MailLinkCodes


async def build_notifications(
    settings: Settings,
    *,
    storage: Storage,
    limits: Limits,
    people: People,
    presence: Presence,
    renderer: PictureCache,
    languages: Languages,
) -> Notifications:
    """Build the sender, outbox and subscriptions of notifications."""
    link_codes = await asyncio.to_thread(MailLinkCodes.load, storage.store, now_ms())
    transports = await _build_transports(settings, storage, Mailer(settings, renderer, link_codes))
    outbox, channels = Outbox(storage.store), ChannelStore(storage.store)
    subscriptions = Subscriptions(
        outbox=outbox,
        channels=channels,
        transports=transports,
        codes=link_codes,
        limiter=limits.limiter,
        limits=limits.rates,
        test_limit=ConcurrencyLimit(settings.address_tests),
        run_query=storage.writer.run,
    )
    sender = NotificationSender(
        outbox=outbox,
        channels=channels,
        matches=storage.matches,
        presence=presence,
        transports=transports,
        languages=languages,
        personal=people.personal,
        codes=link_codes,
        run_query=storage.writer.run,
        count_waiting=people.lists.count_waiting,
        list_waiting=people.lists.matches_waiting_for,
        max_failures=settings.pause_after,
    )
    return Notifications(
        outbox=outbox, subscriptions=subscriptions, sender=sender, link_codes=link_codes
    )


async def _build_transports(settings: Settings, storage: Storage, mailer: Mailer) -> Transports:
    """Build what sends notifications over each kind of channel; load or create the push key."""
    http_client = SafeHttpClient(
        settings.notice_hosts.split(","),
        max_connections=settings.notice_connections,
        max_per_player=settings.player_connections,
        max_per_target=settings.target_connections,
    )
    pusher = await asyncio.to_thread(
        PushSender.load, storage.store, settings, http_client, now_ms()
    )
    return Transports(http_client, pusher, mailer)
