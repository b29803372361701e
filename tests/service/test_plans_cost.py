"""The plan check reads only what has happened since, not all plans."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from projections.database.sql import Sql
from service.matches.plans import PLAY_DELAY_MS, PlanService
from tests.service.people import Person, two_at_a_table
from tests.service.test_pace import House, house
from tests.service.test_plans import of, plan, seen, turn_over
from tests.service.test_plans_attacked import first

__all__ = ["house"]

MANY = 12
"""Tables at which somebody has a plan."""


@contextmanager
def read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count the rows of each statement of a plan check that reads plans, matches or their log.

    On SQLite it also checks that each statement uses an index.
    """
    found: list[int] = []
    plain = Sql.all
    due = PlanService._find_due

    checking: list[int] = []
    """The thread that checks plans; others, such as the projector's, read at the same time."""

    def noted(sql: Sql, statement: str, *values: Any) -> list[Any]:
        rows = plain(sql, statement, *values)
        if threading.get_ident() not in checking:
            return rows
        if not any(name in statement for name in ("}plans", "}matches", "}stored_events")):
            return rows
        found.append(len(rows))
        if not sql.is_postgres:
            ways = [row["detail"] for row in plain(sql, f"EXPLAIN QUERY PLAN {statement}", *values)]
            assert [way for way in ways if way.startswith("SCAN")] == [], statement
        return rows

    def looking(plans: PlanService) -> Any:
        checking[:] = [threading.get_ident()]
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Sql, "all", noted)
            return due(plans)

    with monkeypatch.context() as whole:
        whole.setattr(PlanService, "_find_due", looking)
        yield found


def planned(house: House) -> list[tuple[Person, Person, Any]]:
    """Return matches in which Ann is to move and Bob has a plan."""
    made = []
    for _ in range(MANY):
        ann, bob, match = two_at_a_table(house.client)
        assert plan(bob, match, 1, first(bob, match, 1)).status_code == 200
        made.append((ann, bob, seen(bob, match)))
    return made


def seen_to(person: Person, match: Any) -> bool:
    """Return whether the plan was played or dropped."""
    found = of(person, match, 1)
    return bool(found["played"] or found["dropped"])


def test_a_look_reads_only_what_has_changed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = planned(house)
    house.look()
    with read(monkeypatch) as rows:
        house.look()
        assert sum(rows) == 0, "no change"
        ann, bob, match = tables[3]
        match = turn_over(ann, match, 0)
        rows.clear()
        house.look()
        assert sum(rows) == 3, "the log entry, the plan, the match"
        rows.clear()
        house.pass_by(PLAY_DELAY_MS)
        assert sum(rows) == 2, "the plan waited for its time, and nothing else was read"
        assert seen_to(bob, match)
        house.look()
        rows.clear()
        house.look()
        assert sum(rows) == 0, "the plan is gone"


def test_failed_check_is_repeated_in_full(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database fails in the middle of a check: no plan is missed."""
    tables = planned(house)
    house.look()
    moved = [(bob, turn_over(ann, match, 0)) for ann, bob, match in tables[:3]]
    services: Any = house.client.app.services  # type: ignore[attr-defined]
    services.runner._projector.catch_up()

    def away(*_any: Any) -> Any:
        raise OSError("away")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(services.plans.read_models, "unfinished_matches", away)
        with pytest.raises(OSError, match="away"):
            services.plans._find_due()
    house.pass_by(PLAY_DELAY_MS)
    for bob, match in moved:
        assert seen_to(bob, match)


def test_a_plan_that_is_written_after_the_move_it_was_made_for_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann moves while it is being written, and a check has seen her move before the plan is
    stored."""
    ann, bob, match = two_at_a_table(house.client)
    way = first(bob, match, 1)
    plain = PlanService._write_plan

    def late(plans: PlanService, *what: Any) -> None:
        turn_over(ann, match, 0)
        house.look()
        plain(plans, *what)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(PlanService, "_write_plan", late)
        assert plan(bob, match, 1, way).status_code == 200
    house.pass_by(PLAY_DELAY_MS)
    assert seen_to(bob, match)
