"""What people do about their notices: switch ways on and off, try them, say what they want."""

from collections.abc import Callable
from typing import Any

import msgspec
from limits import RateLimitItem, RateLimitItemPerHour

from service.base.languages import language
from service.base.limits import Limiter, use
from service.base.now import clock
from service.base.problems import Fault
from service.notices import hooks
from service.notices.carriers import Carriers
from service.notices.codes import Codes
from service.notices.mail import CONFIRM, STOP
from service.notices.message import a_test
from service.notices.outbox import Outbox
from service.notices.outside import Answer
from service.notices.push import Subscription, is_subscription
from service.notices.sender import problem_of
from service.notices.told import Notice
from service.notices.ways import Form, Way, Ways, Wishes, new_id
from service.players.identity import Player

_MAILS = RateLimitItemPerHour(5)
"""Mails an hour that ask one person, or at one address, whether it is theirs."""
_TESTS = RateLimitItemPerHour(30)


class Notices:
    """The ways and wishes of all people. ``io`` runs a call to the database."""

    def __init__(
        self,
        outbox: Outbox,
        ways: Ways,
        carriers: Carriers,
        codes: Codes,
        limiter: Limiter,
        io: Callable[..., Any],
    ) -> None:
        self._outbox = outbox
        self.ways = ways
        self.carriers = carriers
        self._codes = codes
        self._limiter = limiter
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

    async def by_mail(self, player: Player, address: str, base: str) -> Way:
        """Asks by mail whether the address is the person's; until then nothing is sent there."""
        if not self.carriers.mailer.there:
            raise Fault(409, "not_offered", "This service sends no mails.")
        address = address.strip()
        if not _is_mail(address):
            raise Fault(422, "bad_address", "This is no mail address.", field="address")
        await self._limit(_MAILS, f"mail:{player.id}")
        await self._limit(_MAILS, f"mail:{address.lower()}")
        way = await self._add(player, "mail", address, name=address, base=base, confirmed=False)
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
        confirmed: bool = True,
    ) -> Way:
        now = clock()
        made = Way(
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
        added: Way = await self.io(self.ways.add, made)
        return added

    async def test(self, player: Player, way_id: str) -> None:
        """Sends a message by one way now; `Fault` 409 ``not_delivered`` says why it failed."""
        await self._limit(_TESTS, f"test:{player.id}")
        way: Way = await self.io(self.ways.one, player.id, way_id)
        if way.confirmed is None:
            raise Fault(409, "not_confirmed", "Follow the link in the mail first.")
        answer = await self.carriers.tell(way, a_test())
        if answer.gone:
            await self.io(self.ways.forget, way)
        else:
            await self.io(self.ways.note, way, problem_of(answer))
        if not answer.good:
            raise not_delivered(answer)

    async def _limit(self, item: RateLimitItem, who: str) -> None:
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

    async def stop(self, code: str) -> None:
        """No further mails to that address; also when there is none any more."""
        way = await self.of_code(code, STOP)
        if way is not None:
            await self.io(self.ways.forget, way)

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


def _is_mail(address: str) -> bool:
    user, at, domain = address.rpartition("@")
    plain = address.isascii() and address.isprintable() and not set(address) & set(' ,;:<>()[]"\\')
    return bool(at and user and "@" not in user and "." in domain.strip(".") and plain)


def _short(url: str) -> str:
    """An address without what may be a secret in it."""
    return url.partition("://")[2].partition("/")[0][:60]
