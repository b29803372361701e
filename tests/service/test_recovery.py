"""Recovery of seats after losing a device, over HTTP: PINs, consent of the others, objections.

Requirement: table code, seat and PIN move the seat at once; five tries in total; without a PIN all
others agree and the seat moves after a delay; until then the new device only watches. Only this
seat moves; the old device is notified and keeps nothing of it.
"""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from domain.text.pins import is_common
from service.common.clock import override_clock
from service.matches.scheduler import Scheduler
from service.recovery.typed_codes import CODE_ALPHABET, CODE_CHARS, derive_code, normalize_code
from service.settings import Settings
from tests.service.apps import run_service
from tests.service.databases import DATABASES, fresh
from tests.service.people import Person
from tests.service.test_pace import House

PIN = "482915"
MINUTE = 60_000
DAY = 86_400_000
LIVE = {"kind": "live", "bank": 3600}


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


def at_table(house: House, *names: str, game: str = "caravanserai", **more: Any) -> Any:
    """Return the players of a running match, and the match as the first sees it."""
    people = [Person(house.client, name) for name in names]
    match = people[0].open("me", *["open"] * (len(people) - 1), game=game, **more)
    for person in people[1:]:
        answer = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        assert answer.status_code == 200, answer.text
    return people, people[0].get(f"/matches/{match['id']}").json()


def put(person: Person, path: str, body: Any) -> Any:
    return person.client.put(f"/api{path}", json=body, headers=person.headers)


def choose(person: Person, match: Any, seat: int, pin: str | None = PIN) -> Any:
    answer = put(person, f"/matches/{match['id']}/pin", {"seat": seat, "pin": pin})
    assert answer.status_code == 200, answer.text
    return answer.json()


def recover(person: Person, table: str, seat: int, pin: str = PIN) -> Any:
    return person.post("/matches/recover", {"table": table, "seat": seat, "pin": pin})


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


def ask(person: Person, match: Any, seat: int, about: int, device: Person, **more: Any) -> Any:
    code = device.post("/players/me/seat-code").json()["code"]
    body = {"seat": seat, "about": about, "code": code}
    return person.post(f"/matches/{match['id']}/recovery", body, **more)


def answer_to(person: Person, match: Any, seat: int, about: int, accept: bool = True) -> Any:
    body = {"seat": seat, "about": about, "accept": accept}
    return person.post(f"/matches/{match['id']}/recovery/answer", body)


def events(person: Person, match: Any) -> list[str]:
    return [e["type"] for e in person.get(f"/matches/{match['id']}/events").json()["events"]]


def own_seats(person: Person, match: Any) -> list[int]:
    answer = person.get(f"/matches/{match['id']}")
    assert answer.status_code == 200, answer.text
    return [seat["seat"] for seat in answer.json()["seats"] if seat["you"]]


# --- codes and PINs -------------------------------------------------------------------------------


def test_codes_are_accepted_in_any_spelling() -> None:
    code = derive_code(b"secret", b"table")
    assert len(code) == CODE_CHARS
    assert set(code) <= set(CODE_ALPHABET)
    assert normalize_code("olk2-m8d0 ") == "01K2M8D0"
    assert normalize_code(code.lower()[:4] + " - " + code[4:]) == code


@pytest.mark.parametrize(
    "pin",
    [
        "000000",
        "999999",
        "123456",
        "654321",
        "890123",
        "210987",
        "121212",
        "123123",
        "112233",
        "123321",
        "159753",
        "314159",
    ],
)
def test_common_pins_are_recognised(pin: str) -> None:
    assert is_common(pin)


def test_common_pins_are_refused(house: House) -> None:
    (_ann, bob), match = at_table(house, "Ann", "Bob")
    for pin in ("000000", "654321", "314159"):
        answer = put(bob, f"/matches/{match['id']}/pin", {"seat": 1, "pin": pin})
        assert code_of(answer) == (422, "weak_pin"), pin


@pytest.mark.slow
def test_most_pins_are_allowed() -> None:
    assert sum(is_common(f"{number:06d}") for number in range(1_000_000)) < 4_000
    assert not is_common(PIN)


@pytest.mark.slow
def test_invalid_pin_is_rejected(house: House) -> None:
    (_ann, bob), match = at_table(house, "Ann", "Bob")
    for pin in ("12345", "1234567", "12a456", "１２３４５６", "      ", ""):
        answer = put(bob, f"/matches/{match['id']}/pin", {"seat": 1, "pin": pin})
        assert code_of(answer) == (422, "invalid_request"), pin
        assert pin.strip() == "" or pin not in answer.text


# --- by PIN ---------------------------------------------------------------------------------------


def test_a_pin_moves_the_seat_at_once(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    told = choose(bob, match, 1)
    assert told == {"seat": 1, "chosen": True, "table": told["table"], "tries_left": 5}
    other = bob.open("me", "open")
    new = Person(house.client, "New phone")
    answer = recover(new, told["table"].lower().replace("-", " "), 1)
    assert answer.status_code == 200, answer.text
    assert own_seats(new, match) == [1]
    assert answer.json()["seats"][1]["name"] == "Bob"
    gone = bob.get(f"/matches/{match['id']}")
    assert (*code_of(gone), gone.json()["seat_moved"]) == (404, "no_such_match", True)
    assert own_seats(bob, other) == [0], "only this seat moves"
    assert new.get(f"/matches/{other['id']}").status_code == 404
    assert events(ann, match)[-1] == "SeatRecovered"
    again = recover(new, told["table"], 1)
    assert again.status_code == 200
    assert again.json()["version"] == answer.json()["version"], "nothing happens twice"
    house.look()
    listed = {item["id"] for item in new.get("/matches", scope="mine").json()["items"]}
    assert listed == {match["id"]}
    listed = {item["id"] for item in bob.get("/matches", scope="mine").json()["items"]}
    assert listed == {other["id"]}


@pytest.mark.slow
def test_used_days_of_vacation_stay_used(house: House) -> None:
    """Otherwise a PIN could be used to stop the clock indefinitely."""
    (_ann, bob), match = at_table(house, "Ann", "Bob", pace={"kind": "days", "days": 3})
    table = choose(bob, match, 1)["table"]
    whole = bob.get("/players/me/vacation").json()["days_left"]
    assert put(bob, "/players/me/vacation", {"away": True}).status_code == 200
    house.pass_by(10 * DAY)
    new = Person(house.client, "New phone")
    assert recover(new, table, 1).status_code == 200
    vacation = new.get("/players/me/vacation").json()
    assert (vacation["away"], vacation["days_left"]) == (False, whole - 10)
    assert recover(bob, table, 1).status_code == 200
    assert bob.get("/players/me/vacation").json()["days_left"] == whole - 10


def test_five_tries_in_total_for_all_players(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    strangers = [Person(house.client, f"Stranger {n}") for n in range(6)]
    for left, stranger in zip((4, 3, 2, 1), strangers, strict=False):
        answer = recover(stranger, table, 1, "555123")
        assert (*code_of(answer), answer.json()["tries_left"]) == (403, "wrong_pin", left)
    assert code_of(recover(strangers[4], table, 1, "555123")) == (403, "pin_locked")
    assert code_of(recover(strangers[5], table, 1)) == (403, "pin_locked"), (
        "even with the right PIN"
    )
    assert choose(bob, match, 1, "739164")["tries_left"] == 0
    assert code_of(recover(strangers[5], table, 1, "739164")) == (403, "pin_locked"), (
        "for the whole match"
    )
    assert own_seats(bob, match) == [1]
    assert ask(ann, match, 0, 1, strangers[5]).status_code == 200, "the others can still help"


@pytest.mark.slow
def test_concurrent_tries_share_the_limit(house: House) -> None:
    (_ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    strangers = [Person(house.client, f"Stranger {n}") for n in range(4)]
    pins = [f"{number:06d}" for number in random.Random(1).sample(range(1_000_000), 40)]
    assert PIN not in pins
    with ThreadPoolExecutor(8) as pool:
        tries = pool.map(lambda n: recover(strangers[n % 4], table, 1, pins[n]), range(40))
        codes = [code_of(answer)[1] for answer in tries]
    assert codes.count("wrong_pin") == 4
    assert set(codes) == {"wrong_pin", "pin_locked"}
    with house.client.app.services.store.transaction(commit=False) as sql:
        assert sql.one("SELECT tries FROM {0}seat_pins")["tries"] == 5


@pytest.mark.slow
def test_correct_pin_uses_no_try_and_stays_valid(house: House) -> None:
    (_ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    phones = [Person(house.client, f"Phone {n}") for n in range(7)]
    for phone in phones:
        assert recover(phone, table, 1).status_code == 200
    assert recover(bob, table, 1).status_code == 200, "back to the first device"
    assert own_seats(bob, match) == [1]


@pytest.mark.slow
def test_two_devices_with_the_right_pin_at_the_same_time(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    phones = [Person(house.client, f"Phone {n}") for n in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda phone: recover(phone, table, 1), phones))
    assert {answer.status_code for answer in answers} <= {200, 403, 404}
    holders = [p for p in phones if p.get(f"/matches/{match['id']}").status_code == 200]
    assert len(holders) == 1
    assert events(ann, match).count("SeatRecovered") >= 1


def test_pin_belongs_to_its_player(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    new = Person(house.client, "New")
    path = f"/matches/{match['id']}/pin"
    assert code_of(put(ann, path, {"seat": 1, "pin": PIN})) == (403, "not_your_seat")
    assert code_of(ann.get(path, seat=1)) == (403, "not_your_seat")
    table = choose(bob, match, 1)["table"]
    assert ann.get(path, seat=0).json()["chosen"] is False
    assert code_of(recover(new, table, 0)) == (404, "no_such_pin"), "another seat"
    assert code_of(recover(new, "ZZZZ-ZZZZ", 1)) == (404, "no_such_pin")
    choose(bob, match, 1, None)
    assert code_of(recover(new, table, 1)) == (404, "no_such_pin"), "the PIN was removed"


def test_pin_is_void_for_later_players_and_after_the_end(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    new = Person(house.client, "New")
    left = bob.post(f"/matches/{match['id']}/leave", {"seat": 1, "stand_in": "nobody"})
    assert left.status_code == 200, left.text
    assert code_of(recover(new, table, 1)) == (404, "no_such_pin"), "the seat is free"
    cid = Person(house.client, "Cid")
    invite = ann.get(f"/matches/{match['id']}").json()["invite"]
    cid.post(f"/matches/{match['id']}/join", {"invite": invite})
    assert own_seats(cid, match) == [1]
    assert code_of(recover(new, table, 1)) == (404, "no_such_pin"), "another player holds the seat"


@pytest.mark.slow
def test_single_player_match_explains_missing_pin(house: House) -> None:
    ann = Person(house.client, "Ann")
    match = ann.open("me", "bot")
    answer = put(ann, f"/matches/{match['id']}/pin", {"seat": 0, "pin": PIN})
    assert code_of(answer) == (409, "nobody_else")
    assert "recovery code" in answer.json()["detail"]
    told = ann.get(f"/matches/{match['id']}/recovery").json()
    assert told["seats"] == []
    assert "recovery code" in told["reason"]


def test_blocked_device_cannot_recover(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    blocked = Person(house.client, "Blocked")
    other = ann.open("me", "open")
    blocked.post(f"/matches/{other['id']}/join", {"invite": other["invite"]})
    house.look()
    people = ann.get("/players/me/people").json()["items"]
    one = next(each for each in people if each["name"] == "Blocked")
    put(ann, f"/players/me/people/{one['id']}", {"muted": False, "blocked": True})
    assert code_of(recover(blocked, table, 1)) == (403, "not_welcome")


def test_mute_follows_the_player_to_another_device(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    house.look()
    one = ann.get("/players/me/people").json()["items"][0]
    put(ann, f"/players/me/people/{one['id']}", {"muted": True, "blocked": False})
    new = Person(house.client, "New")
    assert recover(new, table, 1).status_code == 200
    said = new.post(f"/matches/{match['id']}/say", {"seat": 1, "text": "hello there"})
    assert said.status_code == 200, said.text
    assert "hello there" not in ann.get(f"/matches/{match['id']}/events").text


def test_pin_is_never_stored_in_plain_text(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    new = Person(house.client, "New")
    wrong = recover(new, table, 1, "739164")
    assert recover(new, table, 1).status_code == 200
    store = house.client.app.services.store
    with store.transaction(commit=False) as sql:
        row = sql.one("SELECT * FROM {0}seat_pins")
        values = " ".join(str(row[name]) for name in ("match", "player", "code", "pin"))
    shown = "".join(
        (
            *(values, wrong.text, caplog.text),
            new.get(f"/matches/{match['id']}/export").text,
            ann.get(f"/matches/{match['id']}/events").text,
            ann.get(f"/matches/{match['id']}").text,
        )
    )
    assert PIN not in shown
    assert "739164" not in shown


def test_plans_of_the_seat_are_dropped(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    waiting, seat = (bob, 1) if match["to_act"] == [0] else (ann, 0)
    assert seat == 1
    choices = waiting.get(f"/matches/{match['id']}/plan/choices", seat=1).json()["choices"]
    branch = {"when": [], "commands": [choices[0]["command"]], "told_when": "", "told": ""}
    laid = put(waiting, f"/matches/{match['id']}/plan?seat=1", {"branches": [branch]})
    assert laid.status_code == 200, laid.text
    new = Person(house.client, "New")
    assert recover(new, table, 1).status_code == 200
    assert new.get(f"/matches/{match['id']}/plan", seat=1).json()["branches"] == []
    with house.client.app.services.store.transaction(commit=False) as sql:
        assert sql.one("SELECT COUNT(*) AS n FROM {0}plans")["n"] == 0


# --- by the others --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("pace", "delay"), [(LIVE, 10 * MINUTE), (None, DAY)])
def test_agreed_recovery_takes_effect_after_a_delay(house: House, pace: Any, delay: int) -> None:
    more = {"pace": pace} if pace else {}
    (ann, bob, cid), match = at_table(house, "Ann", "Bob", "Cid", **more)
    new = Person(house.client, "New")
    answer = ask(ann, match, 0, 1, new)
    assert answer.status_code == 200, answer.text
    told = answer.json()["recovery"]
    assert (told["seat"], told["about"], told["waiting"], told["began"]) == (0, 1, [2], False)
    assert code_of(answer_to(bob, match, 1, 1)) == (409, "own_recovery")
    assert answer_to(cid, match, 2, 1).status_code == 200
    assert new.get("/players/me/seat-code").json() == {"match": match["id"], "seat": 1}
    seen = new.get(f"/matches/{match['id']}").json()
    assert seen["recovery"]["you"] is True
    assert seen["recovery"]["began"] is True
    assert own_seats(new, match) == []
    house.pass_by(delay - 1)
    assert own_seats(bob, match) == [1]
    house.pass_by(1)
    assert own_seats(new, match) == [1]
    assert bob.get(f"/matches/{match['id']}").status_code == 404
    assert events(ann, match)[-4:] == [
        *("RecoveryAsked", "RecoveryAnswered", "RecoveryBegan", "SeatRecovered")
    ]
    assert "recovery" not in ann.get(f"/matches/{match['id']}").json()


def test_until_then_the_device_only_watches(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob", game="caravane")
    for person, seat in ((ann, 0), (bob, 1)):
        said = person.post(
            f"/matches/{match['id']}/say", {"seat": seat, "text": "pst", "to": 1 - seat}
        )
        assert said.status_code == 200
    bid = bob.get(f"/matches/{match['id']}/choices", seat=1).json()
    played = bob.play({**match, "version": bid["version"]}, 1, bid["choices"][3]["command"])
    assert played.status_code == 200, played.text
    new, watcher = Person(house.client, "New"), Person(house.client, "Watcher")
    assert ask(ann, match, 0, 1, new).status_code == 200
    path = f"/matches/{match['id']}"
    share = ann.get(path).json()["share"]
    for rest in ("", "/events"):
        theirs = new.get(path + rest).json()
        public = watcher.get(path + rest, invite=share).json()
        theirs.pop("recovery", None), public.pop("recovery", None)
        assert theirs == public, "the same bytes as a spectator with a link"
    version = ann.get(path).json()["version"]
    command = {"seat": 1, "expected_version": version, "commands": [{"type": "X"}]}
    assert code_of(new.post(path + "/commands", command)) == (403, "not_your_seat")
    for rest, body in (
        ("/say", {"seat": 1, "text": "hi"}),
        ("/vote", {"seat": 1, "about": 0, "bot": True}),
        ("/undo", {"seat": 1, "expected_version": version}),
        ("/recovery/answer", {"seat": 1, "about": 1, "accept": True}),
        ("/recovery/object", {"seat": 1}),
        ("/leave", {"seat": 1}),
    ):
        assert code_of(new.post(path + rest, body)) == (403, "not_your_seat"), rest
    for rest in ("/choices", "/plan", "/plan/choices", "/pin"):
        assert code_of(new.get(path + rest, seat=1)) == (403, "not_your_seat"), rest
    assert code_of(new.get(path + "/recovery")) == (403, "not_your_seat")
    assert code_of(new.get(path + "/export")) == (409, "recovery_waits")
    before = bob.get(path).json()["view"]
    words = [e["text"] for e in bob.get(path + "/events").json()["events"]]
    house.pass_by(DAY)
    assert new.get(path).json()["view"] == before, "full access to the seat afterwards"
    after = [e["text"] for e in new.get(path + "/events").json()["events"]]
    assert after[: len(words)] == words
    assert new.get(path + "/export").status_code == 200
    assert bob.get(path).status_code == 404


def test_withdrawn_requests_count_too(house: House) -> None:
    """Each sends notifications on every channel, also at night, and stops the seat's clock."""
    (ann, _bob, _cid), match = at_table(house, "Ann", "Bob", "Cid", pace=LIVE)
    phone = Person(house.client, "Phone")
    codes = []
    for _ in range(5):
        codes.append(code_of(ask(ann, match, 0, 1, phone))[1])
        answer_to(ann, match, 0, 1, accept=False)
    assert codes == ["", "", "", "recovery_rests", "recovery_rests"]
    house.pass_by(11 * MINUTE)
    assert ask(ann, match, 0, 1, phone).status_code == 200


@pytest.mark.slow
def test_old_device_objects_or_simply_acts(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    path = f"/matches/{match['id']}"
    second = Person(house.client, "Ann's second phone")
    assert ask(ann, match, 0, 1, second).status_code == 200
    assert code_of(ann.post(path + "/recovery/object", {"seat": 0})) == (409, "no_recovery")
    assert bob.post(path + "/recovery/object", {"seat": 1}).status_code == 200
    assert second.get(path).status_code == 404
    house.pass_by(2 * DAY)
    assert own_seats(bob, match) == [1]
    assert ask(ann, match, 0, 1, second).status_code == 200
    assert bob.post(path + "/say", {"seat": 1, "text": "I am here"}).status_code == 200
    assert events(ann, match)[-2:] == ["RecoveryEnded", "Said"]
    assert code_of(ask(ann, match, 0, 1, second)) == (409, "recovery_rests")
    house.pass_by(DAY + 1)
    assert ask(ann, match, 0, 1, second).status_code == 200


def test_late_action_is_no_objection(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    new = Person(house.client, "New")
    assert ask(ann, match, 0, 1, new).status_code == 200
    house.now += DAY  # the scheduler has not run yet
    for rest, body in (
        ("/say", {"seat": 1, "text": "late"}),
        ("/recovery/object", {"seat": 1}),
        ("/leave", {"seat": 1}),
    ):
        assert code_of(bob.post(f"/matches/{match['id']}{rest}", body)) == (403, "not_your_seat")
    house.look()
    assert own_seats(new, match) == [1]


def test_request_ends_when_declined_or_expired(house: House) -> None:
    (ann, _bob, cid), match = at_table(house, "Ann", "Bob", "Cid")
    new = Person(house.client, "New")
    assert ask(ann, match, 0, 1, new).status_code == 200
    assert answer_to(ann, match, 0, 1, accept=False).status_code == 200, "withdrawn"
    assert ask(ann, match, 0, 1, new).status_code == 200, "a new request is allowed at once"
    assert answer_to(cid, match, 2, 1, accept=False).status_code == 200
    assert new.get(f"/matches/{match['id']}").status_code == 404
    assert code_of(ask(ann, match, 0, 1, new)) == (409, "recovery_rests")
    house.pass_by(2 * DAY)
    assert ask(ann, match, 0, 1, new).status_code == 200
    house.pass_by(8 * DAY)
    assert events(ann, match)[-1] == "RecoveryEnded"
    assert "recovery" not in ann.get(f"/matches/{match['id']}").json()


def test_pin_takes_the_seat_back_after_recovery(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    second = Person(house.client, "Ann's second phone")
    assert ask(ann, match, 0, 1, second).status_code == 200
    house.pass_by(DAY)
    assert own_seats(second, match) == [1]
    assert recover(bob, table, 1).status_code == 200
    assert own_seats(bob, match) == [1]
    assert second.get(f"/matches/{match['id']}").status_code == 404


def test_codes_are_good_for_an_hour_and_one_request(house: House) -> None:
    (ann, _bob, cid), match = at_table(house, "Ann", "Bob", "Cid")
    new = Person(house.client, "New")
    old = new.post("/players/me/seat-code").json()["code"]
    code = new.post("/players/me/seat-code").json()["code"]
    path = f"/matches/{match['id']}/recovery"

    def asked(code: str) -> tuple[int, str]:
        return code_of(ann.post(path, {"seat": 0, "about": 1, "code": code}))

    assert asked(old) == (404, "no_such_device_code")
    assert asked("AAAA-AAAA") == (404, "no_such_device_code")
    assert asked(code.lower()) == (200, "")
    answer_to(cid, match, 2, 1, accept=False)
    house.pass_by(2 * DAY)
    assert asked(code) == (404, "no_such_device_code")
    late = new.post("/players/me/seat-code").json()["code"]
    house.pass_by(61 * MINUTE)
    assert asked(late) == (404, "no_such_device_code")


@pytest.mark.slow
def test_the_same_request_twice_asks_once(house: House) -> None:
    (ann, _bob), match = at_table(house, "Ann", "Bob")
    new = Person(house.client, "New")
    code = new.post("/players/me/seat-code").json()["code"]
    body = {"seat": 0, "about": 1, "code": code}
    path = f"/matches/{match['id']}/recovery"
    first, second = (ann.post(path, body, key="once") for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.json() == second.json()
    assert events(ann, match).count("RecoveryAsked") == 1


def test_two_requests_at_the_same_time_are_one(house: House) -> None:
    (ann, _bob, cid), match = at_table(house, "Ann", "Bob", "Cid")
    phones = [Person(house.client, f"Phone {n}") for n in range(2)]
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask, ann, match, 0, 1, phones[0])]
        asked.append(pool.submit(ask, cid, match, 2, 1, phones[1]))
        codes = sorted(code_of(each.result()) for each in asked)
    assert codes == [(200, ""), (409, "recovery_open")]
    assert events(ann, match).count("RecoveryAsked") == 1


def test_seats_of_bots_strangers_and_finished_matches_are_not_recovered(house: House) -> None:
    ann, bob = Person(house.client, "Ann"), Person(house.client, "Bob")
    match = ann.open("me", "open", "bot")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    new = Person(house.client, "New")
    assert code_of(ask(ann, match, 0, 2, new)) == (409, "nobody_there")
    assert code_of(ask(ann, match, 0, 9, new)) == (422, "no_such_seat")
    assert code_of(ask(ann, match, 0, 0, new)) == (409, "own_recovery")
    assert code_of(ask(ann, match, 1, 1, new)) == (403, "not_your_seat")
    assert code_of(ask(new, match, 1, 1, new)) == (404, "no_such_match")
    assert code_of(ask(ann, match, 0, 1, ann)) == (409, "already_seated")


@pytest.mark.slow
def test_request_survives_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scheduler.__init__, "__defaults__", (3600.0,))
    with fresh("sqlite", tmp_path) as settings:
        house = House(settings)
        with override_clock(lambda: house.now):
            with run_service(settings) as house.client:
                (ann, bob), match = at_table(house, "Ann", "Bob")
                table = choose(bob, match, 1)["table"]
                new = Person(house.client, "New")
                assert ask(ann, match, 0, 1, new).status_code == 200
            house.now += DAY
            with run_service(settings) as house.client:
                for person in (ann, bob, new):
                    person.client = house.client
                house.look()
                assert own_seats(new, match) == [1]
                assert recover(bob, table, 1).status_code == 200, "the PIN survives"


def test_a_settings_delay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scheduler.__init__, "__defaults__", (3600.0,))
    with fresh("sqlite", tmp_path) as settings:
        settings = replace(settings, recovery_delay=60)
        house = House(settings)
        with override_clock(lambda: house.now), run_service(settings) as house.client:
            (ann, _bob), match = at_table(house, "Ann", "Bob")
            new = Person(house.client, "New")
            assert ask(ann, match, 0, 1, new).status_code == 200
            house.pass_by(MINUTE)
            assert own_seats(new, match) == [1]


def test_the_clock_stands_still_meanwhile(house: House) -> None:
    (ann, _bob), match = at_table(house, "Ann", "Bob", pace=LIVE)
    match = ann.step(match)
    while match["to_act"] == [0]:
        match = ann.step(match)
    new = Person(house.client, "New")
    house.pass_by(MINUTE)
    assert ask(ann, match, 0, 1, new).status_code == 200
    clock = ann.get(f"/matches/{match['id']}").json()["clock"]["seats"][1]
    assert clock["runs"] is False
    house.pass_by(10 * MINUTE)
    after = new.get(f"/matches/{match['id']}").json()["clock"]["seats"][1]
    assert after["runs"] is True
    assert after["left"] == clock["left"]


def test_undo_fork_and_rematch_follow_the_new_device(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    table = choose(bob, match, 1)["table"]
    match = ann.step(match)
    new = Person(house.client, "New")
    assert recover(new, table, 1).status_code == 200
    match = ann.get(f"/matches/{match['id']}").json()
    undone = ann.undo(match, 0)
    assert undone.status_code in (200, 202), undone.text
    assert own_seats(new, match) == [1]
    seats = [{"kind": "me"}, {"kind": "same"}]
    fork = ann.post(f"/matches/{match['id']}/fork", {"at": match["version"], "seats": seats})
    assert fork.status_code == 201, fork.text
    joined = new.post(f"/matches/{fork.json()['id']}/join", {})
    assert joined.status_code == 200, joined.text
    assert bob.get(f"/matches/{fork.json()['id']}").status_code == 404


@pytest.mark.slow
def test_rematch_of_a_recovered_host_is_announced(house: House) -> None:
    (ann, bob), match = at_table(house, "Ann", "Bob")
    rng = random.Random(4)
    people = {0: ann, 1: bob}
    while match["status"] == "playing":
        person = people[match["to_act"][0]]
        count = len(person.choices(match, match["to_act"][0]))
        match = person.step(match, rng.randrange(count))
    rematch = ann.post(f"/matches/{match['id']}/rematch").json()
    bob.post(f"/matches/{match['id']}/rematch")
    seat = next(s["seat"] for s in ann.get(f"/matches/{rematch['id']}").json()["seats"] if s["you"])
    table = choose(ann, rematch, seat)["table"]
    new = Person(house.client, "New")
    assert recover(new, table, seat).status_code == 200
    assert bob.get(f"/matches/{match['id']}").json()["rematch"]["match"] == rematch["id"]
    over = put(bob, f"/matches/{match['id']}/pin", {"seat": 1, "pin": PIN})
    assert code_of(over) == (409, "match_over")


@pytest.mark.slow
def test_two_workers_on_one_database(tmp_path: Path) -> None:
    if "postgresql" not in DATABASES:
        pytest.skip("no PostgreSQL")
    with ExitStack() as stack:
        settings: Settings = stack.enter_context(fresh("postgresql", tmp_path))
        one, two = (stack.enter_context(run_service(settings)) for _ in range(2))
        house = House(settings)
        house.client = one
        (ann, bob), match = at_table(house, "Ann", "Bob")
        table = choose(bob, match, 1)["table"]
        phones = [Person(client, "New") for client in (one, two, one, two)]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda p: recover(p, table, 1, "739164"), phones))
            answers = list(pool.map(lambda p: recover(p, table, 1), phones))
        assert [code_of(a)[0] for a in answers].count(200) >= 1
        holders = [p for p in phones if p.get(f"/matches/{match['id']}").status_code == 200]
        assert len(holders) == 1
        ann.client = two
        assert events(ann, match).count("SeatRecovered") >= 1
        assert bob.get(f"/matches/{match['id']}").status_code == 404
