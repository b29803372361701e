"""Metrics count what happened, need a token and contain no names."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from domain.contract.registry import TITLES
from service.notifications.channels import ChannelKind
from service.observability.metrics import command_outcome, notification_counter
from tests.service import servers
from tests.service.apps import run_service
from tests.service.databases import DATABASES, address_of, fresh
from tests.service.people import Client, Person, two_at_a_table

TOKEN = "a token of the club's own"
Values = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture(params=DATABASES)
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Client]:
    with (
        fresh(request.param, tmp_path, metrics_token=TOKEN) as settings,
        run_service(settings) as running,
    ):
        yield running


def text_of(client: Client) -> str:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


def values(client: Client) -> Values:
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text_of(client))
        for sample in family.samples
    }


def grown(before: Values, after: Values, name: str, *labels: str) -> float:
    return after.get((name, labels), 0) - before.get((name, labels), 0)


def test_metrics_require_the_token(watched: Client) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic é"}):
        encoded = {name: value.encode("latin-1") for name, value in headers.items()}
        answer = watched.get("/metrics", headers=encoded)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "caravanserai_" not in answer.text
    assert "caravanserai_streams_open 0.0" in text_of(watched)


def test_metrics_are_off_without_a_token(client: Client) -> None:
    for headers in ({}, {"Authorization": "Bearer "}):
        assert client.get("/metrics", headers=headers).status_code == 404


def test_moves_are_counted_and_timed(watched: Client) -> None:
    ann, bob, match = two_at_a_table(watched)
    before = values(watched)
    command = ann.choices(match, 0)[0]["command"]
    assert ann.play(match, 0, {**command, "cell": 9_999}).json()["code"] == "illegal_move"
    assert bob.play(match, 0, command).status_code == 403
    assert ann.play(match, 0, command).status_code == 200
    assert ann.play(match, 0, command).status_code == 409
    after = values(watched)
    told = {
        outcome: grown(before, after, "caravanserai_commands_total", "caravanserai", outcome)
        for outcome in ("accepted", "illegal", "refused", "conflict", "failed")
    }
    assert told == {"accepted": 1, "illegal": 1, "refused": 1, "conflict": 1, "failed": 0}
    assert grown(before, after, "caravanserai_save_seconds_count") == 1
    assert 0 < grown(before, after, "caravanserai_save_seconds_sum") < 10
    assert after["caravanserai_database_up", ()] == 1
    assert after["caravanserai_matches_set_aside", ()] == 0


def test_projection_lag_is_reported(watched: Client) -> None:
    runner = watched.app.services.runner
    runner.stop()
    ann = Person(watched)
    before = values(watched)
    ann.open("me", "open")
    after = values(watched)
    assert grown(before, after, "caravanserai_projection_behind_decisions") == 1


def test_a_match_that_is_not_in_memory_is_timed(watched: Client) -> None:
    ann = Person(watched)
    match = ann.open("me")
    services = watched.app.services
    before = values(watched)
    services.matches._matches.clear()
    assert ann.get(f"/matches/{match['id']}").status_code == 200
    assert grown(before, values(watched), "caravanserai_fold_seconds_count") == 1


def test_outbox_is_reported(watched: Client) -> None:
    """A notification that is due and not sent shows as late."""
    ann = Person(watched)
    match = ann.open("me")
    outbox = watched.app.services.outbox
    with outbox._store.transaction(commit=True) as sql:
        sql.run(
            "INSERT INTO {0}notices (player, match, kind, turn, version, args, created, state, due,"
            " claimed, tries, tried, sent)"
            " VALUES (?,?,'turn',1,1,'{{}}',0,'waiting',?,?,0,NULL,'')",
            *(ann.id, match["id"], int(time.time() * 1000) - 60_000, 2**52),
        )
    after = values(watched)
    assert after["caravanserai_notices_waiting", ()] == 1
    assert after["caravanserai_notices_late_seconds", ()] >= 59


@pytest.mark.slow
def test_labels_are_bounded(watched: Client) -> None:
    """No ids and no names in metrics."""
    ann, bob, match = two_at_a_table(watched)
    ann.step(match)
    watched.get("/nothing/of/the/kind")
    text = text_of(watched)
    for secret in (ann.id, bob.id, ann.token, match["id"], "Bob", "/nothing"):
        assert secret not in text
    known = {*TITLES, *ChannelKind.__args__, "accepted", "illegal", "refused", "conflict", "failed"}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name.startswith("caravanserai_"):
                labels = {k: v for k, v in sample.labels.items() if k not in ("le", "status")}
                assert set(labels.values()) <= known, sample


def test_unavailable_database_is_reported(watched: Client, monkeypatch: Any) -> None:
    def away() -> int:
        raise OSError("gone")

    monkeypatch.setattr(watched.app.services.read_models, "count_quarantined", away)
    after = values(watched)
    assert after["caravanserai_database_up", ()] == 0
    assert ("caravanserai_projection_behind_decisions", ()) not in after


def test_unexpected_error_counts_as_failure() -> None:
    assert command_outcome(RuntimeError("?")) == "failed"


def test_ready_reports_streams_and_unused_redis(any_client: Client) -> None:
    parts = any_client.get("/health/ready?verbose").json()["parts"]
    assert parts["streams"] == {"ok": True, "open": 0}
    assert parts["redis"] == {"ok": True, "configured": False}


@pytest.mark.slow
def test_ready_reports_redis_state(tmp_path: Path) -> None:
    """Without Redis the service stays ready and reports it as missing."""
    for url, well in ((address_of(servers.redis_url), True), ("redis://127.0.0.1:9", False)):
        with (
            fresh("sqlite", tmp_path, redis_url=url) as settings,
            run_service(settings) as client,
        ):
            answer = client.get("/health/ready?verbose")
            assert answer.status_code == 200
            assert answer.json()["parts"]["redis"] == {"ok": well, "configured": True}


def test_channel_that_never_succeeded_has_a_zero_series(watched: Client) -> None:
    """The alert divides by the number sent, so the series must exist with value 0."""
    notification_counter("never worked", False).inc()
    found = values(watched)
    assert found["caravanserai_notices_failed_total", ("never worked",)] > 0
    assert found["caravanserai_notices_sent_total", ("never worked",)] == 0
