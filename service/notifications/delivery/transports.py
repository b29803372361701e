"""Delivery of messages by any kind of channel."""

from domain.match import Timeline
from service.common.clock import now_ms
from service.notifications import webhooks
from service.notifications.channels import Channel
from service.notifications.delivery.mail import Mailer
from service.notifications.message import Message
from service.notifications.push import PushSender, PushWithdrawal
from service.notifications.safe_http import DeliveryResult, SafeHttpClient


class Transports:
    """The clients for all kinds of channels."""

    def __init__(self, http_client: SafeHttpClient, pusher: PushSender, mailer: Mailer) -> None:
        self.http_client = http_client
        self.pusher = pusher
        self.mailer = mailer

    async def deliver(
        self, channel: Channel, message: Message, timeline: Timeline | None = None
    ) -> DeliveryResult:
        """Send a message by a channel in the current language.

        ``timeline``: the match that it is about, None for none or several.
        """
        if channel.way == "push":
            return await self.pusher.send_message(channel, message)
        if channel.way == "mail":
            return await self.mailer.send_notification(channel, message, timeline)
        return await webhooks.send_webhook(self.http_client, channel, message, now_ms())

    async def withdraw(self, channel: Channel, withdrawal: PushWithdrawal) -> DeliveryResult:
        """Withdraw a message; does nothing for channels other than push."""
        return (
            await self.pusher.withdraw(channel, withdrawal)
            if channel.way == "push"
            else DeliveryResult(200)
        )
