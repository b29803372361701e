"""Match actions for seats whose player has lost their device; see `domain.match.recovery`."""

from domain.match import AnswerRecovery, AskRecovery, ObjectToRecovery, RecoverSeat
from domain.presentation.viewpoint import is_for_review
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import clock
from service.matches.automatic_actions import Unattended
from service.matches.decision_quota import check_seat_moves, used_by_votes
from service.matches.idempotency import Idempotency
from service.matches.match_cache import Table
from service.matches.match_writer import TRIES, Done
from service.matches.problems import imported, version_conflict
from service.players.identity import Player
from service.store import Taken


class Recovering(Unattended):
    """Actions that move a seat to another device, and requests for it."""

    async def earlier(self, repeat: Idempotency, player: Player) -> Done | None:
        """Return the result of the same request made before, None for a new one."""
        found = await self._earlier(repeat, player)
        return await self._settled(found, repeat) if found else None

    async def move_seat(self, table: Table, player: Player, seat: int, owner: str) -> Done | None:
        """Move a seat to the caller's device; the PIN was checked by the caller of this method.

        ``owner``: the player who chose the PIN. Returns None where the seat no longer belongs to
        that person.
        """
        async with table.lock:
            for _ in range(TRIES):
                timeline = table.timeline
                if is_for_review(timeline):
                    raise imported()
                twin = timeline.branch()
                twin.play(None, [], clock(), draws_from_seed)  # an open request may end by its time
                holder = twin.latest.seats[seat].player
                if holder == player.id:
                    return Done(table.id, timeline, seat, timeline.version)
                if twin.latest.player_since(seat, owner) != holder:
                    return None
                check_seat_moves(twin, seat)
                twin.play(seat, [RecoverSeat(player.id)], clock(), draws_from_seed)
                try:
                    return await self._commit(table, timeline, twin, seat, None)
                except Taken:
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)

    async def ask_recovery(
        self,
        table: Table,
        player: Player,
        seat: int,
        command: AskRecovery,
        repeat: Idempotency | None,
    ) -> Done:
        """Ask the others in the match to move a seat to the device of its player."""
        used = await used_by_votes(table.timeline, player.id)
        used.check_votes()
        return await self._act(table, player, seat, None, lambda _timeline: [command], repeat)

    async def answer_recovery(
        self,
        table: Table,
        player: Player,
        seat: int,
        command: AnswerRecovery,
        repeat: Idempotency | None,
    ) -> Done:
        """Agree to an open request for a seat, or decline it."""
        used = await used_by_votes(table.timeline, player.id)
        used.check_votes()
        return await self._act(table, player, seat, None, lambda _timeline: [command], repeat)

    async def object_to_recovery(
        self, table: Table, player: Player, seat: int, repeat: Idempotency | None
    ) -> Done:
        """Object to an open request for the player's own seat, which ends it."""
        commands = [ObjectToRecovery()]
        return await self._act(table, player, seat, None, lambda _timeline: commands, repeat)

    async def object_by_link(self, table: Table, seat: int, version: int) -> bool:
        """End the request made at a version; return False where it has ended already.

        The caller has checked the link that was sent to the seat's player.
        """
        async with table.lock:
            for _ in range(TRIES):
                timeline = table.timeline
                twin = timeline.branch()
                twin.play(None, [], clock(), draws_from_seed)
                request = twin.latest.recovery
                if request is None or (request.about, request.version) != (seat, version):
                    return False
                twin.play(seat, [ObjectToRecovery()], clock(), draws_from_seed)
                try:
                    await self._commit(table, timeline, twin, seat, None)
                except Taken:
                    await self._tables.catch_up(table)
                else:
                    return True
        raise version_conflict(table.timeline.version)
