"""A match that keeps its secrets after the end publishes no seed that would reveal them."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace

from domain.contract.registry import TITLES
from domain.match.commands import Open
from domain.match.events import SeedRevealed
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.toolkit.randomness import compute_commitment, draw_number, draws_from_seed
from service.matches.schema import NewSeat
from service.matches.seating import build_open_command as opened_by
from service.matches.seating import build_seats
from service.players.identity import Player
from service.store import Store, StoredDecision
from tests.game_contract.play import play, to_the_end
from tests.service.apps import run_service
from tests.service.databases import fresh
from tests.service.people import Person

SECRET = {"business_minutes": 0, "diplomacy": False, "keep_secrets": True}


def opening(owner: str) -> Open:
    """Return the opening of a public match with secret cards, all seats but one held by bots."""
    ann = Player(owner, "Ann")
    seats = build_seats(ann, [NewSeat("me"), *[NewSeat("bot")] * 5])
    return opened_by(TITLES["caravanserail"], SECRET, seats, "public", ann)


def played(first: Open) -> Timeline:
    timeline = Timeline(codec_of(first.game).rules)
    play(timeline, None, first)
    to_the_end(timeline, random.Random(7))
    return timeline


def of_one_seed(first: Open) -> Open:
    """Return the opening as made before deals had a separate seed."""
    return replace(first, deal_seed="", deal_commitment="")


def with_its_seed(timeline: Timeline) -> Timeline:
    """Return such a match as it was stored then: the last event publishes the seed."""
    *decisions, last = timeline.decisions
    told = SeedRevealed(timeline.latest.opened.seed)
    last = replace(last, events=(*last.events[:-1], told))
    return Timeline(timeline.rules, [*decisions, last])


def stored(store: Store, timeline: Timeline) -> UUID:
    key = uuid4()
    store.save_decisions(
        [StoredDecision(key, timeline.latest.opened.game, d) for d in timeline.decisions]
    )
    return key


def all_that_is_public(stranger: Person, key: UUID) -> str:
    """Return everything that a stranger is sent of the match."""
    match = stranger.get(f"/matches/{key}").json()
    parts = [
        stranger.get(f"/matches/{key}").text,
        stranger.get(f"/matches/{key}", at=match["version"] - 1).text,
        stranger.get(f"/matches/{key}/events", after=0).text,
        stranger.get(f"/matches/{key}/export").text,
        stranger.get(f"/matches/{key}/review").text,
        stranger.get("/matches", scope="public").text,
        stranger.post(f"/matches/{key}/fork", {"at": match["version"] // 2}).text,
        stranger.client.get(f"/m/{key}").text,
    ]
    return "\n".join(parts)


def deals(timeline: Timeline) -> list[int]:
    """Return the indexes of the decisions whose draws decided something hidden."""
    return [
        index
        for index, decision in enumerate(timeline.decisions)
        if decision.draws and timeline.hides(decision.events)
    ]


def guessed(timeline: Timeline, seeds: set[str]) -> list[int]:
    """Return the deals that one of the seeds reproduces."""
    found = []
    for index in deals(timeline):
        decision, before = timeline.decisions[index], timeline.moments[index - 1]
        for seed in seeds:
            draw = draws_from_seed(seed, before.drawn)
            made = timeline.decide(before, decision.seat, decision.command, draw)
            if made.events == decision.events:
                found.append(index)
    return found


def once_in(times: int, test: Callable[[], list[int]]) -> bool:
    """Return whether one of this many matches with different seeds reveals nothing.

    One seed in 720 reproduces a deal of six homes by chance; a real leak shows in each match.
    """
    return any(test() == [] for _ in range(times))


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[tuple[Person, Store]]:
    with fresh("sqlite", tmp_path) as settings, run_service(settings) as client:
        yield Person(client, "Eve"), client.app.services.store


def seeds_in(text: str) -> set[str]:
    return {*re.findall(r"\b[0-9a-f]{64}\b", text)}


def test_the_deal_does_not_follow_from_anything_public(ground: tuple[Person, Store]) -> None:
    eve, store = ground

    def told() -> list[int]:
        timeline = played(opening("somebody"))
        opened = timeline.latest.opened
        public = all_that_is_public(eve, stored(store, timeline))
        assert deals(timeline)
        assert guessed(timeline, {opened.deal_seed}) == deals(timeline)
        assert opened.seed in seeds_in(public)
        assert opened.deal_commitment in seeds_in(public)
        assert opened.deal_seed not in public
        return guessed(timeline, seeds_in(public))

    assert once_in(3, told)


def test_the_public_seed_proves_the_draws_that_hide_nothing() -> None:
    timeline = played(opening("somebody"))
    opened = timeline.latest.opened
    assert timeline.decisions[-1].events[-1] == SeedRevealed(opened.seed)
    assert compute_commitment(bytes.fromhex(opened.seed)) == opened.commitment
    proved = 0
    for index, decision in enumerate(timeline.decisions.tail(1), start=1):
        if index not in deals(timeline):
            for i, (n, value) in enumerate(decision.draws, timeline.moments[index - 1].drawn):
                assert draw_number(bytes.fromhex(opened.seed), i, n) == value
                proved += 1
    assert proved


@pytest.mark.parametrize("old", [False, True], ids=["ends now", "ended before"])
def test_the_only_seed_of_an_older_match_is_never_published(
    ground: tuple[Person, Store], old: bool
) -> None:
    """It may have been running, or finished and stored with its seed, before deals had their
    own."""
    eve, store = ground

    def told() -> list[int]:
        timeline = played(of_one_seed(opening("somebody")))
        seed = timeline.latest.opened.seed
        assert timeline.decisions[-1].events[-1] == SeedRevealed("")
        assert guessed(timeline, {seed}) == deals(timeline) != []
        public = all_that_is_public(
            eve, stored(store, with_its_seed(timeline) if old else timeline)
        )
        assert '"finished"' in public
        assert seed not in public
        return guessed(timeline, seeds_in(public))

    assert once_in(3, told)


def test_not_even_a_player_learns_the_cards_of_others(ground: tuple[Person, Store]) -> None:
    """Including everything the own seat may see, such as its own card."""
    _eve, store = ground
    ann = Person(_eve.client, "Ann")

    def told() -> list[int]:
        timeline = played(opening(ann.id))
        seen = all_that_is_public(ann, stored(store, timeline))
        assert timeline.latest.opened.deal_seed not in seen
        return guessed(timeline, seeds_in(seen))

    assert once_in(3, told)


def test_a_match_without_kept_secrets_still_proves_every_draw() -> None:
    ann = Player("ann", "Ann")
    seats = build_seats(ann, [NewSeat("me"), *[NewSeat("bot")] * 5])
    plain = {**SECRET, "keep_secrets": False}
    first = opened_by(TITLES["caravanserail"], plain, seats, "public", ann)
    assert (first.deal_seed, first.deal_commitment) == ("", "")
    assert guessed(played(first), {first.seed}) == deals(played(first)) != []
