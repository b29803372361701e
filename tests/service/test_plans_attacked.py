"""Plans under attack: invalid content, wrong seats and matches, leaks to others, and concurrency
with everything else that happens to a match."""

import json
from typing import Any

import pytest

from domain.match.plans import EARLY_MS
from service.common.clock import override_clock
from service.matches.plans import PLAY_DELAY_MS
from tests.service.apps import run_service
from tests.service.people import Person
from tests.service.test_pace import House, house, until
from tests.service.test_plans import of, plan, seen, table, turn_over

__all__ = ["house"]


def at_turn_of(house: House, *names: str, seat: int = 1, **pace: Any) -> tuple[list[Person], Any]:
    """Return the players of a hex game in which seat 0 is to move, and a command another seat will
    have."""
    people = [Person(house.client, name) for name in names]
    match = people[0].open("me", *["open"] * (len(names) - 1), **({"pace": pace} if pace else {}))
    for person in people[1:]:
        answer = person.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
        assert answer.status_code == 200, answer.text
    return people, seen(people[0], match)


def first(person: Person, match: Any, seat: int) -> Any:
    """Return what a seat could do first, as far as it can know."""
    listed = person.get(f"/matches/{match['id']}/plan/choices", seat=seat).json()["choices"]
    return {"commands": [listed[0]["command"]]}


# --- invalid content -----------------------------------------------------------------------------


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("data", [{"x": nested(40)}, {"x": nested(900)}], ids=["deep", "deepest"])
def test_conditions_that_no_event_can_be_are_refused(house: House, data: Any) -> None:
    _ann, bob, match, (told, command) = table(house)
    answer = plan(
        bob, match, 1, {"commands": [command], "when": [{"type": told[0]["type"], "data": data}]}
    )
    assert answer.status_code in (400, 422), answer.text
    assert of(bob, match, 1)["branches"] == []


def test_numbers_of_any_size_fit_nothing_and_do_no_harm(house: House) -> None:
    ann, bob, match, (told, command) = table(house)
    when = [{"type": told[0]["type"], "data": {"x": 10**40, "y": -(2**70)}}]
    assert plan(bob, match, 1, {"commands": [command], "when": when}).status_code == 200
    assert of(bob, match, 1)["branches"][0]["when"][0]["data"] == when[0]["data"]
    turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS)
    assert of(bob, match, 1)["dropped"] == "The others didn’t move as you planned."


@pytest.mark.slow
@pytest.mark.parametrize("text", ["\ud800", "\x00", "\u202e" * 40, "<script>"])
def test_any_words_are_kept_as_they_are_or_refused(house: House, text: str) -> None:
    _ann, bob, match, (_told, command) = table(house)
    body = b'{"branches":[{"commands":[%s],"told":%s}]}'
    sent = body % (json.dumps(command).encode(), json.dumps(text).encode())
    answer = bob.client.put(
        f"/api/matches/{match['id']}/plan?seat=1",
        content=sent,
        headers={**bob.headers, "Content-Type": "application/json"},
    )
    assert answer.status_code in (200, 400, 422), answer.text
    if answer.status_code == 200:
        assert of(bob, match, 1)["branches"][0]["told"] == text


def test_a_command_with_more_in_it_than_it_has(house: House) -> None:
    _ann, bob, match, (_told, command) = table(house)
    for more in (10**40, nested(900), {"a": 2**80}):
        answer = plan(bob, match, 1, {"commands": [{**command, "more": more}]})
        assert answer.status_code in (400, 422), answer.text


# --- wrong seats and matches ---------------------------------------------------------------------


def test_used_plan_does_not_block_a_new_one(house: House) -> None:
    """Bob moves himself on his turn: his plan is dropped at once, and a new one counts from now."""
    ann, bob, match, (_told, command) = table(house)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    match = turn_over(ann, match, 0)
    match = turn_over(bob, match, 1)
    assert of(bob, match, 1)["branches"] == []
    assert plan(bob, match, 1, first(bob, match, 1)).status_code == 200


@pytest.mark.slow
def test_finished_match_rejects_and_deletes_plans(house: House) -> None:
    ann, bob = Person(house.client, "Ann"), Person(house.client, "Bob")
    match = ann.open("me", "open", game="caravane")
    bob.post(f"/matches/{match['id']}/join", {"invite": match["invite"]})
    match = seen(ann, match)
    people, steps = (ann, bob), 0
    laid = False
    while match["status"] == "playing" and steps < 2000:
        steps += 1
        seat = match["to_act"][0]
        match = people[seat].step(match)
        if not laid and match["to_act"] == [1 - seat] and match["status"] == "playing":
            got = plan(people[seat], match, seat, {"commands": [{"type": "Bid", "gourds": 99}]})
            laid = got.status_code == 200
    assert match["status"] == "finished"
    assert plan(ann, match, 0, {"commands": [{"type": "Bid", "gourds": 1}]}).status_code in (
        409,
        422,
    )
    assert of(ann, match, 0)["branches"] == []
    house.pass_by(PLAY_DELAY_MS)
    assert rows(house) == []


def rows(house: House) -> list[Any]:
    with house.client.app.services.store.transaction(commit=False) as sql:
        return [(row["match"], row["seat"]) for row in sql.all("SELECT match, seat FROM {0}plans")]


def test_bot_in_the_seat_does_not_play_the_plan(house: House) -> None:
    """Bob leaves and a bot has his seat: his plan plays nothing any more, and he is not
    notified."""
    (ann, bob, cid), match = at_turn_of(house, "Ann", "Bob", "Cid")
    assert plan(bob, match, 1, first(bob, match, 1)).status_code == 200
    assert bob.post(f"/matches/{match['id']}/leave", {"seat": 1}).status_code == 200
    assert bob.get(f"/matches/{match['id']}/plan", seat=1).status_code in (403, 404)
    match = turn_over(ann, seen(ann, match), 0)
    until(lambda: seen(cid, match)["to_act"] == [2], house)
    house.pass_by(PLAY_DELAY_MS)
    assert seen(cid, match)["seats"][1]["kind"] == "bot"
    assert seen(cid, match)["to_act"] == [2]


# --- what others can see of it -------------------------------------------------------------------


def test_responses_do_not_reveal_a_plan(house: House) -> None:
    """Including headers: lengths, tags, ages."""
    ann, bob, match, (told, command) = table(house)
    paths = ("", "/events", "/events?after=0", "/choices?seat=0", "/export", "/review", "/layout")

    def heard() -> list[Any]:
        found = []
        for path in paths:
            got = ann.client.get(f"/api/matches/{match['id']}{path}", headers=ann.headers)
            kept = {k: v for k, v in got.headers.items() if k not in VARY}
            found.append((got.status_code, got.content, kept))
        return found

    before = heard()
    assert plan(bob, match, 1, {"when": told, "commands": [command]}).status_code == 200
    bob.get(f"/matches/{match['id']}/plan/choices", seat=1)
    assert heard() == before
    for way in ("put", "delete", "get"):
        more = {"json": {"branches": [{"commands": [command]}]}} if way == "put" else {}
        got = getattr(ann.client, way)(
            f"/api/matches/{match['id']}/plan", params={"seat": 1}, headers=ann.headers, **more
        )
        assert got.json()["code"] == "not_your_seat"
    stranger = Person(house.client, "Eve")
    got = stranger.get(f"/matches/{match['id']}/plan", seat=1)
    assert got.json()["code"] == "no_such_match"
    assert len(of(bob, match, 1)["branches"]) == 1


VARY = ("date", "x-request-id", "server-timing", "ratelimit", "ratelimit-policy")


# --- concurrency ---------------------------------------------------------------------------------


def test_chat_does_not_delay_a_plan(house: House) -> None:
    """Ann keeps sending chat messages after her move: the grace period counts from the move."""
    ann, bob, match, (_told, command) = table(house)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    match = turn_over(ann, match, 0)
    for _ in range(2):
        house.pass_by(PLAY_DELAY_MS // 2 - 1)
        said = ann.post(f"/matches/{match['id']}/say", {"seat": 0, "text": "Wait for me!"})
        assert said.status_code == 200, said.text
    house.pass_by(2)
    assert of(bob, match, 1)["played"] is not None


@pytest.mark.slow
def test_own_chat_does_not_use_up_a_plan(house: House) -> None:
    ann, bob, match, (_told, command) = table(house)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    bob.post(f"/matches/{match['id']}/say", {"seat": 1, "text": "Well?"})
    assert len(of(bob, match, 1)["branches"]) == 1
    turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS)
    assert of(bob, match, 1)["played"] is not None


@pytest.mark.slow
def test_a_plan_is_in_time_where_the_time_is_shorter_than_the_grace(house: House) -> None:
    """Bob's time runs out within the grace period: his plan is played before that."""
    pace = {"kind": "live", "bank": 60, "minimum": 10, "on_end": "bot_moves"}
    (ann, bob), match = at_turn_of(house, "Ann", "Bob", **pace)
    # He waits until a second of his minute is left; his next turn adds ten.
    match = turn_over(ann, match, 0)
    house.pass_by(59_000)
    match = turn_over(bob, seen(bob, match), 1)
    # A command that will be legal: what he could do first once she has moved.
    before = match["version"]
    command = bob.choices(turn_over(ann, match, 0), 1)[0]["command"]
    ann.undo(seen(ann, match), 0, before)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    match = turn_over(ann, match, 0)
    left = match["clock"]["seats"][1]["left"]
    assert EARLY_MS < left <= PLAY_DELAY_MS
    house.pass_by(left - EARLY_MS - 1)
    assert of(bob, match, 1)["played"] is None
    house.pass_by(1)
    assert of(bob, match, 1)["played"] == match["version"]


def test_plans_answer_each_other_once(house: House) -> None:
    """Bob's plan answers Ann's move and hers answers his: each is played once, in order."""
    ann, bob, match, (_told, command) = table(house)
    assert plan(bob, match, 1, {"commands": [command]}).status_code == 200
    match = turn_over(ann, match, 0)
    assert plan(ann, match, 0, first(ann, match, 0)).status_code == 200
    versions = [match["version"]]
    for _ in range(8):
        house.pass_by(PLAY_DELAY_MS)
        now = seen(ann, match)
        if now["to_act"] == [1]:
            now = turn_over(bob, now, 1)
        versions.append(now["version"])
    assert of(bob, match, 1)["played"] == match["version"]
    # What she could play when she planned may be occupied by now.
    hers = of(ann, match, 0)
    assert hers["played"] or hers["dropped"]
    assert versions[-1] == versions[-4], "no further moves"


def test_a_plan_outlives_the_service(house: House) -> None:
    """The service is restarted in the middle of the grace period."""
    ann, bob, match, (_told, command) = table(house)
    plan(bob, match, 1, {"commands": [command]})
    match = turn_over(ann, match, 0)
    house.pass_by(PLAY_DELAY_MS // 2)
    with run_service(house.settings) as other:
        again = House(house.settings)
        again.now, again.client = house.now, other
        with override_clock(lambda: again.now):
            again.pass_by(PLAY_DELAY_MS)
    house.look()
    assert of(bob, match, 1)["played"] == match["version"]


def test_two_workers_play_a_plan_once_and_notify_its_player(house: House) -> None:
    ann, bob, match, (_told, command) = table(house)
    plan(bob, match, 1, {"commands": [command]})
    match = turn_over(ann, match, 0)
    with run_service(house.settings) as other:
        services = [client.app.services for client in (house.client, other)]
        house.now += PLAY_DELAY_MS
        for each in services:
            each.runner._projector.catch_up()
        with house.client.portal() as one, other.portal() as two:
            looks = [
                portal.start_task_soon(each.scheduler.tick)
                for portal, each in zip((one, two), services, strict=True)
            ]
            for look in looks:
                look.result(20)
        events = bob.get(f"/matches/{match['id']}/events", after=match["version"]).json()["events"]
        assert len({event["decision"] for event in events}) == 1
        house.look()
        assert of(bob, match, 1)["played"] == match["version"]
