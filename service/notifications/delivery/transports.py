"""Delivery of messages through any kind of channel."""

from domain.match.timeline import Timeline
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
        """Send a message through a channel.

        ``timeline``: the match that the message is about, None if it is about none or several; an
        email shows a picture of it. Text that is added to an email is in the current language.
        """
        if channel.way == "push":
            return await self.pusher.send_message(channel, message)
        if channel.way == "mail":
            return await self.mailer.send_notification(channel, message, timeline)
        return await webhooks.send_webhook(self.http_client, channel, message, now_ms())

    async def withdraw(self, channel: Channel, withdrawal: PushWithdrawal) -> DeliveryResult:
        """Withdraw a message from a push channel; do nothing and succeed for other channels."""
        return (
            await self.pusher.withdraw(channel, withdrawal)
            if channel.way == "push"
            else DeliveryResult(200)
        )
