"""What leaves the service is the same in two worlds that differ in what the viewer may not know.

The worlds are made by the kit (`tests.kit.worlds`); here everything is looked at as the service
sends it: match, events, choices, time travel, live frames, match files, lists, refusals. Each
kind of output is also made leaky once, to show that the comparison finds it.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.codec import codec_of
from domain.game import IllegalMove
from domain.match import Refused, Timeline
from domain.matchfile import export
from domain.register import rules_of
from domain.review import review
from projections.summary import summary_of
from service import answers
from service.answers import Eyes
from service.live import Hub
from tests.kit.mutate import mutated
from tests.kit.play import Table, opened, play, random_steps, table_id, tables
from tests.kit.worlds import other_world

TABLES = [pytest.param(t, id=table_id(t)) for t in tables() if t[0] != "caravanserai"]
CARAVANE = ("caravane", 3, {"split": False, "food": False, "keep_secrets": False})
Output = Callable[[Timeline, int | None], Any]


def eyes(timeline: Timeline, seat: int | None) -> Eyes:
    return Eyes(timeline, None if seat is None else timeline.now.seats[seat].player)


def match_now(timeline: Timeline, seat: int | None) -> Any:
    return answers.match_answer("id", eyes(timeline, seat))


def match_then(timeline: Timeline, seat: int | None) -> Any:
    return [answers.match_answer("id", eyes(timeline, seat), at) for at in _late(timeline)]


def _late(timeline: Timeline) -> range:
    return range(max(1, timeline.version - 6), timeline.version + 1)


def events(timeline: Timeline, seat: int | None) -> Any:
    return answers.event_answers(eyes(timeline, seat), 0)


def choices(timeline: Timeline, seat: int | None) -> Any:
    return [] if seat is None else answers.choice_answers(eyes(timeline, seat), seat)


def match_file(timeline: Timeline, seat: int | None) -> Any:
    return export("id", timeline, seat)


def listed(timeline: Timeline, _seat: int | None) -> Any:
    return summary_of("id", timeline)


def reviewed(timeline: Timeline, seat: int | None) -> Any:
    return review(timeline, timeline.viewer(seat))


def frames(timeline: Timeline, _seat: int | None) -> Any:
    async def first() -> list[bytes]:
        hub = Hub(None, 0.01)
        listener = hub.listen("id")
        listener.hear(timeline.version)
        stream = hub.frames("id", listener, 0)
        return [await anext(stream), await anext(stream)]

    return asyncio.run(first())


def refusals(timeline: Timeline, seat: int | None) -> Any:
    """What near misses of the viewer's own commands are answered."""
    own = timeline.rules.choices(timeline.now.state, seat) if seat is not None else []
    rng = random.Random(3)
    said = []
    for choice in own[:: max(1, len(own) // 6)]:
        plain = mutated(msgspec.to_builtins(choice.command), rng)
        try:
            command = codec_of(timeline.now.opened.game).command(plain)
            timeline.act(seat, [command], 0)
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


@pytest.mark.parametrize("table", TABLES)
def test_two_worlds_are_served_alike(table: Table) -> None:
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
    """Caravane after one secret bid of seat 1, and another such world for seat 0."""
    timeline = opened(CARAVANE, 11)
    bid = timeline.rules.choices(timeline.now.state, 1)[3]
    play(timeline, 1, bid.command)
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
    def leaky(state: Any, seat: int) -> Any:
        return [
            msgspec.structs.replace(c, args={**c.args, "x": bids(state)}) for c in real(state, seat)
        ]

    return leaky


def leak_turn(_real: Any) -> Any:
    return lambda state: sum(bid or 0 for bid in bids(state))


def leak_refusal(real: Any) -> Any:
    def leaky(state: Any, seat: int, command: Any, draw: Any) -> Any:
        try:
            return real(state, seat, command, draw)
        except IllegalMove as error:
            raise IllegalMove(error.code, f"{error.detail} Others bid {bids(state)}.") from None

    return leaky


@pytest.mark.parametrize(
    ("function", "leak", "found_in"),
    [
        ("view", leak_view, (match_now, match_then)),
        ("redact", leak_event, (events, match_file)),
        ("choices", leak_label, (choices,)),
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
    """Were the version to depend on the secret, the frames would tell."""
    one, other = two_worlds()
    real = Timeline.version.fget
    assert real is not None
    leaky = property(lambda self: real(self) + (bids(self.now.state)[1] or 0))
    monkeypatch.setattr(Timeline, "version", leaky)
    assert not same(frames, one, other, 0)
