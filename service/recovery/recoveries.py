"""The actions of seat recovery: PINs, and requests to the other players in a match."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.match.commands import AnswerRecovery, AskRecovery
from domain.match.events import RecoveryAnswered, RecoveryEnded
from domain.match.recovery import can_be_recovered
from domain.match.timeline import Timeline
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.text.i18n import N_
from domain.text.pins import is_common, is_pin
from service.common.clock import now_ms
from service.http.i18n import t
from service.http.problems import ApiProblem
from service.live.hub import Hub
from service.matches.match_cache import LoadedMatch, MatchCache
from service.matches.match_writer import ActionResult, Caller
from service.matches.problems import imported_match_problem, not_your_seat
from service.matches.seat_recovery import SeatRecoveryActions
from service.notifications.mail_link_codes import OBJECT_PURPOSE, MailLinkCodes
from service.notifications.presence import Presence
from service.players.identity import Player
from service.recovery import schema
from service.recovery.device_codes import DeviceCodes
from service.recovery.pins import MAX_ATTEMPTS, SeatPin, SeatPins
from service.recovery.problems import no_such_pin, pin_locked, wrong_pin
from service.recovery.typed_codes import format_code
from service.settings import Settings
from service.social.personal_store import PersonalStore
from service.store.store import RunQuery

_OPEN_DELAYS = 7
"""Time for which a request stays open for answers, as a multiple of the recovery delay."""
_MAX_DECISIONS_SEARCHED = 2_000
"""Maximum number of a match's latest decisions to search for earlier requests."""
_MAX_WITHDRAWN = 3
"""Number of requests about a seat withdrawn within the recovery delay at which new ones are
refused. A few are allowed, because a player may have scanned the code of the wrong device."""


class OpenRecovery(Struct, frozen=True):
    """An open request to move a seat, to which the seat's player can object by a link.

    ``version``: the version of the match at which the request was made.
    """

    match: LoadedMatch
    seat: int
    version: int


@dataclass(kw_only=True, eq=False)
class SeatRecoveries:
    """The actions of seat recovery.

    ``run_query`` runs a blocking database call and awaits its result.
    """

    settings: Settings
    actions: SeatRecoveryActions
    matches: MatchCache
    hub: Hub
    presence: Presence
    personal: PersonalStore
    mail_link_codes: MailLinkCodes
    pins: SeatPins
    device_codes: DeviceCodes
    run_query: RunQuery

    # -- PINs ----------------------------------------------------------------------------------

    async def pin_answer(
        self, match: LoadedMatch, player: Player, seat: int
    ) -> schema.SeatPinAnswer:
        """Return the PIN status of one of the player's seats.

        Raises `ApiProblem` 403 for another player's seat, and 409 for an imported match.
        """
        timeline = match.timeline
        _check_own_seat(timeline, player, seat)
        kept: SeatPin | None = await self.run_query(self.pins.find_by_seat, match.id, seat)
        good = kept is not None and timeline.latest.player_since(seat, kept.player) == player.id
        return schema.SeatPinAnswer(
            seat=seat,
            chosen=bool(good and kept and kept.pin),
            table=format_code(self.pins.table_code(match.id)),
            tries_left=kept.tries_left if kept else MAX_ATTEMPTS,
        )

    async def set_pin(
        self, match: LoadedMatch, player: Player, device: str, request: schema.ChooseSeatPin
    ) -> schema.SeatPinAnswer:
        """Set or remove the PIN of one of the player's seats; return the new PIN status.

        ``device``: the `hash_secret` of the requesting device's secret. Raises `ApiProblem` 401 if
        the device is signed out, 403 for another player's seat, 409 ``match_over``,
        ``nobody_else``, or for an imported match, and 422 for an invalid or common PIN.
        """
        timeline, seat = match.timeline, request.seat
        _check_own_seat(timeline, player, seat)
        if timeline.latest.status == "finished":
            raise ApiProblem(409, "match_over", "error.match_over")
        if request.pin is not None:
            if timeline.latest.status == "playing" and len(timeline.latest.people()) < 2:
                raise _only_player_problem()
            _check_pin_strength(request.pin)
        await self.run_query(
            self.pins.set_pin, match.id, seat, player.id, device, request.pin, now_ms()
        )
        return await self.pin_answer(match, player, seat)

    async def use_pin(self, player: Player, request: schema.RecoverBySeatPin) -> ActionResult:
        """Move a seat to the caller's device by its PIN; repeating the request has no effect.

        Raises `ApiProblem` 403 ``wrong_pin``, ``pin_locked`` or ``not_welcome``, 404
        ``no_such_pin``, 409 ``match_over`` or ``nobody_else``, and 422 if the PIN does not have six
        digits.
        """
        if not is_pin(request.pin):
            raise _no_pin_problem()
        kept: SeatPin | None = await self.run_query(
            self.pins.find_by_code, request.table, request.seat
        )
        match = await self.matches.find(UUID(kept.match), fresh=True) if kept else None
        if kept is None or match is None:
            raise no_such_pin()
        now, seat = match.timeline.latest, kept.seat
        holder = now.seats[seat].player
        if holder == player.id:
            return ActionResult(match.id, match.timeline, seat, match.timeline.version)
        if not kept.pin or holder is None or now.player_since(seat, kept.player) != holder:
            raise no_such_pin()
        if now.status == "finished":
            raise ApiProblem(409, "match_over", "error.match_over")
        if not can_be_recovered(now, seat):
            raise _only_player_problem()
        if await self.run_query(self.personal.is_blocked, now.opened.owner, player.id):
            raise ApiProblem(403, "not_welcome", "error.not_welcome")
        right, left = await self.run_query(self.pins.check_pin, kept, request.pin)
        if not right:
            raise wrong_pin(left) if left else pin_locked()
        done = await self.actions.move_seat(match, player, seat, kept.player)
        if done is None:
            raise no_such_pin()
        return done

    # -- requests to the others ----------------------------------------------------------------

    def recovery_answer(
        self, match: LoadedMatch, player: Player, open_request: Any
    ) -> schema.TableRecoveryAnswer:
        """Return the recovery status of a match for a player with a seat in it.

        ``open_request``: the open request as it is shown to the player, or None. Raises
        `ApiProblem` 403 if the player has no seat in the match.
        """
        timeline = match.timeline
        held = held_seats(timeline, player.id)
        if not held:
            raise not_your_seat()
        now = timeline.latest
        alone, over = len(now.people()) < 2, now.status == "finished"
        there = not over and not is_for_review(timeline)
        seats = [
            seat
            for seat in range(len(now.seats))
            if there and seat not in held and can_be_recovered(now, seat)
        ]
        return schema.TableRecoveryAnswer(
            table=format_code(self.pins.table_code(match.id)),
            seats=seats,
            reason=t("recovery.only_player") if alone and not over else None,
            recovery=open_request,
        )

    async def request_recovery(
        self, caller: Caller, request: schema.AskSeatRecovery
    ) -> ActionResult:
        """Ask the other players to move a seat to the device that shows a code.

        Raises `ApiProblem` 403 if the player does not hold the requesting seat, 404
        ``no_such_device_code``, 409 ``recovery_rests`` or ``seat_online``, and 422
        ``no_such_seat``.
        """
        match = caller.match
        now = match.timeline.latest
        if request.seat not in held_seats(match.timeline, caller.player.id):
            raise not_your_seat()
        if request.about >= len(now.seats):
            raise ApiProblem(422, "no_such_seat", "error.no_such_seat")
        if earlier := await self.actions.replay(caller.fingerprint):
            return earlier
        device: str | None = await self.run_query(self.device_codes.find, request.code, now_ms())
        if device is None:
            detail = N_("error.no_such_device_code")
            raise ApiProblem(404, "no_such_device_code", detail, field="code")
        self._check_cooldown(match.timeline, request.about)
        holder = now.seats[request.about].player
        if holder and await self._is_online(match.id, holder, request.about):
            raise ApiProblem(409, "seat_online", "error.seat_online")
        delay = self._delay_ms(match.timeline)
        command = AskRecovery(request.about, device, delay, _OPEN_DELAYS * delay)
        done = await self.actions.vote(caller, request.seat, command)
        await self.run_query(self.device_codes.mark_used, device, match.id, request.about)
        return done

    async def answer_request(
        self, caller: Caller, request: schema.AnswerSeatRecovery
    ) -> ActionResult:
        """Agree to the open request about a seat, or decline it."""
        command = AnswerRecovery(request.about, request.accept)
        return await self.actions.vote(caller, request.seat, command)

    async def find_open_request(self, code: str) -> OpenRecovery | None:
        """Return the open request to which a link code belongs.

        Returns None if the request has ended or the code is invalid.
        """
        request_id = self.mail_link_codes.read_code(code, OBJECT_PURPOSE)
        if request_id is None:
            return None
        match, seat, version = request_id.split(".")
        loaded = await self.matches.find(UUID(match), fresh=True)
        open_request = loaded.timeline.latest.recovery if loaded else None
        if loaded is None or open_request is None:
            return None
        if (open_request.about, open_request.version) != (int(seat), int(version)):
            return None
        return OpenRecovery(loaded, int(seat), int(version))

    async def object_by_link(self, code: str) -> bool:
        """Object to a request by the code of the link that was sent to the seat's player.

        Returns False if the request has ended or the code is invalid.
        """
        found = await self.find_open_request(code)
        if found is None:
            return False
        return await self.actions.object_by_link(found.match, found.seat, found.version)

    async def _is_online(self, match: str, player: str, seat: int) -> bool:
        """Return whether the player, who holds the seat, has the match open on any device."""
        here = self.hub.is_followed_by(match, player, seat)
        return here or await self.presence.is_present(player, match)

    def _delay_ms(self, timeline: Timeline) -> int:
        """Return the recovery delay, in milliseconds.

        It is the time between the agreement of all other players and the moving of the seat.
        """
        pace = timeline.latest.opened.pace
        live = pace is not None and pace.kind == "live"
        settings = self.settings
        seconds = settings.recovery_delay_live if live else settings.recovery_delay
        return max(1, seconds) * 1000

    def _check_cooldown(self, timeline: Timeline, about: int) -> None:
        """Raise `ApiProblem` 409 ``recovery_rests`` if the seat may not yet be requested again.

        That is so within the recovery delay after a request was objected to, was refused or
        expired, or if `_MAX_WITHDRAWN` requests were withdrawn within the delay. Otherwise repeated
        requests could flood the others with notifications, even at night, and keep the seat's clock
        stopped. ``about``: the seat.
        """
        now = now_ms()
        since = now - self._delay_ms(timeline)
        decisions, withdrawn = timeline.decisions, 0
        for index in range(
            len(decisions) - 1, max(-1, len(decisions) - _MAX_DECISIONS_SEARCHED), -1
        ):
            decision = decisions[index]
            if decision.at <= since:
                return
            for event in decision.events:
                withdrawn += _is_withdrawal(timeline, index, event, about)
                if withdrawn >= _MAX_WITHDRAWN or _is_end(timeline, index, event, about):
                    minutes = -(-(decision.at - since) // 60_000)
                    raise ApiProblem(
                        409,
                        "recovery_rests",
                        "error.recovery_rests",
                        args={"n": minutes},
                        headers={"Retry-After": str(minutes * 60)},
                    )


def _is_end(timeline: Timeline, index: int, event: Any, about: int) -> bool:
    """Return whether an event ended a request about the seat by objection, refusal or expiry."""
    match event:
        case RecoveryEnded(seat=seat):
            return seat == about
        case RecoveryAnswered(about=seat_about, accept=False):
            return seat_about == about and not _is_withdrawal(timeline, index, event, about)
        case _:
            return False


def _is_withdrawal(timeline: Timeline, index: int, event: Any, about: int) -> bool:
    """Return whether an event withdraws a request about the seat.

    This is so if the player who made the request declines it.
    """
    if not isinstance(event, RecoveryAnswered) or event.accept or event.about != about:
        return False
    open_request = timeline.moments[index - 1].recovery
    return open_request is None or open_request.seat == event.seat


def _check_own_seat(timeline: Timeline, player: Player, seat: int) -> None:
    if seat not in held_seats(timeline, player.id):
        raise not_your_seat()
    if is_for_review(timeline):
        raise imported_match_problem()


def _check_pin_strength(pin: str) -> None:
    if not is_pin(pin):
        raise _no_pin_problem()
    if is_common(pin):
        detail = N_("error.weak_pin")
        raise ApiProblem(422, "weak_pin", detail, field="pin")


def _no_pin_problem() -> ApiProblem:
    return ApiProblem(422, "invalid_request", "error.bad_pin", field="pin")


def _only_player_problem() -> ApiProblem:
    return ApiProblem(409, "nobody_else", "error.nobody_else")
