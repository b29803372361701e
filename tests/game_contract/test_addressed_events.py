"""Events are addressed to the player they are about ("You bid 3"), in every game.

`EventAnswer.own` is for a caller who holds exactly one seat; in a game with secrets ``public``,
which everybody near the device may read, is addressed too.
"""

import random
import re
from typing import Any

import pytest

from domain.contract.registry import TITLES
from domain.match.commands import Say, Undo
from domain.match.timeline import Timeline
from domain.presentation.events import event_answers
from domain.presentation.reviews import review_answer
from domain.presentation.schemas import EventAnswer, WordsAnswer
from domain.presentation.viewpoint import Viewer, held_seats
from domain.text.english import english_messages
from domain.text.i18n import ENGLISH
from frontend.placeholders import placeholders_of
from tests.game_contract.play import Table, opened, play, random_steps, to_the_end
from tests.game_contract.test_review import REVIEWABLE, whole_match

STEPS = 160
YOU = re.compile(r"\byou(rs?)?\b", re.IGNORECASE)
ADDRESSING = [
    slug for slug in TITLES if any(key.endswith(".you") for key in english_messages(slug))
]
"""Games with addressed messages; a new game may name its players instead."""
SECRET = [slug for slug in ADDRESSING if "secret" in TITLES[slug].traits]


def events_of(timeline: Timeline, player: str | None) -> list[EventAnswer]:
    return event_answers(Viewer(timeline, player, None, ENGLISH, str), 0)


def table_of(slug: str) -> Table:
    """Return the smallest table of a game with more than two seats."""
    return slug, min(seats for seats in TITLES[slug].seats if seats > 2), {}


def played(slug: str, people: int | None = None) -> Timeline:
    """Return a match with moves, undos and chat, unfinished; a player for each seat by default."""
    timeline = opened(table_of(slug), 7, people)
    play(timeline, 1, Say("Good luck."))
    play(timeline, 0, Say("Salt for dates?", 2))
    rng = random.Random(slug)
    for step, _ in enumerate(random_steps(timeline, rng, STEPS)):
        seat = rng.randrange(3)
        if step % 40 == 20 and timeline.undo_kind(seat).to_version:
            play(timeline, seat, Undo())
    return timeline


@pytest.fixture(scope="module", params=ADDRESSING)
def timeline(request: pytest.FixtureRequest) -> Timeline:
    return played(request.param)


def subject_of(timeline: Timeline, key: str, args: dict[str, Any]) -> Any:
    """Return the seat that a message is about: ``who``, or the only seat; otherwise None."""
    slug = timeline.latest.opened.game
    message = english_messages(slug).get(key) or english_messages("kernel")[key]
    found = placeholders_of(message if isinstance(message, str) else message[1])
    seats = [each.removesuffix(":seat") for each in found if each.endswith(":seat")]
    name = "who" if "who" in seats else seats[0] if len(seats) == 1 else None
    return None if name is None else args[name]


def test_events_about_the_caller_are_addressed_to_them_and_no_others(timeline: Timeline) -> None:
    for seat, _ in enumerate(timeline.latest.seats):
        own, others = 0, 0
        for event in events_of(timeline, f"player{seat}"):
            if subject_of(timeline, event.key, event.args) == seat:
                own += 1
                assert isinstance(event.own, str), event
                assert YOU.search(event.own)
                assert f"Seat {seat}" not in event.own
                assert f"Seat {seat}" in event.text, "the text for everybody stays"
            else:
                others += 1
                assert not isinstance(event.own, str), event
        assert own > 5
        assert others > 5


@pytest.mark.slow
def test_text_is_the_same_for_all_who_may_read_it(timeline: Timeline) -> None:
    """Only ``own`` and ``public`` are addressed."""
    everybody = [
        events_of(timeline, f"player{seat}") for seat, _ in enumerate(timeline.latest.seats)
    ]
    for events in zip(events_of(timeline, None), *everybody, strict=True):
        texts = {(event.key, str(event.args)): event.text for event in events}
        for event in events:
            assert event.text == texts[event.key, str(event.args)]


def test_nothing_is_addressed_to_a_spectator(timeline: Timeline) -> None:
    for player in (None, "stranger"):
        for event in events_of(timeline, player):
            assert not isinstance(event.own, str)
            assert not isinstance(event.public, str)


@pytest.mark.parametrize("slug", TITLES)
def test_nothing_is_addressed_to_who_holds_several_seats(slug: str) -> None:
    """With two players, the first holds seats 0 and 2, the second only seat 1 of three."""
    timeline = played(slug, 2)
    own = [held_seats(timeline, f"player{number}") for number in range(2)]
    for number, seats in enumerate(own):
        events = events_of(timeline, f"player{number}")
        about = {
            subject_of(timeline, event.key, event.args)
            for event in events
            if isinstance(event.own, str)
        }
        assert about == ({*seats} if len(seats) == 1 else set())
    assert not any(isinstance(event.own, str) for event in events_of(played(slug, 1), "player0"))


@pytest.mark.parametrize("slug", SECRET)
@pytest.mark.parametrize("people", [None, 1])
def test_public_text_of_an_own_secret_is_addressed(slug: str, people: int | None) -> None:
    """While it is secret, and unless the caller holds several seats or it is about another."""
    timeline, seats = opened(table_of(slug), 7, people), table_of(slug)[1]
    addressed = others = 0
    for _ in random_steps(timeline, random.Random(slug), 60):
        player = timeline.latest.seats[timeline.version % seats].player
        held = held_seats(timeline, player)
        spectator = events_of(timeline, None)
        for event, redacted in zip(events_of(timeline, player), spectator, strict=True):
            if not isinstance(event.public, str):
                continue
            assert event.public not in (event.text, event.own)
            assert event.text != redacted.text
            if [subject_of(timeline, redacted.key, redacted.args)] == held:
                assert YOU.search(event.public)
                assert f"Seat {held[0]}" not in event.public
                addressed += 1
            else:
                assert event.public == redacted.text
                others += 1
    assert (addressed if people is None else others) > 20


def test_private_message_is_addressed_to_its_author(timeline: Timeline) -> None:
    author, stranger, recipient = (
        [event for event in events_of(timeline, f"player{seat}") if event.type == "Said"][1]
        for seat in range(3)
    )
    assert author.own == "You: Salt for dates?"
    assert author.text == recipient.text == "Seat 0: Salt for dates?"
    assert author.public == recipient.public == stranger.text == "A private message was sent."
    assert not isinstance(recipient.own, str)
    assert not isinstance(stranger.own, str)


def reviewed(timeline: Timeline, player: str | None) -> list[WordsAnswer]:
    """Return the words of a review: of charts, gains and highlights."""
    review = review_answer("id", Viewer(timeline, player, None, ENGLISH, str)).review
    assert review is not None
    return [
        *(chart.title for chart in review.charts),
        *(gain.words for gain in review.gains),
        *(highlight.words for highlight in review.highlights),
    ]


@pytest.mark.parametrize("slug", [slug for slug in REVIEWABLE if slug in ADDRESSING])
def test_review_is_addressed_to_its_reader(slug: str) -> None:
    timeline = whole_match(slug, 3)
    plain = reviewed(timeline, None)
    addressed = 0
    for seat, _ in enumerate(timeline.latest.seats):
        for mine, other in zip(reviewed(timeline, f"player{seat}"), plain, strict=True):
            about = subject_of(timeline, mine.key, mine.args) == seat
            if about and f"{mine.key}.you" in english_messages(slug):
                addressed += 1
                assert YOU.search(mine.text)
                assert f"Seat {seat}" not in mine.text
                assert f"Seat {seat}" in other.text
            else:
                assert mine.text == other.text
    assert addressed


def test_review_is_addressed_to_nobody_who_holds_all_seats() -> None:
    timeline = opened(table_of(next(slug for slug in REVIEWABLE if slug in ADDRESSING)), 3, 1)
    to_the_end(timeline, random.Random(3))
    alone, plain = reviewed(timeline, "player0"), reviewed(timeline, None)
    assert [words.text for words in alone] == [words.text for words in plain]
