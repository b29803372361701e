"""Abusive requests are answered and do not affect others."""

import threading
from base64 import urlsafe_b64encode
from uuid import uuid4

import msgspec
import pytest

from projections.snapshots import Snapshots
from service.http import offload
from service.matches.match_cache import MatchCache, estimate_bytes
from tests.security.files import running, unfinished_file
from tests.service.people import Client, Person


@pytest.mark.parametrize("position", [b"1/\0", b"1/a\0b", b"-1/x", b"1/\xff", b"9" * 40 + b"/x"])
@pytest.mark.parametrize("scope", ["mine", "public", "invited", "hidden"])
def test_a_cursor_that_no_database_could_compare_with_is_refused(
    scope: str, position: bytes, any_client: Client
) -> None:
    """PostgreSQL rejects null characters; the response was 500."""
    cursor = urlsafe_b64encode(position).decode()
    answer = Person(any_client).get("/matches", scope=scope, cursor=cursor)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_cursor")


def test_long_matches_leave_the_memory_sooner_than_short_ones(client: Client) -> None:
    """A thousand matches were cached whatever their size: 25 GB of the longest files."""
    state = client.app.services
    timeline = running("caravanserai")
    weight = estimate_bytes(timeline)
    snapshots = Snapshots(state.read_models)
    tables = MatchCache(state.store, state.writer, snapshots, 3 * weight)
    keys = [uuid4() for _ in range(10)]
    for key in keys:
        tables.add(key, timeline)
    assert [tables.peek(key) is not None for key in keys] == [False] * 7 + [True] * 3
    alone = MatchCache(state.store, state.writer, snapshots, weight - 1)
    for key in keys:
        assert alone.add(key, timeline).key == key
    assert [alone.peek(key) is not None for key in keys] == [False] * 9 + [True]


@pytest.mark.parametrize("what", ["import", "export"])
def test_lists_do_not_wait_for_large_matches(
    what: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve of them occupied all threads; a list took 99 seconds or failed."""
    ann = Person(client)
    file = msgspec.json.encode(unfinished_file("caravanserai"))
    match = client.post("/api/matches/import", content=file, headers=ann.headers).json()
    go_on = threading.Event()

    def waits(*values: object) -> object:
        go_on.wait(60)
        raise OSError

    if what == "import":
        monkeypatch.setattr("service.matches.match_files.verify_import", waits)
    else:
        monkeypatch.setattr(offload, "MAX_INLINE_EVENTS", 0)
        monkeypatch.setattr(offload, "_encode_body", waits)

    refused: list[int] = []

    def ask() -> None:
        if what == "import":
            answer = client.post("/api/matches/import", content=file, headers=ann.headers)
        else:
            answer = ann.get(f"/matches/{match['id']}/export")
        if answer.status_code == 429:
            refused.append(429)

    many = [threading.Thread(target=ask) for _ in range(40)]
    for thread in many:
        thread.start()
    answers: list[int] = []
    reader = threading.Thread(
        target=lambda: answers.append(ann.get("/matches", scope="public").status_code)
    )
    reader.start()
    reader.join(20)
    in_time = not reader.is_alive()
    go_on.set()
    for thread in [*many, reader]:
        thread.join()
    assert in_time
    # Waiting responses are in memory, so their number is limited.
    assert len(refused) == (8 if what == "import" else 0)
    assert answers == [200]
