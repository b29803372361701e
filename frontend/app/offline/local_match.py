"""Local matches: timeline, storage, bots and deadlines."""

from collections.abc import Callable
from typing import Any

from _native import build, format_timestamp, local_match_put, now_ms, random_below

from domain.contract.bots import Thinking, suggest_command
from domain.contract.game import LEVELS, IllegalMove, pick_any
from domain.contract.registry import TITLES, rules_of
from domain.match.commands import COMMANDS
from domain.match.deadlines import bots_to_act, end_expired_phase, phase_deadline
from domain.match.events import EVENTS
from domain.match.history import Decision
from domain.match.lesson import choose_bot_move
from domain.match.seats import Origin, Refused, Seat
from domain.match.timeline import Timeline
from domain.matchfile.writer import plain_decision
from domain.presentation.matches import seat_answers
from domain.presentation.viewpoint import seats_to_act
from domain.text.i18n import N_, TranslatableError
from domain.toolkit.randomness import draws_from_seed
from frontend.app.core.dom import after
from frontend.app.core.i18n import LANGUAGE, t
from frontend.app.core.match_ids import is_lesson
from frontend.app.core.problem import Problem
from frontend.app.core.types import Callback, Data

LOCAL_PLAYER_ID = "player-1"
"""The player id of this device; it holds all human seats of a local match."""
BOT_BUDGET_MS = 150
"""Maximum time in milliseconds that a bot searches for a move."""
SLICE_MS = 100
"""Duration in milliseconds of a slice of bot moves, which is stored as a whole."""
SLICE_PAUSE_MS = 20
"""Pause in milliseconds between two slices of bot moves."""


class Rejected(TranslatableError):
    """Raised when a requested change is not allowed in this match."""

    text_domain = "page"
    code = "version_conflict"


def refusal_problem(error: Any) -> Problem:
    """Build the error response (409) for a change that the rules or the kernel refused."""
    return Problem(409, {"code": error.code, "detail": error.translate(LANGUAGE)})


class LocalMatch:
    """A local match.

    ``head``: the match's id, its entry in the list of matches and flags. ``on_change(match)`` is
    called after decisions were added and stored.
    """

    def __init__(self, head: Data, timeline: Timeline, on_change: Callback) -> None:
        self.head = head
        self.id: str = head["id"]
        self.timeline = timeline
        self.on_change = on_change
        self.pending_changes: list[Any] = []
        self.is_writing = False
        self.is_thinking = False
        self.closed = False
        self.thumbnail_version = 0
        """The version for which the thumbnail was drawn since loading; 0 if none was drawn."""

    # -- changes -------------------------------------------------------------------------------

    def apply(
        self, decide: Callable[[Timeline], object], done: Callable[[int], object], failed: Callback
    ) -> None:
        """Append and store the decisions that ``decide(branch)`` makes; one change at a time.

        ``decide`` works on a branch of the timeline. Afterwards ``done(version_before)`` is called,
        or ``failed(problem)`` if the change was refused or could not be stored.
        """
        self.pending_changes.append((decide, done, failed))
        if not self.is_writing:
            self._next()

    def _next(self) -> None:
        if not self.pending_changes:
            return
        decide, done, failed = self.pending_changes.pop(0)
        before = self.timeline
        twin = before.branch()
        try:
            if "handing" in self.head or self.closed:
                raise Rejected(N_("offline.uploading"))
            decide(twin)
            self.check_allowed(twin)
        except (IllegalMove, Refused, Rejected) as error:
            failed(refusal_problem(error))
            self._next()
            return
        if twin.version == before.version:
            done(before.version)
            self._next()
            return
        self.is_writing = True
        first = len(before.decisions)
        head = self.build_head(twin)
        self.store(
            head,
            twin,
            first,
            lambda safe, _results: self._on_stored(safe, head, twin, done, failed),
        )

    def check_allowed(self, timeline: Timeline) -> None:
        """Raise `Rejected` if the change to ``timeline`` is not allowed.

        This implementation allows everything.
        """

    def store(self, head: Data, timeline: Timeline, first: int, then: Any) -> None:
        """Store the head and the decisions from index ``first`` on.

        Calls ``then(safe, results)``; ``safe`` is False if storing failed.
        """
        local_match_put(head, self.stored_form(timeline, first), first, then)

    def _on_stored(
        self,
        safe: bool,
        head: Data,
        branch: Timeline,
        done: Callable[[int], object],
        failed: Callback,
    ) -> None:
        self.is_writing = False
        before = self.timeline.version
        if safe:
            self.head = head
            self.timeline = branch
            done(before)
            self.on_change(self)
            self.wake()
        else:
            text = t("error.phone_not_saved_or_moved")
            failed(Problem(409, {"code": "not_kept", "detail": text}))
        self._next()

    # -- storage -------------------------------------------------------------------------------

    def build_head(self, timeline: Timeline) -> Data:
        """Return the head with the list entry of the match as of ``timeline``."""
        now = timeline.latest
        acting = list(seats_to_act(timeline, now))
        item = {
            "id": self.id,
            "game": now.opened.game,
            "status": now.status,
            "version": timeline.version,
            "seats": seat_answers(now.seats, LOCAL_PLAYER_ID, LANGUAGE),
            "to_act": acting,
            "your_turn": any(now.seats[seat].kind == "human" for seat in acting),
            "updated": format_timestamp(timeline.decisions[-1].at),
        }
        return {**self.head, "item": item}

    def stored_form(self, timeline: Timeline, first: int) -> list[Data]:
        """Return the decisions from index ``first`` on in stored form.

        ``shape`` is the rules version in whose format a decision is written, for upcasting.
        """
        shape = TITLES[timeline.latest.opened.game].rules_version
        found = timeline.decisions.tail(first)
        return [{**plain_decision(each), "shape": shape} for each in found]

    # -- bots and deadlines -----------------------------------------------------------------------

    def wake(self) -> None:
        """Schedule bot moves if the match is waiting for a bot, and the phase deadline if any."""
        if bots_to_act(self.timeline) and not self.is_thinking:
            self.is_thinking = True
            after(SLICE_PAUSE_MS, self._think)
        deadline = phase_deadline(self.timeline)
        if deadline is not None:
            version = self.timeline.version
            after(max(0, deadline - now_ms()), lambda: self._on_deadline(version))

    def _on_deadline(self, version: int) -> None:
        if self.timeline.version == version and not self.closed:
            self.apply(
                lambda twin: end_expired_phase(twin, now_ms(), draws_from_seed), _ignore, _ignore
            )

    def _think(self) -> None:
        self.is_thinking = False
        if not self.closed and bots_to_act(self.timeline):
            move = choose_bot_move if is_lesson(self.id) else _choose_bot_move
            self.apply(lambda twin: _play_bots_slice(twin, move), _ignore, _ignore)


def _ignore(_what: Any) -> None:
    """Ignore the result: `LocalMatch.on_change` notifies the listeners."""


def _play_bots_slice(branch: Timeline, move: Callable[[Timeline, int], Any]) -> None:
    """Play bot moves on a branch until no bot is to act or `SLICE_MS` milliseconds have passed."""
    enough = now_ms() + SLICE_MS
    while acting := bots_to_act(branch):
        # Random order, because a fixed one would reveal which bots have made a secret choice.
        seat = acting[0] if move is choose_bot_move else pick_any(acting, random_below)
        branch.play(seat, [move(branch, seat)], now_ms(), draws_from_seed)
        if now_ms() > enough:
            return


def _choose_bot_move(timeline: Timeline, seat: int) -> Any:
    now = timeline.latest
    enough = now_ms() + BOT_BUDGET_MS
    level: Any = now.seats[seat].level or LEVELS[-1]
    thinking = Thinking(random_below, level, lambda: now_ms() < enough)
    return suggest_command(now.opened.game, now.state, seat, thinking)


# --- reading ------------------------------------------------------------------------------------


def rebuild_decisions(slug: str, stored_decisions: Any) -> list[Decision]:
    """Rebuild the decisions of a match from their stored form, oldest first.

    Decisions written by older rules are upcast.
    """
    rules = rules_of(slug)
    newest = TITLES[slug].rules_version
    upcasts = getattr(rules, "UPCASTS", {})
    parts = (*COMMANDS, *EVENTS, *rules.COMMANDS, *rules.EVENTS)
    kinds = {each.__name__: each for each in parts}
    found = []
    for plain in stored_decisions:
        shape = plain["shape"]
        for version in range(shape, newest):
            if version in upcasts:
                plain = upcasts[version](plain)
        events = tuple([_build_part(kinds, event) for event in plain["events"]])
        command = _build_part(kinds, plain["command"])
        draws = plain["draws"]
        made = Decision(plain["version"], plain["seat"], command, events, draws, plain["at"])
        found.append(made)
    return found


def _build_part(kinds: dict[str, Any], plain: Data) -> Any:
    made = dict(plain)
    if "seats" in made and made["type"] in ("Open", "MatchOpened"):
        made["seats"] = tuple([build(Seat, seat) for seat in made["seats"]])
        if made["forked_from"] is not None:
            made["forked_from"] = build(Origin, made["forked_from"])
    return build(kinds[made["type"]], made)
