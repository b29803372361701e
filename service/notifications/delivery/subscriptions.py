"""Players' notification settings: channels, test messages and email links."""

from dataclasses import dataclass

import msgspec
from limits import RateLimitItem

from service.common.clock import now_ms
from service.http.i18n import current_language
from service.http.problems import ApiProblem
from service.http.rate_limits import ConcurrencyLimit, Limiter, LimitSettings, consume
from service.notifications import mail_link_codes, webhooks
from service.notifications.channels import Channel, ChannelKind, ChannelStore, new_channel_id
from service.notifications.delivery.message_text import test_message
from service.notifications.delivery.sender import stored_problem
from service.notifications.delivery.transports import Transports
from service.notifications.mailboxes import mailbox_of_address, normalize_address
from service.notifications.outbox import Outbox
from service.notifications.push import Subscription, is_subscription
from service.notifications.safe_http import DeliveryResult
from service.notifications.triggers import Notification
from service.players.identity import Player
from service.store.store import RunQuery

_MAILBOX_HASH_CHARS = 32


@dataclass(kw_only=True, eq=False)
class Subscriptions:
    """The notification settings of all players.

    ``test_limit`` limits concurrent test messages per client; ``run_query`` runs a database call
    and awaits its result.
    """

    outbox: Outbox
    channels: ChannelStore
    transports: Transports
    codes: mail_link_codes.MailLinkCodes
    limiter: Limiter
    limits: LimitSettings
    test_limit: ConcurrencyLimit
    run_query: RunQuery

    async def queue(self, notification: Notification) -> None:
        """Queue a notification not caused by a move, such as a reminder.

        If one with the same player, match, kind and ``turn`` is already waiting or was sent, this
        has no effect; the check covers all workers.
        """
        await self.run_query(self.outbox.add, notification, now_ms())

    # -- channels ----------------------------------------------------------------------------

    async def add_push(
        self, player: Player, url: str, keys: Subscription, device: str, name: str
    ) -> Channel:
        """Add a push channel for a device and return it.

        ``device``: the hash of the device's secret; ``name``: the stored name of the device. Raises
        `ApiProblem` 422 ``bad_subscription`` or ``bad_address``, 409 ``too_many_ways``.
        """
        if not is_subscription(keys):
            raise ApiProblem(422, "bad_subscription", "error.bad_subscription", field="keys")
        secret = msgspec.json.encode(keys).decode()
        address = self.transports.http_client.check_url(url)
        made = _build_channel(player, "push", address, device=device, name=name, secret=secret)
        return await self.run_query(self.channels.add, made)

    async def add_mail(self, player: Player, text: str, client: str) -> Channel:
        """Add an email channel and send the email that asks the owner to confirm the address.

        Nothing else is sent to the address until it is confirmed. ``client``: the client address of
        the request, as the rate limits use it. Raises `ApiProblem` 409 ``not_offered``,
        ``mail_stopped``, ``not_delivered`` or ``too_many_ways``, 422 ``bad_address``, and 429 if a
        rate limit is exceeded.
        """
        mailer = self.transports.mailer
        if mailer.has_server and not mailer.can_send:
            raise ApiProblem(409, "not_offered", "error.no_public_url")
        if not mailer.can_send:
            raise ApiProblem(409, "not_offered", "error.not_offered")
        address = normalize_address(text)
        if address is None:
            raise ApiProblem(422, "bad_address", "error.bad_mail_address", field="address")
        mailbox = self.codes.mailbox_hash(address)
        if await self.run_query(self.channels.is_stopped, mailbox):
            raise _mailbox_stopped()
        rates = self.limits
        await self._consume(rates.mails, f"mail:{player.id}")
        await self._consume(rates.address_mails, f"mail-from:{client}")
        await self._consume(rates.mails, f"mail:{mailbox_of_address(address)}")
        await self._consume(rates.all_mails, "mail-all")
        made = _build_channel(player, "mail", address, name=address, confirmed=False)
        channel: Channel | None = await self.run_query(self.channels.add_mail, made, mailbox)
        if channel is None:
            raise _mailbox_stopped()
        answer = await self.transports.mailer.request_confirmation(channel)
        if not answer.is_success:
            await self.run_query(self.channels.remove_dead, channel)
            raise not_delivered_problem(answer)
        return channel

    async def add_webhook(self, player: Player, url: str, base: str) -> Channel:
        """Add a chat channel for the URL of a known chat service, or otherwise a signed webhook.

        ``base``: the base URL for links in its messages. Raises `ApiProblem` 422 ``bad_address``,
        409 ``too_many_ways``.
        """
        address = self.transports.http_client.check_url(url.strip())
        form = webhooks.channel_kind_of_url(address)
        secret = webhooks.new_secret() if form == "webhook" else ""
        name = _url_host(address)
        made = _build_channel(player, form, address, name=name, secret=secret, base=base)
        return await self.run_query(self.channels.add, made)

    async def send_test(self, player: Player, channel_id: str, client: str) -> None:
        """Send a test message through a channel and store the result.

        A channel whose address no longer exists is removed. ``client``: the client address of the
        request, as the rate limits use it. Raises `ApiProblem` 404 ``no_such_way``, 409
        ``not_confirmed``, 409 ``not_delivered`` with the reason, and 429 if a rate limit is
        exceeded.
        """
        rates = self.limits
        with self.test_limit.slot(client):
            await self._consume(rates.tests, f"test:{player.id}")
            channel: Channel = await self.run_query(self.channels.find, player.id, channel_id)
            if channel.confirmed is None:
                raise ApiProblem(409, "not_confirmed", "error.not_confirmed")
            await self._consume(rates.address_tests, f"test-from:{client}")
            await self._consume(rates.target_tests, f"test-to:{self._limit_target(channel)}")
            answer = await self.transports.deliver(channel, test_message())
        if answer.is_gone:
            await self.run_query(self.channels.remove_dead, channel)
        else:
            await self.run_query(self.channels.record_result, channel, stored_problem(answer))
        if not answer.is_success:
            raise not_delivered_problem(answer)

    def _limit_target(self, channel: Channel) -> str:
        """Return the key by which the rate limits identify the target of a test message.

        It is the mailbox for email, the whole address for chat services and well-known push
        services, because many users share their hosts, and "host:port" for all other addresses.
        """
        if channel.way == "mail":
            return mailbox_of_address(channel.address)
        outside = self.transports.http_client
        pool = outside.push_pool(channel.address) if channel.way == "push" else "webhook"
        is_shared = pool == "push" or channel.way not in ("push", "webhook")
        return channel.address if is_shared else outside.host_and_port(channel.address)

    async def resume(self, player: Player, channel_id: str) -> Channel:
        """Resume a paused channel and return it.

        Raises `ApiProblem` 404 ``no_such_way`` if the player has no such channel.
        """
        await self.run_query(self.channels.resume, player.id, channel_id, now_ms())
        return await self.run_query(self.channels.find, player.id, channel_id)

    async def _consume(self, item: RateLimitItem | None, who: str) -> None:
        await consume(self.limiter, item, f"notices:{who}", 1)

    # -- links in mails ----------------------------------------------------------------------

    async def channel_of_code(self, code: str, purpose: str) -> Channel | None:
        """Return the channel of a link code; None if the code is invalid or the channel removed."""
        way_id = self.codes.read_code(code, purpose)
        return await self.run_query(self.channels.find_by_id, way_id) if way_id else None

    async def confirm(self, code: str) -> bool:
        """Confirm an email address by its link code.

        Returns False if the code is invalid or the channel has been removed.
        """
        channel = await self.channel_of_code(code, mail_link_codes.CONFIRM_PURPOSE)
        if channel is not None:
            await self.run_query(self.channels.confirm, channel, now_ms())
        return channel is not None

    async def mailbox_of_code(self, code: str, purpose: str) -> str | None:
        """Return the mailbox hash of a link code; None if the code is invalid.

        None is also returned for the code of an older email whose channel has been removed.
        """
        found = self.codes.read_code(code, purpose)
        if found is None or len(found) == _MAILBOX_HASH_CHARS:
            return found
        # Links in older emails identify the channel, so they work only until it is removed.
        channel = await self.channel_of_code(code, purpose)
        return (
            self.codes.mailbox_hash(channel.address) if channel and channel.way == "mail" else None
        )

    async def stop_mails(self, code: str) -> str | None:
        """Stop all emails to a mailbox, whichever player added it and however it is spelled.

        Returns the code with which its owner can allow them again; None if ``code`` is invalid.
        """
        mailbox = await self.mailbox_of_code(code, mail_link_codes.STOP_PURPOSE)
        if mailbox is None:
            return None
        await self.run_query(self.channels.stop_mailbox, mailbox, now_ms(), self.codes.mailbox_hash)
        return self.allow_code(mailbox)

    def allow_code(self, mailbox: str) -> str:
        """Return the code for allowing emails to a mailbox again. ``mailbox``: its hash."""
        return self.codes.make_code(mailbox, mail_link_codes.ALLOW_PURPOSE)

    async def allow_mails(self, code: str) -> bool:
        """Allow a stopped mailbox to be added again; return False if the code is invalid."""
        mailbox = await self.mailbox_of_code(code, mail_link_codes.ALLOW_PURPOSE)
        if mailbox is not None:
            await self.run_query(self.channels.allow_mailbox, mailbox)
        return mailbox is not None


def _build_channel(
    player: Player,
    kind: ChannelKind,
    address: str,
    *,
    name: str,
    device: str = "",
    secret: str = "",
    base: str = "",
    confirmed: bool = True,
) -> Channel:
    now = now_ms()
    return Channel(
        id=new_channel_id(),
        player=player.id,
        way=kind,
        address=address,
        device=device,
        name=name,
        secret=secret,
        base=base,
        language=current_language().tag,
        created=now,
        confirmed=now if confirmed else None,
        problem="",
    )


def not_delivered_problem(answer: DeliveryResult) -> ApiProblem:
    """Return `ApiProblem` 409 ``not_delivered``, which states why a delivery failed."""
    if answer.refused:
        return ApiProblem(409, "not_delivered", "error.not_public")
    if not answer.status:
        return ApiProblem(409, "not_delivered", "error.not_delivered.no_answer")
    return ApiProblem(
        409, "not_delivered", "error.not_delivered.status", args={"status": answer.status}
    )


def _mailbox_stopped() -> ApiProblem:
    return ApiProblem(409, "mail_stopped", "error.mail_stopped")


def _url_host(url: str) -> str:
    """Return the host (and port) of a URL without the path, which may contain a secret.

    At most 60 characters are returned.
    """
    return url.partition("://")[2].partition("/")[0][:60]
