"""Bounds on the cost of files and long matches; counts work (entries, bytes, calls), never
seconds."""

import gc
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from domain.games.caravanserai import rules
from domain.match.commands import AnswerUndo, Join, Open, Redo, Say, Undo
from domain.match.moment import UndoneMoves
from domain.match.seating import MAX_MESSAGES
from domain.match.seats import Refused, Seat
from domain.match.timeline import Timeline
from domain.matchfile.verification import verify
from domain.matchfile.writer import export_match
from domain.toolkit.randomness import compute_commitment, draws_from_seed
from service.http import offload
from service.matches.options import check_options
from service.matches.routes.files import MAX_FILE_BYTES
from service.media.pictures.fonts import MAX_LINE_CHARS
from service.media.pictures.frames import still_job
from service.media.pictures.picture_renderer import PictureRenderer
from tests.game_contract.play import play
from tests.security.files import GAMES, finished_file, plain, running, unfinished_file
from tests.service.people import Client, Person

MANY = 2_000


def entries(timeline: Timeline) -> int:
    """Count the undo entries kept by the moments, each once however many moments share it."""
    seen: dict[int, UndoneMoves] = {}
    for moment in timeline.moments:
        put_away = moment.redo
        while put_away is not None and id(put_away) not in seen:
            seen[id(put_away)] = put_away
            put_away = put_away.before
    return len(seen)


@pytest.mark.parametrize("game", GAMES)
def test_a_thousand_undos_keep_a_thousand_entries(game: str) -> None:
    """2.5 MB of undos took 573 MB as copied tuples: entries must grow linearly."""
    timeline = running(game, steps=12)
    seat = 0
    begun = timeline.decisions[1].last_version
    undos = 0
    while undos < MANY // 10:
        back = begun if undos % 2 else begun + 1
        target = timeline.undo_kind(seat, back)
        if target.kind is None:
            back = timeline.decisions[-1].version - 1
            if timeline.undo_kind(seat, back).kind is None:
                break
        play(timeline, seat, Undo(back))
        undos += 1
    assert undos >= MANY // 10
    assert entries(timeline) == undos
    assert not any(
        isinstance(o, tuple) and len(o) > MANY for o in gc.get_referents(timeline.latest)
    )
    while timeline.latest.redo is not None:
        play(timeline, seat, Redo())
        undos -= 1
    assert undos == 0


def test_repeated_consent_adds_nothing() -> None:
    """Three players, one of whom answers the same proposal a thousand times."""
    timeline = running("caravanserai", people=3, steps=12)
    seats = len(timeline.latest.seats)
    if seats < 3:
        timeline = _three()
    proposer = timeline.to_act(timeline.latest)[0]
    play(timeline, proposer, Undo(timeline.decisions[1].last_version))
    assert timeline.latest.proposal is not None
    other = next(s for s in range(3) if s != proposer)
    for _ in range(100):
        play(timeline, other, AnswerUndo(True))
    assert timeline.latest.proposal is not None
    assert len(timeline.latest.proposal.accepted) == 1


def _three() -> Timeline:
    import random

    from tests.game_contract.play import opened, random_steps

    timeline = opened(("caravanserai", 3, {"expert": False}), 5)
    for _ in random_steps(timeline, random.Random(5), 12):
        pass
    return timeline


def test_a_long_list_of_undos_is_freed_without_a_deep_stack() -> None:
    put_away = None
    for index in range(300_000):
        put_away = UndoneMoves(index, 0, put_away)
    del put_away


# --- scheduler -----------------------------------------------------------------------------------


def test_a_nudge_that_changes_nothing_is_not_tried_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An overdue phase in which nothing could be done used 37% of a CPU."""
    monkeypatch.setattr(rules, "time_limit", lambda state: (0, []))
    nudged: list[str] = []
    play_ = client.app.services.automatic
    real = play_.advance

    async def counted(table: Any) -> bool:
        nudged.append(table.id)
        return bool(await real(table))

    monkeypatch.setattr(play_, "advance", counted)
    ann = Person(client)
    match = ann.open("me", "me")
    _ticks(client, 3)
    assert nudged == [match["id"]]
    match = ann.step(match)
    ann.get("/matches")
    _ticks(client, 3)
    assert nudged == [match["id"]] * 2, "retried after the match has changed"


def test_one_match_that_cannot_be_nudged_does_not_stop_the_clock(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        rules,
        "time_limit",
        lambda state: (0, [(0, rules.choices(state, 0)[0])]) if 0 in rules.to_act(state) else None,
    )
    play_ = client.app.services.automatic
    real = play_.advance
    ann = Person(client)
    first, second = sorted((ann.open("me", "me") for _ in range(2)), key=lambda m: m["id"])
    tried: list[str] = []

    async def failing(table: Any) -> bool:
        tried.append(table.id)
        if table.id == first["id"]:
            raise ArithmeticError("a fault of this program")
        return bool(await real(table))

    monkeypatch.setattr(play_, "advance", failing)
    ann.get("/matches")
    _ticks(client, 4)
    assert tried.count(first["id"]) == 1
    assert ann.get(f"/matches/{second['id']}").json()["version"] > second["version"]


def _ticks(client: Client, number: int) -> None:
    """Wait until the scheduler has run this often."""
    views = client.app.services.read_models
    looked = [0]
    real = views.due_matches

    def due(now: int) -> Any:
        looked[0] += 1
        return real(now)

    views.due_matches = due
    deadline = time.monotonic() + 30
    while looked[0] < number:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    views.due_matches = real


@pytest.mark.parametrize("game", GAMES)
def test_unfinished_import_has_no_running_clock(
    fresh_client: Client, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from domain.matchfile.codec import codec_of

    monkeypatch.setattr(codec_of(game).rules, "time_limit", lambda state: (0, []))
    ann = Person(fresh_client)
    ann.post("/matches/import", unfinished_file(game))
    ann.get("/matches")
    assert fresh_client.app.services.read_models.due_matches(2**60) == []


# --- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_stored_match_with_wild_names_is_drawn_all_the_same(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such names are rejected today, but old stores may contain them."""
    from msgspec.structs import replace

    timeline = running(game, steps=3)
    first = timeline.decisions[0]
    seats = tuple(replace(seat, name="W" * 5_000) for seat in first.events[0].seats)
    opened = replace(first.events[0], seats=seats)
    wild = Timeline(timeline.rules, [replace(first, events=(opened,)), *timeline.decisions.tail(1)])
    measured: list[int] = []
    studio = PictureRenderer()
    real = studio.fonts.text_width

    def counted(line: str, *rest: Any) -> float:
        measured.append(len(line))
        return real(line, *rest)

    monkeypatch.setattr(studio.fonts, "text_width", counted)
    assert studio.render(still_job(wild, wild.version)).startswith(b"\x89PNG")
    assert 0 < sum(measured) < 200 * MAX_LINE_CHARS


# --- long matches ---------------------------------------------------------------------------------


def talked(words: int) -> Timeline:
    """Return a match with many chat messages."""
    seats = (Seat("human", "Ann", "ann"), Seat("open", ""))
    seed = bytes(32)
    timeline = Timeline(rules)
    options = {"expert": False}
    opening = Open(
        "caravanserai", 1, options, seats, "private", "ann", compute_commitment(seed), seed.hex()
    )
    play(timeline, None, opening)
    play(timeline, 1, Join("bob", "Bob"))
    for number in range(words):
        play(timeline, 0, Say(f"{number} " + "x" * 490))
    return timeline


def test_chat_in_a_file_is_bounded() -> None:
    """5.6 MB of chat: both the number of messages and the bytes are limited."""
    timeline = talked(MAX_MESSAGES)
    document = plain(export_match("some-match", timeline, 0))
    assert verify(document, check_options).latest.said == MAX_MESSAGES
    assert len(msgspec.json.encode(document)) < MAX_FILE_BYTES
    with pytest.raises(Refused):
        timeline.act(0, [Say("one more")], 0, draws_from_seed)


def test_a_file_that_is_too_large_is_not_read(client: Client) -> None:
    ann = Person(client)
    body = b'{"format":"' + b"x" * MAX_FILE_BYTES + b'"}'
    headers = {**ann.headers, "Content-Type": "application/json"}
    answer = client.post("/api/matches/import", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("body", [b"{", b"[" * 60_000, b'"\\ud800"', b"\xff", b"", b"7", b"[]"])
def test_a_file_that_is_no_json_is_refused(client: Client, body: bytes) -> None:
    """The file is parsed off the event loop; errors are still reported."""
    ann = Person(client)
    headers = {**ann.headers, "Content-Type": "application/json"}
    answer = client.post("/api/matches/import", content=body, headers=headers)
    assert answer.status_code in (400, 422)
    assert answer.json()["code"] in ("malformed_request", "invalid_request", "bad_file")


@contextmanager
def where(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Iterator[list[bool]]:
    """For each call, record whether it ran in the thread of an event loop."""
    import asyncio

    found: list[bool] = []
    real = getattr(module, name)

    def noted(*values: Any, **more: Any) -> Any:
        found.append(asyncio._get_running_loop() is not None)
        assert threading.current_thread() is not None
        return real(*values, **more)

    with monkeypatch.context() as patched:
        patched.setattr(module, name, noted)
        yield found


@pytest.mark.parametrize("game", GAMES)
def test_large_matches_are_proved_and_written_away_from_the_event_loop(
    client: Client, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsing, verifying, folding, storing, describing and compressing run off the event loop."""
    from domain.match import fork
    from service.matches import match_files, seating
    from service.matches.routes import reading, review

    monkeypatch.setattr(offload, "MAX_INLINE_EVENTS", 10)
    monkeypatch.setattr("service.store.group_commit._MAX_INLINE_DECISIONS", 10)
    state = client.app.services
    ann = Person(client)
    path = "/matches/{}"
    calls: list[tuple[Any, str]] = [
        (seating, "verify_upload"),
        (seating, "replace_owner"),
        (state.store, "save_decisions"),
        (reading, "event_answers"),
        (match_files, "export_match"),
        (fork, "create_fork"),
        (review, "review_answer"),
        (state.matches, "_fold"),
        (offload.gzip, "compress"),
    ]
    noted: dict[str, list[bool]] = {}
    with _all(monkeypatch, calls, noted):
        match = ann.post("/matches/import", finished_file(game)).json()
        path = f"/matches/{match['id']}"
        state.matches._matches.clear()
        assert len(ann.get(f"{path}/events").json()["events"]) == match["version"]
        assert ann.get(f"{path}/export").json()["status"] == "finished"
        assert ann.get(f"{path}/review").status_code == 200
        half = ann.post(f"{path}/fork", {"at": match["version"] // 2})
        assert half.status_code == 201, half.text
    assert {name: any(found) for name, found in noted.items() if found} == {
        name: False for _, name in calls
    }


@contextmanager
def _all(
    monkeypatch: pytest.MonkeyPatch, calls: list[tuple[Any, str]], noted: dict[str, list[bool]]
) -> Iterator[None]:
    from contextlib import ExitStack

    with ExitStack() as stack:
        for module, name in calls:
            noted[name] = stack.enter_context(where(monkeypatch, module, name))
        yield


def test_compression_does_not_change_responses(client: Client) -> None:
    """Made on the event loop or in a thread, compressed or not: the same bytes."""
    ann = Person(client)
    match = ann.post("/matches/import", finished_file("caravanserai")).json()
    for call in ("events", "export", "review"):
        url = f"/api/matches/{match['id']}/{call}"
        bodies = set()
        for accepted in ("gzip", "identity"):
            answer = client.get(url, headers={**ann.headers, "Accept-Encoding": accepted})
            assert answer.headers["content-type"] == "application/json"
            assert "accept-encoding" in answer.headers["vary"].lower()
            assert (answer.headers.get("content-encoding") == "gzip") == (accepted == "gzip")
            bodies.add(answer.content)
        assert len(bodies) == 1
