"""Random matches of several people: joins, moves, undos, answers, chat messages."""

import random
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from domain.contract.game import IllegalMove
from domain.match.commands import AnswerUndo, Join, Leave, Redo, Say, Undo
from domain.match.seats import Refused, Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from tests.game_contract.play import Table, bot_move, opened, play

PEOPLE = 3


def wild_steps(timeline: Timeline, rng: random.Random, steps: int) -> Iterator[tuple[int, Any]]:
    """Play moves, undos, answers, redos and chat messages of people who share the seats in turn."""
    for _ in range(steps):
        now = timeline.latest
        acting = timeline.to_act(now)
        if not acting:
            return
        dice = rng.random()
        seat = rng.randrange(len(now.seats))
        if now.proposal is not None and dice < 0.7:
            yield (
                (now.proposal.seat + rng.randrange(PEOPLE)) % len(now.seats),
                AnswerUndo(dice > 0.1),
            )
        elif now.redo is not None and dice < 0.2:
            yield now.redo.seat, Redo()
        elif dice < 0.75:
            seat = rng.choice(acting)
            yield seat, bot_move(timeline, seat, rng)
        elif dice < 0.83:
            yield seat, Undo()
        elif dice < 0.93:
            yield seat, Undo(rng.randint(1, timeline.version))
        else:
            yield seat, Say("word", rng.choice([None, 0]))


def wild_match(table: Table, seed: int, steps: int = 150) -> Timeline:
    """Return a match with many undos, proposals, refusals and redos.

    The last seat is taken late; one player leaves before the end, and a bot takes over.
    """
    opening = opened(table, seed, people=PEOPLE).decisions[0].command
    *seats, last = opening.seats
    timeline = Timeline(codec_of(table[0]).rules)
    play(timeline, None, replace(opening, seats=(*seats, Seat("open", ""))))
    play(timeline, 0, Say("anybody there?"))
    play(timeline, len(seats), Join(last.player, last.name))
    rng = random.Random(seed)
    for part in (steps, steps // 5):
        for seat, command in wild_steps(timeline, rng, part):
            try:
                play(timeline, seat, command)
            except (Refused, IllegalMove):
                continue
        if part == steps and timeline.latest.status == "playing":
            play(timeline, 1, Leave())
    return timeline
