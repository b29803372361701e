"""Actions of players that open a new match: creating and forking."""

import uuid

from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import draws_from_seed
from service.common.clock import now_ms
from service.http import offload
from service.http.problems import ApiProblem
from service.http.rate_limits import SocialLimits
from service.matches import options as game_options
from service.matches import schema
from service.matches.idempotency import RequestFingerprint
from service.matches.match_cache import LoadedMatch
from service.matches.match_writer import ActionResult, MatchWriter
from service.matches.reserved_seats import ContactList, players_with_reservation, reserve_seats
from service.matches.seating import build_fork, build_open_command, build_seats, build_time_control
from service.players.identity import Player


class OpeningActions:
    """The actions of players that open a new match.

    Errors as in `MatchActions`; ``fingerprint`` as in `Caller`; ``address`` is the client address,
    for rate limits.
    """

    def __init__(self, *, writer: MatchWriter, limits: SocialLimits, contacts: ContactList) -> None:
        self._writer = writer
        self._limits = limits
        self._contacts = contacts

    async def create_match(
        self,
        player: Player,
        request: schema.NewMatch,
        fingerprint: RequestFingerprint | None,
        address: str = "",
    ) -> ActionResult:
        """Open a match, which starts at once if no seat is open."""
        if earlier := await self._writer.replay(fingerprint):
            return earlier
        title = game_options.find_game(request.game, len(request.seats))
        if all(seat.kind == "bot" for seat in request.seats):
            raise ApiProblem(422, "no_person", "error.no_person", field="seats")
        filled = game_options.options_from_request(title, request.options)
        seats = build_seats(player, request.seats)
        if any(seat.person for seat in request.seats):
            known = await self._contacts.list_contacts(player.id)
            seats = reserve_seats(player, request.seats, seats, known)
            await self._limits.count_reservations(address, players_with_reservation(seats))
        now = now_ms()
        pace = build_time_control(request.pace, now)
        command = build_open_command(title, filled, seats, request.visibility, player, pace)
        timeline = Timeline(codec_of(title.slug).rules)
        timeline.play(None, [command], now, draws_from_seed)
        return await self._writer.create_match(uuid.uuid4(), timeline, fingerprint)

    async def fork(
        self,
        match: LoadedMatch,
        player: Player,
        request: schema.ForkMatch,
        fingerprint: RequestFingerprint | None,
        address: str,
    ) -> ActionResult:
        """Fork a match: open a new match that begins from the state at the requested version."""
        if earlier := await self._writer.replay(fingerprint):
            return earlier
        await self._limits.count_fork(address)
        timeline = match.timeline
        # Run in a thread, because checking and folding a long match takes a while.
        branched = await offload.run_match_job(build_fork, timeline, match.id, player, request)
        await self._limits.count_reservations(
            address, players_with_reservation(branched.latest.seats)
        )
        return await self._writer.create_match(uuid.uuid4(), branched, fingerprint)
