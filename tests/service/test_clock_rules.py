"""Clock rules 2 over HTTP: free undo, vacations that end with a move, time zones by name.

Free seats are in `test_free_seats`.
"""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from domain.match.time_control import DAY_MS
from tests.service.people import Person
from tests.service.test_pace import DAYS, MONDAY, House, at_a_table, house, seen, told, vacation
from tests.service.test_rematch import over

__all__ = ["house"]

HOUR = 3_600_000
LIVE = {"kind": "live", "bank": 600, "increment": 5}


def ends(person: Person, match: Any, seat: int = 0) -> Any:
    return seen(person, match)["clock"]["seats"][seat]["ends"]


def test_a_turn_lasts_no_longer_however_often_a_step_is_undone(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    deadline = ends(ann, match)
    for _ in range(3):
        house.pass_by(15 * HOUR)
        ann.step(seen(ann, match))
        answer = ann.undo(seen(ann, match), 0)
        assert (answer.status_code, answer.json()["undo"]["kind"]) == (200, None)
        assert ends(ann, match) == deadline
    house.pass_by(3 * HOUR)
    assert [kind for kind, _, _ in told(ann, match)] == ["TimeRanOut"]


def test_a_move_ends_the_vacation_of_its_person(house: House) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob")
    other = ann.open("me", "open", pace=DAYS)
    bob.post(f"/matches/{other['id']}/join", {"invite": other["invite"]})
    vacation(ann, True)
    house.pass_by(10 * DAY_MS)
    assert seen(ann, match)["clock"]["seats"][0]["away"]
    ann.step(seen(ann, match))
    assert told(ann, match) == [
        ("WentAway", 0, "2026-02-09T00:00:00.000Z"),
        ("CameBack", 0, "2026-02-19T00:00:00.000Z"),
    ]
    back = ann.get("/players/me/vacation").json()
    assert (back["away"], back["days_left"]) == (False, 18)
    assert ends(ann, other) == "2026-02-21T00:00:00.000Z", "the clocks of all tables run"


def test_an_illegal_move_ends_no_vacation(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    vacation(ann, True)
    assert ann.play(seen(ann, match), 0, {"type": "Done"}).status_code == 422
    assert seen(ann, match)["clock"]["seats"][0]["away"]
    assert ann.get("/players/me/vacation").json()["away"]


def test_vacation_does_not_stop_minutes_nor_tables_without_it(house: House) -> None:
    ann, bob = Person(house.client, "Ann"), Person(house.client, "Bob")
    tables = []
    for pace in (LIVE, {**DAYS, "vacation": False}, DAYS):
        match = ann.open("me", "open", pace=pace)
        bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        tables.append(match)
    vacation(ann, True)
    away = [seen(ann, match)["clock"]["seats"][0]["away"] for match in tables]
    assert away == [False, False, True]
    allowed = [seen(ann, match)["clock"]["pace"]["vacation"] for match in tables]
    assert allowed == [False, False, True]
    ann.step(seen(ann, tables[0]))
    assert ann.get("/players/me/vacation").json()["away"], "it does not count there"


# --- time zones ---------------------------------------------------------------------------------


def weekends_off(house: House, zone: str, days: int) -> tuple[Person, Any]:
    pace = {"days": days, "weekends_off": True, "time_zone": zone}
    (ann, _bob), match = at_a_table(house, "Ann", "Bob", **pace)
    return ann, match


@pytest.mark.parametrize(
    ("zone", "opened"),
    [
        ("Europe/Paris", "2026-03-26T12:00+01:00"),  # summer time begins on Sunday, the 29th
        ("Europe/Paris", "2026-10-22T12:00+02:00"),  # and ends on Sunday, the 25th
        ("America/New_York", "2026-03-05T23:30-05:00"),
        ("Australia/Sydney", "2026-04-02T00:30+11:00"),
    ],
)
def test_deadlines_follow_daylight_saving_time(house: House, zone: str, opened: str) -> None:
    """A deadline of two working days from Thursday is at the same time on Monday."""
    began = datetime.fromisoformat(opened)
    house.now = int(began.timestamp() * 1000)
    ann, match = weekends_off(house, zone, 2)
    deadline = datetime.fromisoformat(ends(ann, match)).astimezone(ZoneInfo(zone))
    assert (deadline - began).days in (3, 4)
    assert (deadline.strftime("%A"), deadline.timetz().replace(tzinfo=None)) == (
        "Monday",
        began.timetz().replace(tzinfo=None),
    )
    assert match["clock"]["pace"]["time_zone"] == zone


def test_minutes_are_accepted_as_before(house: House) -> None:
    house.now = int(datetime(2026, 3, 26, 11, tzinfo=UTC).timestamp() * 1000)
    (ann, _), match = at_a_table(house, "Ann", "Bob", weekends_off=True, zone=60)
    assert ends(ann, match) == "2026-03-30T11:00:00.000Z", "13 o'clock in Paris by then"
    assert match["clock"]["pace"]["time_zone"] is None


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Europe/Nowhere", "../etc/passwd", "Paris", "europe/paris", "+2"])
def test_an_unknown_time_zone_is_refused(house: House, zone: str) -> None:
    body = {
        "game": "caravanserai",
        "seats": [{"kind": "me"}],
        "pace": {**DAYS, "weekends_off": True, "time_zone": zone},
    }
    answer = Person(house.client).post("/matches", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "no_such_time_zone")
    assert answer.json()["field"] == "pace.time_zone"


def test_the_opening_event_holds_the_changes_of_three_years(house: House) -> None:
    ann, match = weekends_off(house, "Europe/Paris", 2)
    file = ann.get(f"/matches/{match['id']}/export").json()
    pace = file["decisions"][0]["command"]["pace"]
    assert (pace["zone"], len(pace["offsets"])) == (60, 6)
    assert pace["offsets"][0] == [29_579_100, 120], "2026-03-29T01:00Z"
    assert pace["offsets"][-1][0] < (MONDAY + 3 * 366 * DAY_MS) // 60_000
    brought = ann.post("/matches/import", file)
    assert brought.status_code == 201, brought.text


def test_a_file_with_offsets_out_of_order_is_refused(house: House) -> None:
    ann, match = weekends_off(house, "Europe/Paris", 2)
    file = ann.get(f"/matches/{match['id']}/export").json()
    for offsets in (
        [[5, 60], [5, 0]],
        [[7, 60], [5, 0]],
        [[5, 900]],
        [[-1, 60]],
        [[n, 60] for n in range(50)],
    ):
        for part in (file["decisions"][0]["command"], file["decisions"][0]["events"][0]):
            part["pace"]["offsets"] = offsets
        refused = ann.post("/matches/import", file)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_file")


def test_a_rematch_has_the_offsets_of_its_own_time(house: House) -> None:
    pace = {"kind": "days", "days": 3, "weekends_off": True, "time_zone": "Europe/Paris"}
    people, match = over(house.client, "Ann", "Bob", pace=pace)
    house.now += 200 * DAY_MS
    again = people[0].post(f"/matches/{match['id']}/rematch", {}).json()
    assert (again["clock"]["pace"]["time_zone"], again["clock"]["pace"]["zone"]) == (
        "Europe/Paris",
        120,
    )
