"""Sends a message by whatever way."""

from domain.match import Timeline
from service.base.now import clock
from service.notices import hooks
from service.notices.mail import Mailer
from service.notices.message import Message
from service.notices.outside import Answer, Outside
from service.notices.push import Gone, Pusher
from service.notices.ways import Way


class Carriers:
    """All that can carry a message away."""

    def __init__(self, outside: Outside, pusher: Pusher, mailer: Mailer) -> None:
        self.outside = outside
        self.pusher = pusher
        self.mailer = mailer

    async def tell(self, way: Way, message: Message, timeline: Timeline | None = None) -> Answer:
        """Sends a message in the language that is spoken now; ``timeline``: of the one match."""
        if way.way == "push":
            return await self.pusher.tell(way, message)
        if way.way == "mail":
            return await self.mailer.tell(way, message, timeline)
        return await hooks.send(self.outside, way, message, clock())

    async def withdraw(self, way: Way, gone: Gone) -> Answer:
        """Takes a message back where that can be done."""
        return await self.pusher.withdraw(way, gone) if way.way == "push" else Answer(200)
