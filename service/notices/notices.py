"""What people do about their notices: switch ways on and off, try them, say what they want."""

from collections.abc import Callable
from typing import Any

import msgspec
from limits import RateLimitItem

from service.base.languages import language
from service.base.limits import AtOnce, Limiter, Rates, use
from service.base.now import clock
from service.base.problems import Fault
from service.notices import hooks
from service.notices.carriers import Carriers
from service.notices.codes import ALLOW, CONFIRM, STOP, Codes
from service.notices.mailboxes import checked, mailbox_of
from service.notices.message import a_test
from service.notices.outbox import Outbox
from service.notices.outside import Answer
from service.notices.push import Subscription, is_subscription
from service.notices.sender import problem_of
from service.notices.told import Notice
from service.notices.ways import Form, Way, Ways, Wishes, new_id
from service.players.identity import Player

_MAILBOX_DIGITS = 32


class Notices:
    """The ways and wishes of all people. ``io`` runs a call to the database."""

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
        """Tells somebody what no move brings about: a rematch, that time runs short.

        Of a kind a person hears once in each ``turn`` of a match, however often this is called,
        and by whichever workers.
        """
        await self.io(self._outbox.add, notice, clock())

    # -- ways --------------------------------------------------------------------------------

    async def by_push(
        self, player: Player, url: str, keys: Subscription, device: str, name: str
    ) -> Way:
        """Reaches a device; `Fault` 422 for what is no subscription."""
        if not is_subscription(keys):
            raise Fault(422, "bad_subscription", "These are no keys of a device.", field="keys")
        secret = msgspec.json.encode(keys).decode()
        address = self.carriers.outside.check(url)
        return await self._add(player, "push", address, device=device, name=name, secret=secret)

    async def by_mail(self, player: Player, text: str, client: str) -> Way:
        """Asks by mail whether the address is the person's; until then nothing is sent there.

        ``client``: the address the request comes from, as limits count it.
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
        """Sends to a chat, or signed to any other address."""
        address = self.carriers.outside.check(url.strip())
        form = hooks.form_of(address)
        secret = hooks.new_secret() if form == "webhook" else ""
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
        """Sends a message by one way now; `Fault` 409 ``not_delivered`` says why it failed.

        ``client``: the address the request comes from, as limits count it.
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
        """What a test message goes to, as limits count it: a mailbox; of addresses that anybody
        may give, host and port; the address itself at a chat or push service that many share."""
        if way.way == "mail":
            return mailbox_of(way.address)
        outside = self.carriers.outside
        pool = outside.pool_of_push(way.address) if way.way == "push" else "webhook"
        is_shared = pool == "push" or way.way not in ("push", "webhook")
        return way.address if is_shared else outside.place_of(way.address)

    async def resume(self, player: Player, way_id: str) -> Way:
        """Sends by a way again that was paused; gives it."""
        await self.io(self.ways.resume, player.id, way_id, clock())
        way: Way = await self.io(self.ways.one, player.id, way_id)
        return way

    async def _limit(self, item: RateLimitItem | None, who: str) -> None:
        await use(self._limiter, item, f"notices:{who}", 1)

    # -- links in mails ----------------------------------------------------------------------

    async def of_code(self, code: str, purpose: str) -> Way | None:
        """The mail address a code in a link belongs to; None where it is gone or never was."""
        way_id = self._codes.way(code, purpose)
        found: Way | None = await self.io(self.ways.by_id, way_id) if way_id else None
        return found

    async def confirm(self, code: str) -> bool:
        """Somebody followed the link of a mail and said that the address is theirs."""
        way = await self.of_code(code, CONFIRM)
        if way is not None:
            await self.io(self.ways.confirm, way, clock())
        return way is not None

    async def mailbox_of_code(self, code: str, purpose: str) -> str | None:
        """The mailbox, hashed, that a code in a link belongs to; None where it is not known."""
        found = self._codes.way(code, purpose)
        if found is None or len(found) == _MAILBOX_DIGITS:
            return found
        # Links of older mails name the way, and with it an address while there is one.
        way = await self.of_code(code, purpose)
        return self._codes.mailbox(way.address) if way and way.way == "mail" else None

    async def is_stopped(self, mailbox: str) -> bool:
        """Whether a mailbox, hashed, wants no mails."""
        found: bool = await self.io(self.ways.is_stopped, mailbox)
        return found

    async def stop(self, code: str) -> str | None:
        """No further mails to that mailbox, whoever asks for them and however it is written.

        Gives the code by which its owner may allow them again; None where it is not known.
        """
        mailbox = await self.mailbox_of_code(code, STOP)
        if mailbox is None:
            return None
        await self.io(self.ways.stop, mailbox, clock(), self._codes.mailbox)
        return self.allow_code(mailbox)

    def allow_code(self, mailbox: str) -> str:
        """The code by which the owner of a mailbox, hashed, allows mails again."""
        return self._codes.code(mailbox, ALLOW)

    async def allow(self, code: str) -> bool:
        """People may add the mailbox again; False where the code is none."""
        mailbox = await self.mailbox_of_code(code, ALLOW)
        if mailbox is not None:
            await self.io(self.ways.allow, mailbox)
        return mailbox is not None

    # -- wishes ------------------------------------------------------------------------------

    async def wish(self, player: Player, wishes: Wishes, spoken: str | None) -> None:
        """Notes what the person wants to hear."""
        await self.io(self.ways.wish, player.id, wishes, spoken)


def not_delivered(answer: Answer) -> Fault:
    """Nothing arrived, and why."""
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
    """An address without what may be a secret in it."""
    return url.partition("://")[2].partition("/")[0][:60]
