"""Seats of new matches, forks and imported files, and rules for joining and leaving."""

import secrets
import uuid
from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from domain.contract.game import GameInfo
from domain.contract.registry import TITLES
from domain.match import fork, fork_secrecy, seat_requests
from domain.match.commands import AskRecovery, Join, Open, Reclaim, RecoverSeat
from domain.match.events import MatchOpened, RecoveryAsked, SeatReclaimed, SeatRecovered, SeatTaken
from domain.match.losses import losses_of
from domain.match.seat_requests import SeatRequest
from domain.match.seats import HERE, Seat, Visibility
from domain.match.secrecy import match_keeps_secrets
from domain.match.time_control import CLOCK_RULES, Pace, allows_vacation
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.schema import BadFile, parse_json
from domain.presentation.viewpoint import held_seats, is_for_review
from domain.text.default_names import parse_default_name
from domain.text.joiners import truncate
from domain.toolkit.randomness import compute_commitment
from service.common.clock import now_ms
from service.http.problems import ApiProblem, problem_from
from service.matches import schema
from service.matches.access import is_invite, reserved_seats
from service.matches.confusable_names import disambiguated
from service.matches.problems import imported_match_problem, seat_not_held
from service.matches.seat_names import all_spellings
from service.matches.signing import verify_upload
from service.matches.time_zones import offsets_from
from service.notifications.triggers import Notification, declined_notification
from service.players.identity import Player, clean_name


def build_open_command(
    title: GameInfo,
    options: dict[str, Any],
    seats: tuple[Seat, ...],
    visibility: Visibility,
    owner: Player,
    pace: Pace | None = None,
) -> Open:
    """Return the command that opens a match, with a new secret seed and its commitment.

    A match that keeps its secrets after the end also gets a deal seed.
    """
    seed = secrets.token_bytes(32)
    opening = Open(
        title.slug,
        title.rules_version,
        options,
        seats,
        visibility,
        owner.id,
        compute_commitment(seed),
        seed.hex(),
        source=HERE,
        pace=pace,
        clock_rules=CLOCK_RULES,
    )
    if not match_keeps_secrets(codec_of(title.slug).rules, opening):
        return opening
    deal_seed = secrets.token_bytes(32)
    return replace(
        opening, deal_commitment=compute_commitment(deal_seed), deal_seed=deal_seed.hex()
    )


def build_time_control(request: schema.NewPace | None, now: int) -> Pace | None:
    """Return the time control of a match opened at ``now``, or None if none is requested.

    ``now``: milliseconds since 1970 UTC. Raises `ApiProblem` 422 ``no_such_time_zone``.
    """
    if request is None:
        return None
    fields = asdict(request)
    name = fields.pop("time_zone")
    pace = Pace(**fields)
    return pace if name is None else in_time_zone(pace, name, now)


def in_time_zone(time_control: Pace, name: str, now: int) -> Pace:
    """Return the time control with the offsets of the time zone ``name`` from ``now`` on.

    ``now``: milliseconds since 1970 UTC. Raises `ApiProblem` 422 ``no_such_time_zone``.
    """
    zone, offsets = offsets_from(name, now)
    return replace(time_control, zone=zone, time_zone=name, offsets=offsets)


def build_seats(player: Player, requested: Sequence[schema.NewSeat]) -> tuple[Seat, ...]:
    """Return the seats of a new match, with names that cannot be confused.

    Raises `ApiProblem` 422 for a level on a seat without a bot.
    """
    _check_levels(requested)
    requests, own_seats = [], 0
    for each in requested:
        request = _seat_request(each)
        if each.kind == "me":
            own_seats += 1
            request = replace(request, name=request.name or _numbered_name(player.name, own_seats))
        requests.append(request)
    return _number_alike_names(seat_requests.build_new_seats(requests, player.id))


def _seat_request(requested: schema.NewSeat | schema.ForkSeat) -> SeatRequest:
    """Return a seat of a request with its name sanitised.

    Raises `ApiProblem` 422 ``bad_name``.
    """
    name = clean_name(requested.name) if requested.name is not None else None
    return SeatRequest(requested.kind, name, requested.level)


def _check_levels(requested: Sequence[schema.NewSeat | schema.ForkSeat]) -> None:
    if any(seat.level is not None and seat.kind != "bot" for seat in requested):
        raise ApiProblem(422, "invalid_request", "error.level_of_person", field="seats")


def _number_alike_names(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Return the seats with a number appended to names that look like another one."""
    named = list(seats)
    known: set[str] = set()
    # Default names are translated for each reader and must not change, so they come first.
    for number, seat in sorted(enumerate(seats), key=lambda each: not _has_default_name(each[1])):
        if seat.name:
            named[number] = replace(seat, name=disambiguated(seat.name, known))
        known |= all_spellings(named[number])
    return tuple(named)


def _has_default_name(seat: Seat) -> bool:
    return parse_default_name(seat.kind, seat.name) is not None


def _numbered_name(name: str, count: int) -> str:
    return name if count == 1 else f"{truncate(name, 37).rstrip()} {count}"


SEAT_COUNT = "error.seat_count"


def _build_fork_seats(
    timeline: Timeline, player: Player, requested: tuple[schema.ForkSeat, ...] | None
) -> tuple[Seat, ...]:
    now = timeline.latest
    if requested is None:
        return seat_requests.build_fork_seats(now, None, player.id)
    if len(requested) != len(now.seats):
        raise ApiProblem(422, "wrong_seats", SEAT_COUNT, args={"n": len(now.seats)}, field="seats")
    if any(request.kind == "same" for request in requested) and not held_seats(timeline, player.id):
        raise ApiProblem(403, "not_your_seat", "error.not_seated_for_fork")
    _check_levels(requested)
    requests = [_seat_request(request) for request in requested]
    return _number_alike_names(seat_requests.build_fork_seats(now, requests, player.id))


def verify_import(
    file: bytes, player: Player, key: uuid.UUID, own_keys: Collection[str]
) -> Timeline:
    """Return the timeline of a verified match file, as a private match owned by the player.

    ``key``: the id of the new match; ``own_keys``: the public keys of this service. Raises
    `ApiProblem` 422 ``bad_file``.
    """
    try:
        timeline = verify_upload(parse_json(file), own_keys, now_ms())
    except BadFile as error:
        raise problem_from(error, 422, "bad_file", decision=error.decision) from None
    return replace_owner(timeline, player.id, str(key), "private")


def build_fork(
    timeline: Timeline, origin: str, player: Player, request: schema.ForkMatch
) -> Timeline:
    """Return the timeline of a fork at version ``request.at``, with the requested seats.

    ``origin``: the id of the forked match. Raises `ApiProblem` 409 ``hidden`` or ``secrets_known``,
    403 ``not_your_seat`` and 422 ``wrong_seats``, and `Refused` for an unknown version.
    """
    opened = timeline.latest.opened
    timeline.at(request.at)
    # The importer of an unfinished match knows everything in its file.
    is_own_import = is_for_review(timeline) and opened.owner == player.id
    own = held_seats(timeline, player.id), losses_of(timeline.latest, player.id)
    if not is_own_import and fork_secrecy.hides_from_player(timeline, request.at, *own):
        raise ApiProblem(409, "hidden", "error.hidden")
    seats = _build_fork_seats(timeline, player, request.seats)
    if fork_secrecy.adds_uninformed_players(timeline, request.at, seats, player.id):
        raise ApiProblem(409, "secrets_known", "error.secrets_known")
    command = build_open_command(TITLES[opened.game], opened.options, seats, "private", player)
    return Timeline(timeline.rules, fork.create_fork(timeline, request.at, origin, command))


def can_join(timeline: Timeline, player: Player, invite: str | None) -> bool:
    """Return whether the player may join the match.

    True for a public match, and in a private match for the host, seated players, and players who
    are invited or have a reserved seat. ``invite``: the invite code in the request.
    """
    public = timeline.latest.opened.visibility == "public"
    held = held_seats(timeline, player.id)
    return public or bool(held) or is_invited(timeline, player, invite)


def is_invited(timeline: Timeline, player: Player, invite: str | None) -> bool:
    """Return whether the player is the host, has a reserved seat, or has the invite code."""
    return (
        timeline.latest.opened.owner == player.id
        or bool(reserved_seats(timeline, player.id))
        or is_invite(timeline, invite)
    )


def find_free_seat(timeline: Timeline, player: Player) -> int:
    """Return the seat reserved for the player, or the first open seat without a reservation.

    Raises `ApiProblem` 409 ``no_open_seat`` if there is neither.
    """
    if awaiting := reserved_seats(timeline, player.id):
        return awaiting[0]
    for i, seat in enumerate(timeline.latest.seats):
        if seat.kind == "open" and seat.player is None:
            return i
    raise ApiProblem(409, "no_open_seat", "error.no_open_seat")


def seats_to_leave(timeline: Timeline, player: Player, requested: int | None) -> list[int]:
    """Return the seats that the player leaves or declines, at least one.

    ``requested``: the only seat to leave, None for all. The host may also request an open seat, to
    release it. Raises `ApiProblem` 403 if there is no such seat, and 409 ``imported`` in a match
    for review.
    """
    opened = timeline.latest.opened
    if is_for_review(timeline):
        raise imported_match_problem()
    own = held_seats(timeline, player.id) + reserved_seats(timeline, player.id)
    open_seats = [i for i, seat in enumerate(timeline.latest.seats) if seat.kind == "open"]
    mine = own + open_seats if opened.owner == player.id else own
    seats = own if requested is None else [seat for seat in mine if seat == requested][:1]
    if not seats:
        raise seat_not_held(timeline, player.id, requested)
    return seats


def seat_to_reclaim(timeline: Timeline, player: Player, requested: int | None) -> int:
    """Return the requested seat, or if it is None the first seat that the player has lost.

    Returns 0 if the player has lost no seat.
    """
    lost = [loss.seat for loss in losses_of(timeline.latest, player.id)]
    return requested if requested is not None else (lost or [0])[0]


def declined_seat_notifications(
    match: str, timeline: Timeline, player: Player, seats: Collection[int]
) -> tuple[Notification, ...]:
    """Return notifications to the host about reserved seats that the player declines.

    ``seats``: the seats that the player leaves or declines. Empty if the player is the host.
    """
    owner = timeline.latest.opened.owner
    if owner == player.id:
        return ()
    held = set(reserved_seats(timeline, player.id)) & set(seats)
    return tuple(
        declined_notification(
            owner, match, seat, timeline.latest.seats[seat].name or player.name, timeline.version
        )
        for seat in sorted(held)
    )


def seats_on_vacation(timeline: Timeline, player: str, is_away: bool) -> list[int]:
    """Return the player's seats whose clocks are stopped for a vacation, or those not stopped.

    ``is_away``: which of the two. Empty if the time control allows no vacations, or the match is
    finished or for review only.
    """
    now, pace = timeline.latest, timeline.latest.opened.pace
    if pace is None or now.status == "finished" or is_for_review(timeline):
        return []
    if not allows_vacation(pace, now.opened.clock_rules):
        return []
    return [seat for seat in held_seats(timeline, player) if now.clocks[seat].away == is_away]


def is_on_vacation(timeline: Timeline, seat: int) -> bool:
    """Return whether the clock of a seat is stopped for a vacation that a move ends.

    Under version 1 of the clock rules, which older matches keep, a move does not end a vacation;
    the player has to end it explicitly.
    """
    now = timeline.latest
    return now.opened.clock_rules >= 2 and bool(now.clocks) and now.clocks[seat].away


_TYPES_WITH_PLAYER = (
    *(Join, SeatTaken, Reclaim, SeatReclaimed),
    *(RecoverSeat, SeatRecovered, AskRecovery, RecoveryAsked),
)


def replace_owner(timeline: Timeline, owner: str, match_id: str, visibility: str) -> Timeline:
    """Return an imported match with ``owner`` in place of its original owner.

    ``match_id``: the new id of the match; ``visibility``: its new visibility. Each of the other
    players gets an unused id of their own, because the types of undo in the log depend on which
    seats belong to the same player.
    """
    first = timeline.latest.opened.owner

    def new_id(player: str | None) -> str | None:
        if player is None:
            return None
        return owner if player == first else f"{match_id}/{player}"

    def seats(old: tuple[Seat, ...]) -> tuple[Seat, ...]:
        return tuple(replace(seat, player=new_id(seat.player)) for seat in old)

    def with_new_ids(part: Any) -> Any:
        if isinstance(part, Open | MatchOpened):
            return replace(part, owner=owner, seats=seats(part.seats), visibility=visibility)
        if isinstance(part, _TYPES_WITH_PLAYER):
            return replace(part, player=new_id(part.player))
        return part

    decisions = [
        replace(d, command=with_new_ids(d.command), events=tuple(map(with_new_ids, d.events)))
        for d in timeline.decisions
    ]
    return Timeline(timeline.rules, decisions)
