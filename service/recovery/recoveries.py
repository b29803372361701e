"""What people can do when a device is lost: choose PINs, use them, ask the others, object."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.answers.viewing import held_seats, is_for_review
from domain.match import (
    AnswerRecovery,
    AskRecovery,
    RecoveryAnswered,
    RecoveryEnded,
    Timeline,
    can_be_recovered,
)
from domain.pins import is_common, is_pin
from domain.words import N_
from service.base.now import clock
from service.base.problems import Fault
from service.live.hub import Hub
from service.matches.commits import Done
from service.matches.play import Play
from service.matches.problems import imported, not_your_seat
from service.matches.receipts import Idempotency
from service.matches.tables import Table, Tables
from service.notices.codes import OBJECT, Codes
from service.notices.presence import Presence
from service.people.own import Own
from service.players.identity import Player
from service.recovery import schema
from service.recovery.codes import grouped
from service.recovery.device_codes import DeviceCodes
from service.recovery.pins import MAX_TRIES, Pins, SeatPin
from service.recovery.problems import no_such_pin, pin_locked, wrong_pin
from service.settings import Settings
from service.store import Store

_PATIENCE_IN_DELAYS = 7
"""The others may be asked for so many times the delay."""
_MAX_LOOKBACK = 2_000
"""Decisions that are looked through for a request that ended."""
_MAX_WITHDRAWN = 3
"""Requests about a seat that may be withdrawn within the delay: one may have scanned the wrong
device."""
ALONE = N_("Only one person plays here: a recovery code on the page “You” brings your seat back.")


class OpenRequest(Struct, frozen=True):
    """A request that somebody can object to by a link."""

    table: Table
    seat: int
    version: int


class Recoveries:
    """The actions of one service. ``io`` runs a call to the database."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        play: Play,
        tables: Tables,
        hub: Hub,
        presence: Presence,
        own: Own,
        codes: Codes,
        pins: Pins,
        io: Callable[..., Any],
    ) -> None:
        self._settings = settings
        self._play = play
        self._tables = tables
        self._hub = hub
        self._presence = presence
        self._own = own
        self._codes = codes
        self._pins = pins
        self._device_codes = DeviceCodes(store, pins)
        self._io = io

    # -- PINs ----------------------------------------------------------------------------------

    async def pin_of(self, table: Table, player: Player, seat: int) -> schema.SeatPinAnswer:
        """Whether a seat of the player's has a PIN."""
        timeline = table.timeline
        _check_own(timeline, player, seat)
        kept: SeatPin | None = await self._io(self._pins.of_seat, table.id, seat)
        good = kept is not None and timeline.now.player_since(seat, kept.player) == player.id
        return schema.SeatPinAnswer(
            seat=seat,
            chosen=bool(good and kept and kept.pin),
            table=grouped(self._pins.table_code(table.id)),
            tries_left=kept.tries_left if kept else MAX_TRIES,
        )

    async def choose_pin(
        self, table: Table, player: Player, device: str, request: schema.ChooseSeatPin
    ) -> schema.SeatPinAnswer:
        """Set the PIN of a seat of the player's, or take it away; ``device``: the `digest` of the
        secret of the device that asks."""
        timeline, seat = table.timeline, request.seat
        _check_own(timeline, player, seat)
        if timeline.now.status == "finished":
            raise Fault(409, "match_over", "The match is over.")
        if request.pin is not None:
            if timeline.now.status == "playing" and len(timeline.now.people()) < 2:
                raise _alone()
            _check_pin(request.pin)
        await self._io(self._pins.choose, table.id, seat, player.id, device, request.pin, clock())
        return await self.pin_of(table, player, seat)

    async def use_pin(self, player: Player, request: schema.RecoverBySeatPin) -> Done:
        """Move a seat to the caller's device; asked for again, the answer is the same."""
        if not is_pin(request.pin):
            raise _no_pin()
        kept: SeatPin | None = await self._io(self._pins.find, request.table, request.seat)
        table = await self._tables.find(UUID(kept.match), fresh=True) if kept else None
        if kept is None or table is None:
            raise no_such_pin()
        now, seat = table.timeline.now, kept.seat
        holder = now.seats[seat].player
        if holder == player.id:
            return Done(table.id, table.timeline, seat, table.timeline.version)
        if not kept.pin or holder is None or now.player_since(seat, kept.player) != holder:
            raise no_such_pin()
        if now.status == "finished":
            raise Fault(409, "match_over", "The match is over.")
        if not can_be_recovered(now, seat):
            raise _alone()
        if await self._io(self._own.blocks, now.opened.owner, player.id):
            raise Fault(403, "not_welcome", "You cannot sit down at this table.")
        right, left = await self._io(self._pins.attempt, kept, request.pin)
        if not right:
            raise wrong_pin(left) if left else pin_locked()
        done = await self._play.move_seat(table, player, seat, kept.player)
        if done is None:
            raise no_such_pin()
        return done

    # -- by the others -------------------------------------------------------------------------

    def table_answer(
        self, table: Table, player: Player, open_request: Any
    ) -> schema.TableRecoveryAnswer:
        """What those at the table can do, to one of them."""
        timeline = table.timeline
        held = held_seats(timeline, player.id)
        if not held:
            raise not_your_seat()
        now = timeline.now
        alone, over = len(now.people()) < 2, now.status == "finished"
        there = not over and not is_for_review(timeline)
        seats = [
            seat
            for seat in range(len(now.seats))
            if there and seat not in held and can_be_recovered(now, seat)
        ]
        return schema.TableRecoveryAnswer(
            table=grouped(self._pins.table_code(table.id)),
            seats=seats,
            reason=ALONE if alone and not over else None,
            recovery=open_request,
        )

    async def ask(
        self,
        table: Table,
        player: Player,
        request: schema.AskSeatRecovery,
        repeat: Idempotency | None,
    ) -> Done:
        """Ask the others to let somebody back in."""
        now = table.timeline.now
        if request.seat not in held_seats(table.timeline, player.id):
            raise not_your_seat()
        if request.about >= len(now.seats):
            raise Fault(422, "no_such_seat", "There is no such seat.")
        earlier = await self._play.earlier(repeat, player) if repeat else None
        if earlier is not None:
            return earlier
        device: str | None = await self._io(self._device_codes.find, request.code, clock())
        if device is None:
            detail = N_("Unknown code, or it has expired. Ask for a new one on the new device.")
            raise Fault(404, "no_such_device_code", detail, field="code")
        self._check_rest(table.timeline, request.about)
        holder = now.seats[request.about].player
        if holder and await self._is_online(table.id, holder, request.about):
            raise Fault(
                409,
                "seat_online",
                "A device of this seat is online. If it is not in that person's hands, try again"
                " later.",
            )
        delay = self._delay(table.timeline)
        command = AskRecovery(request.about, device, delay, _PATIENCE_IN_DELAYS * delay)
        done = await self._play.ask_recovery(table, player, request.seat, command, repeat)
        await self._io(self._device_codes.use, device, table.id, request.about)
        return done

    async def answer(
        self,
        table: Table,
        player: Player,
        request: schema.AnswerSeatRecovery,
        repeat: Idempotency | None,
    ) -> Done:
        """Agree to an open request, or decline."""
        command = AnswerRecovery(request.about, request.accept)
        return await self._play.answer_recovery(table, player, request.seat, command, repeat)

    async def object_to(
        self, table: Table, player: Player, seat: int, repeat: Idempotency | None
    ) -> Done:
        """Keep the seat."""
        return await self._play.object_to_recovery(table, player, seat, repeat)

    async def open_request(self, code: str) -> OpenRequest | None:
        """The open request that a link is about; None where it has ended or never was."""
        request_id = self._codes.way(code, OBJECT)
        if request_id is None:
            return None
        match, seat, version = request_id.split(".")
        table = await self._tables.find(UUID(match), fresh=True)
        asked = table.timeline.now.recovery if table else None
        if table is None or asked is None:
            return None
        if (asked.about, asked.version) != (int(seat), int(version)):
            return None
        return OpenRequest(table, int(seat), int(version))

    async def object_by_link(self, code: str) -> bool:
        """Keep the seat by the link that was sent to its person; False where nothing is open."""
        found = await self.open_request(code)
        if found is None:
            return False
        return await self._play.object_by_link(found.table, found.seat, found.version)

    async def _is_online(self, match: str, player: str, seat: int) -> bool:
        """Whether a device of the player, who holds the seat, follows the match just now."""
        here = self._hub.follows(match, player, seat)
        return here or await self._presence.is_at(player, match)

    def _delay(self, timeline: Timeline) -> int:
        """Milliseconds between agreement and recovery."""
        pace = timeline.now.opened.pace
        live = pace is not None and pace.kind == "live"
        settings = self._settings
        seconds = settings.recovery_delay_live if live else settings.recovery_delay
        return max(1, seconds) * 1000

    def _check_rest(self, timeline: Timeline, about: int) -> None:
        """`Fault` 409 where somebody has objected or declined not long ago, or requests were
        withdrawn a few times: nobody is asked again and again, by every channel and at night, and
        no clock made to stand still that way."""
        now = clock()
        since = now - self._delay(timeline)
        decisions, withdrawn = timeline.decisions, 0
        for index in range(len(decisions) - 1, max(-1, len(decisions) - _MAX_LOOKBACK), -1):
            decision = decisions[index]
            if decision.at <= since:
                return
            for event in decision.events:
                withdrawn += _is_withdrawal(timeline, index, event, about)
                if withdrawn >= _MAX_WITHDRAWN or _ended(timeline, index, event, about):
                    minutes = -(-(decision.at - since) // 60_000)
                    raise Fault(
                        409,
                        "recovery_rests",
                        "This seat was not given to another device just now. Ask again in"
                        " {n} minutes.",
                        args={"n": minutes},
                        headers={"Retry-After": str(minutes * 60)},
                    )

    # -- the new device ------------------------------------------------------------------------

    async def make_code(self, player: Player) -> tuple[str, int]:
        """A code that the caller's device shows, and when it expires."""
        made: tuple[str, int] = await self._io(self._device_codes.make, player.id, clock())
        return made

    async def code_use(self, player: Player) -> tuple[str, int] | None:
        """Match and seat for which somebody has used it."""
        used: tuple[str, int] | None = await self._io(self._device_codes.used_for, player.id)
        return used


def _ended(timeline: Timeline, index: int, event: Any, about: int) -> bool:
    """Whether the event ended a request about the seat against whoever asked."""
    match event:
        case RecoveryEnded(seat=seat):
            return seat == about
        case RecoveryAnswered(about=seat_about, accept=False):
            return seat_about == about and not _is_withdrawal(timeline, index, event, about)
        case _:
            return False


def _is_withdrawal(timeline: Timeline, index: int, event: Any, about: int) -> bool:
    """Whether whoever asked about the seat withdrew the request."""
    if not isinstance(event, RecoveryAnswered) or event.accept or event.about != about:
        return False
    asked = timeline.moments[index - 1].recovery
    return asked is None or asked.seat == event.seat


def _check_own(timeline: Timeline, player: Player, seat: int) -> None:
    if seat not in held_seats(timeline, player.id):
        raise not_your_seat()
    if is_for_review(timeline):
        raise imported()


def _check_pin(pin: str) -> None:
    if not is_pin(pin):
        raise _no_pin()
    if is_common(pin):
        detail = N_("Too many people choose this PIN. Choose another one.")
        raise Fault(422, "weak_pin", detail, field="pin")


def _no_pin() -> Fault:
    return Fault(422, "invalid_request", "A PIN has six digits.", field="pin")


def _alone() -> Fault:
    return Fault(409, "nobody_else", "Nobody else plays here: use your recovery code.")
