"""Match files of every game as the service exports them: finished, running and forked matches."""

import random
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from domain.contract.options import schema_of
from domain.contract.registry import TITLES
from domain.match.commands import Say, Undo
from domain.match.fork import create_fork
from domain.match.seats import Seat
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment
from service.matches.seating import build_open_command as opened_by
from service.players.identity import Player
from service.store import Store, StoredDecision
from tests.game_contract.play import play, random_steps, to_the_end
from tests.service.people import Person

File = dict[str, Any]


def originals(person: Person, store: Store, rng: random.Random) -> list[File]:
    """Return exported files: finished, running and forked matches of every game."""
    files = []
    for slug in TITLES:
        timeline = _begun(person, slug)
        for _ in random_steps(timeline, rng, 9):
            pass
        _talked(timeline)
        files.append(_taken_home(person, store, timeline))
        to_the_end(timeline, rng)
        _talked(timeline)
        files.append(_taken_home(person, store, timeline))
        version = timeline.decisions[len(timeline.decisions) // 2].version
        opening = replace(timeline.decisions[0].command, seed=rng.randbytes(32).hex())
        opening = replace(opening, commitment=compute_commitment(bytes.fromhex(opening.seed)))
        branch = Timeline(timeline.rules, create_fork(timeline, version, str(uuid4()), opening))
        to_the_end(branch, rng)
        files.append(_taken_home(person, store, branch))
    # An export is rejected as a whole if its player may not see everything.
    return [file for file in files if not file["hidden"]]


def _begun(person: Person, slug: str) -> Timeline:
    """Return a match of two players and as many bots as needed, with an undone move."""
    title = TITLES[slug]
    count = min(n for n in title.seats if n > 1)
    seats = [Seat("human", "Ann", person.id), Seat("human", "Bea", "bea")]
    seats += [Seat("bot", f"Bot {i}") for i in range(1, count - 1)]
    options = {name: part["default"] for name, part in schema_of(title)["properties"].items()}
    owner = Player(person.id, "Ann")
    timeline = Timeline(codec_of(slug).rules)
    play(timeline, None, opened_by(title, options, tuple(seats), "public", owner))
    for _ in random_steps(timeline, random.Random(1), 12):
        seat = timeline.to_act(timeline.latest)[0]
        if timeline.undo_kind(seat).kind == "free" and timeline.version > 8:
            play(timeline, seat, Undo())
            break
    return timeline


def _talked(timeline: Timeline) -> None:
    play(timeline, 0, Say("Salt for dates?"))
    play(timeline, 1, Say("Not today.", 0))


def _taken_home(person: Person, store: Store, timeline: Timeline) -> File:
    key = uuid4()
    store.save_decisions(
        [StoredDecision(key, timeline.latest.opened.game, d) for d in timeline.decisions]
    )
    file: File = person.get(f"/matches/{key}/export").json()
    assert "signature" in file
    return file
