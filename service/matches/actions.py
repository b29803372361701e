"""Match actions of players, such as opening, joining, playing, undoing, voting and forking."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.match import (
    AnswerReturn,
    AnswerUndo,
    Join,
    Leave,
    Reclaim,
    Redo,
    Refused,
    Say,
    Timeline,
    Undo,
    Vote,
)
from domain.matchfile import verification
from domain.matchfile.codec import codec_of
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.text.i18n import Plural
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.http import offload
from service.http.problems import ApiProblem
from service.matches import options as game_options
from service.matches import schema
from service.matches.access import is_return_pending, reserved_seats
from service.matches.confusable_names import disambiguated
from service.matches.decision_quota import check_join_quota, quota_used_by_undo, quota_used_by_votes
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import MAX_ATTEMPTS, ActionResult
from service.matches.presenters import Viewer
from service.matches.problems import imported_match_problem, malformed_command, version_conflict
from service.matches.rematch import (
    build_rematch,
    can_have_rematch,
    not_in_rematch,
    rematch_answer,
    rematch_key,
    reserved_name,
)
from service.matches.reserved_seats import reserve_seats
from service.matches.seat_names import all_spellings
from service.matches.seat_recovery import SeatRecoveryActions
from service.matches.seating import (
    build_fork,
    build_open_command,
    build_seats,
    build_time_control,
    can_join,
    declined_seat_notifications,
    find_free_seat,
    is_invited,
    seat_to_reclaim,
    seats_to_leave,
    verify_import,
)
from service.matches.signing import SigningKey
from service.players.identity import Player, clean_name, clean_text
from service.store import VersionConflict

_DECLINED_MESSAGE = Plural(
    "This was declined. Ask again after the next move, or in {n} second.",
    "This was declined. Ask again after the next move, or in {n} seconds.",
)


def _needs_consent(timeline: Timeline, player: Player, undo_request: schema.UndoMoves) -> bool:
    """Return whether an undo request needs other players' consent; False if it is invalid."""
    if undo_request.seat not in held_seats(timeline, player.id):
        return False
    try:
        return timeline.undo_kind(undo_request.seat, undo_request.to_version).kind == "consent"
    except (Refused, IndexError):
        return False


class MatchActions(SeatRecoveryActions):
    """The actions of players on matches.

    Common parameters: ``player`` is the caller; ``fingerprint`` identifies a repeated request,
    which gets the stored result; ``address`` is the client address, for rate limits. Actions raise
    `ApiProblem`, `Refused` or `IllegalMove` if they are not allowed.
    """

    async def create_match(
        self,
        player: Player,
        request: schema.NewMatch,
        fingerprint: RequestFingerprint | None,
        address: str = "",
    ) -> ActionResult:
        """Open a match, which starts at once if no seat is open."""
        if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
            return await self._wait_for_bots(earlier, fingerprint)
        title = game_options.find_game(request.game, len(request.seats))
        if all(seat.kind == "bot" for seat in request.seats):
            raise ApiProblem(422, "no_person", "At least one seat is a person's.", field="seats")
        filled = game_options.options_from_request(title, request.options)
        seats = build_seats(player, request.seats)
        if any(seat.person for seat in request.seats):
            known = await self._contacts.list_contacts(player.id)
            seats = reserve_seats(player, request.seats, seats, known)
            await self._limits.count_reservations(
                address, [s.player for s in seats if s.kind == "open" and s.player]
            )
        now = now_ms()
        pace = build_time_control(request.pace, now)
        command = build_open_command(title, filled, seats, request.visibility, player, pace)
        timeline = Timeline(codec_of(title.slug).rules)
        timeline.play(None, [command], now, draws_from_seed)
        return await self._create_match(uuid.uuid4(), timeline, 201, player, fingerprint)

    async def join(
        self, match: LoadedMatch, player: Player, request: schema.JoinMatch, address: str
    ) -> ActionResult:
        """Take the requested seat, by default one reserved for the player or the first open one.

        A player who already holds a seat, and requests no other, keeps it.
        """
        done = await self._take_seats(match, player, request, address)
        return await self._wait_for_bots(done, None)

    async def _take_seats(
        self, match: LoadedMatch, player: Player, request: schema.JoinMatch, address: str
    ) -> ActionResult:
        name = clean_name(request.name) if request.name is not None else player.name
        for _ in range(MAX_ATTEMPTS):
            async with match.lock:
                timeline = match.timeline
                held = held_seats(timeline, player.id)
                if held and request.seat in (None, *held):
                    return ActionResult(match.id, timeline, held[0], timeline.version)
                if is_for_review(timeline):
                    raise imported_match_problem()
                if not can_join(timeline, player, request.invite):
                    raise ApiProblem(403, "wrong_invite", "This invitation is not for this match.")
                seat = (
                    request.seat if request.seat is not None else find_free_seat(timeline, player)
                )
                stranger = not is_invited(timeline, player, request.invite)
                if stranger:
                    await self._check_not_blocked(timeline, player)
                if stranger and held:
                    raise ApiProblem(
                        403, "one_seat", "One seat is yours; the others are for others."
                    )
                await check_join_quota(timeline, player.id)
                others = [each for i, each in enumerate(timeline.latest.seats) if i != seat]
                branch = timeline.branch()
                join_command = Join(
                    player.id, disambiguated(name, set().union(*map(all_spellings, others)))
                )
                branch.play(seat, [join_command], now_ms(), draws_from_seed)
                if stranger:
                    await self._limits.count_uninvited_seat(match.id, address)
                try:
                    return await self._save_branch(match, timeline, branch, seat, None)
                except VersionConflict:
                    await self._matches.catch_up(match)
        raise version_conflict(match.timeline.version)

    async def _check_not_blocked(self, timeline: Timeline, player: Player) -> None:
        """Raise `ApiProblem` 403 ``not_welcome`` if the host has blocked the player."""
        if await self._writer.run(
            self._personal.is_blocked, timeline.latest.opened.owner, player.id
        ):
            raise ApiProblem(403, "not_welcome", "You cannot sit down at this table.")

    async def leave(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.LeaveSeats,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Leave one seat or all; decline reserved seats or, as the host, release them."""
        return await self._wait_for_bots(
            await self._leave_seats(match, player, request, fingerprint), fingerprint
        )

    async def _leave_seats(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.LeaveSeats,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        async with match.lock:
            if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
                return earlier
            await self._matches.catch_up(match)
            for _ in range(MAX_ATTEMPTS):
                timeline = match.timeline
                if is_for_review(timeline):
                    raise imported_match_problem()
                branch = timeline.branch()
                seats = seats_to_leave(timeline, player, request.seat)
                declined = declined_seat_notifications(match.id, timeline, player, seats)
                for seat in seats:
                    branch.play(
                        seat, [Leave(request.stand_in == "nobody")], now_ms(), draws_from_seed
                    )
                try:
                    return await self._save_branch(
                        match, timeline, branch, seats[0], fingerprint, extra_notifications=declined
                    )
                except VersionConflict:
                    if fingerprint and (
                        earlier := await self._replayed_result(fingerprint, player)
                    ):
                        return earlier
                    await self._matches.catch_up(match)
        raise version_conflict(match.timeline.version)

    async def reclaim_seat(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.ReclaimSeat,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Take back a seat lost on time or by vote, or ask the other players for it."""
        return await self._wait_for_bots(
            await self._try_reclaim(match, player, request, fingerprint), fingerprint
        )

    async def _try_reclaim(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.ReclaimSeat,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        async with match.lock:
            if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
                return earlier
            await self._matches.catch_up(match)
            for _ in range(MAX_ATTEMPTS):
                timeline = match.timeline
                if is_for_review(timeline):
                    raise imported_match_problem()
                seat = seat_to_reclaim(timeline, player, request.seat)
                branch = timeline.branch()
                branch.play(seat, [Reclaim(player.id)], now_ms(), draws_from_seed)
                try:
                    return await self._save_branch(match, timeline, branch, seat, fingerprint)
                except VersionConflict:
                    if fingerprint and (
                        earlier := await self._replayed_result(fingerprint, player)
                    ):
                        return earlier
                    await self._matches.catch_up(match)
        raise version_conflict(match.timeline.version)

    async def answer_seat_return(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.AnswerSeatReturn,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Agree that a player gets a lost seat back, or decline the request."""
        command = AnswerReturn(request.about, request.accept)
        return await self.run_action(
            match, player, request.seat, None, lambda timeline: [command], fingerprint
        )

    async def set_hidden(
        self, match: LoadedMatch, player: Player, request: schema.HideMatch
    ) -> None:
        """Hide a match from the player's own list, or show it there again."""
        await self._writer.run(self._store.set_hidden, player.id, match.id, request.hidden)

    async def play_commands(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.PlayCommands,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Execute game commands of a seat, all or none; ends the player's vacation."""

        def parsed(timeline: Timeline) -> list[Any]:
            codec = codec_of(match.game)
            try:
                return [codec.parse_command(plain) for plain in request.commands]
            except msgspec.ValidationError as error:
                raise malformed_command(str(error)) from None
            except (TypeError, RecursionError):
                raise malformed_command("") from None

        return await self._run_personal_action(
            match,
            player,
            request.seat,
            request.expected_version,
            parsed,
            fingerprint,
            allow_parallel=True,
        )

    async def undo(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.UndoMoves,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Undo moves, or propose the undo if it needs consent; then the status is 202."""
        used = await quota_used_by_undo(match.timeline, player.id, request.seat, request.to_version)
        if _needs_consent(match.timeline, player, request):
            await self._limits.count_proposal(match.id, player.id)

        def asked(timeline: Timeline) -> list[Any]:
            used.check_undo_quota()
            self._check_not_declined(timeline, request)
            return [Undo(request.to_version)]

        done = await self.run_action(
            match, player, request.seat, request.expected_version, asked, fingerprint
        )
        proposed = (
            done.timeline.latest.proposal is not None
            and done.timeline.version > done.version_before
        )
        return replace(done, status=202) if proposed else done

    def _check_not_declined(self, timeline: Timeline, request: schema.UndoMoves) -> None:
        """Raise `ApiProblem` 409 ``declined`` if the same undo was declined recently."""
        undo = timeline.undo_kind(request.seat, request.to_version)
        if undo.kind != "consent":
            return
        declined = timeline.declined_at(request.seat, undo.to_version)
        wait = 0 if declined is None else self._limits.ask_pause_s - (now_ms() - declined) // 1000
        if wait > 0:
            raise ApiProblem(
                409,
                "declined",
                _DECLINED_MESSAGE,
                args={"n": wait},
                headers={"Retry-After": str(wait)},
            )

    async def redo(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.RedoMoves,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Redo the moves that the last undo removed; ends the player's vacation."""
        used = await quota_used_by_undo(match.timeline, player.id, request.seat, None)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_undo_quota()
            return [Redo()]

        return await self._run_personal_action(
            match, player, request.seat, request.expected_version, asked, fingerprint
        )

    async def answer_proposal(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.AnswerProposal,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Agree to the open undo proposal or decline it; needs no expected version."""
        return await self.run_action(
            match,
            player,
            request.seat,
            None,
            lambda timeline: [AnswerUndo(request.accept)],
            fingerprint,
        )

    async def vote(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.CastVote,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Vote on whether a bot should take a seat whose time has run out."""
        used = await quota_used_by_votes(match.timeline, player.id)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_vote_quota()
            return [Vote(request.about, request.bot)]

        return await self.run_action(match, player, request.seat, None, asked, fingerprint)

    async def send_chat_message(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.SayWords,
        fingerprint: RequestFingerprint | None,
    ) -> ActionResult:
        """Send a chat message; unlike a move, it does not close an open proposal."""
        words = Say(clean_text(request.text), request.to)
        await self._limits.count_chat_message(match.id, request.seat)
        return await self.run_action(
            match, player, request.seat, None, lambda timeline: [words], fingerprint
        )

    async def fork(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.ForkMatch,
        fingerprint: RequestFingerprint | None,
        address: str,
    ) -> ActionResult:
        """Fork a match: open a new match that begins from the state at the requested version."""
        if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
            return await self._wait_for_bots(earlier, fingerprint)
        await self._limits.count_fork(address)
        timeline = match.timeline
        # Run in a thread, because checking and folding a long match takes a while.
        branched = await offload.run_match_job(build_fork, timeline, match.id, player, request)
        held = {
            seat.player for seat in branched.latest.seats if seat.kind == "open" and seat.player
        }
        await self._limits.count_reservations(address, held)
        return await self._create_match(uuid.uuid4(), branched, 201, player, fingerprint)

    async def open_rematch(self, match: LoadedMatch, player: Player, address: str) -> ActionResult:
        """Open the rematch of a match, with another starting seat, or join the existing one.

        There is at most one rematch of a match: the first request creates it (status 201), later
        ones take the seats reserved for the player in it (status 200).
        """
        now = now_ms()
        command = build_rematch(match.timeline, player, now)
        key = rematch_key(match.key)
        other = await self._matches.find(key, fresh=True)
        if other is None:
            held = {seat.player for seat in command.seats if seat.kind == "open" and seat.player}
            await self._limits.count_reservations(address, held)
            timeline = Timeline(match.timeline.rules)
            timeline.play(None, [command], now, draws_from_seed)
            try:
                return await self._create_match(key, timeline, 201, player, None)
            except VersionConflict:
                other = await self._matches.find(key, fresh=True)
                assert other is not None
        return await self._take_reserved_seats(other, player, address)

    async def _take_reserved_seats(
        self, other: LoadedMatch, player: Player, address: str
    ) -> ActionResult:
        """Take all seats of a rematch that are reserved for the player.

        Raises `ApiProblem` 409 ``without_you`` if none is and the player holds none.
        """
        done = None
        for seat in reserved_seats(other.timeline, player.id):
            name = reserved_name(other.timeline.latest.seats[seat])
            request = schema.JoinMatch(seat=seat, name=name)
            done = await self._take_seats(other, player, request, address)
        if done is not None:
            return await self._wait_for_bots(done, None)
        held = held_seats(other.timeline, player.id)
        if not held:
            raise not_in_rematch()
        return ActionResult(other.id, other.timeline, held[0], other.timeline.version)

    async def find_rematch(
        self, match: LoadedMatch, player: Player | None
    ) -> schema.RematchAnswer | None:
        """Return the rematch of a match as seen by a player; None if there is none for them.

        Also None if the player does not hold a seat in the match or has blocked the player who
        opened the rematch.
        """
        if player is None or not can_have_rematch(match.timeline):
            return None
        if not held_seats(match.timeline, player.id):
            return None
        other = await self._matches.find(rematch_key(match.key), fresh=True)
        if other is None:
            return None
        owner = other.timeline.latest.opened.owner
        if await self._writer.run(self._personal.is_blocked, player.id, owner):
            return None
        return rematch_answer(match.timeline, other.id, other.timeline, player.id)

    async def muted_players(self, timeline: Timeline, player: str | None) -> set[str]:
        """Return the ids of the players whom the player has muted.

        Empty for a visitor and for a match without messages.
        """
        if player is None or not timeline.latest.said:
            return set()
        return await self._writer.run(self._personal.muted_players, player)

    async def list_public_keys(self) -> list[SigningKey]:
        """Return the public keys for signatures of match files, newest first."""
        return await self._writer.run(self._keys.list_keys)

    async def prepare_export(
        self, match: LoadedMatch, player: Player | None
    ) -> Callable[[], dict[str, Any]]:
        """Return a function that builds the match file, redacted for the caller.

        Raises `ApiProblem` 409 ``recovery_waits`` if the caller waits for the transfer of a seat.
        """
        viewer = Viewer(match.timeline, player.id if player else None)
        if player is not None and is_return_pending(match.timeline, player.id):
            raise ApiProblem(409, "recovery_waits", "Wait until you have the seat.")
        sign = await self._writer.run(self._keys.signer, now_ms())
        return partial(
            verification.export_match,
            match.id,
            match.timeline,
            viewer.seat,
            viewer.held_seats,
            sign,
            viewer.loss,
        )

    async def import_match(
        self, player: Player, file: bytes, fingerprint: RequestFingerprint | None
    ) -> ActionResult:
        """Verify a match file and store it as a new match owned by the caller.

        Raises `ApiProblem` 422 ``bad_file``.
        """
        if fingerprint and (earlier := await self._replayed_result(fingerprint, player)):
            return await self._wait_for_bots(earlier, fingerprint)
        own_keys = await self._writer.run(self._keys.public_keys)
        key = uuid.uuid4()
        owned = await offload.run_match_job(verify_import, file, player, key, own_keys)
        return await self._create_match(key, owned, 201, player, fingerprint)
