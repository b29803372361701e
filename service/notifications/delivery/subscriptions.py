"""The notification settings of players: channels and their tests, links in mails, preferences."""

from collections.abc import Callable
from typing import Any

import msgspec
from limits import RateLimitItem

from service.common.clock import clock
from service.http.i18n import language
from service.http.problems import Fault
from service.http.rate_limits import AtOnce, Limiter, Rates, use
from service.notifications import webhooks
from service.notifications.channels import Form, Way, Ways, Wishes, new_id
from service.notifications.delivery.message_text import a_test
from service.notifications.delivery.sender import problem_of
from service.notifications.delivery.transports import Carriers
from service.notifications.mail_link_codes import ALLOW, CONFIRM, STOP, Codes
from service.notifications.mailboxes import checked, mailbox_of
from service.notifications.outbox import Outbox
from service.notifications.push import Subscription, is_subscription
from service.notifications.safe_http import Answer
from service.notifications.triggers import Notice
from service.players.identity import Player

_MAILBOX_DIGITS = 32


class Notices:
    """The channels and notification preferences of all players. ``io`` runs a database call."""

    def __init__(
        self,
        outbox: Outbox,
        ways: Ways,
        carriers: Carriers,
        codes: Codes,
        limiter: Limiter,
        rates: Rates,
        testing: AtOnce,
        io: Callable[..., Any],
    ) -> None:
        self._outbox = outbox
        self.ways = ways
        self.carriers = carriers
        self._codes = codes
        self._limiter = limiter
        self._rates = rates
        self._testing = testing
        self.io = io

    async def tell(self, notice: Notice) -> None:
        """Queue a notification that no move causes, such as an invitation or a reminder.

        Calling this again for the same player, match, kind and ``turn`` has no effect, from any
        worker.
        """
        await self.io(self._outbox.add, notice, clock())

    # -- channels ----------------------------------------------------------------------------

    async def by_push(
        self, player: Player, url: str, keys: Subscription, device: str, name: str
    ) -> Way:
        """Add a push channel for a device.

        Raises `Fault` 422 ``bad_subscription`` or ``bad_address``, 409 ``too_many_ways``.
        """
        if not is_subscription(keys):
            raise Fault(422, "bad_subscription", "These are no keys of a device.", field="keys")
        secret = msgspec.json.encode(keys).decode()
        address = self.carriers.outside.check(url)
        return await self._add(player, "push", address, device=device, name=name, secret=secret)

    async def by_mail(self, player: Player, text: str, client: str) -> Way:
        """Add a mail channel and send the mail that asks to confirm the address.

        Nothing else is sent there until the address is confirmed. ``client``: the address that the
        request comes from, as rate limits count it. Raises `Fault` 409 ``not_offered``,
        ``mail_stopped``, ``not_delivered`` or ``too_many_ways``, 422 ``bad_address``.
        """
        mailer = self.carriers.mailer
        if mailer.has_server and not mailer.there:
            raise Fault(409, "not_offered", "Mail needs PUBLIC_URL, which is not set here.")
        if not mailer.there:
            raise Fault(409, "not_offered", "This service sends no mails.")
        address = checked(text)
        if address is None:
            raise Fault(422, "bad_address", "This is no mail address.", field="address")
        mailbox = self._codes.mailbox(address)
        if await self.io(self.ways.is_stopped, mailbox):
            raise _stopped()
        rates = self._rates
        await self._limit(rates.mails, f"mail:{player.id}")
        await self._limit(rates.address_mails, f"mail-from:{client}")
        await self._limit(rates.mails, f"mail:{mailbox_of(address)}")
        await self._limit(rates.all_mails, "mail-all")
        made = self._made(player, "mail", address, name=address, confirmed=False)
        way: Way | None = await self.io(self.ways.add_mail, made, mailbox)
        if way is None:
            raise _stopped()
        answer = await self.carriers.mailer.ask(way)
        if not answer.good:
            await self.io(self.ways.forget, way)
            raise not_delivered(answer)
        return way

    async def by_hook(self, player: Player, url: str, base: str) -> Way:
        """Add a chat channel, or a webhook with signed requests for any other address.

        ``base``: the base URL for links in its messages. Raises `Fault` 422 ``bad_address``, 409
        ``too_many_ways``.
        """
        address = self.carriers.outside.check(url.strip())
        form = webhooks.form_of(address)
        secret = webhooks.new_secret() if form == "webhook" else ""
        return await self._add(
            player, form, address, name=_short(address), secret=secret, base=base
        )

    async def _add(
        self,
        player: Player,
        way: Form,
        address: str,
        *,
        name: str,
        device: str = "",
        secret: str = "",
        base: str = "",
    ) -> Way:
        made = self._made(
            player,
            way,
            address,
            name=name,
            device=device,
            secret=secret,
            base=base,
        )
        added: Way = await self.io(self.ways.add, made)
        return added

    def _made(
        self,
        player: Player,
        way: Form,
        address: str,
        *,
        name: str,
        device: str = "",
        secret: str = "",
        base: str = "",
        confirmed: bool = True,
    ) -> Way:
        now = clock()
        return Way(
            id=new_id(),
            player=player.id,
            way=way,
            address=address,
            device=device,
            name=name,
            secret=secret,
            base=base,
            language=language().tag,
            created=now,
            confirmed=now if confirmed else None,
            problem="",
        )

    async def test(self, player: Player, way_id: str, client: str) -> None:
        """Send a test message by a channel.

        ``client``: the address that the request comes from, as rate limits count it. Raises
        `Fault` 404 ``no_such_way``, 409 ``not_confirmed``, 409 ``not_delivered`` with the reason.
        """
        rates = self._rates
        with self._testing.one_more(client):
            await self._limit(rates.tests, f"test:{player.id}")
            way: Way = await self.io(self.ways.one, player.id, way_id)
            if way.confirmed is None:
                raise Fault(409, "not_confirmed", "Follow the link in the mail first.")
            await self._limit(rates.address_tests, f"test-from:{client}")
            await self._limit(rates.target_tests, f"test-to:{self._target_of(way)}")
            answer = await self.carriers.tell(way, a_test())
        if answer.gone:
            await self.io(self.ways.forget, way)
        else:
            await self.io(self.ways.note, way, problem_of(answer))
        if not answer.good:
            raise not_delivered(answer)

    def _target_of(self, way: Way) -> str:
        """Return the target of a test message, as rate limits count it.

        For mail the mailbox; for chats and well-known push services, which many share, the
        address; for any other address host and port.
        """
        if way.way == "mail":
            return mailbox_of(way.address)
        outside = self.carriers.outside
        pool = outside.pool_of_push(way.address) if way.way == "push" else "webhook"
        is_shared = pool == "push" or way.way not in ("push", "webhook")
        return way.address if is_shared else outside.place_of(way.address)

    async def resume(self, player: Player, way_id: str) -> Way:
        """Resume a paused channel and return it; `Fault` 404 ``no_such_way``."""
        await self.io(self.ways.resume, player.id, way_id, clock())
        way: Way = await self.io(self.ways.one, player.id, way_id)
        return way

    async def _limit(self, item: RateLimitItem | None, who: str) -> None:
        await use(self._limiter, item, f"notices:{who}", 1)

    # -- links in mails ----------------------------------------------------------------------

    async def of_code(self, code: str, purpose: str) -> Way | None:
        """Return the channel that a code in a link belongs to; None if removed or invalid."""
        way_id = self._codes.way(code, purpose)
        found: Way | None = await self.io(self.ways.by_id, way_id) if way_id else None
        return found

    async def confirm(self, code: str) -> bool:
        """Confirm a mail address by the code of its link; return False if the code is invalid."""
        way = await self.of_code(code, CONFIRM)
        if way is not None:
            await self.io(self.ways.confirm, way, clock())
        return way is not None

    async def mailbox_of_code(self, code: str, purpose: str) -> str | None:
        """Return the hash of the mailbox that a code in a link belongs to; None if unknown."""
        found = self._codes.way(code, purpose)
        if found is None or len(found) == _MAILBOX_DIGITS:
            return found
        # Links of older mails name the channel, which has an address only until it is removed.
        way = await self.of_code(code, purpose)
        return self._codes.mailbox(way.address) if way and way.way == "mail" else None

    async def is_stopped(self, mailbox: str) -> bool:
        """Tell whether the owner of a mailbox stopped all mails. ``mailbox``: its hash."""
        found: bool = await self.io(self.ways.is_stopped, mailbox)
        return found

    async def stop(self, code: str) -> str | None:
        """Stop all mails to a mailbox, whoever adds it and in whatever spelling.

        Returns the code by which its owner can allow them again; None if ``code`` is invalid.
        """
        mailbox = await self.mailbox_of_code(code, STOP)
        if mailbox is None:
            return None
        await self.io(self.ways.stop, mailbox, clock(), self._codes.mailbox)
        return self.allow_code(mailbox)

    def allow_code(self, mailbox: str) -> str:
        """Return the code that allows mails to a mailbox again. ``mailbox``: its hash."""
        return self._codes.code(mailbox, ALLOW)

    async def allow(self, code: str) -> bool:
        """Allow a stopped mailbox to be added again; return False if the code is invalid."""
        mailbox = await self.mailbox_of_code(code, ALLOW)
        if mailbox is not None:
            await self.io(self.ways.allow, mailbox)
        return mailbox is not None

    # -- preferences -------------------------------------------------------------------------

    async def wish(self, player: Player, wishes: Wishes, spoken: str | None) -> None:
        """Store the notification preferences of a player.

        ``spoken``: the language for their channels, None to leave it. Raises `Fault` 422
        ``bad_zone``.
        """
        await self.io(self.ways.wish, player.id, wishes, spoken)


def not_delivered(answer: Answer) -> Fault:
    """Return the `Fault` 409 ``not_delivered`` with the reason for a failed delivery."""
    if answer.refused:
        return Fault(409, "not_delivered", "This address is not on the public internet.")
    if not answer.status:
        return Fault(409, "not_delivered", "Nobody answers at this address.")
    return Fault(
        409,
        "not_delivered",
        "It was not taken: the other side said {status}.",
        args={"status": answer.status},
    )


def _stopped() -> Fault:
    return Fault(
        409,
        "mail_stopped",
        "The owner of this mailbox wants no mails from here. The unsubscribe link in any of them"
        " allows them again.",
    )


def _short(url: str) -> str:
    """Return the host part of a URL, at most 60 characters: the rest may hold a secret."""
    return url.partition("://")[2].partition("/")[0][:60]
