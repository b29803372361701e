"""Time controls over HTTP: clocks, timeouts, votes, vacations.

Requirement (time): a match may have a time control; only the clock of the seat to act runs; what
follows a timeout is chosen when the match is opened; a vacation stops all clocks; all of it
survives a restart.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.match.time_control import DAY_MS
from service.common.clock import JUMP_GRACE_MS, JumpTolerantClock, override_clock
from service.matches.scheduler import Scheduler
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Client, Person

MONDAY = 1_770_595_200_000
"""The 9th of February 2026, 0:00 UTC."""
DAYS = {"kind": "days", "days": 2}


class House:
    """The service on a manual clock.

    The scheduler runs only when a test asks for it; its own runs, a second apart, would interfere
    on a busy machine.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.now = MONDAY
        self.client: Client

    def pass_by(self, milliseconds: int) -> None:
        self.now += milliseconds
        self.look()

    def look(self) -> None:
        services = self.client.app.services
        services.runner._projector.catch_up()
        with self.client.portal() as portal:
            portal.call(services.scheduler.tick)


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    with fresh(request.param, tmp_path) as made:
        yield made


@pytest.fixture(params=DATABASES)
def house(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[House]:
    monkeypatch.setattr(Scheduler.__init__, "__defaults__", (3600.0,))
    with fresh(request.param, tmp_path) as settings:
        house = House(settings)
        with override_clock(lambda: house.now), run_service(settings) as client:
            house.client = client
            yield house


def at_a_table(house: House, *names: str, **pace: Any) -> tuple[list[Person], Any]:
    """Return the players of a running hex game with a time control, and the match as the first sees
    it."""
    people = [Person(house.client, name) for name in names]
    match = people[0].open("me", *["open"] * (len(people) - 1), pace={**DAYS, **pace})
    for person in people[1:]:
        answer = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        assert answer.status_code == 200, answer.text
    return people, seen(people[0], match)


def seen(person: Person, match: Any) -> Any:
    answer = person.get(f"/matches/{match['id']}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def told(person: Person, match: Any) -> list[Any]:
    """Return what happened to clocks: type, seat, seconds since Monday."""
    events = person.get(f"/matches/{match['id']}/events").json()["events"]
    return [
        (e["type"], e["seat"], e["at"])
        for e in events
        if e["type"] in ("TimeRanOut", "SeatLeft", "WentAway", "CameBack", "Voted")
    ]


def until(holds: Callable[[], bool], house: House) -> None:
    """Wait for bots, which think in their own threads."""
    import time

    enough = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < enough
        time.sleep(0.02)


def test_a_match_without_a_pace_has_no_clock(house: House) -> None:
    match = Person(house.client).open("me", "me")
    assert "clock" not in match


def paces_in(person: Person, scope: str) -> dict[str, Any]:
    """Return the time controls in one of the person's lists, by match."""
    items = person.get("/matches", scope=scope).json()["items"]
    return {item["id"]: item["pace"] for item in items}


def test_lists_tell_the_time_control(house: House) -> None:
    ann, stranger = Person(house.client), Person(house.client, "Sid")
    paces: list[Any] = [None, {"kind": "live", "bank": 600, "increment": 5}, DAYS]
    expected = [None, {"kind": "live", "bank": 600, "increment": 5}, {"kind": "days", "days": 2}]
    for visibility in ("public", "private"):
        opened = [ann.open("me", "open", visibility=visibility, pace=pace) for pace in paces]
        listed = paces_in(ann, "mine")
        assert [listed[match["id"]] for match in opened] == expected
        shown = paces_in(stranger, "public")
        assert [shown.get(m["id"], "hidden") for m in opened] == (
            expected if visibility == "public" else ["hidden"] * 3
        )


@pytest.mark.slow
def test_time_control_of_a_private_match_is_told_to_its_players_only(house: House) -> None:
    people, match = at_a_table(house, "Ann", "Bob", days=37)
    stranger = Person(house.client, "Sid")
    for scope in ("mine", "public", "invited", "hidden"):
        assert paces_in(stranger, scope) == {}
    assert stranger.get(f"/matches/{match['id']}").status_code == 404
    anonymous = house.client.get("/api/matches?scope=public")
    assert anonymous.json()["items"] == []
    for player in people:
        assert paces_in(player, "mine") == {match["id"]: {"kind": "days", "days": 37}}


def test_clocks_and_deadlines_are_told(house: House) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end="vote")
    clock = match["clock"]
    assert clock["pace"]["days"] == 2
    assert clock["on_end"] == "vote"
    first, second = clock["seats"]
    assert first["runs"]
    assert first["ends"] == "2026-02-11T00:00:00.000Z"
    assert first["left"] == 2 * DAY_MS
    assert not second["runs"]
    assert second["ends"] is None
    assert ann.get("/matches").json()["items"][0]["deadline"] == first["ends"]
    assert "deadline" not in bob.get("/matches").json()["items"][0]


def test_numbers_out_of_bounds_are_refused(house: House) -> None:
    ann = Person(house.client)
    for wrong in ({"days": 0}, {"bank": 5}, {"zone": 900}, {"on_end": "lose"}, {"kind": "fast"}):
        body = {"game": "caravanserai", "seats": [{"kind": "me"}], "pace": {**DAYS, **wrong}}
        assert ann.post("/matches", body).status_code == 422


def test_time_runs_out_once_at_its_own_instant(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    house.pass_by(2 * DAY_MS - 1)
    assert told(ann, match) == []
    house.pass_by(5 * DAY_MS)
    house.look()
    assert told(ann, match) == [("TimeRanOut", 0, "2026-02-11T00:00:00.000Z")]
    assert ann.step(seen(ann, match))["status"] == "playing", "play can go on"


def test_a_bot_moves_this_once(house: House) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end="bot_moves")
    house.pass_by(2 * DAY_MS)
    until(lambda: seen(ann, match)["to_act"] == [1], house)
    now = seen(ann, match)
    assert [seat["kind"] for seat in now["seats"]] == ["human", "human"]
    assert not now["clock"]["seats"][0]["out"]
    house.pass_by(DAY_MS)
    bob.step(seen(bob, match))


def test_a_bot_takes_the_seat(house: House) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob", on_end="bot_takes")
    choice = ann.choices(match, 0)[0]["command"]
    house.now += 3 * DAY_MS
    late = ann.play(match, 0, choice)
    assert late.status_code in (403, 409), "a late move is rejected"
    house.look()
    until(lambda: seen(bob, match)["to_act"] == [1], house)
    assert seen(bob, match)["seats"][0]["kind"] == "bot"


def test_the_others_vote(house: House) -> None:
    (ann, bob, cid), match = at_a_table(house, "Ann", "Bob", "Cid", on_end="vote")
    path = f"/matches/{match['id']}/vote"
    early = bob.post(path, {"seat": 1, "about": 0, "bot": True})
    assert (early.status_code, early.json()["code"]) == (409, "no_vote")
    house.pass_by(2 * DAY_MS)
    assert ann.post(path, {"seat": 0, "about": 0, "bot": True}).json()["code"] == "own_seat"
    assert ann.post(path, {"seat": 1, "about": 0, "bot": True}).json()["code"] == "not_your_seat"
    first = bob.post(path, {"seat": 1, "about": 0, "bot": True})
    assert first.json()["clock"]["seats"][0]["for_bot"] == [1]
    assert first.json()["seats"][0]["kind"] == "human"
    last = cid.post(path, {"seat": 2, "about": 0, "bot": True})
    assert last.json()["seats"][0]["kind"] == "bot"


def test_deadlines_survive_a_restart(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    ann.get("/matches")
    house.now += 2 * DAY_MS + 5
    with run_service(house.settings) as client:
        ann.client = house.client = client
        house.look()
        assert told(ann, match) == [("TimeRanOut", 0, "2026-02-11T00:00:00.000Z")]


def vacation(person: Person, away: bool) -> Any:
    path = "/api/players/me/vacation"
    return person.client.put(path, json={"away": away}, headers=person.headers)


def test_a_vacation_stops_all_clocks(house: House) -> None:
    (ann, bob), match = at_a_table(house, "Ann", "Bob")
    (_, other), second = at_a_table(house, "Cid", "Dan")
    house.pass_by(DAY_MS)
    answer = vacation(ann, True).json()
    assert (answer["away"], answer["days"], answer["days_left"]) == (True, 28, 27)
    assert vacation(ann, True).json()["since"] == answer["since"], (
        "a repeated request changes nothing"
    )
    house.pass_by(10 * DAY_MS)
    assert told(ann, match) == [("WentAway", 0, "2026-02-10T00:00:00.000Z")]
    assert ("TimeRanOut", 0, "2026-02-11T00:00:00.000Z") in told(other, second)
    # A match joined during the vacation knows of it too.
    late = bob.open("me", "open", pace=DAYS)
    ann.post(f"/matches/{late['id']}/join", {"invite": late["invite"]})
    assert seen(bob, late)["clock"]["seats"][1]["away"]
    back = vacation(ann, False).json()
    assert (back["away"], back["days_left"]) == (False, 18)
    clock = seen(ann, match)["clock"]["seats"][0]
    assert clock["ends"] == "2026-02-21T00:00:00.000Z", "a day was left"
    assert not seen(bob, late)["clock"]["seats"][1]["away"]


def test_a_vacation_ends_with_the_days_of_the_year(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    vacation(ann, True)
    house.pass_by(40 * DAY_MS)
    assert told(ann, match)[:2] == [
        ("WentAway", 0, "2026-02-09T00:00:00.000Z"),
        ("CameBack", 0, "2026-03-09T00:00:00.000Z"),
    ]
    house.look()
    assert told(ann, match)[2:] == [("TimeRanOut", 0, "2026-03-11T00:00:00.000Z")]
    refused = vacation(ann, True)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_days_left")


def test_a_short_vacation_counts_for_a_day(house: House) -> None:
    ann = Person(house.client)
    vacation(ann, True)
    house.pass_by(60_000)
    assert vacation(ann, False).json()["days_left"] == 27


@pytest.mark.slow
def test_vacation_survives_a_crash(house: House) -> None:
    """The process died before it stored the vacation in the matches: the next one does so before it
    checks for timeouts."""
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    ann.get("/matches")
    house.pass_by(DAY_MS)
    house.client.app.services.vacations.ledger.start(ann.id, house.now)
    house.now += 9 * DAY_MS
    with run_service(house.settings) as client:
        ann.client = house.client = client
        house.look()
        assert told(ann, match) == [("WentAway", 0, "2026-02-10T00:00:00.000Z")]


def test_imported_match_has_no_running_clock(house: House) -> None:
    (ann, _bob), match = at_a_table(house, "Ann", "Bob")
    file = ann.get(f"/matches/{match['id']}/export").json()
    assert file["decisions"][0]["command"]["pace"]["days"] == 2
    house.now += 10 * DAY_MS
    brought = ann.post("/matches/import", file)
    assert brought.status_code == 201, brought.text
    house.look()
    clock = seen(ann, brought.json())["clock"]
    assert not any(seat["runs"] for seat in clock["seats"])
    assert told(ann, brought.json()) == []


def test_match_file_with_timeouts_verifies(house: House) -> None:
    """Timeout, vote, vacation and return: the file of such a match verifies."""
    (ann, bob, cid), match = at_a_table(house, "Ann", "Bob", "Cid", on_end="vote")
    vacation(bob, True)
    house.pass_by(2 * DAY_MS)
    path = f"/matches/{match['id']}/vote"
    assert bob.post(path, {"seat": 1, "about": 0, "bot": True}).status_code == 200
    again = bob.post(path, {"seat": 1, "about": 0, "bot": True})
    assert (again.status_code, again.json()["code"]) == (409, "voted")
    assert cid.post(path, {"seat": 2, "about": 0, "bot": True}).status_code == 200
    vacation(bob, False)
    file = bob.get(f"/matches/{match['id']}/export").json()
    kinds = {event["type"] for decision in file["decisions"] for event in decision["events"]}
    assert {"TimeRanOut", "Voted", "WentAway", "CameBack", "SeatLeft"} <= kinds
    brought = ann.post("/matches/import", file)
    assert brought.status_code == 201, brought.text
    late = [d for d in file["decisions"] if d["command"]["type"] == "RunOut"]
    assert len(late) == 1


def test_clock_jump_is_trusted_after_a_grace_period() -> None:
    steady, wall = [0], [1_000_000]
    clock = JumpTolerantClock(lambda: wall[0] * 1_000_000, lambda: steady[0] * 1_000_000)

    def passes(real: int, shown: int) -> int:
        steady[0] += real
        wall[0] += shown
        return clock()

    assert passes(500, 500) == 1_000_500
    assert passes(0, 1_500) == 1_002_000, "corrected slightly"
    assert passes(10, 8 * 3_600_000) == 1_002_010, "the machine slept"
    assert passes(JUMP_GRACE_MS - 1, JUMP_GRACE_MS - 1) == 1_002_010 + JUMP_GRACE_MS - 1
    assert passes(1, 1) == wall[0]
    assert passes(5, -9_000_000) == wall[0], "a step back is trusted"


def test_unknown_seat_is_rejected(house: House) -> None:
    """Timeouts are checked only for existing seats."""
    ann, bob = Person(house.client), Person(house.client, "Bob")
    match = ann.open("me", "open", pace=DAYS)
    answer = bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"], "seat": 14})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_open")
