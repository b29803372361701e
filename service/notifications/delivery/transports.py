"""Delivery of messages by any kind of channel."""

from domain.match import Timeline
from service.common.clock import clock
from service.notifications import webhooks
from service.notifications.channels import Way
from service.notifications.delivery.mail import Mailer
from service.notifications.message import Message
from service.notifications.push import Gone, Pusher
from service.notifications.safe_http import Answer, Outside


class Carriers:
    """The clients for all kinds of channels."""

    def __init__(self, outside: Outside, pusher: Pusher, mailer: Mailer) -> None:
        self.outside = outside
        self.pusher = pusher
        self.mailer = mailer

    async def tell(self, way: Way, message: Message, timeline: Timeline | None = None) -> Answer:
        """Send a message by a channel in the current language.

        ``timeline``: the match that it is about, None for none or several.
        """
        if way.way == "push":
            return await self.pusher.tell(way, message)
        if way.way == "mail":
            return await self.mailer.tell(way, message, timeline)
        return await webhooks.send(self.outside, way, message, clock())

    async def withdraw(self, way: Way, gone: Gone) -> Answer:
        """Withdraw a message; does nothing for channels other than push."""
        return await self.pusher.withdraw(way, gone) if way.way == "push" else Answer(200)
