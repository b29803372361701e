"""Match actions of players: open, join, leave, play, undo, vote, chat, fork, rematch, export."""

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
from service.common.clock import clock
from service.http import offload
from service.http.problems import Fault
from service.matches import options as game_options
from service.matches import schema
from service.matches.access import awaiting_seats, is_let_in
from service.matches.confusable_names import told_apart
from service.matches.decision_quota import check_join_quota, used_by_undo, used_by_votes
from service.matches.idempotency import Idempotency
from service.matches.match_cache import Table
from service.matches.match_writer import TRIES, Done
from service.matches.presenters import Viewer
from service.matches.problems import imported, malformed, version_conflict
from service.matches.rematch import (
    can_have_one,
    name_kept,
    rematch_answer,
    rematch_key,
    rematch_of,
    without_you,
)
from service.matches.reserved_seats import reserve_seats
from service.matches.seat_names import readings
from service.matches.seat_recovery import Recovering
from service.matches.seating import (
    forked,
    free_seat,
    imported_match,
    is_expected,
    may_join,
    opening,
    pace_of,
    seat_to_reclaim,
    seated,
    seats_declined,
    seats_to_leave,
)
from service.matches.signing import Key
from service.players.identity import Player, clean_name, clean_text
from service.store import Taken

_DECLINED = Plural(
    "This was declined. Ask again after the next move, or in {n} second.",
    "This was declined. Ask again after the next move, or in {n} seconds.",
)


def _needs_consent(timeline: Timeline, player: Player, request: schema.UndoMoves) -> bool:
    """Return whether an undo request needs the others' consent; False for an invalid request."""
    if request.seat not in held_seats(timeline, player.id):
        return False
    try:
        return timeline.undo_kind(request.seat, request.to_version).kind == "consent"
    except (Refused, IndexError):
        return False


class Play(Recovering):
    """The actions of players on matches.

    Common parameters: ``player`` is the caller; ``repeat`` recognises a repeated request, which
    gets the stored result; ``address`` is the client address, for rate limits.
    """

    async def open(
        self,
        player: Player,
        request: schema.NewMatch,
        repeat: Idempotency | None,
        address: str = "",
    ) -> Done:
        """Open a match; it starts at once when no seat is open."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return await self._settled(earlier, repeat)
        title = game_options.game_of(request.game, len(request.seats))
        if all(seat.kind == "bot" for seat in request.seats):
            raise Fault(422, "no_person", "At least one seat is a person's.", field="seats")
        filled = game_options.asked_for(title, request.options)
        seats = seated(player, request.seats)
        if any(seat.person for seat in request.seats):
            known = await self._company.known(player.id)
            seats = reserve_seats(player, request.seats, seats, known)
            await self._pace.hold(
                address, [s.player for s in seats if s.kind == "open" and s.player]
            )
        now = clock()
        pace = pace_of(request.pace, now)
        command = opening(title, filled, seats, request.visibility, player, pace)
        timeline = Timeline(codec_of(title.slug).rules)
        timeline.play(None, [command], now, draws_from_seed)
        return await self._found(uuid.uuid4(), timeline, 201, player, repeat)

    async def join(
        self, table: Table, player: Player, request: schema.JoinMatch, address: str
    ) -> Done:
        """Take the requested seat, else the one held for the player, else the first open one.

        ``address``: limits how many seats of a public match uninvited players from one place take.
        """
        done = await self._seat(table, player, request, address)
        return await self._settled(done, None)

    async def _seat(
        self, table: Table, player: Player, request: schema.JoinMatch, address: str
    ) -> Done:
        name = clean_name(request.name) if request.name is not None else player.name
        for _ in range(TRIES):
            async with table.lock:
                timeline = table.timeline
                held = held_seats(timeline, player.id)
                if held and request.seat in (None, *held):
                    return Done(table.id, timeline, held[0], timeline.version)
                if is_for_review(timeline):
                    raise imported()
                if not may_join(timeline, player, request.invite):
                    raise Fault(403, "wrong_invite", "This invitation is not for this match.")
                seat = request.seat if request.seat is not None else free_seat(timeline, player)
                stranger = not is_expected(timeline, player, request.invite)
                if stranger:
                    await self._check_welcome(timeline, player)
                if stranger and held:
                    raise Fault(403, "one_seat", "One seat is yours; the others are for others.")
                await check_join_quota(timeline, player.id)
                others = [each for i, each in enumerate(timeline.latest.seats) if i != seat]
                twin = timeline.branch()
                sitting = Join(player.id, told_apart(name, set().union(*map(readings, others))))
                twin.play(seat, [sitting], clock(), draws_from_seed)
                if stranger:
                    await self._pace.stranger(table.id, address)
                try:
                    return await self._commit(table, timeline, twin, seat, None)
                except Taken:
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)

    async def _check_welcome(self, timeline: Timeline, player: Player) -> None:
        """Raise `Fault` 403 ``not_welcome`` where the host of a public match blocks the player."""
        if await self._saver.io(self._own.blocks, timeline.latest.opened.owner, player.id):
            raise Fault(403, "not_welcome", "You cannot sit down at this table.")

    async def leave(
        self, table: Table, player: Player, request: schema.LeaveSeats, repeat: Idempotency | None
    ) -> Done:
        """Leave one seat or all; decline held seats or, as the host, release them."""
        return await self._settled(await self._unseat(table, player, request, repeat), repeat)

    async def _unseat(
        self, table: Table, player: Player, request: schema.LeaveSeats, repeat: Idempotency | None
    ) -> Done:
        async with table.lock:
            if repeat and (earlier := await self._earlier(repeat, player)):
                return earlier
            await self._tables.catch_up(table)
            for _ in range(TRIES):
                timeline = table.timeline
                if is_for_review(timeline):
                    raise imported()
                twin = timeline.branch()
                seats = seats_to_leave(timeline, player, request.seat)
                declined = seats_declined(table.id, timeline, player, seats)
                for seat in seats:
                    twin.play(seat, [Leave(request.stand_in == "nobody")], clock(), draws_from_seed)
                try:
                    return await self._commit(
                        table, timeline, twin, seats[0], repeat, also=declined
                    )
                except Taken:
                    if repeat and (earlier := await self._earlier(repeat, player)):
                        return earlier
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)

    async def reclaim(
        self, table: Table, player: Player, request: schema.ReclaimSeat, repeat: Idempotency | None
    ) -> Done:
        """Take back a seat lost to time or a vote, or ask the others for it."""
        return await self._settled(await self._reclaim(table, player, request, repeat), repeat)

    async def _reclaim(
        self, table: Table, player: Player, request: schema.ReclaimSeat, repeat: Idempotency | None
    ) -> Done:
        async with table.lock:
            if repeat and (earlier := await self._earlier(repeat, player)):
                return earlier
            await self._tables.catch_up(table)
            for _ in range(TRIES):
                timeline = table.timeline
                if is_for_review(timeline):
                    raise imported()
                seat = seat_to_reclaim(timeline, player, request.seat)
                twin = timeline.branch()
                twin.play(seat, [Reclaim(player.id)], clock(), draws_from_seed)
                try:
                    return await self._commit(table, timeline, twin, seat, repeat)
                except Taken:
                    if repeat and (earlier := await self._earlier(repeat, player)):
                        return earlier
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)

    async def answer_return(
        self,
        table: Table,
        player: Player,
        request: schema.AnswerSeatReturn,
        repeat: Idempotency | None,
    ) -> Done:
        """Agree that a player gets a lost seat back, or decline."""
        command = AnswerReturn(request.about, request.accept)
        return await self._act(
            table, player, request.seat, None, lambda timeline: [command], repeat
        )

    async def hide(self, table: Table, player: Player, request: schema.HideMatch) -> None:
        """Hide a match from the player's list, or show it again."""
        await self._saver.io(self._store.hide, player.id, table.id, request.hidden)

    async def commands(
        self, table: Table, player: Player, request: schema.PlayCommands, repeat: Idempotency | None
    ) -> Done:
        """Execute game commands of a seat, all or none."""

        def parsed(timeline: Timeline) -> list[Any]:
            codec = codec_of(table.game)
            try:
                return [codec.parse_command(plain) for plain in request.commands]
            except msgspec.ValidationError as error:
                raise malformed(str(error)) from None
            except (TypeError, RecursionError):
                raise malformed("") from None

        return await self._act_in_person(
            table, player, request.seat, request.expected_version, parsed, repeat, parallel=True
        )

    async def undo(
        self, table: Table, player: Player, request: schema.UndoMoves, repeat: Idempotency | None
    ) -> Done:
        """Undo moves, or propose it where consent is needed; then the status is 202."""
        used = await used_by_undo(table.timeline, player.id, request.seat, request.to_version)
        if _needs_consent(table.timeline, player, request):
            await self._pace.propose(table.id, player.id)

        def asked(timeline: Timeline) -> list[Any]:
            used.check_waste()
            self._check_asking(timeline, request)
            return [Undo(request.to_version)]

        done = await self._act(table, player, request.seat, request.expected_version, asked, repeat)
        proposed = done.timeline.latest.proposal is not None and done.timeline.version > done.before
        return replace(done, status=202) if proposed else done

    def _check_asking(self, timeline: Timeline, request: schema.UndoMoves) -> None:
        """Raise `Fault` 409 ``declined`` where the same undo was declined a short time ago."""
        undo = timeline.undo_kind(request.seat, request.to_version)
        if undo.kind != "consent":
            return
        declined = timeline.declined_at(request.seat, undo.to_version)
        wait = 0 if declined is None else self._pace.ask_pause - (clock() - declined) // 1000
        if wait > 0:
            raise Fault(
                409,
                "declined",
                _DECLINED,
                args={"n": wait},
                headers={"Retry-After": str(wait)},
            )

    async def redo(
        self, table: Table, player: Player, request: schema.RedoMoves, repeat: Idempotency | None
    ) -> Done:
        """Redo the moves that the last undo removed."""
        used = await used_by_undo(table.timeline, player.id, request.seat, None)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_waste()
            return [Redo()]

        return await self._act_in_person(
            table, player, request.seat, request.expected_version, asked, repeat
        )

    async def answer(
        self,
        table: Table,
        player: Player,
        request: schema.AnswerProposal,
        repeat: Idempotency | None,
    ) -> Done:
        """Agree to an open undo proposal or decline it, at any version."""
        return await self._act(
            table, player, request.seat, None, lambda timeline: [AnswerUndo(request.accept)], repeat
        )

    async def vote(
        self, table: Table, player: Player, request: schema.CastVote, repeat: Idempotency | None
    ) -> Done:
        """Vote whether a bot should take a seat whose time has run out."""
        used = await used_by_votes(table.timeline, player.id)

        def asked(_timeline: Timeline) -> list[Any]:
            used.check_votes()
            return [Vote(request.about, request.bot)]

        return await self._act(table, player, request.seat, None, asked, repeat)

    async def say(
        self, table: Table, player: Player, request: schema.SayWords, repeat: Idempotency | None
    ) -> Done:
        """Send a chat message; it is no move and closes no proposal."""
        words = Say(clean_text(request.text), request.to)
        await self._pace.talk(table.id, request.seat)
        return await self._act(table, player, request.seat, None, lambda timeline: [words], repeat)

    async def fork(
        self,
        table: Table,
        player: Player,
        request: schema.ForkMatch,
        repeat: Idempotency | None,
        address: str,
    ) -> Done:
        """Fork a match: open a new one that begins as this one stood at a version."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return await self._settled(earlier, repeat)
        await self._pace.fork(address)
        timeline = table.timeline
        # Checking and folding a long match takes a while, so it is done in a thread.
        branched = await offload.made(forked, timeline, table.id, player, request)
        held = {seat.player for seat in branched.latest.seats if seat.kind == "open" and seat.player}
        await self._pace.hold(address, held)
        return await self._found(uuid.uuid4(), branched, 201, player, repeat)

    async def rematch(self, table: Table, player: Player, address: str) -> Done:
        """Open the rematch of a match, with another seat beginning, or join the existing one.

        There is at most one rematch of a match: the first request creates it (status 201), later
        ones take the seats held for the player in it (status 200).
        """
        now = clock()
        command = rematch_of(table.timeline, player, now)
        key = rematch_key(table.key)
        other = await self._tables.find(key, fresh=True)
        if other is None:
            held = {seat.player for seat in command.seats if seat.kind == "open" and seat.player}
            await self._pace.hold(address, held)
            timeline = Timeline(table.timeline.rules)
            timeline.play(None, [command], now, draws_from_seed)
            try:
                return await self._found(key, timeline, 201, player, None)
            except Taken:
                other = await self._tables.find(key, fresh=True)
                assert other is not None
        return await self._sit_again(other, player, address)

    async def _sit_again(self, other: Table, player: Player, address: str) -> Done:
        """Take all seats of a rematch that are held for the player."""
        done = None
        for seat in awaiting_seats(other.timeline, player.id):
            name = name_kept(other.timeline.latest.seats[seat])
            request = schema.JoinMatch(seat=seat, name=name)
            done = await self._seat(other, player, request, address)
        if done is not None:
            return await self._settled(done, None)
        held = held_seats(other.timeline, player.id)
        if not held:
            raise without_you()
        return Done(other.id, other.timeline, held[0], other.timeline.version)

    async def rematch_told(
        self, table: Table, player: Player | None
    ) -> schema.RematchAnswer | None:
        """Return the rematch of a match for a player; None without one that concerns them.

        Also None if the player blocks whoever asked for the rematch.
        """
        if player is None or not can_have_one(table.timeline):
            return None
        if not held_seats(table.timeline, player.id):
            return None
        other = await self._tables.find(rematch_key(table.key), fresh=True)
        if other is None:
            return None
        owner = other.timeline.latest.opened.owner
        if await self._saver.io(self._own.blocks, player.id, owner):
            return None
        return rematch_answer(table.timeline, other.id, other.timeline, player.id)

    async def muted(self, timeline: Timeline, player: str | None) -> set[str]:
        """Return the players whose messages the player has muted; empty where there are none."""
        if player is None or not timeline.latest.said:
            return set()
        return await self._saver.io(self._own.muted_by, player)

    async def public_keys(self) -> list[Key]:
        """Return the public keys that match files were signed with, newest first."""
        return await self._saver.io(self._keys.listed)

    async def export(self, table: Table, player: Player | None) -> Callable[[], dict[str, Any]]:
        """Return a function that makes the match file as the caller may see it."""
        viewer = Viewer(table.timeline, player.id if player else None)
        if player is not None and is_let_in(table.timeline, player.id):
            raise Fault(409, "recovery_waits", "Wait until you have the seat.")
        sign = await self._saver.io(self._keys.signer, clock())
        return partial(
            verification.export_match,
            table.id,
            table.timeline,
            viewer.seat,
            viewer.held_seats,
            sign,
            viewer.loss,
        )

    async def import_file(self, player: Player, file: bytes, repeat: Idempotency | None) -> Done:
        """Verify a match file and store it as a new match owned by the caller."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return await self._settled(earlier, repeat)
        ours = await self._saver.io(self._keys.publics)
        key = uuid.uuid4()
        owned = await offload.made(imported_match, file, player, key, ours)
        return await self._found(key, owned, 201, player, repeat)
