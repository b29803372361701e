"""What people can do at the tables: the one place where matches grow.

Each action computes its decisions on a branch of the timeline, lets the bots answer, saves
everything in one transaction and only then shows the branch to others.
"""

import asyncio
import hashlib
import secrets
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain import matchfile
from domain.codec import codec_of
from domain.draws import commitment
from domain.game import IllegalMove, Title
from domain.match import (
    AnswerUndo,
    Decision,
    Join,
    Open,
    Redo,
    Refused,
    Say,
    Seat,
    Timeline,
    Undo,
)
from domain.register import TITLES
from projections.summary import deadline_of
from service import options as game_options
from service import schema
from service.answers import Eyes, held_seats, invited, may_look, waiting_for
from service.identity import Player, clean_name, clean_text
from service.imported import owned_by
from service.problems import (
    Fault,
    no_such_match,
    not_your_seat,
    version_conflict,
)
from service.saver import Saver
from service.store import Receipt, Recorded, Store, Taken
from service.tables import Table, Tables, branch, folded

BOT_STEPS = 400
"""Decisions of bots in one transaction; the clock nudges them on if that was not enough."""

_TRIES = 8


class Done(Struct, frozen=True):
    """What an action led to: the match up to ``timeline.version``, ``before`` it began."""

    match_id: str
    timeline: Timeline
    seat: int
    before: int
    status: int = 200


class Idempotency(Struct, frozen=True):
    """The hashes of an Idempotency-Key (with caller and route) and of the body it came with."""

    key: str
    body: str


def idempotency(key: str, player: Player, route: str, body: bytes) -> Idempotency:
    """Hashes that recognise a repeated request."""
    whole = "\n".join((player.id, route, key))
    return Idempotency(hashlib.sha256(whole.encode()).hexdigest(), hashlib.sha256(body).hexdigest())


def clock() -> int:
    """Milliseconds since 1970 UTC."""
    return time.time_ns() // 1_000_000


class Play:
    """The actions. ``announce(match_id, version)`` is called after each change."""

    def __init__(
        self, store: Store, saver: Saver, tables: Tables, announce: Callable[[str, int], None]
    ) -> None:
        self._store = store
        self._saver = saver
        self._tables = tables
        self._announce = announce

    # -- finding ---------------------------------------------------------------------------

    async def table(
        self,
        match_id: str,
        player: Player | None,
        invite: str | None = None,
        *,
        fresh: bool = True,
    ) -> Table:
        """The table of a match the caller may look at; `Fault` 404 otherwise."""
        try:
            key = uuid.UUID(match_id)
        except ValueError:
            raise no_such_match() from None
        table = await self._tables.find(key, fresh=fresh) if str(key) == match_id else None
        if table is None:
            raise no_such_match()
        caller = player.id if player else None
        if not may_look(table.timeline, caller, invite):
            # Somebody may have sat down by way of another worker.
            if fresh:
                raise no_such_match()
            await self._tables.catch_up(table)
            if not may_look(table.timeline, caller, invite):
                raise no_such_match()
        return table

    # -- opening ---------------------------------------------------------------------------

    async def open(self, player: Player, wish: schema.NewMatch, repeat: Idempotency | None) -> Done:
        """A new match; it starts at once when no seat is open."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return earlier
        title = TITLES.get(wish.game)
        if title is None:
            raise Fault(404, "no_such_game", "There is no such game.", field="game")
        if len(wish.seats) not in title.seats:
            raise Fault(422, "wrong_seats", f"Seats: one of {list(title.seats)}.", field="seats")
        if all(seat.kind == "bot" for seat in wish.seats):
            raise Fault(422, "no_person", "At least one seat is a person's.", field="seats")
        try:
            filled = game_options.filled(title, wish.options)
        except game_options.BadOption as error:
            raise Fault(422, "bad_option", str(error), field=error.field) from None
        seats = _seated(player, wish.seats)
        opening = _opening(title, filled, seats, wish.visibility, player)
        timeline = Timeline(codec_of(title.slug).rules)
        for decision in timeline.act(None, [opening], clock()):
            timeline.append(decision)
        return await self._found(uuid.uuid4(), timeline, 201, repeat)

    async def _found(
        self, key: uuid.UUID, timeline: Timeline, status: int, repeat: Idempotency | None
    ) -> Done:
        """Saves a match that is new."""
        await self._let_bots_play(timeline)
        recorded = _recorded(key, timeline, timeline.decisions)
        receipt = _receipt(repeat, str(key), 0, 0, timeline.version, status)
        await self._saver.save(recorded, receipt)
        table = self._tables.add(key, timeline)
        self._announce(table.id, timeline.version)
        return Done(table.id, timeline, 0, 0, status)

    async def join(self, table: Table, player: Player, wish: schema.JoinMatch) -> Done:
        """Sits down on the wished or the first open seat."""
        name = clean_name(wish.name) if wish.name is not None else player.name
        for _ in range(_TRIES):
            async with table.lock:
                timeline = table.timeline
                held = held_seats(timeline, player.id)
                if held and wish.seat in (None, *held):
                    return Done(table.id, timeline, held[0], timeline.version)
                if not _may_join(timeline, player, wish.invite):
                    raise Fault(403, "wrong_invite", "This invitation is not for this match.")
                seat = wish.seat if wish.seat is not None else _first_open(timeline)
                twin = branch(timeline)
                for decision in twin.act(seat, [Join(player.id, name)], clock()):
                    twin.append(decision)
                try:
                    return await self._commit(table, timeline, twin, seat, None)
                except Taken:
                    await self._tables.catch_up(table)
        raise version_conflict(table.timeline.version)

    # -- playing ---------------------------------------------------------------------------

    async def commands(
        self, table: Table, player: Player, wish: schema.PlayCommands, repeat: Idempotency | None
    ) -> Done:
        """Carries out game commands of a seat, all or none."""

        def parsed(timeline: Timeline) -> list[Any]:
            codec = codec_of(table.game)
            try:
                return [codec.command(plain) for plain in wish.commands]
            except (msgspec.ValidationError, TypeError, RecursionError) as error:
                raise IllegalMove("malformed", f"This is no command: {error}") from None

        return await self._act(
            table, player, wish.seat, wish.expected_version, parsed, repeat, parallel=True
        )

    async def undo(
        self, table: Table, player: Player, wish: schema.UndoMoves, repeat: Idempotency | None
    ) -> Done:
        """Takes moves back, or proposes to: then the status is 202."""
        done = await self._act(
            table,
            player,
            wish.seat,
            wish.expected_version,
            lambda timeline: [Undo(wish.to_version)],
            repeat,
        )
        proposed = done.timeline.now.proposal is not None and done.timeline.version > done.before
        return replace(done, status=202) if proposed else done

    async def redo(
        self, table: Table, player: Player, wish: schema.RedoMoves, repeat: Idempotency | None
    ) -> Done:
        """Brings back what the last undo took away."""
        return await self._act(
            table, player, wish.seat, wish.expected_version, lambda timeline: [Redo()], repeat
        )

    async def answer(
        self, table: Table, player: Player, wish: schema.AnswerProposal, repeat: Idempotency | None
    ) -> Done:
        """Agrees to an open take-back or declines it, whatever the version is by now."""
        return await self._act(
            table, player, wish.seat, None, lambda timeline: [AnswerUndo(wish.accept)], repeat
        )

    async def say(
        self, table: Table, player: Player, wish: schema.SayWords, repeat: Idempotency | None
    ) -> Done:
        """Passes a word on; it is no move and closes no proposal."""
        words = Say(clean_text(wish.text), wish.to)
        return await self._act(table, player, wish.seat, None, lambda timeline: [words], repeat)

    async def _act(
        self,
        table: Table,
        player: Player,
        seat: int,
        expected: int | None,
        commands: Callable[[Timeline], Sequence[Any]],
        repeat: Idempotency | None,
        *,
        parallel: bool = False,
    ) -> Done:
        async with table.lock:
            if repeat and (earlier := await self._earlier(repeat, player)):
                return earlier
            if expected is None or expected != table.timeline.version:
                await self._tables.catch_up(table)
            for _ in range(_TRIES):
                timeline = table.timeline
                self._check_seat(timeline, player, seat)
                current = expected in (None, timeline.version)
                if not current and not (parallel and timeline.undisturbed(seat, expected or 0)):
                    break
                twin = branch(timeline)
                for decision in twin.act(seat, commands(timeline), clock()):
                    twin.append(decision)
                try:
                    return await self._commit(table, timeline, twin, seat, repeat)
                except Taken:
                    # Another worker was quicker; perhaps with this very request.
                    if repeat and (earlier := await self._earlier(repeat, player)):
                        return earlier
                    await self._tables.catch_up(table)
            raise version_conflict(table.timeline.version)

    @staticmethod
    def _check_seat(timeline: Timeline, player: Player, seat: int) -> None:
        if seat not in held_seats(timeline, player.id):
            raise not_your_seat()
        if not timeline.now.opened.seed:
            raise Fault(409, "imported", "An imported match is for review; fork it to play.")

    async def _commit(
        self,
        table: Table,
        timeline: Timeline,
        twin: Timeline,
        seat: int,
        repeat: Idempotency | None,
    ) -> Done:
        """Lets the bots answer, saves, and only then shows what happened."""
        await self._let_bots_play(twin)
        before = timeline.version
        recorded = _recorded(table.key, twin, twin.decisions[len(timeline.decisions) :])
        receipt = _receipt(repeat, table.id, seat, before, twin.version, 200)
        await self._saver.save(recorded, receipt)
        table.timeline = twin
        self._announce(table.id, twin.version)
        return Done(table.id, twin, seat, before)

    # -- bots and the clock ----------------------------------------------------------------

    async def _let_bots_play(self, timeline: Timeline) -> None:
        if bots_to_act(timeline):
            await asyncio.to_thread(_play_bots, timeline)

    async def nudge(self, table: Table) -> None:
        """Goes on where bots stopped or where the time of a phase is over."""
        async with table.lock:
            await self._tables.catch_up(table)
            timeline = table.timeline
            if not timeline.now.opened.seed:
                return
            twin = branch(timeline)
            now = clock()
            if (deadline := deadline_of(twin)) is not None and deadline <= now:
                _time_is_up(twin, now)
            await self._let_bots_play(twin)
            if twin.version == timeline.version:
                return
            try:
                await self._commit(table, timeline, twin, 0, None)
            except Taken:
                await self._tables.catch_up(table)

    # -- repeated requests -----------------------------------------------------------------

    async def _earlier(self, repeat: Idempotency, player: Player) -> Done | None:
        """What the same request led to before; `Fault` 422 when its body was another."""
        receipt = await self._saver.io(self._store.receipt, repeat.key)
        if receipt is None:
            return None
        if receipt.body != repeat.body:
            raise Fault(422, "key_reused", "This Idempotency-Key came with another body before.")
        key = uuid.UUID(receipt.match)
        recorded = await self._saver.io(self._store.decisions, key, 0, receipt.after)
        return Done(receipt.match, folded(recorded), receipt.seat, receipt.before, receipt.status)

    # -- branching off and taking home -----------------------------------------------------

    async def fork(
        self, table: Table, player: Player, wish: schema.ForkMatch, repeat: Idempotency | None
    ) -> Done:
        """A new match that begins as this one stood at a version."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return earlier
        timeline = table.timeline
        opened = timeline.now.opened
        held = held_seats(timeline, player.id)
        timeline.at(wish.at)
        if matchfile.hidden_from(timeline, wish.at, held):
            raise Fault(409, "hidden", "Parts of this match are hidden from you until it ends.")
        opening = _opening(
            TITLES[opened.game],
            opened.options,
            _forked_seats(timeline, player, wish.seats),
            "private",
            player,
        )
        decisions = matchfile.fork(timeline, wish.at, table.id, opening)
        forked = Timeline(timeline.rules, decisions)
        return await self._found(uuid.uuid4(), forked, 201, repeat)

    def export(self, table: Table, player: Player | None) -> dict[str, Any]:
        """The match file as the caller may see it."""
        return matchfile.export(
            table.id, table.timeline, Eyes(table.timeline, player.id if player else None).seat
        )

    async def bring(self, player: Player, document: Any, repeat: Idempotency | None) -> Done:
        """Stores a verified match file as a new match of the caller's."""
        if repeat and (earlier := await self._earlier(repeat, player)):
            return earlier
        try:
            timeline = await asyncio.to_thread(matchfile.verify, document, game_options.check)
        except matchfile.BadFile as error:
            raise Fault(422, "bad_file", str(error), decision=error.decision) from None
        key = uuid.uuid4()
        owned = owned_by(timeline, player.id, str(key), "private")
        return await self._found(key, owned, 201, repeat)


# --- helpers ----------------------------------------------------------------------------------


def _opening(
    title: Title,
    options: dict[str, Any],
    seats: tuple[Seat, ...],
    visibility: str,
    owner: Player,
) -> Open:
    seed = secrets.token_bytes(32)
    return Open(
        title.slug,
        title.rules_version,
        options,
        seats,
        visibility,
        owner.id,
        commitment(seed),
        seed.hex(),
    )


def _seated(
    player: Player, wishes: Sequence[schema.NewSeat | schema.ForkSeat], bots: int = 0
) -> tuple[Seat, ...]:
    """The seats of a new table; unnamed ones get names that tell them apart."""
    seats = []
    mine = 0
    for wish in wishes:
        name = clean_name(wish.name) if wish.name is not None else None
        if wish.kind == "me":
            mine += 1
            seats.append(Seat("human", name or _numbered(player.name, mine), player.id))
        elif wish.kind == "bot":
            bots += 1
            seats.append(Seat("bot", name or f"Bot {bots}"))
        else:
            seats.append(Seat("open", name or ""))
    return tuple(seats)


def _numbered(name: str, count: int) -> str:
    return name if count == 1 else f"{name[:37]} {count}"


def _forked_seats(
    timeline: Timeline, player: Player, wishes: tuple[schema.ForkSeat, ...] | None
) -> tuple[Seat, ...]:
    before = timeline.now.seats
    if wishes is None:
        return tuple(replace(s, kind="human", player=player.id) for s in before)
    if len(wishes) != len(before):
        raise Fault(422, "wrong_seats", f"This match has {len(before)} seats.", field="seats")
    if any(wish.kind == "same" for wish in wishes) and not held_seats(timeline, player.id):
        raise Fault(403, "not_your_seat", "Only who sits at a table may bring its people along.")
    seats = []
    for wish, old in zip(wishes, before, strict=True):
        if wish.kind == "same":
            seats.append(old)
            continue
        former = "" if wish.kind == "open" else old.name
        name = clean_name(wish.name) if wish.name is not None else former
        kind = "human" if wish.kind == "me" else wish.kind
        seats.append(Seat(kind, name, player.id if wish.kind == "me" else None))
    return tuple(seats)


def _may_join(timeline: Timeline, player: Player, invite: str | None) -> bool:
    opened = timeline.now.opened
    return (
        opened.visibility == "public"
        or opened.owner == player.id
        or bool(held_seats(timeline, player.id))
        or invited(timeline, invite)
    )


def _first_open(timeline: Timeline) -> int:
    for i, seat in enumerate(timeline.now.seats):
        if seat.kind == "open":
            return i
    raise Refused("no_open_seat", "All seats are taken.")


def _recorded(key: uuid.UUID, timeline: Timeline, decisions: list[Decision]) -> list[Recorded]:
    game = timeline.now.opened.game
    return [Recorded(key, game, decision) for decision in decisions]


def _receipt(
    repeat: Idempotency | None, match: str, seat: int, before: int, after: int, status: int
) -> Receipt | None:
    if repeat is None:
        return None
    return Receipt(repeat.key, repeat.body, match, seat, before, after, status)


def bots_to_act(timeline: Timeline) -> list[int]:
    """The bot seats the match waits for."""
    now = timeline.now
    return [i for i in waiting_for(timeline, now) if now.seats[i].kind == "bot"]


def _play_bots(timeline: Timeline) -> None:
    rules = timeline.rules
    for _ in range(BOT_STEPS):
        seats = bots_to_act(timeline)
        if not seats:
            return
        # By chance, so that the order does not tell which bot has done something in secret.
        seat = secrets.choice(seats)
        choices = rules.choices(timeline.now.state, seat)
        choice = rules.suggest(timeline.now.state, seat, choices, secrets.randbelow)
        for decision in timeline.act(seat, [choice.command], clock()):
            timeline.append(decision)


def _time_is_up(timeline: Timeline, now: int) -> None:
    limit = timeline.rules.time_limit(timeline.now.state)
    for seat, command in limit[1] if limit else ():
        try:
            for decision in timeline.act(seat, [command], now):
                timeline.append(decision)
        except (IllegalMove, Refused):
            # An earlier command of the list has ended the phase already.
            continue
