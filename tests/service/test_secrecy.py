"""The service sends the same bytes in two matches that differ in what the viewer may not know.

The pairs are made by `tests.game_contract.indistinguishable_states`; here everything is compared as
the service sends it: match, events, choices, past versions, live frames, match files, lists,
rejections. Each kind of output is also made to leak once, to show that the comparison can fail.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.contract.game import IllegalMove
from domain.contract.registry import rules_of
from domain.match.events import EVENTS
from domain.match.review import compute_findings
from domain.match.seats import Refused
from domain.match.timeline import Timeline
from domain.matchfile.codec import codec_of
from domain.matchfile.writer import export_match
from domain.presentation import choices as choosing
from domain.presentation.events import event_answers
from domain.text.i18n import ENGLISH
from domain.toolkit.randomness import draws_from_seed
from projections.summary import summary_of
from service.live.hub import Hub
from service.matches import presenters
from service.matches.presenters import Viewer
from tests.game_contract.indistinguishable_states import other_world
from tests.game_contract.mutate import mutated
from tests.game_contract.play import Table, opened, play, random_steps, table_id, tables

TABLES = [pytest.param(t, id=table_id(t)) for t in tables("secret")]
CARAVANE = ("caravane", 3, {"split": False, "food": False, "keep_secrets": False})
Output = Callable[[Timeline, int | None], Any]


def viewer(timeline: Timeline, seat: int | None) -> Viewer:
    return Viewer(timeline, None if seat is None else timeline.latest.seats[seat].player)


def match_now(timeline: Timeline, seat: int | None) -> Any:
    return presenters.match_answer("id", viewer(timeline, seat))


def match_then(timeline: Timeline, seat: int | None) -> Any:
    return [presenters.match_answer("id", viewer(timeline, seat), at) for at in _late(timeline)]


def _late(timeline: Timeline) -> range:
    return range(max(1, timeline.version - 6), timeline.version + 1)


def events(timeline: Timeline, seat: int | None) -> Any:
    return event_answers(viewer(timeline, seat), 0)


def choices(timeline: Timeline, seat: int | None) -> Any:
    if seat is None:
        return []
    look = viewer(timeline, seat)
    return [choosing.all_choices(look, seat), choosing.grouped_choices(look, seat, 60)]


def match_file(timeline: Timeline, seat: int | None) -> Any:
    return export_match("id", timeline, seat)


def listed(timeline: Timeline, _seat: int | None) -> Any:
    return summary_of("id", timeline)


def reviewed(timeline: Timeline, seat: int | None) -> Any:
    return compute_findings(timeline, timeline.viewer(seat))


def frames(timeline: Timeline, _seat: int | None) -> Any:
    async def first() -> list[bytes]:
        hub = Hub(None, 0.01)
        listener = hub.add_listener("id")
        listener.on_version(timeline.version)
        stream = hub.frames("id", listener, 0)
        return [await anext(stream), await anext(stream)]

    return asyncio.run(first())


def refusals(timeline: Timeline, seat: int | None) -> Any:
    """Return the rejections of almost legal commands of the viewer."""
    own = timeline.rules.choices(timeline.latest.state, seat) if seat is not None else []
    rng = random.Random(3)
    said = []
    for choice in own[:: max(1, len(own) // 6)]:
        plain = mutated(msgspec.to_builtins(choice), rng)
        try:
            command = codec_of(timeline.latest.opened.game).parse_command(plain)
            timeline.act(seat, [command], 0, draws_from_seed)
        except (IllegalMove, Refused) as error:
            said.append((error.code, error.detail))
        except msgspec.ValidationError as error:
            said.append(("malformed", str(error)))
    return said


OUTPUTS: tuple[Output, ...] = (
    match_now,
    match_then,
    events,
    choices,
    match_file,
    listed,
    reviewed,
    frames,
    refusals,
)


def same(output: Output, one: Timeline, other: Timeline, seat: int | None) -> bool:
    return msgspec.json.encode(output(one, seat)) == msgspec.json.encode(output(other, seat))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_indistinguishable_matches_get_the_same_responses(table: Table) -> None:
    rng = random.Random(21)
    timeline = opened(table, 21)
    compared = 0
    for step, _ in enumerate(random_steps(timeline, rng, 90)):
        for seat in (None, rng.randrange(table[1])) if step % 2 else ():
            other = other_world(timeline, seat, rng)
            if other is None:
                continue
            compared += 1
            for output in OUTPUTS if step % 10 == 1 else OUTPUTS[:5]:
                assert same(output, timeline, other[0], seat), output.__name__
    assert compared > 5


def two_worlds() -> tuple[Timeline, Timeline]:
    """Return Caravane after one secret bid of seat 1, and a second match that seat 0 cannot tell
    apart."""
    timeline = opened(CARAVANE, 11)
    bid = timeline.rules.choices(timeline.latest.state, 1)[3]
    play(timeline, 1, bid)
    other = other_world(timeline, 0, random.Random(1))
    assert other is not None
    return timeline, other[0]


def bids(state: Any) -> list[Any]:
    return [racer.bid for racer in state.racers]


def leak_view(real: Any) -> Any:
    return lambda state, viewer: {**real(state, viewer), "debug": bids(state)}


def leak_event(_real: Any) -> Any:
    return lambda event, _viewer: event


def leak_label(real: Any) -> Any:
    def leaky(state: Any, seat: int, command: Any) -> Any:
        label = real(state, seat, command)
        return msgspec.structs.replace(label, args={**label.args, "x": bids(state)})

    return leaky


def leak_turn(_real: Any) -> Any:
    return lambda state: sum(bid or 0 for bid in bids(state))


def leak_refusal(real: Any) -> Any:
    def leaky(state: Any, *args: Any) -> Any:
        try:
            return real(state, *args)
        except IllegalMove as error:
            raise IllegalMove(error.code, f"{error.detail} Others bid {bids(state)}.") from None

    return leaky


@pytest.mark.parametrize(
    ("function", "leak", "found_in"),
    [
        ("view", leak_view, (match_now, match_then)),
        ("redact", leak_event, (events, match_file)),
        ("label", leak_label, (choices,)),
        ("turn", leak_turn, (match_now, listed)),
        ("decide", leak_refusal, (refusals,)),
    ],
)
def test_a_leak_is_found_in_each_output(
    function: str, leak: Any, found_in: tuple[Output, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two_worlds()
    rules = rules_of("caravane")
    assert all(same(output, one, other, 0) for output in OUTPUTS)
    monkeypatch.setattr(rules, function, leak(getattr(rules, function)))
    for output in found_in:
        assert not same(output, one, other, 0), output.__name__


def test_a_leak_in_the_live_frames_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the version depended on the secret, the frames would reveal it."""
    one, other = two_worlds()
    real = Timeline.version.fget
    assert real is not None
    leaky = property(lambda self: real(self) + (bids(self.latest.state)[1] or 0))
    monkeypatch.setattr(Timeline, "version", leaky)
    assert not same(frames, one, other, 0)


def _after(table: Table, steps: int) -> Timeline:
    """Return a match after this many steps, one player per seat."""
    timeline = opened(table, 1)
    for _ in random_steps(timeline, random.Random(1), steps):
        pass
    return timeline


def addressed(timeline: Timeline, seat: int, seen: Any) -> str:
    """Return an event's text, addressed to a seat, from nothing but a spectator's answer."""
    kernel_types = {event.__name__ for event in EVENTS}
    domain = "kernel" if seen.type in kernel_types else timeline.latest.opened.game
    names = viewer(timeline, None).names
    return ENGLISH.address_message(domain, seen.key, seen.args, names, seat) or seen.text


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_texts_for_a_shared_device_are_those_of_a_spectator(table: Table) -> None:
    """Also where several players share a device: its log reveals the secrets of none of them.

    A text that hides something may be addressed to the player ("You draw a card"). A short race is
    over after ninety steps, and a game with few deals has not dealt after twenty-five.
    """
    told = []
    for steps in (25, 90):
        timeline = _after(table, steps)
        spectator = events(timeline, None)
        for seat in range(len(timeline.latest.seats)):
            for heard, seen in zip(events(timeline, seat), spectator, strict=True):
                if heard.public is msgspec.UNSET:
                    assert heard.text == seen.text
                else:
                    assert heard.public == addressed(timeline, seat, seen)
                    told.append(heard)
    assert told, "nothing was secret in this match"


def test_request_without_a_seat_gets_the_spectators_view() -> None:
    timeline = _after(CARAVANE, 12)
    player = timeline.latest.seats[0].player
    own = presenters.match_answer("id", Viewer(timeline, player))
    table = presenters.match_answer("id", Viewer(timeline, player, presenters.NO_SEAT))
    assert table.view == presenters.match_answer("id", viewer(timeline, None)).view != own.view
    assert [seat.you for seat in table.seats] == [seat.you for seat in own.seats]
